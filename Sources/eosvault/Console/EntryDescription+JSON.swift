import JSON
import KeyVault

extension EntryDescription {
    var json: JSONValue {
        .object([
            JSONMember("public_key", .string(name)),
            JSONMember("label", label.map { .string($0.text) } ?? .null),
            JSONMember("created", .string(Clock.text(createdAt))),
        ])
    }
}
