extension Vault {
    /// The time of the last record in the file, not verified; nil for an empty log.
    package func unverifiedLastRecordTime() throws(VaultError) -> Int64? { try unverifiedLastRecord()?.time }

    /// The last record in the file, not verified; nil for an empty log.
    func unverifiedLastRecord() throws(VaultError) -> AuditRecord? {
        try read { () throws(VaultError) in
            var record: AuditRecord?
            try connection.query("SELECT sequence, body FROM audit ORDER BY sequence DESC LIMIT 1") {
                row throws(VaultError) in
                guard let sequence = row.integer(0), let body = row.blob(1) else { throw .damaged(.audit) }
                record = try AuditRecord(sequence: sequence, body: body)
            }
            return record
        }
    }
}

extension VaultTransaction {
    /// The time of the last record before this transaction, verified; nil for an empty log.
    /// - Throws: `damaged(.row(.audit))` when its row is missing or does not match the head of the
    ///   log, `manifestMismatch`.
    package func lastRecordTime() throws(VaultError) -> Int64? {
        let head = if let earlier = log.earlier { earlier } else { try auditHead() }
        guard head.sequence > 0 else { return nil }
        var before = head.sequence == 1 ? AuditChain.start : nil
        if before == nil, let setting = try setting(ArchivedLog.settingName) {
            let archived = try ArchivedLog(setting: setting)
            if archived.last.sequence == head.sequence - 1 { before = archived.last.mac }
        }
        var time: Int64?
        try connection.query(
            "SELECT sequence, body, mac FROM audit WHERE sequence IN (?1, ?2) ORDER BY sequence",
            [.integer(head.sequence - 1), .integer(head.sequence)]
        ) { row throws(VaultError) in
            guard let sequence = row.integer(0), let body = row.blob(1), let mac = row.blob(2) else {
                throw .damaged(.audit)
            }
            guard sequence == head.sequence else { return before = mac }
            // The MAC depends on the MAC of the record before, so a changed one does not match
            // either.
            guard let before, try Sodium.areEqual(head.mac, Self.mac(of: body, sequence, before, self)) else {
                return
            }
            time = try AuditRecord(sequence: sequence, body: body).time
        }
        guard let time else { throw .damaged(.audit) }
        return time
    }

    private static func mac(
        of body: [UInt8], _ sequence: Int64, _ before: [UInt8], _ transaction: borrowing VaultTransaction
    ) throws(VaultError) -> [UInt8] {
        let vaultID = transaction.manifest.vaultID
        return try transaction.keys.audit.lend { key throws(VaultError) in
            AuditChain.mac(of: body, sequence: sequence, after: before, vaultID: vaultID, key: key)
        }
    }
}
