/// A new master key, and a new format.
extension VaultTransaction {
    /// Seals everything anew under another master key. The slot that opened the vault is written for it; the others wrap the old key and go.
    /// - Parameters:
    ///   - way: what opens the vault from then on.
    ///   - dropping: lets the other slots go.
    ///   - progress: entries done, of how many.
    /// - Throws: `otherSlots`, `slotChanged`, `manifestMismatch`, `entryDamaged`.
    public mutating func rekey(
        under way: borrowing SlotSecret, droppingOtherSlots dropping: Bool = false, progress: (Int64, Int64) -> Void = { _, _ in }
    ) throws(VaultError) {
        try expectWritable()
        let states = try SlotTable(in: connection).states
        guard case .sound(opened.slot, _) = states[opened.number] else { throw .slotChanged }
        let others = states.indices.filter { $0 != opened.number && states[$0] != .absent }
        guard others.isEmpty || dropping else { throw .otherSlots(others) }
        var auditKeys = try auditKeys()
        let renewed = try VaultKeys(master: Sodium.randomKey())
        try auditKeys.advance(to: renewed, last: auditHead().sequence)
        try reseal(to: SealContext(version: manifest.version, vaultID: manifest.vaultID, renewed), progress)
        for number in others { try removeRow(ofSlot: number) }
        try write(way, number: opened.number)
        try set(AuditKeys.settingName, to: auditKeys.setting(vaultID: manifest.vaultID))
        try record(.rekeyed)
    }

    /// The audit keys of earlier master keys.
    func auditKeys() throws(VaultError) -> AuditKeys {
        try AuditKeys(setting: setting(AuditKeys.settingName), vaultID: manifest.vaultID, current: keys)
    }

    /// Makes a vault of an older format one of this.
    mutating func migrate() throws(VaultError) {
        let old = manifest.version
        try reseal(to: SealContext(version: VaultFormat.version, vaultID: manifest.vaultID, keys))
        try write { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.connection.run("PRAGMA user_version = \(VaultFormat.version)")
        }
        try record(.migrated(from: old))
    }

    /// Verifies every row, seals each entry anew, and makes every digest anew. What this transaction changed before stays.
    private mutating func reseal(to new: SealContext, _ progress: (Int64, Int64) -> Void = { _, _ in }) throws(VaultError) {
        try flush()
        let old = sealContext
        let total = manifest.entryCount
        var done: Int64 = 0
        for bucket in 0..<VaultTable.entries.bucketCount {
            var rows: [EntryRow] = []
            try manifest.verify(Manifest.Leaf(table: .entries, bucket: bucket), in: connection, keys) { row throws(VaultError) in
                rows.append(try EntryRow(row))
            }
            for row in rows {
                let resealed = try row.resealed(from: old, to: new, label: row.label)
                try write { (transaction: inout VaultTransaction) throws(VaultError) in
                    try EntryRow.remove(row.name, in: transaction.connection)
                    try resealed.insert(in: transaction.connection)
                }
                done += 1
                if done.isMultiple(of: 100) || done == total { progress(done, total) }
            }
        }
        guard done == total else { throw .damaged(.row(.entries)) }
        // The other tables' rows stay as they are; each was verified under the lock that is still held.
        for table in VaultTable.inManifest where table != .entries {
            for bucket in 0..<table.bucketCount {
                try manifest.verify(Manifest.Leaf(table: table, bucket: bucket), in: connection, keys)
            }
        }
        manifest.version = new.version
        keys = new.keys
        for table in VaultTable.inManifest {
            for bucket in 0..<table.bucketCount { try reload(Manifest.Leaf(table: table, bucket: bucket)) }
        }
    }
}
