import JSON
import KeyVault
import Shell

// Audit records, for people (text) and for programs (JSON).

extension AuditRecord {
    /// One line.
    var text: String { "\(sequence) \(Clock.text(time)) \(event.words().text)" }

    /// - Parameter clock: formats a time, in seconds since 1970.
    func json(time clock: (Int64) -> String = Clock.text) -> JSONValue {
        let code = AuditEventCode(event)?.rawValue ?? "unknown-\(event.kind)"
        let record: JSONValue = [
            "sequence": .number(sequence), "time": .string(clock(time)), "event": .string(code),
        ]
        return record.adding(event.words(time: clock).members)
    }
}
