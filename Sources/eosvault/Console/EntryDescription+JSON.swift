import JSON
import KeyVault

extension EntryDescription {
    var json: JSONValue {
        name.json.adding(isKey ? [:] : ["kind": .number(kind.number)]).adding([
            "label": label.map { .string($0.text) } ?? .null, "created": .string(Clock.text(createdAt)),
        ])
    }
}
