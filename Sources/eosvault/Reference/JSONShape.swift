import JSON

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
        let shape: JSONShape
        let meaning: String
        /// Whether each object has the member.
        let isAlways: Bool

        static func always(_ name: String, _ shape: JSONShape, _ meaning: String) -> Member {
            Member(name: name, shape: shape, meaning: meaning, isAlways: true)
        }

        static func sometimes(_ name: String, _ shape: JSONShape, _ meaning: String) -> Member {
            Member(name: name, shape: shape, meaning: meaning, isAlways: false)
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
