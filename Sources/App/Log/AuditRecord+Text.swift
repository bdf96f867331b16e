import JSON
import KeyVault
import Shell

// Audit records, for people (text) and for programs (JSON).

extension AuditRecord {
    /// One line.
    var text: String {
        let request = requester.map { ", requested by \(Printable.line($0.program)) of user \($0.uid)" } ?? ""
        return "\(sequence) \(Clock.text(time)) \(event.words().text)\(request)"
    }

    /// - Parameter clock: formats a time, in seconds since 1970.
    func json(time clock: (Int64) -> String = Clock.text) -> JSONValue {
        let code = event.kind?.name ?? "unknown-\(event.number)"
        let record: JSONValue = [
            "sequence": .number(sequence), "time": .string(clock(time)), "event": .string(code),
        ]
        let request: JSONValue? = requester.map {
            ["requester": ["uid": .number($0.uid), "program": .string($0.program)]]
        }
        return record.adding(event.words(time: clock).members).adding(request)
    }
}
