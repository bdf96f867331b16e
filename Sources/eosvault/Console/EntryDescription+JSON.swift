import JSON
import KeyVault

extension EntryDescription {
    var json: JSONValue {
        .object(
            [name.member] + (isKey ? [] : [JSONMember("kind", .number(kind.number))]) + [
                JSONMember("label", label.map { .string($0.text) } ?? .null),
                JSONMember("created", .string(Clock.text(createdAt))),
            ])
    }
}
