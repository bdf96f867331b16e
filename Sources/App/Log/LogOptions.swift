import ABICodec
import ArgumentParser
import Hardening
import KeyVault
import Keys
import Shell
import Transactions

/// The records of the audit log that a command prints: from the vault or from archives, and only
/// the ones that match each value that was given.
struct LogOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Print only records from this time on: 2026-12-01 or 2026-12-01T09:30:00Z, in UTC; or 24h, 30m, 7d.",
            valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("Print only records after this one.", valueName: "sequence"))
    var after: Int64?

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

    @Flag(help: "Also verify the earlier records, which are not printed.")
    var verifyAll = false

    @OptionGroup var unlocking: UnlockOptions

    var fileAccess: FileAccess { archive.reduce(unlocking.fileAccess) { $0 + .reading($1) } }

    /// True if the user chose records.
    var isFiltered: Bool { since != nil || after != nil || key != nil || event != nil || !archive.isEmpty }

    func validate() throws {
        if let after, after < 0 { throw ValidationError("--after needs the number of a record, or 0") }
        if after != nil, !archive.isEmpty {
            throw ValidationError("--after and --archive exclude each other")
        }
    }

    /// Unlocks the vault, and verifies the records before the first one is printed: with `after` or
    /// `last` only these, otherwise all.
    /// - Parameter last: The number of records at the end of the log; nil for no limit.
    func verified(last: Int? = nil) throws -> VerifiedLog {
        // Before the PIN is read, a wrong time or file is reported.
        let start = try start()
        let opened = try archive.map(AuditArchive.opened)
        let archives = try AuditArchive.consecutive(opened)
        let vault = try unlocking.method.unlock(unlocking.vault.open(.reading))
        let name = try key.map { try entryName(of: $0, in: vault) }
        let place = try vault.place(after.map { .after($0) } ?? last.map { .last($0) })
        if let after { try expectRecord(after, in: place.numbers) }
        if after == nil, last == nil, archives.isEmpty, place.numbers.lowerBound > 1 {
            Messages.note(Words.archivedRecords(place.numbers.lowerBound - 1))
        }
        let readsAll = verifyAll || place.batch == nil
        if readsAll { try vault.verifyRecords(of: archives) }
        let log = VerifiedLog(
            vault: vault, place: place.batch, archives: archives, since: start, key: name, event: event)
        if !readsAll { try log.forEach { _ in } }
        return log
    }

    /// A program that continues after a record must not miss others.
    private func expectRecord(_ number: Int64, in numbers: Range<Int64>) throws {
        if number >= numbers.upperBound {
            throw ValidationError(
                "--after \(number): the log ends with record \(numbers.upperBound - 1); this may be an older vault"
            )
        }
        if number < numbers.lowerBound - 1 {
            throw ValidationError(
                "--after \(number): records \(number + 1) to \(numbers.lowerBound - 1) are in an archive; give "
                    + "--archive with it, then --after \(numbers.lowerBound - 1)")
        }
    }

    /// The time of --since, in seconds since 1970. Not in `validate`, because a repeated --since is
    /// reported first.
    private func start() throws -> Int64? {
        guard let since else { return nil }
        if let unit = since.last.flatMap({ ["m": 60, "h": 3_600, "d": 86_400][$0] as Int64? }),
            let count = Int64(since.dropLast()), (0...100_000).contains(count)
        {
            return Clock.now - count * unit
        }
        let text = since.utf8.count == 10 ? since + "T00:00:00" : since
        let plain = text.hasSuffix("Z") ? String(text.dropLast()) : text
        // A time before 1970 or after 2106 would be another one.
        guard let time = try? TimePointSec(plain), time.text == plain else {
            throw ValidationError(
                "--since needs a time in UTC, such as 2026-12-01 or 2026-12-01T09:30:00Z, or an age, such as 24h"
            )
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
    // The parser would look for the description of each raw value.
    package static var allValueDescriptions: [String: String] { [:] }
    package var defaultValueDescription: String { name }
}

/// An unlocked vault, whose records or archives are verified.
struct VerifiedLog: ~Copyable {
    let vault: UnlockedVault
    /// The place before the first printed record; nil for the first record of the vault.
    fileprivate let place: AuditBatch?
    fileprivate let archives: [AuditArchive]
    /// Seconds since 1970.
    fileprivate let since: Int64?
    fileprivate let key: EntryName?
    fileprivate let event: AuditEventKind?

    /// The labels that the keys have now.
    borrowing func labels() throws -> [EntryName: String] {
        var labels: [EntryName: String] = [:]
        for entry in try vault.entries() { labels[entry.name] = entry.label?.text }
        return labels
    }

    /// The names of chains that the vault has now.
    borrowing func chainNames() throws -> ChainNames {
        try vault.withoutRecord { (transaction: inout VaultTransaction) throws(VaultError) in
            ChainNames(try transaction.namedChains())
        }
    }

    /// Visits the records that are printed, in their order.
    borrowing func forEach(_ visit: (AuditRecord) throws -> Void) throws {
        var batch = place
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
