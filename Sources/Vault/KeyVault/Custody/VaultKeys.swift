import SecureMemory

/// The master key and the keys derived from it, in guarded memory until the vault is locked.
final class VaultKeys {
    let custody: KeyCustody
    /// Wrapped by each slot.
    let master: HeldSecret<SecureBytes>
    /// Seals entries.
    let seal: HeldSecret<SecureBytes>
    /// Keys the digests of rows, buckets and the root.
    let manifest: HeldSecret<SecureBytes>
    /// Chains the records of the audit log.
    let audit: HeldSecret<SecureBytes>

    /// Public rows that were verified with these keys.
    let content = VerifiedContent()

    /// The tokens of keys. They are logged out when these keys end.
    var tokens: TokenKeys?

    /// - Parameter custody: of the keys that these replace.
    /// - Throws: `memory`, `locked`.
    init(master: consuming SecureBytes, in custody: KeyCustody = KeyCustody()) throws(VaultError) {
        self.custody = custody
        seal = try HeldSecret(Sodium.subkey(.seal, of: master), in: custody)
        manifest = try HeldSecret(Sodium.subkey(.manifest, of: master), in: custody)
        audit = try HeldSecret(Sodium.subkey(.audit, of: master), in: custody)
        self.master = try HeldSecret(master, in: custody)
    }

    /// True if both have the same master key.
    func isEqual(to other: VaultKeys) throws(VaultError) -> Bool {
        try seal.lend { key throws(VaultError) in
            try other.seal.lend { other throws(VaultError) in key.isEqual(to: other) }
        }
    }

    /// Lends the manifest's key once for many rows: changing the protection of its page costs more
    /// than the digest of a row.
    func lendManifest<Result, Failure: VaultFailure>(
        _ body: (borrowing SecureBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try manifest.lend { key throws(Failure) in
            try key.withBytes { _ throws(Failure) in try body(key) }
        }
    }

    /// Lends the key of the seals once for many entries.
    func lendSeal<Result, Failure: VaultFailure>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try seal.lend { key throws(Failure) in try key.withBytes { _ throws(Failure) in try body() } }
    }

    /// Lends the key of the audit log once for many records.
    func lendAudit<Result, Failure: VaultFailure>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try audit.lend { key throws(Failure) in try key.withBytes { _ throws(Failure) in try body() } }
    }

    /// Lends the keys that a new entry needs once for many entries.
    func lendAll<Result, Failure: VaultFailure>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try lendManifest { _ throws(Failure) in
            try lendSeal { () throws(Failure) in try lendAudit(body) }
        }
    }
}
