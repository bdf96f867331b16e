import SecureMemory

/// The audit log inside of one transaction, whose manifest is verified.
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

    /// Goes through all of it, in constant memory.
    /// - Parameters:
    ///   - visit: is given each record that is what was written, by rising number.
    ///   - report: is given each fault as it shows, by rising number.
    /// - Throws: `damaged(.row(.audit))` for what is no record though its mac is right, and what
    ///   the closures throw.
    func walk(
        visit: (AuditRecord) throws(VaultError) -> Void, report: (AuditFault) throws(VaultError) -> Void
    ) throws(VaultError) {
        var verifier = AuditVerifier(vaultID: vaultID, keys: keys, head: head)
        try connection.query("SELECT sequence, body, mac FROM audit ORDER BY sequence") { row throws(VaultError) in
            guard let sequence = row.integer(0) else { throw .damaged(.row(.audit)) }
            let body = row.blob(1)
            guard try verifier.visit(sequence, body: body, mac: row.blob(2), report), let body else { return }
            try visit(AuditRecord(sequence: sequence, body: body))
        }
        try verifier.finish(report)
    }

    /// The same, ended by the first fault.
    /// - Throws: `audit` with that fault.
    func walk(visit: (AuditRecord) throws(VaultError) -> Void) throws(VaultError) {
        try walk(visit: visit) { fault throws(VaultError) in throw .audit(fault) }
    }

    /// Whether the records after one lead from its mac to the head: then it is a record of this
    /// log.
    func leads(from seen: AuditHead) throws(VaultError) -> Bool {
        var (sequence, mac) = (seen.sequence, seen.mac)
        var isWhole = true
        try connection.query(
            "SELECT sequence, body FROM audit WHERE sequence > ?1 ORDER BY sequence", [.integer(sequence)]
        ) {
            row throws(VaultError) in
            guard isWhole, sequence < head.sequence else { return }
            guard row.integer(0) == sequence + 1, let body = row.blob(1) else {
                isWhole = false
                return
            }
            sequence += 1
            mac = keys.withKey(of: sequence) { key in
                AuditChain.mac(of: body, sequence: sequence, after: mac, vaultID: vaultID, key: key)
            }
        }
        return isWhole && sequence == head.sequence && Sodium.areEqual(mac, head.mac)
    }
}
