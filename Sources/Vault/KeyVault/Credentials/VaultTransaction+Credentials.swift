import Codecs
import SecureMemory

extension VaultTransaction {
    /// Seals the secret of a credential into a new entry.
    /// - Parameters:
    ///   - firstNonce: the lowest nonce that may be used.
    ///   - label: the name for users, unique in the vault.
    ///   - createdAt: seconds since 1970.
    /// - Throws: `labelExists`, `labelAlike`, `entryDamaged` for a secret of a length that no
    ///   credential has, `timeOutOfRange`, `manifestMismatch`.
    @discardableResult
    package mutating func insert(
        _ credential: Credential, firstNonce: UInt64 = 1, secret: consuming SecureBytes, label: Label,
        createdAt: Int64
    ) throws(VaultError) -> EntryDescription {
        try insert(
            secret, .newCredential(), .credential, details: credential.details,
            lastNonce: firstNonce - min(firstNonce, 1),
            label: label, createdAt: createdAt, origin: .imported)
    }

    /// Replaces the secret of a credential. The last nonce of the credential is kept. No backup
    /// contains the new secret.
    /// - Throws: `noSuchKey`, `notACredential`, `entryDamaged`, `manifestMismatch`.
    @discardableResult
    package mutating func rotate(
        _ name: EntryName, to secret: consuming SecureBytes
    ) throws(VaultError) -> EntryDescription {
        try expectWritable()
        let old = try row(named: name)
        _ = try old.description.expectCredential()
        // Backups are compared with this generation.
        var new = EntryRow(
            name: old.name, kind: old.kind, label: old.label, createdAt: old.createdAt,
            generation: nextGeneration,
            details: old.details)
        try secret.withBytes { bytes throws(VaultError) in
            try new.kind.check(bytes, of: new.description)
            try new.seal(bytes, sealContext, generation: nextGeneration)
        }
        try replace(old, by: new, recording: .rotated(key: name))
        return try buckets.description(of: new)
    }

    // MARK: nonces

    /// A nonce that was taken.
    package struct TakenNonce: Equatable, Sendable {
        package let value: UInt64
        /// True if this machine may lack nonces that another copy of the vault used: it saw the
        /// vault first, or accepted an older copy, after the nonce before was taken. A nonce that
        /// is committed here ends this.
        package let mayBeUsed: Bool
    }

    /// Takes the next nonce of a credential. Release nothing that contains it before this
    /// transaction is committed.
    /// - Parameters:
    ///   - clock: the time in the credential's unit.
    ///   - given: a nonce that the user chose.
    /// - Throws: `nonceUsed`, `noNonceLeft`, `notACredential`, `entryDamaged`, `manifestMismatch`;
    ///   `noSuchKey` when the entry was removed after it was verified.
    package mutating func takeNonce(
        of entry: VerifiedEntry, clock: UInt64, given: UInt64? = nil
    ) throws(VaultError) -> TakenNonce {
        try expectWritable()
        let row = try current(entry)
        _ = try row.description.expectCredential()
        let before =
            try buckets.nonce(of: row.name) ?? CredentialNonce(credential: row.name, last: 0, generation: 0)
        let next = try before.next(clock: clock, given: given)
        try change { transaction throws(VaultError) in
            try transaction.write(keepsEntries: true) { transaction throws(VaultError) in
                try transaction.set(nonce: next, of: row.name, generation: transaction.nextGeneration)
            }
        }
        return TakenNonce(value: next, mayBeUsed: before.generation <= knownSince)
    }

    // MARK: the secret

    /// Lends the secret of a credential. It is wiped from memory when `body` returns.
    /// - Throws: `notACredential`, `entryDamaged`, the errors of `body`; when an entry was written
    ///   after this one was verified, also `noSuchKey`, `manifestMismatch`.
    package func withSecret<Result: ~Copyable, Failure: VaultFailure>(
        of entry: VerifiedEntry, _ body: (borrowing SecureBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try keys.custody.use { () throws(Failure) in
            let secret = try converting(Failure.init(vault:), secret(of: entry))
            defer { wipeScratch() }
            return try body(secret)
        }
    }

    /// The secret of a credential, to export it: locking the vault does not wipe this copy.
    /// - Throws: the errors of `withSecret`.
    package func secret(of entry: VerifiedEntry) throws(VaultError) -> SecureBytes {
        let row = try current(entry)
        _ = try row.description.expectCredential()
        return try row.open(sealContext)
    }
}
