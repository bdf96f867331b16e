import Codecs
import Keys
import SecureMemory
import Seeds

extension VaultTransaction {
    /// Seals a seed into a new entry.
    /// - Parameters:
    ///   - secret: what `seed.form` states.
    ///   - label: the name for users, unique in the vault.
    ///   - createdAt: seconds since 1970.
    ///   - origin: how the audit log records it.
    /// - Throws: `keyExists` for a seed that the vault has, `labelExists`, `labelAlike`,
    ///   `entryDamaged` for a secret of another form, `timeOutOfRange`, `manifestMismatch`.
    @discardableResult
    package mutating func insert(
        _ seed: StoredSeed, secret: consuming SecureBytes, label: Label, createdAt: Int64, origin: KeyOrigin
    ) throws(VaultError) -> EntryDescription {
        let name: EntryName
        do throws(SeedError) {
            name = EntryName(seed: try seed.form.keys(secret).key(at: .eos(0)).publicKey)
        } catch { throw VaultError(stored: error) }
        return try insert(
            secret, name, .seed, details: seed.details, label: label, createdAt: createdAt, origin: origin)
    }

    /// Derives the next key of a seed into a new entry, which names the seed and the path.
    ///
    /// An index is never used twice, also if its key was removed. The index of a key that the
    /// vault has already, such as one that was imported, is skipped.
    /// - Throws: `noSuchKey`, `notASeed`, `noIndexLeft`, `labelExists`, `labelAlike`,
    ///   `entryDamaged`, `timeOutOfRange`, `manifestMismatch`.
    package mutating func deriveKey(
        from seed: EntryName, label: Label?, createdAt: Int64
    ) throws(VaultError) -> EntryDescription {
        try expectWritable()
        let row = try row(named: seed)
        let stored = try row.description.expectSeed()
        let keys = try seedKeys(of: row, stored)
        for index in stored.next..<StoredSeed.indexLimit {
            let path = DerivationPath.eos(index)
            let key: PrivateKey
            do throws(SeedError) { key = try keys.key(at: path) } catch { throw VaultError(stored: error) }
            guard try buckets.row(named: EntryName(key.publicKey)) == nil else { continue }
            let made = try insert(
                key, label: label, createdAt: createdAt,
                from: SeedOrigin(seed: seed, path: path, isOnPaper: stored.isOnPaper))
            try setNext(index + 1, of: row)
            return made
        }
        throw .input(.noIndexLeft)
    }

    /// A key of a seed that was used, and how it was found.
    package struct FoundKey: Hashable, Sendable {
        package let publicKey: PublicKey
        package let path: DerivationPath
        /// True if the vault had the key before.
        package let isKnown: Bool
    }

    /// Adds the keys of a seed at some paths. The next key of the seed has a greater index than all
    /// of them.
    /// - Returns: the keys, in the order of the paths.
    /// - Throws: the errors of `deriveKey`.
    package mutating func addKeys(
        of seed: EntryName, at paths: [DerivationPath], createdAt: Int64
    ) throws(VaultError) -> [FoundKey] {
        try expectWritable()
        let row = try row(named: seed)
        let stored = try row.description.expectSeed()
        let keys = try seedKeys(of: row, stored)
        var (found, next): ([FoundKey], UInt32) = ([], stored.next)
        for path in paths {
            let key: PrivateKey
            do throws(SeedError) { key = try keys.key(at: path) } catch { throw VaultError(stored: error) }
            let isKnown = try buckets.row(named: EntryName(key.publicKey)) != nil
            found.append(FoundKey(publicKey: key.publicKey, path: path, isKnown: isKnown))
            if let index = path.eosIndex { next = max(next, index + 1) }
            let origin = SeedOrigin(seed: seed, path: path, isOnPaper: stored.isOnPaper)
            if !isKnown {
                try insert(key, label: nil, createdAt: createdAt, origin: .imported, from: origin)
            } else {
                try add(origin, to: EntryName(key.publicKey))
            }
        }
        if next != stored.next { try setNext(next, of: row) }
        return found
    }

    /// Adds the seed and the path to a private key that was imported alone.
    private mutating func add(_ origin: SeedOrigin, to name: EntryName) throws(VaultError) {
        let old = try row(named: name)
        guard case .privateKey(.k1) = old.kind, old.ownDetails.isEmpty else { return }
        let renewed = try old.resealed(
            from: sealContext, to: sealContext, details: origin.details, generation: nextGeneration)
        try replace(old, by: renewed, recording: nil)
    }

    /// Lends the secret of a seed. It is wiped from memory when `body` returns.
    /// - Throws: `notASeed`, `entryDamaged`, the errors of `body`; when an entry was written after
    ///   this one was verified, also `noSuchKey`, `manifestMismatch`.
    package func withSeed<Result: ~Copyable, Failure: VaultFailure>(
        _ entry: VerifiedEntry, _ body: (StoredSeed, borrowing SecureBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try keys.custody.use { () throws(Failure) in
            let row = try converting(Failure.init(vault:), current(entry))
            let seed = try converting(Failure.init(vault:), row.description.expectSeed())
            let secret = try converting(Failure.init(vault:), row.open(sealContext))
            defer { wipeScratch() }
            return try body(seed, secret)
        }
    }

    private func seedKeys(of row: EntryRow, _ stored: StoredSeed) throws(VaultError) -> SeedKeys {
        try keys.custody.use { () throws(VaultError) in
            let secret = try row.open(sealContext)
            do throws(SeedError) { return try stored.form.keys(secret) } catch {
                throw VaultError(stored: error)
            }
        }
    }

    /// Seals a seed again with the index of its next key. Backups that have the seed still count.
    private mutating func setNext(_ next: UInt32, of row: EntryRow) throws(VaultError) {
        let details = try row.description.expectSeed().with(next: next).details
        let renewed = try row.resealed(
            from: sealContext, to: sealContext, details: details, generation: nextGeneration)
        try replace(row, by: renewed, recording: nil)
    }
}

extension VaultError {
    /// An error of a seed whose form was checked before.
    init(stored error: SeedError) {
        if case .memory(let error) = error {
            self = .memory(error)
        } else {
            self = .integrity(.entryDamaged(.key))
        }
    }
}
