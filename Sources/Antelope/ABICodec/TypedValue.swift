import Codecs
import JSON

/// A decoded value with its types, for showing it to a person: a name, an amount and free text look
/// different even if their characters are the same.
package enum TypedValue: Equatable, Sendable {
    case name(Name)
    case asset(Asset)
    case publicKey(String)
    /// A `string` of the chain. It may contain any character.
    case text(String)
    /// A `bytes` field.
    case bytes([UInt8])
    /// The text of any other built-in type: a large number, a time, a hash, a symbol, a signature.
    /// It has no spaces, and only printable ASCII characters.
    case plain(String)
    /// A number or a boolean that JSON has without quotes.
    case unquoted(String)
    case list([TypedValue])
    /// A struct. Binary extensions that are absent are not in the list.
    case fields([TypedField])
    /// A variant: the type of its value, as the ABI spells it.
    indirect case alternative(type: String, TypedValue)
    /// An optional without a value.
    case absent

    /// The field with this name; nil if the value is not a struct or has no such field.
    @inlinable package subscript(_ field: String) -> TypedValue? {
        guard case .fields(let fields) = self else { return nil }
        let list = fields.span
        for index in list.indices where list[index].name == field { return list[index].value }
        return nil
    }

    @inlinable package var name: Name? { if case .name(let name) = self { name } else { nil } }

    @inlinable package var asset: Asset? { if case .asset(let asset) = self { asset } else { nil } }

    @inlinable package var list: [TypedValue]? { if case .list(let list) = self { list } else { nil } }

    /// The text of a number, a boolean or another value that is neither text nor a key.
    package var plain: String? {
        switch self {
        case .plain(let text), .unquoted(let text): text
        case .name, .asset, .publicKey, .text, .bytes, .list, .fields, .alternative, .absent: nil
        }
    }

    @inlinable package var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }

    @inlinable package var fields: [TypedField]? {
        if case .fields(let fields) = self { fields } else { nil }
    }
}

extension TypedValue {
    /// True if the value or one of its parts equals another value.
    package func contains(_ other: TypedValue) -> Bool {
        switch self {
        case .list(let list): list.contains { $0.contains(other) }
        case .fields(let fields): fields.contains { $0.value.contains(other) }
        case .alternative(_, let inner): inner.contains(other)
        case .name, .asset, .publicKey, .text, .bytes, .plain, .unquoted, .absent: self == other
        }
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

extension TypedValue {
    /// The value as the JSON that `ABIType.decode` writes.
    package var json: JSONValue {
        switch self {
        case .name(let name): .string(name.text)
        case .asset(let asset): .string(asset.text)
        case .publicKey(let text), .text(let text), .plain(let text): .string(text)
        case .bytes(let bytes): .string(Hex.encode(bytes))
        case .unquoted("true"): .boolean(true)
        case .unquoted("false"): .boolean(false)
        case .unquoted(let number): .number(number)
        case .list(let list): .array(list.map(\.json))
        case .fields(let fields): .object(fields.map { JSONMember($0.name, $0.value.json) })
        case .alternative(let type, let inner): .array([.string(type), inner.json])
        case .absent: .null
        }
    }
}
