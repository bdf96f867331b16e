import ABICodec
import ArgumentParser
import Hardening
import KeyVault
import Keys
import Shell

/// The records of the audit log that a command prints: from the vault or from archives, and only
/// the ones that match each value that was given.
struct LogOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Print only records from this time on, in UTC: 2026-12-01 or 2026-12-01T09:30:00Z.",
            valueName: "time"))
    var since: String?

    @Option(
        name: .shortAndLong,
        help: "Print only records of this key: a label, or a public key, which may be removed.",
        completion: .keys)
    var key: String?

    @Option(help: ArgumentHelp("Print only records of this event.", valueName: "name"))
    var event: AuditEventKind?

    @Option(
        help: ArgumentHelp("Print the records in this archive. Repeat the option.", valueName: "file"),
        completion: .file())
    var archive: [String] = []

    @OptionGroup var unlocking: UnlockOptions

    var fileAccess: FileAccess { archive.reduce(unlocking.fileAccess) { $0 + .reading($1) } }

    /// Unlocks the vault, and verifies all records before the first one is printed.
    func verified() throws -> VerifiedLog {
        // Before the PIN is read, a wrong time or file is reported.
        let start = try start()
        let opened = try archive.map(AuditArchive.opened)
        let archives = try AuditArchive.consecutive(opened)
        let vault = try unlocking.method.unlock(unlocking.vault.open(.reading))
        let name = try key.map { try entryName(of: $0, in: vault) }
        try vault.verifyRecords(of: archives)
        return VerifiedLog(vault: vault, archives: archives, since: start, key: name, event: event)
    }

    /// The time of --since, in seconds since 1970. Not in `validate`, because a repeated --since is
    /// reported first.
    private func start() throws -> Int64? {
        guard let since else { return nil }
        let text = since.utf8.count == 10 ? since + "T00:00:00" : since
        guard let time = try? TimePointSec(text.hasSuffix("Z") ? String(text.dropLast()) : text) else {
            throw ValidationError("--since needs a time in UTC: 2026-12-01 or 2026-12-01T09:30:00Z")
        }
        return Int64(time.seconds)
    }

    /// The name of a key, given as a label or a public key. A public key may have been removed from
    /// the vault.
    private func entryName(of text: String, in vault: borrowing UnlockedVault) throws -> EntryName {
        if let key = try? PublicKey(text) { return EntryName(key) }
        do { return try vault.status(of: text).entry.name } catch .input(.noSuchKey) {
            throw KeyArgument.unknown(text, place: "--key", vault: try unlocking.vault.name())
        }
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

/// An unlocked vault, whose records or archives are verified.
struct VerifiedLog: ~Copyable {
    let vault: UnlockedVault
    fileprivate let archives: [AuditArchive]
    /// Seconds since 1970.
    fileprivate let since: Int64?
    fileprivate let key: EntryName?
    fileprivate let event: AuditEventKind?

    /// Visits the records that are printed, in their order.
    borrowing func forEach(_ visit: (AuditRecord) throws -> Void) throws {
        var batch: AuditBatch?
        while archives.isEmpty, let next = try vault.records(after: batch) {
            for record in next.records where contains(record) { try visit(record) }
            batch = next
        }
        for archive in archives {
            do {
                var reader = try vault.reader(of: archive)
                while let records = try reader.next() {
                    for record in records where contains(record) { try visit(record) }
                }
            } catch let error as VaultError { throw archive.placing(error) }
        }
    }

    private borrowing func contains(_ record: AuditRecord) -> Bool {
        if let since, record.time < since { return false }
        if let key, record.event.key != key { return false }
        if let event, record.event.kind != event { return false }
        return true
    }
}

extension UnlockedVault {
    /// Verifies the records in archives, or in the vault if there is no archive.
    /// - Throws: `audit` with the first fault, `archiveDamaged`, `archiveOfOtherVault`.
    fileprivate borrowing func verifyRecords(of archives: [AuditArchive]) throws {
        if archives.isEmpty { try log { _ in } }
        for archive in archives {
            do { try verify(archive) } catch { throw archive.placing(error) }
        }
    }
}

extension AuditArchive {
    /// Opens a file. An error states the file.
    static func opened(_ path: String) throws -> AuditArchive {
        try placed(at: path, as: VaultFileUse.archive) { try AuditArchive(path) }
    }

    fileprivate func placing(_ error: VaultError) -> Placed {
        Placed(place: Printable.line(path), error: error, use: VaultFileUse.archive)
    }
}
