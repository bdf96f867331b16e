/// A JSON text as a tree, for small texts that are read in any order. Numbers keep their exact
/// text.
public enum JSONValue: Sendable {
    case null
    case boolean(Bool)
    /// The text as it was written, in the grammar of RFC 8259.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// In the order of the text. No two members have the same key.
    case object([JSONMember])

    /// The kind, as `JSONReader.peek` returns it.
    public var kind: JSONKind {
        switch self {
        case .null: .null
        case .boolean: .boolean
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    // MARK: - looking inside

    /// The member of an object whose key has exactly these bytes; nil if there is none, or if the
    /// value is not an object.
    public subscript(_ key: String) -> JSONValue? {
        object?.first { $0.key.hasBytes(of: key) }?.value
    }

    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The exact text of a number.
    public var number: String? { if case .number(let text) = self { text } else { nil } }

    public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    public var object: [JSONMember]? { if case .object(let members) = self { members } else { nil } }

    public var isNull: Bool { kind == .null }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// An object. Its members keep the order of the literal.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(members.map { JSONMember($0, $1) })
    }

    /// An integer in decimal digits.
    public static func number(_ value: some BinaryInteger) -> JSONValue { .number("\(value)") }

    /// An object with the members of this object, then the members of `other`.
    public func adding(_ other: JSONValue) -> JSONValue { .object((object ?? []) + (other.object ?? [])) }
}

/// A key and its value.
public struct JSONMember: Sendable {
    public let key: String
    public let value: JSONValue

    public init(_ key: String, _ value: JSONValue) {
        self.key = key
        self.value = value
    }
}

extension JSONValue {
    /// Null for no text.
    public static func string(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    /// Null for no number.
    public static func number(_ value: (some BinaryInteger)?) -> JSONValue {
        value.map { .number($0) } ?? .null
    }

    /// Adds nothing for nil.
    public func adding(_ other: JSONValue?) -> JSONValue { other.map { adding($0) } ?? self }
}
