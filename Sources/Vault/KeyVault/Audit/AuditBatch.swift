/// Verified records of the audit log that follow one another.
package struct AuditBatch: Sendable {
    package internal(set) var records: [AuditRecord]
    /// The last of them. The next batch begins after it.
    var end: AuditHead
}

extension UnlockedVault {
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
