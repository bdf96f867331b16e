import JSON
import Shell

extension JSONReference {
    /// A JSON Schema (draft 2020-12) of the output of each command with `--json`.
    static var schema: JSONValue {
        [
            "$schema": .string("https://json-schema.org/draft/2020-12/schema"),
            "$id": .string("urn:eosvault:json-output:\(Eosvault.version)"),
            "title": .string("The JSON output of eosvault"), "version": .string(Eosvault.version),
            "description": .string(
                """
                The output of `eosvault COMMAND --json` matches #/$defs/COMMAND, with hyphens for spaces. Where \
                x-stream is true, each line matches it. Each line of standard error matches #/$defs/messages. \
                Members can be added in later versions; none is removed or changes its meaning.
                """),
            "$defs": .object(definitions),
        ]
    }

    private static var definitions: [JSONMember] {
        let others: KeyValuePairs<String, JSONShape> = [
            "messages": .messages, "review": ReviewText.object.shape,
            "lines-review": BatchQuestion.object.shape,
            "answer": RequestReview.answer.shape,
        ]
        let commands = all.flatMap { output in
            let first = output.commands.first.map(name) ?? ""
            return output.commands.map { command in
                let name = name(of: command)
                let schema: JSONValue =
                    name == first ? output.shape.schema : ["$ref": .string("#/$defs/" + first)]
                return JSONMember(
                    name, schema.adding(streams.contains(command) ? ["x-stream": .boolean(true)] : nil))
            }
        }
        return commands + others.map { JSONMember($0.key, $0.value.schema) }
    }

    /// The name of the definition for a command, such as `slot-list`, `credential-sign-lines` and
    /// `help-json`.
    static func name(of command: String) -> String {
        command.split(separator: " ").map { $0.drop { $0 == "-" } }.joined(separator: "-")
            .replacing("=", with: "-")
    }
}

extension JSONShape {
    /// The shape as a JSON Schema. Unknown members are allowed, because later versions add some.
    var schema: JSONValue {
        switch self {
        case .text: ["type": .string("string")]
        case .number: ["type": .string("integer")]
        case .boolean: ["type": .string("boolean")]
        case .any: [:]
        case .list(let shape): ["type": .string("array"), "items": shape.schema]
        case .orNull(let shape): ["anyOf": .array([shape.schema, ["type": .string("null")]])]
        case .object(let members):
            [
                "type": .string("object"),
                "properties": .object(
                    members.map { member in
                        JSONMember(
                            member.name, member.shape.schema.adding(["description": .string(member.meaning)]))
                    }),
                "required": .array(members.filter(\.isAlways).map { .string($0.name) }),
            ]
        }
    }
}
