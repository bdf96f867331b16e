import JSON

/// The text of an error for users: one line with what is wrong, and one with what to do next. This
/// folder contains all error texts of the program.
package struct Words: Equatable {
    package let code: ErrorCode
    /// Lower case, no full stop.
    package let message: String
    package let hint: String
    /// For programs: further members of the object, such as the policy that refused a signature.
    package let members: JSONValue?

    /// - Parameter hint: What to do next; nil uses the general hint of the code.
    package init(_ code: ErrorCode, _ message: String, hint: String? = nil, members: JSONValue? = nil) {
        (self.code, self.message, self.members) = (code, message, members)
        self.hint = hint ?? code.hint
    }

    /// `{"code", "message", "hint"}`, and the further members.
    package var json: JSONValue {
        let words: JSONValue = ["code": .string(code.rawValue), "message": .string(message), "hint": .string(hint)]
        return words.adding(members)
    }

    package static func == (left: Words, right: Words) -> Bool {
        (left.code, left.message, left.hint) == (right.code, right.message, right.hint)
    }

    /// A copy whose message begins with the place of the error: a file, a field's path.
    package func at(_ place: String) -> Words { Words(code, "\(place): \(message)", hint: hint, members: members) }

    /// `1 byte`, `2 bytes`.
    package static func count(_ number: some BinaryInteger, _ noun: String, _ plural: String? = nil) -> String {
        "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
    }

    /// `2 keys`, `1 credential`, or `2 keys` and `1 credential`.
    package static func entries(keys: some BinaryInteger, credentials: some BinaryInteger) -> [String] {
        guard credentials > 0 else { return [count(keys, "key")] }
        return (keys > 0 ? [count(keys, "key")] : []) + [count(credentials, "credential")]
    }
}
