/// One part of a message: fragments that are mixed by exclusive or (BCR-2024-001).
package struct URPart: Equatable, Sendable {
    /// The most fragments of a message. A decoder holds one bit for each fragment and part, so the
    /// limit keeps the data of 8 messages below 100 MB.
    package static let maximumCount = 8192

    /// The fields that all parts of one message have in common.
    package struct Header: Hashable, Sendable {
        package let type: URType
        package let count: UInt32
        package let messageLength: Int
        package let checksum: UInt32
        package let fragmentLength: Int
    }

    /// The number of the part, from 1.
    package let number: UInt32
    package let header: Header
    package let data: [UInt8]

    /// The number of fragments.
    package var count: UInt32 { header.count }
}

extension URPart {
    /// Reads the body of a part.
    init(type: URType, cbor: [UInt8]) throws(CodeSequenceError) {
        self = try CBORReader.readAll(cbor, { $0 }) { reader throws(CodeSequenceError) in
            guard try reader.array(limit: 5) == 5 else { throw .cbor(.unexpectedItem(offset: 0)) }
            let number = try Self.integer(&reader)
            let count = try Self.integer(&reader)
            let length = try Self.integer(&reader)
            let checksum = try Self.integer(&reader)
            let data = try reader.byteString(limit: UniformResource.maximumLength)
            guard number > 0, count > 0 else { throw .resource(.invalidSequence) }
            guard length <= UniformResource.maximumLength else {
                throw .resource(.messageTooLong(Int(length), limit: UniformResource.maximumLength))
            }
            guard count <= Self.maximumCount else {
                throw .resource(.tooManyFragments(Int(count), limit: Self.maximumCount))
            }
            // The last fragment is padded with zeros, and has at least one byte of the message.
            guard data.count * Int(count) >= length, data.count * (Int(count) - 1) < length else {
                throw .resource(.inconsistentLengths)
            }
            let header = Header(
                type: type, count: count, messageLength: Int(length), checksum: checksum,
                fragmentLength: data.count)
            return URPart(number: number, header: header, data: data)
        }
    }

    private static func integer(_ reader: inout CBORReader) throws(CodeSequenceError) -> UInt32 {
        let start = reader.position
        guard let value = UInt32(exactly: try reader.unsigned()) else {
            throw .cbor(.unexpectedItem(offset: start))
        }
        return value
    }

    package var text: String {
        let body = Self.cbor(number, count, UInt32(clamping: header.messageLength), header.checksum, data)
        return "ur:\(header.type.name)/\(number)-\(count)/\(Bytewords.minimal.encode(body))"
    }

    package static func cbor(
        _ number: UInt32, _ count: UInt32, _ messageLength: UInt32, _ checksum: UInt32, _ data: [UInt8]
    ) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(5)
        for value in [number, count, messageLength, checksum] { writer.unsigned(UInt64(value)) }
        writer.byteString(data)
        return writer.bytes
    }
}
