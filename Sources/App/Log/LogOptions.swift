import ABICodec
import ArgumentParser
import Hardening
import KeyVault
import Keys
import Shell

/// Which records of the audit log a command prints.
struct LogFilterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Print only the records from this time on, in UTC: 2026-12-01 or 2026-12-01T09:30:00Z.", valueName: "time"))
    var since: String?

    @Option(
        name: .shortAndLong,
        help: "Print only the records of this key: a label, or a public key, also of a removed key.", completion: .keys)
    var key: String?

    @Option(help: ArgumentHelp("Print only the records of this event.", valueName: "name"))
    var event: AuditEventKind?

    /// The time of --since, in seconds since 1970. Call it before the PIN is asked for. It is not
    /// in `validate`, because a repeated --since is reported first.
    func start() throws -> Int64? {
        guard let since else { return nil }
        let text = since.utf8.count == 10 ? since + "T00:00:00" : since
        guard let time = try? TimePointSec(text.hasSuffix("Z") ? String(text.dropLast()) : text) else {
            throw ValidationError("--since needs a time in UTC: 2026-12-01 or 2026-12-01T09:30:00Z")
        }
        return Int64(time.seconds)
    }

    /// - Parameters:
    ///   - since: what `start` returned.
    ///   - name: the name of the vault in errors.
    func filter(since: Int64?, in vault: borrowing UnlockedVault, _ name: String) throws -> LogFilter {
        try LogFilter(since: since, key: key.map { try Self.name(of: $0, in: vault, name) }, event: event)
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
    let event: AuditEventKind?

    func contains(_ record: AuditRecord) -> Bool {
        if let since, record.time < since { return false }
        if let key, record.event.key != key { return false }
        if let event, record.event.kind != event { return false }
        return true
    }
}

extension AuditEventKind: ExpressibleByArgument {
    package init?(argument: String) {
        guard let kind = Self.allCases.first(where: { $0.name == argument }) else { return nil }
        self = kind
    }

    package static var allValueStrings: [String] { allCases.map(\.name) }
    package var defaultValueDescription: String { name }
}

/// The archives of the audit log whose records a command prints.
struct ArchiveOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Print the records of this archive, and not those in the vault. Repeat it for several archives.",
            valueName: "file"), completion: .file())
    var archive: [String] = []

    var fileAccess: FileAccess { archive.reduce(.none) { $0 + .reading($1) } }

    /// The archives in the order of their records. Call it before the PIN is asked for.
    func open() throws -> [AuditArchive] {
        try AuditArchive.consecutive(
            archive.map { path in try placed(at: path, as: VaultFileUse.archive) { try AuditArchive(path) } })
    }
}

extension UnlockedVault {
    /// Verifies all records that are printed: those of the archives, or those in the vault if there
    /// is no archive.
    /// - Throws: `audit` with the first fault, `archiveDamaged`, `archiveOfOtherVault`.
    borrowing func verifyRecords(of archives: [AuditArchive]) throws {
        if archives.isEmpty { try log { _ in } }
        for archive in archives {
            do { try verify(archive) } catch { throw archive.placing(error) }
        }
    }

    /// Visits the records in their order. Verify all of them first.
    borrowing func forEachRecord(
        of archives: [AuditArchive], in filter: LogFilter, _ visit: (AuditRecord) throws -> Void
    ) throws {
        var batch: AuditBatch?
        while archives.isEmpty, let next = try records(after: batch) {
            for record in next.records where filter.contains(record) { try visit(record) }
            batch = next
        }
        for archive in archives { try forEachRecord(of: archive, in: filter, visit) }
    }

    private borrowing func forEachRecord(
        of archive: AuditArchive, in filter: LogFilter, _ visit: (AuditRecord) throws -> Void
    ) throws {
        do {
            var reader = try reader(of: archive)
            while let records = try reader.next() {
                for record in records where filter.contains(record) { try visit(record) }
            }
        } catch let error as VaultError { throw archive.placing(error) }
    }
}

extension AuditArchive {
    fileprivate func placing(_ error: VaultError) -> Placed {
        Placed(place: Printable.line(path), error: error, use: VaultFileUse.archive)
    }
}
