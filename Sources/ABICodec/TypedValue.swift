import Codecs
import JSON

/// A decoded value with its types, for showing it to a person: a name, an amount and free text look
/// different even if their characters are the same.
package indirect enum TypedValue: Equatable, Sendable {
    case name(Name)
    case asset(Asset)
    case publicKey(String)
    /// A `string` of the chain. It may contain any character.
    case text(String)
    /// A `bytes` field.
    case bytes([UInt8])
    /// The text of any other built-in type: a number, a boolean, a time, a hash, a symbol, a
    /// signature. It has no spaces, and only printable ASCII characters.
    case plain(String)
    case list([TypedValue])
    /// A struct. Binary extensions that are absent are not in the list.
    case fields([TypedField])
    /// A variant: the type of its value, as the ABI spells it.
    case alternative(type: String, TypedValue)
    /// An optional without a value.
    case absent

    /// The field with this name; nil if the value is not a struct or has no such field.
    package subscript(_ field: String) -> TypedValue? {
        guard case .fields(let fields) = self else { return nil }
        return fields.first { $0.name == field }?.value
    }

    package var name: Name? {
        guard case .name(let name) = self else { return nil }
        return name
    }

    package var asset: Asset? {
        guard case .asset(let asset) = self else { return nil }
        return asset
    }

    package var list: [TypedValue]? {
        guard case .list(let list) = self else { return nil }
        return list
    }

    package var plain: String? {
        guard case .plain(let text) = self else { return nil }
        return text
    }

    package var bytes: [UInt8]? {
        guard case .bytes(let bytes) = self else { return nil }
        return bytes
    }

    package var fields: [TypedField]? {
        guard case .fields(let fields) = self else { return nil }
        return fields
    }
}

/// A field of a struct.
package struct TypedField: Equatable, Sendable {
    package let name: String
    package let value: TypedValue

    package init(name: String, value: TypedValue) {
        self.name = name
        self.value = value
    }
}

extension ABIType {
    /// The types of a value that `decode` wrote.
    /// - Returns: nil for a value that is not of this type.
    package func typed(_ value: JSONValue) -> TypedValue? { layout.typed(value, node) }
}

extension Layout {
    fileprivate func typed(_ value: JSONValue, _ node: Int) -> TypedValue? {
        switch nodes[node] {
        case .builtin(let type): return Self.typed(value, type)
        case .structure(let index): return typed(value, structs[index])
        case .array(let element), .fixedArray(let element, _):
            guard let elements = value.array else { return nil }
            var list: [TypedValue] = []
            list.reserveCapacity(elements.count)
            for item in elements {
                guard let item = typed(item, element) else { return nil }
                list.append(item)
            }
            return .list(list)
        case .optional(let wrapped): return value.isNull ? .absent : typed(value, wrapped)
        case .variant(let index):
            let alternatives = alternatives[variants[index].first..<variants[index].first + variants[index].count]
            guard let parts = value.array, parts.count == 2, let type = parts[0].string,
                let alternative = alternatives.first(where: { text(of: $0.label) == type }),
                let inner = typed(parts[1], alternative.type)
            else { return nil }
            return .alternative(type: type, inner)
        }
    }

    /// The decoder writes the fields in the ABI's order, and absent extensions only at the end.
    private func typed(_ value: JSONValue, _ node: StructNode) -> TypedValue? {
        guard let members = value.object, members.count <= node.count else { return nil }
        var list: [TypedField] = []
        list.reserveCapacity(members.count)
        for (member, field) in zip(members, fields[node.first..<node.first + node.count]) {
            guard member.key == text(of: field.label), let inner = typed(member.value, field.type) else { return nil }
            list.append(TypedField(name: member.key, value: inner))
        }
        return .fields(list)
    }

    private static func typed(_ value: JSONValue, _ type: Builtin) -> TypedValue? {
        switch value {
        case .number(let text): return .plain(text)
        case .boolean(let flag): return .plain(flag ? "true" : "false")
        case .string(let text):
            switch type {
            case .name: return (try? Name(text)).map { .name($0) }
            case .asset: return (try? Asset(text)).map { .asset($0) }
            case .publicKey: return .publicKey(text)
            case .string: return .text(text)
            case .bytes:
                var writer = ByteWriter()
                return (try? HexText.parse(Array(text.utf8).span, into: &writer)).map { .bytes(writer.bytes) }
            default: return .plain(text)
            }
        case .null, .array, .object: return nil
        }
    }
}
