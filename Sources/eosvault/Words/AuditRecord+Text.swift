import JSON
import KeyVault

// Audit records, for people (text) and for programs (JSON).

extension AuditRecord {
    /// One line.
    var text: String { "\(sequence) \(Clock.text(time)) \(event.text)" }

    var json: JSONValue {
        .object(
            [
                JSONMember("sequence", .number(sequence)), JSONMember("time", .string(Clock.text(time))),
                JSONMember("event", .string(event.code)),
            ] + event.members)
    }
}
