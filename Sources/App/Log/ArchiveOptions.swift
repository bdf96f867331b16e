import ArgumentParser
import Hardening
import KeyVault
import Shell

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
