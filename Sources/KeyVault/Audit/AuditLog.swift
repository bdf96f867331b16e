/// The audit log inside one transaction whose manifest is verified.
struct AuditLog {
    private let connection: SQLiteConnection
    private let vaultID: [UInt8]
    private let keys: AuditKeys
    private let head: AuditHead

    /// - Throws: `manifestMismatch`, `damaged(.row(.audit))`.
    init(in connection: SQLiteConnection, _ manifest: Manifest, _ keys: AuditKeys) throws(VaultError) {
        self.connection = connection
        self.keys = keys
        vaultID = manifest.vaultID
        head = try AuditHead.verified(in: connection, manifest, keys.current)
    }

    /// Visits the whole log in constant memory.
    /// - Parameters:
    ///   - visit: receives each intact record, in ascending order of the numbers.
    ///   - report: receives each fault, in ascending order of the record numbers.
    /// - Throws: `damaged(.row(.audit))` for an invalid record with a correct MAC, and what the
    ///   closures throw.
    func walk(
        visit: (AuditRecord) throws(VaultError) -> Void, report: (AuditFault) throws(VaultError) -> Void
    ) throws(VaultError) {
        var verifier = AuditVerifier(vaultID: vaultID, keys: keys, head: head)
        try connection.query("SELECT sequence, body, mac FROM audit ORDER BY sequence") { row throws(VaultError) in
            guard let sequence = row.integer(0) else { throw .damaged(.audit) }
            let body = row.blob(1)
            guard try verifier.visit(sequence, body: body, mac: row.blob(2), report), let body else { return }
            try visit(AuditRecord(sequence: sequence, body: body))
        }
        try verifier.finish(report)
    }

    /// Visits the log up to the first fault.
    /// - Throws: `audit` with the first fault, and what the other `walk` throws.
    func walk(visit: (AuditRecord) throws(VaultError) -> Void) throws(VaultError) {
        try walk(visit: visit) { fault throws(VaultError) in throw .integrity(.audit(fault)) }
    }

    /// The records after the end of a batch, the first fault as an error.
    /// - Parameter end: the last record of the batch before; `empty` for the first batch.
    /// - Throws: `audit`, `damaged(.row(.audit))`.
    func batch(after end: AuditHead, atMost count: Int) throws(VaultError) -> AuditBatch {
        var verifier = AuditVerifier(vaultID: vaultID, keys: keys, head: head, after: end)
        var batch = AuditBatch(records: [], end: end)
        let report = { (fault: AuditFault) throws(VaultError) in throw .integrity(.audit(fault)) }
        // Before the first record there may be rows that are no records.
        let last = end == .empty ? Int64.min : end.sequence
        let sql = "SELECT sequence, body, mac FROM audit WHERE sequence > ?1 ORDER BY sequence LIMIT ?2"
        try connection.query(sql, [.integer(last), .integer(Int64(count))]) { row throws(VaultError) in
            guard let sequence = row.integer(0) else { throw .damaged(.audit) }
            let (body, mac) = (row.blob(1), row.blob(2))
            guard try verifier.visit(sequence, body: body, mac: mac, report), let body, let mac else { return }
            batch.records.append(try AuditRecord(sequence: sequence, body: body))
            batch.end = AuditHead(sequence: sequence, mac: mac)
        }
        if batch.records.count < count { try verifier.finish(report) }
        return batch
    }

    /// Whether the records after `seen` lead from its MAC to the head. If they do, `seen` is a
    /// record of this log.
    func leads(from seen: AuditHead) throws(VaultError) -> Bool {
        var trail = AuditTrail(head: head, last: seen)
        let sql = "SELECT sequence, body FROM audit WHERE sequence > ?1 ORDER BY sequence"
        try connection.query(sql, [.integer(seen.sequence)]) { row throws(VaultError) in
            trail.visit(row.integer(0), body: row.blob(1), vaultID: vaultID, keys: keys)
        }
        return trail.isComplete
    }
}
