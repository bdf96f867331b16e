import Codecs
import JSON
import Keys

extension Encoder {
    static func encode(_ type: Builtin, from reader: inout JSONReader, into writer: inout ByteWriter)
        throws(ABIError)
    {
        switch type {
        case .bool: writer.write(byte: try readBoolean(&reader) ? 1 : 0)
        case .int8: writer.write(integer: try readInteger(&reader, "int8") as Int8)
        case .int16: writer.write(integer: try readInteger(&reader, "int16") as Int16)
        case .int32: writer.write(integer: try readInteger(&reader, "int32") as Int32)
        case .int64: writer.write(integer: try readInteger(&reader, "int64") as Int64)
        case .int128: writer.write(integer: try readInteger(&reader, "int128") as Int128)
        case .uint8: writer.write(integer: try readInteger(&reader, "uint8") as UInt8)
        case .uint16: writer.write(integer: try readInteger(&reader, "uint16") as UInt16)
        case .uint32: writer.write(integer: try readInteger(&reader, "uint32") as UInt32)
        case .uint64: writer.write(integer: try readInteger(&reader, "uint64") as UInt64)
        case .uint128: writer.write(integer: try readInteger(&reader, "uint128") as UInt128)
        case .varuint32: writer.write(varuint32: try readInteger(&reader, "varuint32"))
        case .varint32:
            let value = try readInteger(&reader, "varint32") as Int32
            // Zigzag encoding: 0, -1, 1, -2, … become 0, 1, 2, 3, …
            writer.write(varuint32: UInt32(bitPattern: value &<< 1 ^ value &>> 31))
        case .float32: writer.write(integer: try readNumber(&reader, FloatText.parse32))
        case .float64: writer.write(integer: try readNumber(&reader, FloatText.parse64))
        case .float128, .bytes, .checksum160, .checksum256, .checksum512:
            try encodeHex(type, from: &reader, into: &writer)
        case .string:
            let token = try readText(&reader)
            try reader.withBytes(of: token) { text throws(ABIError) in
                guard let count = UInt32(exactly: text.count) else { throw ABIError(.tooManyElements) }
                writer.write(varuint32: count)
                writer.write(bytes: text)
            }
        case .name:
            try writeInteger(&reader, &writer) { text throws(ABIError) in try Name(utf8: text).rawValue }
        case .symbol:
            try writeInteger(&reader, &writer) { text throws(ABIError) in try Symbol(utf8: text).rawValue }
        case .symbolCode:
            try writeInteger(&reader, &writer) { text throws(ABIError) in try SymbolCode(utf8: text).rawValue
            }
        case .asset:
            let asset = try read(&reader) { text throws(ABIError) in try Asset(utf8: text) }
            writer.write(integer: asset.amount)
            writer.write(integer: asset.symbol.rawValue)
        case .timePoint:
            try writeInteger(&reader, &writer) { text throws(ABIError) in
                try TimePoint(utf8: text).microseconds
            }
        case .timePointSec:
            try writeInteger(&reader, &writer) { text throws(ABIError) in try TimePointSec(utf8: text).seconds
            }
        case .blockTimestamp:
            try writeInteger(&reader, &writer) { text throws(ABIError) in try BlockTimestamp(utf8: text).slot
            }
        case .bitset:
            let token = try readText(&reader)
            try reader.withBytes(of: token) { text throws(ABIError) in
                try BitsetText.parse(text, into: &writer)
            }
        case .publicKey, .signature: try encodeKey(type, from: &reader, into: &writer)
        }
    }

    // MARK: - tokens

    private static func readText(_ reader: inout JSONReader) throws(ABIError) -> JSONToken {
        try expect(.string, as: .text, from: &reader)
        return try converting(ABIError.json, reader.readString())
    }

    /// Reads a string and parses it.
    @inline(__always)
    private static func read<Value>(
        _ reader: inout JSONReader, _ parse: (Span<UInt8>) throws(ABIError) -> Value
    ) throws(ABIError) -> Value {
        let token = try readText(&reader)
        return try reader.withBytes(of: token, parse)
    }

    /// Reads a string, parses it, and writes the integer that it means.
    @inline(__always)
    private static func writeInteger<Value: FixedWidthInteger & BitwiseCopyable>(
        _ reader: inout JSONReader, _ writer: inout ByteWriter,
        _ parse: (Span<UInt8>) throws(ABIError) -> Value
    ) throws(ABIError) {
        writer.write(integer: try read(&reader, parse))
    }

    /// A number, or a string that contains a number.
    private static func readNumeral(
        _ reader: inout JSONReader, as expectation: ABIError.Expectation
    ) throws(ABIError) -> JSONToken {
        switch try converting(ABIError.json, reader.peek()) {
        case .number: return try converting(ABIError.json, reader.readNumber())
        case .string: return try converting(ABIError.json, reader.readString())
        case let found: throw ABIError(.expected(expectation, found: found))
        }
    }

    @inline(__always)
    private static func readInteger<Value: FixedWidthInteger>(
        _ reader: inout JSONReader, _ type: StaticString
    ) throws(ABIError) -> Value {
        if let number = reader.readShortNatural() {
            guard let value = Value(exactly: number) else {
                throw ABIError(.integerOutOfRange(type: "\(type)"))
            }
            return value
        }
        let token = try readNumeral(&reader, as: .integer)
        return try reader.withBytes(of: token) { text throws(ABIError) in
            try IntegerText.parse(text, type: type)
        }
    }

    private static func readNumber<Bits>(
        _ reader: inout JSONReader, _ parse: (Span<UInt8>) throws(ABIError) -> Bits
    ) throws(ABIError) -> Bits {
        let token = try readNumeral(&reader, as: .float)
        return try reader.withBytes(of: token, parse)
    }

    /// `true`, `false`, `1` or `0`
    private static func readBoolean(_ reader: inout JSONReader) throws(ABIError) -> Bool {
        switch try converting(ABIError.json, reader.peek()) {
        case .boolean: return try converting(ABIError.json, reader.readBoolean())
        case .number:
            let token = try converting(ABIError.json, reader.readNumber())
            return try reader.withBytes(of: token) { text throws(ABIError) in
                guard text.count == 1, text[0] & 0xfe == UInt8(ascii: "0") else {
                    throw ABIError(.expected(.boolean, found: .number))
                }
                return text[0] == UInt8(ascii: "1")
            }
        case let found: throw ABIError(.expected(.boolean, found: found))
        }
    }

    // MARK: - hex and keys

    private static func encodeHex(
        _ type: Builtin, from reader: inout JSONReader, into writer: inout ByteWriter
    )
        throws(ABIError)
    {
        let token = try readText(&reader)
        try reader.withBytes(of: token) { text throws(ABIError) in
            switch type {
            case .bytes:
                guard let count = UInt32(exactly: text.count / 2) else { throw ABIError(.tooManyElements) }
                writer.write(varuint32: count)
                try HexText.parse(text, into: &writer)
            case .float128:
                let hasPrefix =
                    text.count >= 2 && text[0] == UInt8(ascii: "0") && text[1] == UInt8(ascii: "x")
                try HexText.parse(text.extracting((hasPrefix ? 2 : 0)..<text.count), bytes: 16, into: &writer)
            case .checksum160: try HexText.parse(text, bytes: 20, into: &writer)
            case .checksum256: try HexText.parse(text, bytes: 32, into: &writer)
            default: try HexText.parse(text, bytes: 64, into: &writer)
            }
        }
    }

    private static func encodeKey(
        _ type: Builtin, from reader: inout JSONReader, into writer: inout ByteWriter
    )
        throws(ABIError)
    {
        let token = try readText(&reader)
        let text = reader.text(of: token)
        do {
            if type == .publicKey {
                if NullKey.isText(text) { return NullKey.write(to: &writer) }
                try PublicKey(text).write(to: &writer)
            } else {
                try Signature(text).write(to: &writer)
            }
        } catch {
            throw ABIError(.keyText(error))
        }
    }
}
