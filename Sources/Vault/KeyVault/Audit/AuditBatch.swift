/// Verified records of the audit log that follow one another.
package struct AuditBatch: Sendable {
    package internal(set) var records: [AuditRecord]
    /// The last of them. The next batch begins after it.
    var end: AuditHead
}

extension UnlockedVault {
    /// The numbers of the records in the vault, from the first one that is not archived. The range
    /// is empty for a vault without records.
    package borrowing func recordNumbers() throws(VaultError) -> Range<Int64> {
        try withoutRecord { transaction throws(VaultError) in try transaction.auditLog().numbers }
    }

    /// The place after a record, to read only the later ones. The stored MAC of the record is not
    /// verified: it is authentic if the records after it lead to the end of the log.
    /// - Parameter sequence: The number of the record; negative to count from the end of the log.
    /// - Returns: an empty batch; nil if the place is before the records in the vault.
    /// - Throws: `audit` if the record is missing or has no MAC; `manifestMismatch`.
    package borrowing func place(after sequence: Int64) throws(VaultError) -> AuditBatch? {
        let head = try withoutRecord { transaction throws(VaultError) in
            try transaction.auditLog().place(after: sequence)
        }
        return head.map { AuditBatch(records: [], end: $0) }
    }

    /// The records that follow a batch. No lock is held between two batches, so a slow reader of
    /// the records blocks no other process.
    /// - Parameter batch: nil for the first records.
    /// - Returns: nil at the end of the log.
    /// - Throws: `audit`, `manifestMismatch`, `damaged`.
    package borrowing func records(
        after batch: AuditBatch?, atMost count: Int = 10_000
    ) throws(VaultError) -> AuditBatch? {
        let next = try withoutRecord { transaction throws(VaultError) in
            try transaction.auditLog().batch(after: batch?.end, atMost: count)
        }
        return next.records.isEmpty ? nil : next
    }
}
