import SecureMemory

/// The last record of the log, as the manifest covers it.
struct AuditHead: Equatable {
    /// The number of records ever written; 0 while the log is empty.
    var sequence: Int64
    /// The MAC of the last record.
    var mac: [UInt8]

    static let empty = AuditHead(sequence: 0, mac: AuditChain.start)
}

extension AuditHead {
    /// Reads a row of `id, sequence, mac`.
    /// - Throws: `damaged(.row(.audit))`.
    init(_ row: borrowing some RowColumns & ~Copyable) throws(VaultError) {
        guard row.integer(0) == 1, let sequence = row.integer(1), (1..<Int64.max).contains(sequence),
            let mac = row.blob(2),
            mac.count == Sodium.digestCount
        else { throw .damaged(.audit) }
        self.sequence = sequence
        self.mac = mac
    }

    /// Appends a record to the chain and makes it the end of the log.
    mutating func append(
        _ record: AuditRecord, vaultID: [UInt8], key: borrowing SecureBytes, in connection: SQLiteConnection
    )
        throws(VaultError)
    {
        let body = try record.body()
        // The MAC is public: it is written to the file.
        mac = disclosed(
            AuditChain.mac(of: body, sequence: record.sequence, after: mac, vaultID: vaultID, key: key))
        sequence = record.sequence
        // A row after the head is not a record of this log, so the new record replaces it.
        try connection.run(
            "INSERT OR REPLACE INTO audit (sequence, body, mac) VALUES (?1, ?2, ?3)",
            [.integer(sequence), .blob(body), .blob(mac)])
    }

    /// Writes the row of `audit_head`.
    func write(in connection: SQLiteConnection) throws(VaultError) {
        try connection.run(
            "INSERT OR REPLACE INTO audit_head (id, sequence, mac) VALUES (1, ?1, ?2)",
            [.integer(sequence), .blob(mac)])
    }

    /// The row of `audit_head`, encoded for the digest in the manifest.
    private var encoded: RowEncoder {
        var encoder = RowEncoder(rowOf: .audit)
        encoder.append(row: [.integer(1), .integer(sequence), .blob(mac)])
        return encoder
    }

    /// The bucket that has only this row.
    func rows(_ keys: VaultKeys) throws(VaultError) -> BucketRows {
        var rows = BucketRows(Manifest.Leaf(table: .audit, bucket: 0))
        try keys.manifest.lend { key throws(VaultError) in try rows.append(encoded, name: nil, key) }
        return rows
    }
}

extension RowSource {
    /// The end of the log.
    /// - Throws: `manifestMismatch`, `damaged(.row(.audit))`.
    func auditHead() throws(VaultError) -> AuditHead {
        var head: AuditHead?
        try visit(Manifest.Leaf(table: .audit, bucket: 0)) { row throws(VaultError) in
            guard head == nil else { throw .damaged(.audit) }
            head = try AuditHead(row)
        }
        return head ?? .empty
    }
}

extension VaultTable {
    package static let audit = numbered(
        8, "audit_head", title: "audit", ["sequence INTEGER NOT NULL", "mac BLOB NOT NULL"], bucketCount: 1)
}
