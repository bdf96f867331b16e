import Codecs
import JSON

extension ABIType {
    /// True if a value is of this type and encodes to these bytes.
    ///
    /// The bytes are compared part by part and not written, because every action is checked.
    package func encodes(_ value: TypedValue, to bytes: [UInt8]) -> Bool {
        ByteReader.read(bytes) { reader in
            layout.encodes(value, as: node, isLast: true, to: &reader) && reader.isAtEnd
        }
    }
}

extension Layout {
    /// True if the value's encoding comes next in the reader, which moves past it.
    fileprivate func encodes(
        _ value: TypedValue, as node: Int, isLast: Bool, to reader: inout ByteReader
    ) -> Bool {
        switch nodes[node] {
        case .builtin(let type): return Self.encodes(value, as: type, to: &reader)
        case .structure(let index):
            guard case .fields(let fields) = value else { return false }
            return encodes(fields, as: structs[index], isLast: isLast, to: &reader)
        case .array(let element):
            guard case .list(let list) = value, reader.skip(count: list.count) else { return false }
            return encodes(list, as: element, to: &reader)
        case .fixedArray(let element, let count):
            guard case .list(let list) = value, list.count == count else { return false }
            return encodes(list, as: element, to: &reader)
        case .optional(let wrapped):
            if case .absent = value { return reader.skip(UInt8(0)) }
            return reader.skip(UInt8(1)) && encodes(value, as: wrapped, isLast: isLast, to: &reader)
        case .variant(let index):
            var comparisons = 0
            guard case .alternative(let type, let inner) = value,
                let found = alternative(
                    named: Array(type.utf8).span, in: variants[index], counting: &comparisons)
            else { return false }
            return reader.skip(count: found - variants[index].first)
                && encodes(inner, as: alternatives[found].type, isLast: isLast, to: &reader)
        }
    }

    private func encodes(_ list: [TypedValue], as element: Int, to reader: inout ByteReader) -> Bool {
        list.allSatisfy { encodes($0, as: element, isLast: false, to: &reader) }
    }

    /// Only extensions at the end may be absent.
    private func encodes(
        _ list: [TypedField], as node: StructNode, isLast: Bool, to reader: inout ByteReader
    ) -> Bool {
        let end = node.first + node.count
        guard list.count <= node.count,
            isLast && fields[node.first + list.count..<end].allSatisfy(\.isExtension)
                || list.count == node.count
        else { return false }
        let values = list.span
        for offset in values.indices {
            let index = node.first + offset
            guard values[offset].name == fieldNames[index],
                encodes(
                    values[offset].value, as: fields[index].type, isLast: isLast && index == end - 1,
                    to: &reader)
            else { return false }
        }
        return true
    }

    private static func encodes(_ value: TypedValue, as type: Builtin, to reader: inout ByteReader) -> Bool {
        switch value {
        case .name(let name) where type == .name: reader.skip(name.rawValue)
        case .asset(let asset) where type == .asset:
            reader.skip(asset.amount) && reader.skip(asset.symbol.rawValue)
        case .bytes(let bytes) where type == .bytes:
            reader.skip(count: bytes.count) && reader.skip(bytes.span)
        case .text(let text) where type == .string:
            reader.skip(count: text.utf8.count) && reader.skip(text.utf8.span)
        case .publicKey(let text) where type == .publicKey:
            encodes(json: "\"\(text)\"", as: type, to: &reader)
        case .plain(let text) where !type.hasOwnCase: encodes(json: "\"\(text)\"", as: type, to: &reader)
        case .unquoted(let text) where !type.hasOwnCase: encodes(json: text, as: type, to: &reader)
        case .name, .asset, .bytes, .text, .publicKey, .plain, .unquoted, .list, .fields, .alternative,
            .absent:
            false
        }
    }

    /// Encodes the text that is shown.
    private static func encodes(json: String, as type: Builtin, to reader: inout ByteReader) -> Bool {
        var writer = ByteWriter()
        do {
            try JSONReader.read(Array(json.utf8), orThrow: { ABIError(.json($0)) }) { text throws(ABIError) in
                try Encoder.encode(type, from: &text, into: &writer)
                try converting(ABIError.json, text.expectEnd())
            }
        } catch { return false }
        return reader.skip(writer.bytes.span)
    }
}

extension ByteReader {
    /// Moves past an integer.
    /// - Returns: True if the next bytes are this integer.
    @inline(__always)
    fileprivate mutating func skip<Value: FixedWidthInteger & BitwiseCopyable>(_ expected: Value) -> Bool {
        do throws(CodecError) { return try readInteger(Value.self) == expected } catch { return false }
    }

    @inline(__always)
    fileprivate mutating func skip(count: Int) -> Bool {
        do throws(CodecError) { return try Int(readVaruint32()) == count } catch { return false }
    }

    fileprivate mutating func skip(_ expected: Span<UInt8>) -> Bool {
        do throws(CodecError) {
            return try withBytes(expected.count, orThrow: { $0 }) { bytes throws(CodecError) in
                // Without an early exit, so that many bytes are compared at once.
                var difference: UInt8 = 0
                for index in bytes.indices { difference |= bytes[index] ^ expected[index] }
                return difference == 0
            }
        } catch { return false }
    }
}

extension Builtin {
    /// True if `TypedValue` has a case for values of this type.
    fileprivate var hasOwnCase: Bool {
        switch self {
        case .name, .asset, .bytes, .string, .publicKey: true
        default: false
        }
    }
}
