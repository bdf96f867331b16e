import Curves

/// A vault whose master key is in guarded memory, until this value goes away.
///
/// Everything it gives out was verified against the manifest, and everything that uses or changes a
/// row does so in one transaction: write lock, verification, the work, COMMIT. A result leaves only
/// after its COMMIT.
package struct UnlockedVault: ~Copyable {
    package let vault: Vault
    let opened: Vault.OpenedSlot

    /// The slot that opened it, as it was sealed.
    package var slot: SlotDescription { opened.slot.description(number: opened.number, .sound) }

    init(vault: Vault, opened: Vault.OpenedSlot) {
        self.vault = vault
        self.opened = opened
    }

    /// Runs `body` with the write lock held and the manifest's root verified.
    ///
    /// When `body` returns, what it changed is committed durably, and only then is its result given
    /// out; when it throws, nothing changed. It must not open another transaction of this vault.
    /// - Throws: `busy` when another process held the lock too long, `readOnly`, `diskFull`,
    ///   `manifestMismatch`, `rolledBack`, `commitUncertain` when the change was made and may not
    ///   last, and what `body` throws.
    package borrowing func transaction<Result, Failure: VaultFailure>(
        _ body: (inout VaultTransaction) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (vault, opened) = (vault, opened)
        var outcome: VaultTransaction.Outcome?
        let result = try vault.write { () throws(Failure) in
            var transaction = try lifting(to: Failure.self) { () throws(VaultError) in
                let manifest = try vault.verifiedManifest(opened)
                return VaultTransaction(
                    connection: vault.connection, opened: opened, manifest: manifest, clock: vault.clock)
            }
            // The noncopyable transaction can't be lent to a closure that is lent itself.
            do throws(VaultError) {
                if transaction.manifest.version < VaultFormat.version { try transaction.migrate() }
                try transaction.adoptFailedUnlocks()
            } catch { throw Failure(vault: error) }
            let result = try body(&transaction)
            do throws(VaultError) { outcome = try transaction.finish() } catch { throw Failure(vault: error) }
            return result
        }
        if let outcome {
            vault.seenGeneration = outcome.generation
            if let head = outcome.head {
                vault.tellWitness(
                    Witness.Seen(generation: outcome.generation, head: head, backup: outcome.backup),
                    of: outcome.vaultID)
            }
        }
        return result
    }

    /// Runs `body` on a verified view that it can't change, and that leaves no record: for a vault
    /// that can't be written, and only where no policy wants its records.
    /// - Throws: `policySet`, `manifestMismatch`, `rolledBack`, and what `body` throws.
    package borrowing func withoutRecord<Result, Failure: VaultFailure>(
        _ body: (inout VaultTransaction) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try view { (transaction: inout VaultTransaction) throws(Failure) in
            var policies = 0
            do throws(VaultError) {
                try transaction.verify(Manifest.Leaf(table: .policies, bucket: 0)) { _ throws(VaultError) in
                    policies += 1
                }
            } catch { throw Failure(vault: error) }
            guard policies == 0 else { throw Failure(vault: .policySet) }
            return try body(&transaction)
        }
    }

    /// Lends the private key of a public key in a transaction of its own.
    /// - Throws: `noSuchKey`, `manifestMismatch`, `entryDamaged`, what `transaction` throws, and
    ///   what `body` throws.
    package borrowing func withKey<Result, Failure: VaultFailure>(
        _ publicKey: PublicKey, _ body: (borrowing PrivateKey) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try transaction { (transaction: inout VaultTransaction) throws(Failure) in
            try transaction.withKey(publicKey, body)
        }
    }

    /// Stores one key; see `VaultTransaction.insert`.
    @discardableResult
    package borrowing func insert(
        _ key: borrowing PrivateKey, label: Label?, createdAt: Int64, origin: KeyOrigin = .created
    ) throws(VaultError) -> EntryDescription {
        try transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.insert(key, label: label, createdAt: createdAt, origin: origin)
        }
    }

    /// All entries by time of creation and name: every bucket of entries and labels verified, and
    /// that they say the same.
    /// - Throws: `manifestMismatch`, `damaged`.
    package borrowing func entries() throws(VaultError) -> [EntryDescription] {
        let (vault, opened) = (vault, opened)
        let keys = opened.keys
        let entries = try vault.read { () throws(VaultError) in
            let manifest = try vault.verifiedManifest(opened)
            var entries: [EntryDescription] = []
            try vault.visitAll(.entries, manifest, keys) { row throws(VaultError) in
                entries.append(try EntryRow(row).description)
            }
            guard entries.count == manifest.entryCount else { throw .damaged(.row(.entries)) }
            var labels: [String: LabelRow] = [:]
            try vault.visitAll(.labels, manifest, keys) { row throws(VaultError) in
                let row = try LabelRow(row)
                guard labels.updateValue(row, forKey: row.name) == nil else { throw .damaged(.row(.labels)) }
            }
            for entry in entries where entry.label != nil {
                guard labels.removeValue(forKey: entry.name)?.isOf(entry) == true else { throw .damaged(.row(.labels)) }
            }
            guard labels.isEmpty else { throw .damaged(.row(.labels)) }
            return entries
        }
        return entries.inOrderOfCreation
    }
}

extension Vault {
    /// Visits every row of a table of 256 buckets, each compared with the manifest.
    fileprivate func visitAll(
        _ table: VaultTable, _ manifest: Manifest, _ keys: VaultKeys,
        _ visit: (borrowing SQLiteRow) throws(VaultError) -> Void
    ) throws(VaultError) {
        var count: Int64 = 0
        for bucket in 0..<table.bucketCount {
            let leaf = Manifest.Leaf(table: table, bucket: bucket)
            try manifest.verify(leaf, in: connection, keys) { row throws(VaultError) in
                count += 1
                try visit(row)
            }
        }
        // Rows outside of the 256 buckets belong to none. Not `count(*)`, in which SQLite asks for
        // no budget: a crafted tree of pages has no end.
        guard try connection.integer("SELECT count(bucket) FROM \(table)") == count else { throw .damaged(.row(table)) }
    }
}
