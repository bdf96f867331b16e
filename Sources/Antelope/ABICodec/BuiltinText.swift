import Codecs
import JSON
import Keys

/// Decodes built-in types to JSON text.
enum BuiltinText {
    /// 64-bit integers above this are quoted, as in nodeos, for readers that have only doubles
    /// (AntelopeIO/spring, libraries/libfc/src/io/json.cpp).
    private static let unquotedLimit: UInt64 = 0xffff_ffff

    static func decode(_ type: Builtin, from reader: inout ByteReader, into writer: inout JSONWriter)
        throws(ABIError)
    {
        switch type {
        case .bool:
            let byte = try read(&reader) as UInt8
            guard byte <= 1 else { throw ABIError(.invalidBoolean(byte)) }
            writer.write(boolean: byte == 1)
        case .int8: write(try read(&reader) as Int8, to: &writer)
        case .int16: write(try read(&reader) as Int16, to: &writer)
        case .int32: write(try read(&reader) as Int32, to: &writer)
        case .int64: write(try read(&reader) as Int64, to: &writer)
        case .uint8: write(try read(&reader) as UInt8, to: &writer)
        case .uint16: write(try read(&reader) as UInt16, to: &writer)
        case .uint32: write(try read(&reader) as UInt32, to: &writer)
        case .uint64: write(try read(&reader) as UInt64, to: &writer)
        case .int128:
            let value = try read(&reader) as Int128
            writer.write(quoted: { bytes in
                if value < 0 { bytes.append(UInt8(ascii: "-")) }
                IntegerText.append(value.magnitude, to: &bytes)
            })
        case .uint128:
            let value = try read(&reader) as UInt128
            writer.write(quoted: { IntegerText.append(value, to: &$0) })
        case .varuint32: write(try converting(ABIError.bytes, reader.readVaruint32()), to: &writer)
        case .varint32:
            let value = try converting(ABIError.bytes, reader.readVaruint32())
            write(Int32(bitPattern: value &>> 1) ^ (0 &- Int32(bitPattern: value & 1)), to: &writer)
        case .float32:
            guard let text = FloatText.text32(try read(&reader)) else { throw ABIError(.unprintableNaN) }
            writer.write(string: text)
        case .float64:
            guard let text = FloatText.text64(try read(&reader)) else { throw ABIError(.unprintableNaN) }
            writer.write(string: text)
        case .float128: try decodeHex(16, prefix: "0x", from: &reader, into: &writer)
        case .checksum160: try decodeHex(20, from: &reader, into: &writer)
        case .checksum256: try decodeHex(32, from: &reader, into: &writer)
        case .checksum512: try decodeHex(64, from: &reader, into: &writer)
        case .bytes: try decodeHex(try readCount(&reader), from: &reader, into: &writer)
        case .string: try decodeString(from: &reader, into: &writer)
        case .timePoint, .timePointSec, .blockTimestamp: try decodeTime(type, from: &reader, into: &writer)
        case .name:
            let name = try readName(&reader)
            writer.write(quoted: { name.append(to: &$0) })
        case .symbol:
            let symbol = try Symbol(rawValue: try read(&reader))
            writer.write(quoted: { symbol.append(to: &$0) })
        case .symbolCode:
            let code = try SymbolCode(rawValue: try read(&reader))
            writer.write(quoted: { code.append(to: &$0) })
        case .asset:
            let asset = try readAsset(&reader)
            writer.write(quoted: { asset.append(to: &$0) })
        case .bitset: try decodeBitset(from: &reader, into: &writer)
        case .publicKey: _ = try decodePublicKey(from: &reader, into: &writer)
        case .signature: try decodeSignature(from: &reader, into: &writer)
        }
    }

    @inline(__always)
    private static func read<Value: FixedWidthInteger & BitwiseCopyable>(_ reader: inout ByteReader)
        throws(ABIError)
        -> Value
    {
        try converting(ABIError.bytes, reader.readInteger())
    }

    static func readName(_ reader: inout ByteReader) throws(ABIError) -> Name {
        Name(rawValue: try read(&reader))
    }

    static func readAsset(_ reader: inout ByteReader) throws(ABIError) -> Asset {
        let amount = try read(&reader) as Int64
        return try Asset(amount: amount, symbol: Symbol(rawValue: try read(&reader)))
    }

    static func readCount(_ reader: inout ByteReader) throws(ABIError) -> Int {
        Int(try converting(ABIError.bytes, reader.readVaruint32()))
    }

    // MARK: - numbers

    @inline(__always)
    private static func write<Value: FixedWidthInteger>(_ value: Value, to writer: inout JSONWriter) {
        let magnitude = UInt64(truncatingIfNeeded: value.magnitude)
        let isNegative = value < 0
        func append(to bytes: inout [UInt8]) {
            if isNegative { bytes.append(UInt8(ascii: "-")) }
            IntegerText.append(magnitude, to: &bytes)
        }
        if magnitude > unquotedLimit {
            writer.write(quoted: { append(to: &$0) })
        } else {
            writer.write(raw: { append(to: &$0) })
        }
    }

    private static func decodeTime(
        _ type: Builtin, from reader: inout ByteReader, into writer: inout JSONWriter
    )
        throws(ABIError)
    {
        let parts: (seconds: UInt32, milliseconds: UInt32)?
        switch type {
        case .timePoint: parts = TimePoint(microseconds: try read(&reader)).parts
        case .blockTimestamp: parts = BlockTimestamp(slot: try read(&reader)).parts
        default:
            let seconds = try read(&reader) as UInt32
            return writer.write(quoted: { CivilTime.append(seconds: seconds, to: &$0) })
        }
        guard let parts else { throw ABIError(.unprintableTime) }
        writer.write(quoted: { bytes in
            CivilTime.append(seconds: parts.seconds, to: &bytes)
            CivilTime.append(milliseconds: parts.milliseconds, to: &bytes)
        })
    }

    // MARK: - bytes

    private static func decodeString(from reader: inout ByteReader, into writer: inout JSONWriter)
        throws(ABIError)
    {
        let count = try readCount(&reader)
        try reader.withBytes(count, orThrow: { ABIError(.bytes($0)) }) { text throws(ABIError) in
            guard writer.write(utf8: text) else { throw ABIError(.invalidUTF8) }
        }
    }

    private static func decodeBitset(from reader: inout ByteReader, into writer: inout JSONWriter)
        throws(ABIError)
    {
        let count = try readCount(&reader)
        try reader.withBytes((count + 7) / 8, orThrow: { ABIError(.bytes($0)) }) { bytes throws(ABIError) in
            try BitsetText.write(bytes, bits: count, to: &writer)
        }
    }

    private static func decodeHex(
        _ count: Int, prefix: StaticString = "", from reader: inout ByteReader, into writer: inout JSONWriter
    ) throws(ABIError) {
        try reader.withBytes(count, orThrow: { ABIError(.bytes($0)) }) { hex throws(ABIError) in
            writer.write(quoted: { bytes in
                bytes.append(contentsOf: "\(prefix)".utf8)
                Hex.append(hex, to: &bytes)
            })
        }
    }

    /// - Returns: True if the key is the all-zero key.
    static func decodePublicKey(from reader: inout ByteReader, into writer: inout JSONWriter) throws(ABIError)
        -> Bool
    {
        let key: PublicKey
        if reader.nextByte == PublicKey.Kind.k1.rawValue, reader.remaining >= NullKey.count {
            let bytes = try converting(ABIError.bytes, reader.readBytes(NullKey.count))
            guard bytes.contains(where: { $0 != 0 }) else {
                writer.write(string: NullKey.legacyText)
                return true
            }
            do { key = try PublicKey(kind: .k1, body: Array(bytes.dropFirst())) } catch {
                throw ABIError(.curve(error))
            }
        } else {
            key = try converting(ABIError.curve, PublicKey(from: &reader))
        }
        writer.write(string: try printable(key.body) { key.text })
        return false
    }

    private static func decodeSignature(from reader: inout ByteReader, into writer: inout JSONWriter)
        throws(ABIError)
    {
        let signature = try converting(ABIError.curve, Signature(from: &reader))
        writer.write(string: try printable(signature.body) { signature.text })
    }

    /// Parts of WebAuthn keys and signatures can have any length, but base58 text is read only up
    /// to a limit. Each byte takes at least one character. A body that is too long is refused
    /// before it is encoded, because encoding takes quadratic time.
    private static func printable(_ body: [UInt8], _ text: () -> String) throws(ABIError) -> String {
        let limit = Base58.maximumCount
        guard body.count <= limit else { throw ABIError(.keyTooLong(limit: limit)) }
        let text = text()
        // Only WebAuthn texts can be this long.
        guard text.utf8.count - "SIG_WA_".utf8.count <= limit else {
            throw ABIError(.keyTooLong(limit: limit))
        }
        return text
    }
}
