import JSON
import Shell

/// The shape of a JSON value that the program prints.
indirect enum JSONShape: Sendable {
    case text, number, boolean
    /// Any value, such as the data of an action.
    case any
    case list(of: JSONShape)
    case orNull(JSONShape)
    case object([Member])

    struct Member: Sendable {
        let name: String
        var shape: JSONShape
        let meaning: String
        /// True if each object has the member.
        var isAlways: Bool

        /// - Parameter name: With a final `?` for a member that only some objects have.
        init(_ name: String, _ shape: JSONShape, _ meaning: String) {
            isAlways = !name.hasSuffix("?")
            self.name = isAlways ? name : String(name.dropLast())
            (self.shape, self.meaning) = (shape, meaning)
        }

        /// The same member of an object that need not have it.
        var optional: Member {
            var member = self
            member.isAlways = false
            return member
        }
    }

    /// A shape with the meaning of its value.
    struct Described {
        let shape: JSONShape
        let meaning: String

        static func text(_ meaning: String) -> Described { Described(shape: .text, meaning: meaning) }
        static func number(_ meaning: String) -> Described { Described(shape: .number, meaning: meaning) }
        static func boolean(_ meaning: String) -> Described { Described(shape: .boolean, meaning: meaning) }
        static func any(_ meaning: String) -> Described { Described(shape: .any, meaning: meaning) }
        static func object(_ shape: JSONShape, _ meaning: String) -> Described {
            Described(shape: shape, meaning: meaning)
        }
        static func list(of shape: JSONShape, _ meaning: String) -> Described {
            Described(shape: .list(of: shape), meaning: meaning)
        }
        static func orNull(_ shape: JSONShape, _ meaning: String) -> Described {
            Described(shape: .orNull(shape), meaning: meaning)
        }
    }

    /// `array of objects`, `string or null`.
    var name: String {
        switch self {
        case .text: "string"
        case .number: "number"
        case .boolean: "boolean"
        case .any: "any value"
        case .object: "object"
        case .orNull(let shape): "\(shape.name) or null"
        case .list(let shape): "array of \(shape.pluralName)"
        }
    }

    private var pluralName: String {
        switch self {
        case .text: "strings"
        case .number, .boolean, .object: "\(name)s"
        case .any: "values"
        case .orNull(let shape): "\(shape.pluralName) or nulls"
        case .list(let shape): "arrays of \(shape.pluralName)"
        }
    }

    /// The members of the objects in this value.
    var members: [Member] {
        switch self {
        case .object(let members): members
        case .list(let shape), .orNull(let shape): shape.members
        case .text, .number, .boolean, .any: []
        }
    }

    /// A Markdown list of the members.
    func lines(indent: Int = 0) -> [String] {
        members.flatMap { member in
            let presence = member.isAlways ? "" : ", optional"
            let line = "- `\(member.name)` (\(member.shape.name)\(presence)): \(member.meaning)"
            return [String(repeating: " ", count: indent) + line] + member.shape.lines(indent: indent + 2)
        }
    }

    /// The shape for programs: `{"type": …, "members": […]}`.
    var json: JSONValue {
        let known: JSONValue = ["type": .string(name)]
        guard !members.isEmpty else { return known }
        let list = members.map { member -> JSONValue in
            (["name": .string(member.name), "always": .boolean(member.isAlways)] as JSONValue)
                .adding(member.shape.json).adding(["meaning": .string(member.meaning)])
        }
        return known.adding(["members": .array(list)])
    }
}

extension JSONShape: ExpressibleByDictionaryLiteral {
    /// An object. The name of a member that only some objects have ends with `?`.
    init(dictionaryLiteral members: (String, Described)...) {
        self = .object(
            members.map { name, value in Member(name, value.shape, value.meaning) })
    }

    /// The object that a literal describes.
    static func object(_ literal: JSONShape) -> JSONShape { literal }

    /// An object with the members of this object, then the members of `other`.
    func adding(_ other: JSONShape) -> JSONShape { .object(members + other.members) }

    /// The object without a member.
    func without(_ name: String) -> JSONShape { .object(members.filter { $0.name != name }) }

    /// The object, with members that only some objects have.
    var optional: JSONShape {
        .object(members.map(\.optional))
    }
}
