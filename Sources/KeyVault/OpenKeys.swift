import Curves

/// The decrypted keys of one transaction. They are wiped when the transaction ends.
final class OpenKeys {
    /// A class, because a dictionary can't contain a noncopyable key.
    final class OpenKey {
        let key: PrivateKey

        init(_ key: consuming PrivateKey) { self.key = key }
    }

    private var keys: [EntryName: OpenKey] = [:]

    /// The key of a verified row, decrypted at the first call.
    /// - Throws: `entryDamaged`, `unsupportedKind`, `memory`.
    func key(of row: EntryRow, _ context: SealContext) throws(VaultError) -> OpenKey {
        if let key = keys[row.name] { return key }
        let key = OpenKey(try row.openKey(context))
        keys[row.name] = key
        return key
    }

    /// Wipes the keys: an entry changes.
    func removeAll() { keys.removeAll() }
}
