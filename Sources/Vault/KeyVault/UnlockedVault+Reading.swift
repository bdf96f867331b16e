import Codecs

/// A key and the state of its backup. They are verified unless the name of the function that
/// returned them contains `unverified`.
package struct KeyStatus: Hashable, Sendable {
    package let entry: EntryDescription
    /// True if a verified backup of this vault contains the entry.
    package let isInBackup: Bool

    /// True if the private key has a copy: in a verified backup, on paper as the words of a seed,
    /// or in several tokens. No backup contains a key that is in tokens.
    package var isBackedUp: Bool {
        entry.tokens.isEmpty ? isInBackup || entry.isOnPaper : entry.tokens.count > 1
    }

    /// True if neither a verified backup nor a token has the key.
    package var isOnlyHere: Bool { !entry.kind.isInTokens && !isBackedUp }

    /// - Parameter entry: the description of the row.
    init(_ row: EntryRow, _ entry: EntryDescription, _ backup: BackupMark?) {
        self.entry = entry
        isInBackup = row.isHeld(by: backup)
    }
}

extension [KeyStatus] {
    /// In order of creation time, then of name.
    var inOrderOfCreation: [KeyStatus] { sorted { $0.entry.isMade(before: $1.entry) } }
}

extension UnlockedVault {
    /// Runs `body` on a verified read-only view, without locking other processes out, and without a
    /// record in the audit log.
    /// - Throws: `manifestMismatch`, `rolledBack`, and the errors of `body`.
    package borrowing func withoutRecord<Result, Failure: VaultFailure>(
        _ body: (inout VaultTransaction) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (vault, opened) = (vault, opened)
        guard !custody.isLocked else { throw Failure(vault: .input(.locked)) }
        return try vault.read { () throws(Failure) in
            var transaction = VaultTransaction(
                connection: vault.connection, opened: opened,
                manifest: try converting(Failure.init(vault:), vault.verifiedManifest(opened)),
                clock: vault.clock,
                isReadOnly: true)
            return try body(&transaction)
        }
    }

    /// The verified status of the key that a public key (in any of its forms) or a label
    /// identifies.
    /// - Throws: `noSuchKey` when the absence is proved, `manifestMismatch`, `damaged`.
    package borrowing func status(of text: String) throws(VaultError) -> KeyStatus {
        try withoutRecord { transaction throws(VaultError) in
            try transaction.status(of: transaction.entry(text))
        }
    }

    /// Visits each record of the audit log, in ascending order of the numbers.
    /// - Throws: `audit` at the first fault. The records visited before it are intact, but they are
    ///   not the whole log.
    package borrowing func log(_ visit: (AuditRecord) -> Void) throws(VaultError) {
        try withoutRecord { transaction throws(VaultError) in
            try transaction.auditLog().walk { record throws(VaultError) in visit(record) }
        }
    }

    /// Compares the vault with what this machine has seen of it, when `unlock` did not.
    /// - Throws: `rolledBack`, `forked`, `audit`.
    package borrowing func compareWithWitness() throws(VaultError) {
        try vault.verify(opened, comparing: true)
    }

    /// Verifies the whole audit log.
    /// - Parameter report: receives each fault, in ascending order of the record numbers.
    /// - Returns: the number of intact records.
    /// - Throws: `manifestMismatch`, `damaged`.
    package borrowing func verifyLog(_ report: (AuditFault) -> Void) throws(VaultError) -> Int64 {
        try withoutRecord { transaction throws(VaultError) in
            var count: Int64 = 0
            try transaction.auditLog().walk(
                visit: { _ throws(VaultError) in count += 1 },
                report: { fault throws(VaultError) in report(fault) })
            return count
        }
    }
}

extension VaultTransaction {
    /// The status of a verified entry.
    package func status(of entry: VerifiedEntry) throws(VaultError) -> KeyStatus {
        try buckets.status(of: entry.row)
    }

    /// The audit log at the start of the transaction.
    func auditLog() throws(VaultError) -> AuditLog { try AuditLog(in: connection, manifest, auditKeys()) }
}

extension Vault {
    /// The status in the file of the key that a public key (in any of its forms) or a label
    /// identifies, not verified. Nil when the file has no such key.
    package func unverifiedStatus(of text: String) throws(VaultError) -> KeyStatus? {
        try unverified { rows throws(VaultError) in
            guard let row = try rows.row(text) else { return nil }
            return try rows.status(of: row)
        }
    }
}
