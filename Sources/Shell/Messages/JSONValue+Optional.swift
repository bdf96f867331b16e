import JSON

extension JSONValue {
    /// Null for no text.
    package static func string(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    /// Null for no number.
    package static func number(_ value: (some BinaryInteger)?) -> JSONValue { value.map { .number($0) } ?? .null }

    /// Adds nothing for nil.
    package func adding(_ other: JSONValue?) -> JSONValue { other.map { adding($0) } ?? self }
}
