/// The audit log inside one transaction whose manifest is verified.
struct AuditLog {
    private let connection: SQLiteConnection
    private let vaultID: [UInt8]
    private let keys: AuditKeys
    private let head: AuditHead
    /// The last archived record. The records in the vault begin after it.
    private let start: AuditHead
    /// The archives of the records before that.
    let archives: [ArchiveDescription]

    /// - Throws: `manifestMismatch`, `damaged`.
    init(in connection: SQLiteConnection, _ manifest: Manifest, _ keys: AuditKeys) throws(VaultError) {
        let rows = VerifiedBuckets(connection, keys.current, manifest)
        let (archived, head) = (try rows.archivedLog(), try rows.auditHead())
        guard archived.map({ $0.last.sequence < head.sequence }) ?? true else { throw .damaged(.audit) }
        self.init(connection, vaultID: manifest.vaultID, keys: keys, head: head, archived: archived)
    }

    /// - Parameter head: verified, like `archived`.
    init(
        _ connection: SQLiteConnection, vaultID: [UInt8], keys: AuditKeys, head: AuditHead,
        archived: ArchivedLog?
    ) {
        self.connection = connection
        self.vaultID = vaultID
        self.keys = keys
        self.head = head
        start = archived?.last ?? .empty
        archives = archived?.archives ?? []
    }

    /// Visits the whole log in constant memory.
    /// - Parameters:
    ///   - visit: receives each intact record, in ascending order of the numbers.
    ///   - report: receives each fault, in ascending order of the record numbers.
    /// - Throws: `damaged(.row(.audit))` for an invalid record with a correct MAC, and the errors
    ///   of the closures.
    func walk(
        visit: (AuditRecord) throws(VaultError) -> Void,
        report: (AuditFault) throws(VaultError) -> Void = refuse
    ) throws(VaultError) {
        try walkBodies(
            visit: { sequence, body throws(VaultError) in
                try visit(AuditRecord(sequence: sequence, body: body))
            }, report: report)
    }

    /// Without `report`, the first fault is an error.
    private static func refuse(_ fault: AuditFault) throws(VaultError) { throw .integrity(.audit(fault)) }

    /// Visits the number and the body of each record.
    /// - Throws: `audit` with the first fault, and the errors of the closures.
    func walkBodies(
        visit: (Int64, [UInt8]) throws(VaultError) -> Void,
        report: (AuditFault) throws(VaultError) -> Void = refuse
    ) throws(VaultError) {
        var verifier = AuditVerifier(vaultID: vaultID, keys: keys, head: head, after: start)
        try connection.query("SELECT sequence, body, mac FROM audit ORDER BY sequence") {
            row throws(VaultError) in
            guard let sequence = row.integer(0) else { throw .damaged(.audit) }
            let body = row.blob(1)
            guard try verifier.visit(sequence, body: body, mac: row.blob(2), report), let body else { return }
            try visit(sequence, body)
        }
        try verifier.finish(report)
    }

    /// The records after the end of a batch, the first fault as an error.
    /// - Parameter end: the last record of the batch before; nil for the first batch.
    /// - Throws: `audit`, `damaged(.row(.audit))`.
    func batch(after end: AuditHead?, atMost count: Int) throws(VaultError) -> AuditBatch {
        // Before the first record there may be rows that are no records.
        let lowest = end?.sequence ?? .min
        let end = end ?? start
        var verifier = AuditVerifier(vaultID: vaultID, keys: keys, head: head, after: end)
        var batch = AuditBatch(records: [], end: end)
        let sql = "SELECT sequence, body, mac FROM audit WHERE sequence > ?1 ORDER BY sequence LIMIT ?2"
        try connection.query(sql, [.integer(lowest), .integer(Int64(count))]) { row throws(VaultError) in
            guard let sequence = row.integer(0) else { throw .damaged(.audit) }
            let (body, mac) = (row.blob(1), row.blob(2))
            guard try verifier.visit(sequence, body: body, mac: mac, Self.refuse), let body, let mac else {
                return
            }
            batch.records.append(try AuditRecord(sequence: sequence, body: body))
            batch.end = AuditHead(sequence: sequence, mac: mac)
        }
        if batch.records.count < count { try verifier.finish(Self.refuse) }
        return batch
    }

    /// See ``UnlockedVault/place(_:)``.
    func place(_ wanted: AuditPlace.Start?) throws(VaultError) -> AuditPlace {
        // `head` covers fewer than `Int64.max` records.
        let numbers = start.sequence + 1..<max(head.sequence, start.sequence) + 1
        let before: Int64 =
            switch wanted {
            case nil: start.sequence
            case .after(let number): number
            case .last(let count): max(start.sequence, head.sequence - Int64(count))
            }
        guard numbers.contains(before) else { return AuditPlace(numbers: numbers, batch: nil) }
        return AuditPlace(numbers: numbers, batch: AuditBatch(records: [], end: try stored(before)))
    }

    /// A record with its stored MAC.
    private func stored(_ number: Int64) throws(VaultError) -> AuditHead {
        guard number < head.sequence else { return head }
        var mac: [UInt8]?
        let sql = "SELECT mac FROM audit WHERE sequence = ?1"
        try connection.query(sql, [.integer(number)]) { row throws(VaultError) in mac = row.blob(0) ?? [] }
        guard let mac else { throw .integrity(.audit(.missing(sequence: number))) }
        guard mac.count == Sodium.digestCount else {
            throw .integrity(.audit(.changed(sequence: number)))
        }
        return AuditHead(sequence: number, mac: mac)
    }

    /// True if the records after `seen` lead from its MAC to the head. If they do, `seen` is a
    /// record of this log. An archived record can't be compared without its archive: `start` is
    /// authenticated, and an archive is made only of this log.
    func leads(from seen: AuditHead) throws(VaultError) -> Bool {
        guard seen.sequence >= start.sequence else { return true }
        var trail = AuditTrail(head: head, last: seen)
        let sql = "SELECT sequence, body FROM audit WHERE sequence > ?1 ORDER BY sequence"
        try connection.query(sql, [.integer(seen.sequence)]) { row throws(VaultError) in
            try trail.visit(row.integer(0), body: row.blob(1), vaultID: vaultID, keys: keys)
        }
        return trail.isComplete
    }
}

/// The audit log as a check reads it: its head, and the records that the head covers.
struct AuditContent: TableContent {
    static let table = VaultTable.audit

    func check(_ check: inout VaultCheck) throws(VaultError) {
        guard let manifest = check.manifest else { return }
        let setting = try UnverifiedRows(connection: check.connection).setting(AuditKeys.settingName)
        let keys = try AuditKeys(setting: setting, vaultID: manifest.vaultID, current: check.opened.keys)
        let log: AuditLog
        // Edited rows are reported.
        do { log = try AuditLog(in: check.connection, manifest, keys) } catch .integrity(.manifestMismatch) {
            return
        }
        check.report.archives = log.archives
        try check.opened.keys.lendAudit { () throws(VaultError) in
            try log.walk { record throws(VaultError) in
                check.report.recordCount += 1
                if case .other = record.event { check.report.unsupported.records += 1 }
                check.report.lastChange = record.time
            } report: { fault throws(VaultError) in
                check.note(.audit(fault))
            }
        }
    }
}

extension VaultTable {
    package static let auditRecords = numbered(
        11, "audit", by: "sequence", ["body BLOB NOT NULL", "mac BLOB NOT NULL"])
}
