import ABICodec
import ArgumentParser
import Curves
import KeyText
import KeyVault

/// Which records of the audit log a command prints.
struct LogFilterOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Print only the records from this time on, in UTC: 2026-12-01 or 2026-12-01T09:30:00Z.", valueName: "time"))
    var since: LogTime?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Print only the records of this key: a label, or a public key, also of a removed key.", valueName: "key"))
    var key: String?

    @Option(name: .long, help: ArgumentHelp("Print only the records of this event.", valueName: "name"))
    var event: AuditEventCode?

    /// - Parameter name: the name of the vault in errors.
    func filter(in vault: borrowing UnlockedVault, _ name: String) throws -> LogFilter {
        try LogFilter(since: since?.seconds, key: key.map { try Self.name(of: $0, in: vault, name) }, event: event)
    }

    /// The name of a key, given as a label or a public key. A public key may have been removed from
    /// the vault.
    private static func name(of text: String, in vault: borrowing UnlockedVault, _ name: String) throws -> EntryName {
        if let key = try? PublicKey(text) { return EntryName(key) }
        do { return try vault.status(of: text).entry.name } catch .input(.noSuchKey) {
            throw KeyArgument.unknown(text, place: "--key", vault: name)
        }
    }
}

/// The records that a command prints: those that match each value that was given.
struct LogFilter {
    /// Seconds since 1970.
    let since: Int64?
    let key: EntryName?
    let event: AuditEventCode?

    func contains(_ record: AuditRecord) -> Bool {
        if let since, record.time < since { return false }
        if let key, record.event.key != key { return false }
        if let event, AuditEventCode(record.event) != event { return false }
        return true
    }
}

/// A time in UTC: a date, or a date and a time as `log` and `log export` print it.
struct LogTime: ExpressibleByArgument {
    /// Since 1970.
    let seconds: Int64

    init?(argument: String) {
        let text = argument.utf8.count == 10 ? argument + "T00:00:00" : argument
        guard let time = try? TimePointSec(text.hasSuffix("Z") ? String(text.dropLast()) : text) else { return nil }
        seconds = Int64(time.seconds)
    }
}
