import Codecs
import SecureMemory

extension VaultTransaction {
    /// Seals the secret of a credential into a new entry.
    /// - Parameters:
    ///   - label: the name for users, unique in the vault.
    ///   - createdAt: seconds since 1970.
    /// - Throws: `labelExists`, `labelAlike`, `entryDamaged` for a secret of a length that no
    ///   credential has, `timeOutOfRange`, `manifestMismatch`.
    @discardableResult
    package mutating func insert(
        _ credential: Credential, secret: consuming SecureBytes, label: Label, createdAt: Int64
    ) throws(VaultError) -> EntryDescription {
        try insert(
            secret, .newCredential(), .credential, details: credential.details, label: label, createdAt: createdAt,
            origin: .imported)
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
            name: old.name, kind: old.kind, label: old.label, createdAt: old.createdAt, generation: nextGeneration,
            details: old.details)
        noteSealing(of: old)
        let secret = try CredentialPayload().verified(secret, of: new.description)
        secret.withBytes { bytes in new.seal(bytes, sealContext, generation: nextGeneration) }
        try replace(old, by: new, recording: .rotated(key: name))
        return new.description
    }

    /// Takes the next nonce of a credential. Release nothing that contains it before this
    /// transaction is committed.
    /// - Parameters:
    ///   - clock: the time in the credential's unit.
    ///   - given: a nonce that the user chose.
    /// - Throws: `nonceUsed`, `noNonceLeft`, `noSuchKey`, `notACredential`, `entryDamaged`,
    ///   `manifestMismatch`.
    package mutating func takeNonce(
        of name: EntryName, clock: UInt64, given: UInt64? = nil
    ) throws(VaultError) -> UInt64 {
        try expectWritable()
        let old = try row(named: name)
        var credential = try old.description.expectCredential()
        let nonce = try credential.takeNonce(clock: clock, given: given)
        let secret = try old.open(sealContext)
        var new = old
        new.details = Array(old.details.prefix(EntryRow.sealingCount)) + credential.details
        secret.withBytes { bytes in new.seal(bytes, sealContext, generation: nextGeneration) }
        try replace(old, by: new, recording: nil)
        return nonce
    }

    /// Whether this machine may lack nonces that another copy of the vault used: it saw the vault
    /// first, or accepted an older copy, after the last nonce was taken. A nonce that is committed
    /// here ends this.
    /// - Throws: `noSuchKey`, `manifestMismatch`, `damaged`.
    package func mayLackNonces(of name: EntryName) throws(VaultError) -> Bool {
        guard !keepsUnsure, let sealed = try row(named: name).sealing else { return true }
        return sealed <= knownSince
    }

    /// Lends the secret of a credential. It is wiped from memory when `body` returns.
    /// - Throws: `noSuchKey`, `notACredential`, `entryDamaged`, `manifestMismatch`, and what `body`
    ///   throws.
    package func withSecret<Result: ~Copyable, Failure: VaultFailure>(
        ofCredential name: EntryName, _ body: (borrowing SecureBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let secret = try converting(Failure.init(vault:), secret(ofCredential: name))
        defer { wipeScratch() }
        return try body(secret)
    }

    /// The secret of a credential.
    /// - Throws: `noSuchKey`, `notACredential`, `entryDamaged`, `manifestMismatch`.
    package func secret(ofCredential name: EntryName) throws(VaultError) -> SecureBytes {
        let row = try row(named: name)
        _ = try row.description.expectCredential()
        return try row.open(sealContext)
    }
}

extension EntryDescription {
    /// - Throws: `notACredential`; `entryDamaged` for details that no writer produces.
    package func expectCredential() throws(VaultError) -> Credential {
        guard kind == .credential else { throw .input(.notACredential) }
        guard let credential else { throw .integrity(.entryDamaged(.seal)) }
        return credential
    }
}
