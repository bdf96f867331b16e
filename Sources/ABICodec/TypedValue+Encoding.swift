import Codecs
import JSON

extension ABIType {
    /// Writes the bytes of a value.
    /// - Returns: Whether the value is of this type. If not, `writer` contains a part of it.
    package func encode(_ value: TypedValue, into writer: inout ByteWriter) -> Bool {
        layout.encode(value, as: node, isLast: true, into: &writer)
    }
}

extension Layout {
    fileprivate func encode(_ value: TypedValue, as node: Int, isLast: Bool, into writer: inout ByteWriter) -> Bool {
        switch nodes[node] {
        case .builtin(let type): return Self.encode(value, as: type, into: &writer)
        case .structure(let index):
            guard case .fields(let fields) = value else { return false }
            return encode(fields, as: structs[index], isLast: isLast, into: &writer)
        case .array(let element):
            guard case .list(let list) = value, let count = UInt32(exactly: list.count) else { return false }
            writer.write(varuint32: count)
            return list.allSatisfy { encode($0, as: element, isLast: false, into: &writer) }
        case .fixedArray(let element, let count):
            guard case .list(let list) = value, list.count == count else { return false }
            return list.allSatisfy { encode($0, as: element, isLast: false, into: &writer) }
        case .optional(let wrapped):
            if case .absent = value {
                writer.write(byte: 0)
                return true
            }
            writer.write(byte: 1)
            return encode(value, as: wrapped, isLast: isLast, into: &writer)
        case .variant(let index):
            var comparisons = 0
            guard case .alternative(let type, let inner) = value,
                let found = alternative(named: Array(type.utf8).span, in: variants[index], counting: &comparisons)
            else { return false }
            writer.write(varuint32: UInt32(truncatingIfNeeded: found - variants[index].first))
            return encode(inner, as: alternatives[found].type, isLast: isLast, into: &writer)
        }
    }

    /// Only extensions at the end may be absent.
    private func encode(
        _ list: [TypedField], as node: StructNode, isLast: Bool, into writer: inout ByteWriter
    ) -> Bool {
        let end = node.first + node.count
        guard list.count <= node.count,
            isLast && fields[node.first + list.count..<end].allSatisfy(\.isExtension) || list.count == node.count
        else { return false }
        for offset in list.indices {
            let index = node.first + offset
            guard list[offset].name == fieldNames[index],
                encode(list[offset].value, as: fields[index].type, isLast: isLast && index == end - 1, into: &writer)
            else { return false }
        }
        return true
    }

    private static func encode(_ value: TypedValue, as type: Builtin, into writer: inout ByteWriter) -> Bool {
        switch value {
        case .name(let name) where type == .name: writer.write(integer: name.rawValue)
        case .asset(let asset) where type == .asset:
            writer.write(integer: asset.amount)
            writer.write(integer: asset.symbol.rawValue)
        case .bytes(let bytes) where type == .bytes: return write(bytes.span, to: &writer)
        case .text(let text) where type == .string: return write(text.utf8.span, to: &writer)
        case .publicKey(let text) where type == .publicKey: return encode("\"\(text)\"", as: type, into: &writer)
        case .plain(let text) where !type.hasOwnCase: return encode("\"\(text)\"", as: type, into: &writer)
        case .unquoted(let text) where !type.hasOwnCase: return encode(text, as: type, into: &writer)
        case .name, .asset, .bytes, .text, .publicKey, .plain, .unquoted, .list, .fields, .alternative, .absent:
            return false
        }
        return true
    }

    private static func write(_ bytes: Span<UInt8>, to writer: inout ByteWriter) -> Bool {
        guard let count = UInt32(exactly: bytes.count) else { return false }
        writer.write(varuint32: count)
        writer.write(bytes: bytes)
        return true
    }

    /// Encodes the text that is shown.
    private static func encode(_ json: String, as type: Builtin, into writer: inout ByteWriter) -> Bool {
        do {
            try JSONReader.read(Array(json.utf8), orThrow: { ABIError(.json($0)) }) { reader throws(ABIError) in
                try Encoder.encode(type, from: &reader, into: &writer)
                try converting(ABIError.json, reader.expectEnd())
            }
            return true
        } catch { return false }
    }
}

extension Builtin {
    /// Whether `TypedValue` has a case for values of this type.
    fileprivate var hasOwnCase: Bool {
        switch self {
        case .name, .asset, .bytes, .string, .publicKey: true
        default: false
        }
    }
}
