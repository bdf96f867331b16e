import JSON
import KeyVault

// Audit records, for people (text) and for programs (JSON).

extension AuditRecord {
    /// One line.
    var text: String { "\(sequence) \(Clock.text(time)) \(event.words.text)" }

    var json: JSONValue {
        let (code, _, members) = event.words
        let record: JSONValue = [
            "sequence": .number(sequence), "time": .string(Clock.text(time)), "event": .string(code),
        ]
        return record.adding(members)
    }
}
