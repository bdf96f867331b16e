/// A new master key.
extension VaultTransaction {
    /// Seals everything again under a new master key. The slot that opened the vault is written
    /// again for the new key. The other slots wrap the old key and are removed.
    /// - Parameters:
    ///   - method: the unlock method from then on.
    ///   - dropping: allows the other slots to be removed.
    ///   - progress: receives the number of sealed entries, and of all entries.
    /// - Throws: `otherSlots`, `notEnough`, `slotChanged`, `manifestMismatch`, `entryDamaged`.
    package mutating func rekey(
        under method: borrowing SlotSecret, droppingOtherSlots dropping: Bool = false,
        progress: KeyProgress = { _, _ in }
    ) throws(VaultError) {
        try change(lending: method) { (transaction: inout VaultTransaction, method) throws(VaultError) in
            try transaction.renew(under: method, droppingOtherSlots: dropping, progress)
        }
    }

    private mutating func renew(
        under method: borrowing SlotSecret, droppingOtherSlots dropping: Bool, _ progress: KeyProgress
    ) throws(VaultError) {
        guard method.kind.mayBeOnly else { throw .input(.notEnough) }
        let states = try SlotTable(in: connection).states
        guard case .sound(opened.slot, _) = states[opened.number] else { throw .input(.slotChanged) }
        let others = states.indices.filter { $0 != opened.number && states[$0] != .absent }
        guard others.isEmpty || dropping else { throw .input(.otherSlots(others)) }
        for number in others {
            // The record contains only a kind that the manifest verifies.
            var kind = SlotKind.other(0)
            if case .sound(let slot, _) = states[number],
                (try? buckets.verify(states[number], ofSlot: number)) != nil
            {
                kind = slot.kind
            }
            try removeRow(ofSlot: number)
            try record(.slotRemoved(number: number, kind))
        }
        var auditKeys = try auditKeys()
        let renewed = try VaultKeys(master: Sodium.randomKey(), in: keys.custody)
        try auditKeys.advance(to: renewed, last: auditHead().sequence)
        try reseal(to: SealContext(vaultID: manifest.vaultID, keys: renewed), progress)
        try write(method, number: opened.number)
        try set(AuditKeys.settingName, to: auditKeys.setting(vaultID: manifest.vaultID))
        try record(.rekeyed)
    }

    /// The audit keys of earlier master keys.
    func auditKeys() throws(VaultError) -> AuditKeys {
        try AuditKeys(setting: setting(AuditKeys.settingName), vaultID: manifest.vaultID, current: keys)
    }

    /// Verifies every row, seals each entry again and computes every digest again. Earlier changes
    /// of this transaction are kept.
    ///
    /// The new digests are computed from the verified rows and the written ones, never from what
    /// the file returns afterwards: `flush` compares the file with the digests.
    private mutating func reseal(to new: SealContext, _ progress: KeyProgress) throws(VaultError) {
        try flush()
        let old = sealContext
        var renewed: [Manifest.Leaf: BucketRows] = [:]
        for leaf in VaultTable.inManifest.flatMap(\.leaves) where leaf.table != .entries {
            let (rows, others) = try leaf.rows(in: connection, keys, and: new.keys)
            try leaf.expect(rows.digest(keys), manifest[leaf])
            renewed[leaf] = others
        }
        for table in VaultTable.bucketed where try table.hasStrayRows(in: connection) {
            throw .damaged(table)
        }
        let total = manifest.entryCount
        var done: Int64 = 0
        for leaf in VaultTable.entries.leaves {
            var rows: [EntryRow] = []
            try manifest.verify(leaf, in: connection, keys) { row throws(VaultError) in
                rows.append(try EntryRow(row))
            }
            renewed[leaf] = try reseal(rows, of: leaf, from: old, to: new) {
                done += 1
                progress(done, total)
            }
        }
        guard done == total else { throw .damaged(.entries) }
        buckets.replace(by: renewed, new.keys)
    }

    /// Seals the rows of a bucket again. They come in ascending order of the names.
    private mutating func reseal(
        _ rows: [EntryRow], of leaf: Manifest.Leaf, from old: SealContext, to new: SealContext,
        _ step: () -> Void
    ) throws(VaultError) -> BucketRows {
        var renewed = BucketRows(leaf)
        for row in rows {
            let resealed = try row.resealed(from: old, to: new, generation: nextGeneration)
            try write { transaction throws(VaultError) in
                try VaultTable.entries.remove(row.rowName, leaf.bucket, in: transaction.connection)
                try VaultTable.entries.insert(resealed.allValues(in: leaf.bucket), in: transaction.connection)
            }
            var encoder = RowEncoder(rowOf: leaf.table)
            encoder.append(row: resealed.allValues(in: leaf.bucket))
            try new.keys.manifest.lend { key throws(VaultError) in
                try renewed.append(encoder, name: row.name.text, key)
            }
            step()
        }
        return renewed
    }
}
