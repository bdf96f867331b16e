/// The result of a verification of archives together with the vault.
package struct ArchiveReport: Equatable, Sendable {
    package enum Fault: Equatable, Sendable {
        /// The archive was changed or cut off; nil if no record is intact.
        case damaged(intactUpTo: Int64?)
        case ofOtherVault
        /// The archive is intact, but the vault does not refer to it: `log archive` was interrupted
        /// after it made the file, or the vault was restored from an older backup.
        case notReferredTo
    }

    package struct File: Equatable, Sendable {
        package let path: String
        /// The numbers that the header states.
        package let first: Int64
        package let last: Int64
        package let hash: [UInt8]
        package let fault: Fault?
    }

    /// In the order of their records.
    package let files: [File]
    /// Archives that the vault refers to, and that are not among the intact files.
    package let missing: [ArchiveDescription]

    package var isOK: Bool { missing.isEmpty && files.allSatisfy { $0.fault == nil } }
}

extension UnlockedVault {
    /// The archives that the vault refers to, in the order of their records.
    /// - Throws: `manifestMismatch`, `damaged`.
    package borrowing func archives() throws(VaultError) -> [ArchiveDescription] {
        try withoutRecord { transaction throws(VaultError) in
            try transaction.buckets.archivedLog()?.archives ?? []
        }
    }

    /// Verifies archives, and that no archive that the vault refers to is missing.
    /// - Parameter archives: in any order.
    /// - Throws: `manifestMismatch`, `damaged`, `noSuchFile`, `system`.
    package borrowing func verify(_ archives: [AuditArchive]) throws(VaultError) -> ArchiveReport {
        let expected = try self.archives()
        var files: [ArchiveReport.File] = []
        for archive in archives.sorted(by: { ($0.first, $0.last) < ($1.first, $1.last) }) {
            let fault = try fault(of: archive, amongst: expected)
            files.append(
                ArchiveReport.File(
                    path: archive.path, first: archive.first, last: archive.last, hash: archive.hash,
                    fault: fault))
        }
        let intact = Set(files.filter { $0.fault == nil }.map(\.hash))
        return ArchiveReport(files: files, missing: expected.filter { !intact.contains($0.hash) })
    }

    private borrowing func fault(
        of archive: AuditArchive, amongst expected: [ArchiveDescription]
    ) throws(VaultError) -> ArchiveReport.Fault? {
        do { try verify(archive) } catch .integrity(.archiveDamaged(let last)) {
            return .damaged(intactUpTo: last)
        } catch .input(.archiveOfOtherVault) { return .ofOtherVault }
        return expected.contains { $0.hash == archive.hash } ? nil : .notReferredTo
    }
}
