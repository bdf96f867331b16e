import ABICodec
import Codecs
import JSON
import Keys

/// The value of a field of an action.
package enum FieldValue: Sendable {
    case name(Name)
    case text(String)
    case number(Int64)
    case flag(Bool)
    case amount(TokenAmount)
    case authority(Authority)
    case key(PublicKey)
    case level(PermissionLevel)
    case hash([UInt8])
    case transaction(SignedTransaction)
    case list([FieldValue])

    /// The value as the ABI reads it.
    var json: JSONValue {
        switch self {
        case .name(let name): .string(name.text)
        case .text(let text): .string(text)
        case .number(let number): .number(number)
        case .flag(let flag): .boolean(flag)
        case .amount(let amount): amount.json
        case .authority(let authority): authority.json
        case .key(let key): .string(key.text)
        case .level(let level): level.json
        case .hash(let bytes): .string(Hex.encode(bytes))
        case .transaction(let signed): signed.transaction.json
        case .list(let values): .array(values.map(\.json))
        }
    }
}

/// The values of an action that a user describes, by the names of the fields.
package struct ActionValues: Sendable, ExpressibleByDictionaryLiteral {
    private var values: [String: FieldValue]
    /// The contract; nil for the account of the built-in ABI.
    var account: Name?
    /// The permission that authorizes the action, unless the user gives others; nil for the active
    /// permission of the account in the first field.
    var level: PermissionLevel?

    package init(dictionaryLiteral elements: (String, FieldValue)...) {
        values = Dictionary(elements) { _, last in last }
    }

    package subscript(field: String) -> FieldValue? {
        get { values[field] }
        set { values[field] = newValue }
    }

    // MARK: - values of one type

    func name(_ field: String) throws(BuildError) -> Name {
        guard case .name(let name)? = values[field] else { throw Self.missing(field) }
        return name
    }

    func nonEmptyName(_ field: String) throws(BuildError) -> Name {
        let name = try name(field)
        guard name.rawValue != 0 else { throw .account(.empty) }
        return name
    }

    func text(_ field: String) throws(BuildError) -> String {
        guard case .text(let text)? = values[field] else { throw Self.missing(field) }
        return text
    }

    func number(_ field: String) throws(BuildError) -> Int64 {
        guard case .number(let number)? = values[field] else { throw Self.missing(field) }
        return number
    }

    func amount(_ field: String) throws(BuildError) -> TokenAmount {
        guard case .amount(let amount)? = values[field] else { throw Self.missing(field) }
        return amount
    }

    func level(_ field: String) throws(BuildError) -> PermissionLevel {
        guard case .level(let level)? = values[field] else { throw Self.missing(field) }
        return level
    }

    func list(_ field: String) throws(BuildError) -> [FieldValue] {
        guard case .list(let list)? = values[field] else { throw Self.missing(field) }
        return list
    }

    private static func missing(_ field: String) -> BuildError { .value(ABIError(.missingField(field))) }
}
