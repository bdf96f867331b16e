import Codecs
import Files
import Glibc

/// Why no record was archived.
package enum ArchiveFailure: VaultFailure, Equatable {
    /// The vault is refused, or could not be changed. The archive may have been made; it is not
    /// removed.
    case vault(VaultError)
    /// The archive could not be made. The vault was not changed.
    case file(VaultError)

    package init(vault error: VaultError) { self = .vault(error) }
}

extension UnlockedVault {
    /// Moves all records of the audit log to a new file.
    ///
    /// The file is complete, synced, read back and verified before a record is removed, and the
    /// records are removed in one transaction. So each record is in the file, in the vault, or in
    /// both, whenever the process or the machine stops. A verified file is never removed: a failed
    /// COMMIT may have succeeded.
    /// - Returns: the archive.
    /// - Throws: `vault` with `nothingToArchive`, with `audit` when the log was changed, and with
    ///   the errors of `transaction`; `file` with `alreadyExists`, `diskFull`, `readBackDiffers`,
    ///   `incompleteFile`, `system`.
    package borrowing func archiveLog(to file: NewFile) throws(ArchiveFailure) -> AuditArchive {
        // A full vault has room for the record of failed unlocks only after the others are removed.
        try transaction(recordingFailuresFirst: false) { transaction throws(ArchiveFailure) in
            let archive = try transaction.writeArchive(to: file)
            do throws(VaultError) {
                try transaction.removeRecords(of: archive)
                try transaction.adoptFailedUnlocks()
                try transaction.adoptPolicyRefusals()
            } catch { throw .vault(error) }
            return archive
        }
    }
}

extension VaultTransaction {
    /// Writes all records to a new file, and verifies what the disk returns.
    fileprivate func writeArchive(to file: NewFile) throws(ArchiveFailure) -> AuditArchive {
        let (log, header, keys) = try converting(ArchiveFailure.vault, recordsToArchive())
        var failure: ArchiveFailure?
        func noted(_ error: VaultError) -> VaultError {
            failure = .file(error)
            return error
        }
        let made: MadeFile
        do throws(FileError) {
            made = try file.write { descriptor throws(FileError) in
                do throws(VaultError) {
                    var writer = try ArchiveWriter(header, keys, to: descriptor)
                    try log.walkBodies { _, body throws(VaultError) in
                        try converting(noted, writer.append(body))
                    }
                    try converting(noted, writer.finish())
                } catch {
                    failure = failure ?? .vault(error)
                    // Any error ends the file, which then gets no name.
                    throw .system(.write, errno: EIO)
                }
            }
        } catch { throw failure ?? .file(VaultError(file: error)) }
        do throws(VaultError) {
            // Until its name is durable, a power cut could remove the only copy of the records.
            guard made.isDurable else { throw .machine(.system(.sync, errno: EIO)) }
            let archive = try AuditArchive(file.path)
            guard archive.header == header else { throw .file(.readBackDiffers) }
            var reader = try ArchiveReader(archive, keys)
            do { try reader.verify() } catch .integrity(.archiveDamaged) { throw .file(.readBackDiffers) }
            return archive
        } catch {
            made.remove()
            throw .file(error)
        }
    }

    private func recordsToArchive() throws(VaultError) -> (AuditLog, ArchiveHeader, AuditKeys) {
        try expectWritable()
        let archived = try buckets.archivedLog()
        let (before, last) = (archived?.last ?? .empty, try auditHead())
        // After an archive, the log begins with the record of the archive.
        guard last.sequence - before.sequence > (archived == nil ? 0 : 1) else {
            throw .input(.nothingToArchive)
        }
        let keys = try auditKeys()
        let log = AuditLog(connection, vaultID: manifest.vaultID, keys: keys, head: last, archived: archived)
        return (log, ArchiveHeader(vaultID: manifest.vaultID, before: before, last: last), keys)
    }

    /// Removes the records of an archive of all records, and refers to it.
    fileprivate mutating func removeRecords(of archive: AuditArchive) throws(VaultError) {
        try change { transaction throws(VaultError) in
            let (last, hash) = (archive.header.last, archive.hash)
            try transaction.write { transaction throws(VaultError) in
                try transaction.connection.run("DELETE FROM audit")
            }
            let archived = ArchivedLog(
                try transaction.buckets.archivedLog(), addingUpTo: last, time: try transaction.now(),
                hash: hash)
            try transaction.set(ArchivedLog.settingName, to: archived.setting)
            try transaction.record(.archived(first: archive.first, last: archive.last, hash: hash))
        }
    }
}
