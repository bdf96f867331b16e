import SecureMemory

/// What is derived from the master key, in guarded memory for as long as the vault is unlocked. The master key itself is not kept.
final class VaultKeys {
    /// Seals entries.
    let seal: SecureBytes
    /// Keys the digests of rows, buckets and the root.
    let manifest: SecureBytes

    init(master: consuming SecureBytes) throws(VaultError) {
        seal = try Sodium.subkey(.seal, of: master)
        manifest = try Sodium.subkey(.manifest, of: master)
    }
}
