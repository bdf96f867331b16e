import Codecs
import Keys

/// A vault whose master key is in guarded memory until this value is destroyed.
///
/// Everything that it returns was verified against the manifest. Everything that uses or changes a
/// row happens in one transaction: write lock, verification, the work, COMMIT. A result is returned
/// only after its COMMIT.
package struct UnlockedVault: ~Copyable {
    package let vault: Vault
    let opened: Vault.OpenedSlot

    /// The slot that opened the vault, as it was sealed.
    package var slot: SlotDescription { opened.slot.description(number: opened.number, .sound) }

    /// The keys in tokens that are open.
    package var openedTokenKeys: Set<PublicKey> { opened.keys.tokens?.keys ?? [] }

    /// Locks the vault from any thread. After that, everything throws `locked`, and a transaction
    /// that still needs a key is undone.
    package var custody: KeyCustody { opened.keys.custody }

    /// Runs `body` with the write lock held and the manifest's root verified.
    ///
    /// When `body` returns, its changes are committed durably, and only then is its result
    /// returned. When `body` throws, nothing is changed. `body` must not open another transaction
    /// of this vault.
    /// - Throws: `busy` when another process held the lock too long; `readOnly`; `diskFull`;
    ///   `manifestMismatch`; `rolledBack`; `commitUncertain` when the change was made but may not
    ///   survive a power loss; `locked`; the errors of `body`.
    package borrowing func transaction<Result, Failure: VaultFailure>(
        _ body: (inout VaultTransaction) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try transaction(recordingFailuresFirst: true, body)
    }

    /// - Parameter recordingFailuresFirst: true if earlier failed unlocks are recorded before
    ///   `body` runs. If not, `body` calls `adoptFailedUnlocks`.
    borrowing func transaction<Result, Failure: VaultFailure>(
        recordingFailuresFirst: Bool, _ body: (inout VaultTransaction) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (vault, opened) = (vault, opened)
        guard !custody.isLocked else { throw Failure(vault: .input(.locked)) }
        var outcome: VaultTransaction.Outcome?
        let result = try vault.write { () throws(Failure) in
            let manifest = try converting(Failure.init(vault:), vault.verifiedManifest(opened))
            var transaction = VaultTransaction(
                connection: vault.connection, opened: opened, manifest: manifest, clock: vault.clock,
                knownSince: vault.knownSince ?? .max)
            // The noncopyable transaction can't be passed to a closure that is itself a parameter.
            do throws(VaultError) {
                if recordingFailuresFirst {
                    try transaction.adoptFailedUnlocks()
                    try transaction.adoptPolicyRefusals()
                }
            } catch { throw Failure(vault: error) }
            transaction.requester = vault.requester
            let result = try body(&transaction)
            outcome = try converting(Failure.init(vault:), transaction.finish())
            return result
        }
        if let outcome {
            vault.seenGeneration = outcome.generation
            if let head = outcome.head {
                vault.updateWitness(
                    Witness.Seen(generation: outcome.generation, head: head, backup: outcome.backup),
                    of: outcome.vaultID)
            }
        }
        return result
    }

    /// Lends the private key of a public key, in a separate transaction.
    /// - Throws: `noSuchKey`, `manifestMismatch`, `entryDamaged`, the errors of `transaction`, and
    ///   the errors of `body`.
    package borrowing func withKey<Result, Failure: VaultFailure>(
        _ publicKey: PublicKey, _ body: (borrowing PrivateKey) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try transaction { transaction throws(Failure) in
            let entry = try converting(Failure.init(vault:), transaction.entry(named: EntryName(publicKey)))
            return try transaction.withKey(entry, body)
        }
    }

    /// Stores one key; see `VaultTransaction.insert`.
    @discardableResult
    package borrowing func insert(
        _ key: borrowing PrivateKey, label: Label?, createdAt: Int64, origin: KeyOrigin = .created
    ) throws(VaultError) -> EntryDescription {
        try transaction { transaction throws(VaultError) in
            try transaction.insert(key, label: label, createdAt: createdAt, origin: origin)
        }
    }

    /// All entries in order of creation time and name. Every bucket of entries and labels is
    /// verified, and each label is compared with its entry.
    /// - Throws: `manifestMismatch`, `damaged`.
    package borrowing func entries() throws(VaultError) -> [EntryDescription] { try statuses().map(\.entry) }

    /// All entries with their backups, verified like `entries`.
    package borrowing func statuses() throws(VaultError) -> [KeyStatus] {
        try withoutRecord { transaction throws(VaultError) in
            let statuses = try transaction.buckets.statuses()
            guard Int64(statuses.count) == transaction.entryCount else { throw .damaged(.entries) }
            var labels = Labels()
            try transaction.buckets.visitAll(.labels) { row throws(VaultError) in try labels.visit(row) }
            guard labels.wrong(statuses.map(\.entry)).isEmpty else { throw .damaged(.labels) }
            return statuses
        }
    }
}
