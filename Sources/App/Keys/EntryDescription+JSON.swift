import JSON
import KeyVault
import Shell

extension EntryDescription {
    var json: JSONValue {
        name.json.adding(isKey ? [:] : ["kind": .number(kind.number)]).adding([
            "label": .string(label?.text), "created": .string(Clock.text(createdAt)),
        ])
    }
}
