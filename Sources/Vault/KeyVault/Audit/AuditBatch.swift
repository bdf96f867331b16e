/// Verified records of the audit log that follow one another.
package struct AuditBatch: Sendable {
    package internal(set) var records: [AuditRecord]
    /// The last of them. The next batch begins after it.
    var end: AuditHead
}

/// Where a reader of the log begins, and the records that the vault has.
package struct AuditPlace: Sendable {
    package enum Start: Sendable {
        case after(Int64)
        /// The last records of the log.
        case last(Int)
    }

    /// From the first record that is not archived; empty for a vault without records.
    package let numbers: Range<Int64>
    /// An empty batch after which to read; nil to read from the first record, or if the vault does
    /// not have the record before. The stored MAC of that record is not verified: it is authentic
    /// if the records after it lead to the end of the log.
    package let batch: AuditBatch?
}

extension UnlockedVault {
    /// Finds the first record to read.
    /// - Parameter start: nil for the first record in the vault.
    /// - Throws: `audit` if the record before it is missing or has no MAC; `manifestMismatch`.
    package borrowing func place(_ start: AuditPlace.Start?) throws(VaultError) -> AuditPlace {
        try withoutRecord { transaction throws(VaultError) in try transaction.auditLog().place(start) }
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
