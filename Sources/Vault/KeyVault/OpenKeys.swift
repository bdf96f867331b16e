import Codecs
import Keys
import SecureMemory

/// The decrypted keys of one transaction. They are wiped when the transaction ends.
final class OpenKeys {
    /// A class, because a dictionary can't contain a noncopyable key.
    final class OpenKey {
        let key: PrivateKey
        /// The memory for the nonces of its signatures.
        private var nonce: ReusedBytes

        init(_ key: consuming PrivateKey, nonce: consuming ReusedBytes) {
            self.key = key
            self.nonce = nonce
        }

        func sign(_ digest: SigningDigest) throws(CurveError) -> K1Signed {
            try key.sign(digest, nonce: &nonce)
        }
    }

    private var keys: [EntryName: OpenKey] = [:]

    /// The key of a verified row, decrypted at the first call.
    /// - Throws: `entryDamaged`, `unsupportedKind`, `memory`.
    func key(of row: EntryRow, _ context: SealContext) throws(VaultError) -> OpenKey {
        if let key = keys[row.name] { return key }
        let nonce = try converting(VaultError.memory, ReusedBytes(capacity: PrivateKey.size))
        let key = OpenKey(try row.openKey(context), nonce: nonce)
        keys[row.name] = key
        return key
    }

    /// Wipes the keys: an entry changes.
    func removeAll() { keys.removeAll() }
}
