import SecureMemory

/// The master key and the keys derived from it, in guarded memory while the vault is unlocked.
final class VaultKeys {
    /// Wrapped by each slot.
    let master: SecureBytes
    /// Seals entries.
    let seal: SecureBytes
    /// Keys the digests of rows, buckets and the root.
    let manifest: SecureBytes
    /// Chains the records of the audit log.
    let audit: SecureBytes

    init(master: consuming SecureBytes) throws(VaultError) {
        seal = try Sodium.subkey(.seal, of: master)
        manifest = try Sodium.subkey(.manifest, of: master)
        audit = try Sodium.subkey(.audit, of: master)
        self.master = master
    }
}
