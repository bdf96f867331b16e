import JSON
import KeyVault

extension EntryDescription {
    var json: JSONValue {
        name.json.adding(isKey ? [:] : ["kind": .number(kind.number)]).adding([
            "label": .string(label?.text), "created": .string(Clock.text(createdAt)),
        ])
    }
}
