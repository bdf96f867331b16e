/// What can be said of a key and of its backup. Whether it is true, the function that gave it out
/// says by its name.
package struct KeyStatus: Hashable, Sendable {
    package let entry: EntryDescription
    /// Whether a verified backup of this vault holds the key.
    package let isBackedUp: Bool
}

extension UnlockedVault {
    /// Runs `body` on a verified view, without a lock that keeps others out, and without a trace.
    borrowing func view<Result, Failure: VaultFailure>(
        _ body: (inout VaultTransaction) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (vault, opened) = (vault, opened)
        return try vault.read { () throws(Failure) in
            var transaction = try lifting(to: Failure.self) { () throws(VaultError) in
                VaultTransaction(
                    connection: vault.connection, opened: opened, manifest: try vault.verifiedManifest(opened),
                    clock: vault.clock,
                    isReadOnly: true)
            }
            return try body(&transaction)
        }
    }

    /// What the vault says of the key that a public key (in any of its forms) or a label names,
    /// verified.
    /// - Throws: `noSuchKey`, which is proved, `manifestMismatch`, `damaged`.
    package borrowing func status(of text: String) throws(VaultError) -> KeyStatus {
        try view { (transaction: inout VaultTransaction) throws(VaultError) in
            let name = try transaction.entry(text).name
            let row = try transaction.row(named: name)
            return KeyStatus(entry: row.description, isBackedUp: row.isHeld(by: try transaction.lastBackup()))
        }
    }

    /// Gives out each record of the audit log, by rising number.
    /// - Throws: `audit` at the first fault: what was given out before it is what was written, and
    ///   not all that was.
    package borrowing func log(_ visit: (AuditRecord) -> Void) throws(VaultError) {
        try view { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.auditLog().walk { record throws(VaultError) in visit(record) }
        }
    }

    /// Compares the vault with what this machine has seen of it, where `unlock` did not.
    /// - Throws: `rolledBack`, `forked`, `audit`.
    package borrowing func compareWithWitness() throws(VaultError) { try vault.verify(opened, comparing: true) }

    /// Verifies the whole audit log.
    /// - Parameter report: is given each fault, by rising number.
    /// - Returns: how many records are what was written.
    /// - Throws: `manifestMismatch`, `damaged`.
    package borrowing func verifyLog(_ report: (AuditFault) -> Void) throws(VaultError) -> Int64 {
        try view { (transaction: inout VaultTransaction) throws(VaultError) in
            var count: Int64 = 0
            try transaction.auditLog().walk(
                visit: { _ throws(VaultError) in count += 1 }, report: { fault throws(VaultError) in report(fault) })
            return count
        }
    }
}

extension VaultTransaction {
    /// The audit log as it stood when the transaction began.
    fileprivate func auditLog() throws(VaultError) -> AuditLog { try AuditLog(in: connection, manifest, auditKeys()) }
}

extension Vault {
    /// The key that a public key (in any of its forms) or a label names, as the file states it; nil
    /// when the file names none.
    package func unverifiedStatus(of text: String) throws(VaultError) -> KeyStatus? {
        try read { () throws(VaultError) in
            guard let row = try EntryQuery(text).first(in: connection) else { return nil }
            let setting = try SettingRow.value(BackupMark.settingName, in: connection)
            var mark: BackupMark?
            if let setting { mark = try BackupMark(setting: setting) }
            return KeyStatus(entry: row.description, isBackedUp: row.isHeld(by: mark))
        }
    }
}
