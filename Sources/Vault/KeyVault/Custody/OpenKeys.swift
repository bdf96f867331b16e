import Codecs
import Keys
import SecureMemory

/// The decrypted keys of one transaction. They are wiped when the transaction ends, or when the
/// vault is locked.
final class OpenKeys {
    /// A class, because a dictionary can't contain noncopyable memory.
    final class OpenKey {
        let key: HeldSecret<PrivateKey>
        /// The memory for the nonces of its signatures.
        private var nonce: ReusedBytes

        init(_ key: HeldSecret<PrivateKey>, nonce: consuming ReusedBytes) {
            self.key = key
            self.nonce = nonce
        }

        /// - Throws: `locked`.
        func sign(_ digest: SigningDigest) throws(VaultError) -> Result<NewSignature, CurveError> {
            try key.lend { key throws(VaultError) in
                Result { () throws(CurveError) in try key.sign(digest, nonce: &nonce) }
            }
        }
    }

    private var keys: [EntryName: OpenKey] = [:]

    /// The key of a verified row, decrypted at the first call.
    /// - Throws: `entryDamaged`, `unsupportedKind`, `memory`, `locked`.
    func key(of row: EntryRow, _ context: SealContext) throws(VaultError) -> OpenKey {
        if let key = keys[row.name] { return key }
        let nonce = try converting(VaultError.memory, PrivateKey.nonceMemory())
        let custody = context.keys.custody
        let held = try custody.use { () throws(VaultError) in
            try HeldSecret(row.openKey(context), in: custody)
        }
        let key = OpenKey(held, nonce: nonce)
        keys[row.name] = key
        return key
    }

    /// Wipes the keys: an entry changes.
    func removeAll() { keys.removeAll() }
}

extension PrivateKey: WipedInPlace {}
