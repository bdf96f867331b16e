/// A cursor over deterministic CBOR (RFC 8949, 4.2.1) of the types that messages need.
///
/// A length is checked before it is used. A number in a longer form than necessary and an
/// indefinite length are refused.
package struct CBORReader {
    private let bytes: [UInt8]
    private var offset = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Runs `body` with a reader of `bytes`. It must read all of them.
    package static func readAll<Result, Failure: Error>(
        _ bytes: [UInt8], _ convert: (CodeSequenceError) -> Failure,
        _ body: (inout CBORReader) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var reader = CBORReader(bytes)
        let result = try body(&reader)
        guard reader.offset == bytes.count else {
            throw convert(.cbor(.trailingBytes(offset: reader.offset)))
        }
        return result
    }

    package mutating func unsigned() throws(CodeSequenceError) -> UInt64 { try head(.unsigned) }

    package mutating func tag() throws(CodeSequenceError) -> UInt64 { try head(.tag) }

    /// The number of items of an array, which the caller reads next.
    package mutating func array(limit: Int) throws(CodeSequenceError) -> Int {
        try count(.array, limit: limit)
    }

    /// The number of pairs of a map, which the caller reads next.
    package mutating func map(limit: Int) throws(CodeSequenceError) -> Int { try count(.map, limit: limit) }

    package mutating func byteString(limit: Int) throws(CodeSequenceError) -> [UInt8] {
        try content(.byteString, limit: limit)
    }

    package mutating func textString(limit: Int) throws(CodeSequenceError) -> String {
        let start = offset
        guard let text = String(validating: try content(.textString, limit: limit), as: UTF8.self) else {
            throw .cbor(.unexpectedItem(offset: start))
        }
        return text
    }

    /// The offset of the next item, for errors about its value.
    package var position: Int { offset }

    private mutating func content(_ type: CBORType, limit: Int) throws(CodeSequenceError) -> [UInt8] {
        let count = try count(type, limit: limit)
        guard count <= bytes.count - offset else { throw .cbor(.truncated(offset: offset)) }
        defer { offset += count }
        return Array(bytes[offset..<(offset + count)])
    }

    private mutating func count(_ type: CBORType, limit: Int) throws(CodeSequenceError) -> Int {
        let start = offset
        guard let count = Int(exactly: try head(type)), count <= limit else {
            throw .cbor(.tooLong(offset: start, limit: limit))
        }
        return count
    }

    /// The number in the head of an item of this type (RFC 8949, 3).
    private mutating func head(_ type: CBORType) throws(CodeSequenceError) -> UInt64 {
        let start = offset
        guard start < bytes.count else { throw .cbor(.truncated(offset: start)) }
        guard bytes[start] >> 5 == type.rawValue else { throw .cbor(.unexpectedItem(offset: start)) }
        let short = bytes[start] & 0x1f
        guard short >= 24 else {
            offset += 1
            return UInt64(short)
        }
        guard short < 28 else { throw .cbor(.notDeterministic(offset: start)) }
        let length = 1 << Int(short - 24)
        guard length < bytes.count - start else { throw .cbor(.truncated(offset: start)) }
        let value = bytes[(start + 1)...(start + length)].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        guard value >= CBORType.smallest(length: length) else {
            throw .cbor(.notDeterministic(offset: start))
        }
        offset += 1 + length
        return value
    }
}
