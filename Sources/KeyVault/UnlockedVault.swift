import Curves

/// A vault whose master key is in guarded memory, until this value goes away.
///
/// Everything it gives out was verified against the manifest, and everything that uses or changes a row does so in one transaction:
/// write lock, verification, the work, COMMIT. A result leaves only after its COMMIT.
public struct UnlockedVault: ~Copyable {
    let vault: Vault
    let keys: VaultKeys

    init(vault: Vault, keys: VaultKeys) {
        self.vault = vault
        self.keys = keys
    }

    /// Runs `body` with the write lock held and the manifest's root verified.
    ///
    /// When `body` returns, what it changed is committed durably, and only then is its result given out; when it throws, nothing
    /// changed. It must not open another transaction of this vault.
    /// - Throws: `busy` when another process held the lock too long, `readOnly`, `diskFull`, `manifestMismatch`, `rolledBack`,
    ///   `commitUncertain` when the change was made and may not last, and what `body` throws.
    public borrowing func transaction<Result, Failure: VaultFailure>(
        _ body: (inout VaultTransaction) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let vault = vault
        let keys = keys
        var generation = vault.seenGeneration
        let result = try vault.write { () throws(Failure) in
            let manifest = try lifting(to: Failure.self) { () throws(VaultError) in try vault.verifiedManifest(keys) }
            var transaction = VaultTransaction(connection: vault.connection, keys: keys, manifest: manifest)
            let result = try body(&transaction)
            do throws(VaultError) { generation = try transaction.finish() } catch { throw Failure(vault: error) }
            return result
        }
        vault.seenGeneration = generation
        return result
    }

    /// Lends the private key of a public key in a transaction of its own.
    /// - Throws: `noSuchKey`, `manifestMismatch`, `entryDamaged`, what `transaction` throws, and what `body` throws.
    public borrowing func withKey<Result, Failure: VaultFailure>(
        _ publicKey: PublicKey, _ body: (borrowing PrivateKey) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try transaction { (transaction: inout VaultTransaction) throws(Failure) in try transaction.withKey(publicKey, body) }
    }

    /// Stores one key; see `VaultTransaction.insert`.
    @discardableResult
    public borrowing func insert(
        _ key: borrowing PrivateKey, label: Label?, createdAt: Int64
    ) throws(VaultError) -> EntryDescription {
        try transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.insert(key, label: label, createdAt: createdAt)
        }
    }

    /// All entries by time of creation and name: every bucket of entries and labels verified, and that they say the same.
    /// - Throws: `manifestMismatch`, `damaged`.
    public borrowing func entries() throws(VaultError) -> [EntryDescription] {
        let vault = vault
        let keys = keys
        let entries = try vault.read { () throws(VaultError) in
            let manifest = try vault.verifiedManifest(keys)
            var entries: [EntryDescription] = []
            try vault.visitAll(.entries, manifest, keys) { row throws(VaultError) in entries.append(try EntryRow(row).description) }
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
        return entries.sorted { left, right in
            left.createdAt != right.createdAt ? left.createdAt < right.createdAt : left.name < right.name
        }
    }
}

extension Vault {
    /// Visits every row of a table of 256 buckets, each compared with the manifest.
    fileprivate func visitAll(
        _ table: VaultTable, _ manifest: Manifest, _ keys: VaultKeys, _ visit: (borrowing SQLiteRow) throws(VaultError) -> Void
    ) throws(VaultError) {
        var count: Int64 = 0
        for bucket in 0..<table.bucketCount {
            let leaf = Manifest.Leaf(table: table, bucket: bucket)
            let digest = try leaf.digest(in: connection, keys) { row throws(VaultError) in
                count += 1
                try visit(row)
            }
            guard Sodium.areEqual(digest, manifest[leaf]) else { throw .manifestMismatch(.bucket(table, bucket)) }
        }
        // Rows outside of the 256 buckets belong to none.
        guard try connection.integer("SELECT count(*) FROM \(table)") == count else { throw .damaged(.row(table)) }
    }
}
