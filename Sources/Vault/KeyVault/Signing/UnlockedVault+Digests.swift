import Codecs
import Keys
import Signing

extension UnlockedVault {
    /// Signs 32 bytes that may be the digest of anything, such as a block, and records it.
    ///
    /// No review is possible. So the key must have no policy, and the vault must have no history of
    /// a transaction that it signed. The vault does not know permissions: the caller allows only
    /// keys that its user named for this purpose.
    /// - Throws: `digestRefused`, `noSuchKey`, `curve`, `recoveredOtherKey`, and the errors of
    ///   `transaction`.
    package borrowing func sign(
        digest: SigningDigest, with publicKey: PublicKey
    ) throws(SigningError) -> Signature {
        try transaction { (transaction: inout VaultTransaction) throws(SigningError) in
            let name = EntryName(publicKey)
            let entry = try converting(SigningError.vault, transaction.entry(named: name))
            try converting(SigningError.vault, transaction.expectDigestsAllowed(for: name))
            let signature = try transaction.sign(digest, with: entry).checked(over: digest, by: publicKey)
            try converting(
                SigningError.vault, transaction.record(.digestSigned(key: name, digest: digest.bytes)))
            return signature
        }
    }
}

extension VaultTransaction {
    /// - Throws: `digestRefused`.
    fileprivate func expectDigestsAllowed(for key: EntryName) throws(VaultError) {
        guard try policies().policy(of: key) == nil else { throw .input(.digestRefused(.policy)) }
        // The whole history is read once for each unlock: it may be long.
        guard !keys.content.digestKeys.contains(key) else { return }
        var hasSigned = false
        try buckets.visitAll(.counters) { row throws(VaultError) in
            guard let row = try HistoryRow.read(row) else { return }
            if row.records.contains(where: { $0.signature.map { EntryName($0.key) == key } ?? false }) {
                hasSigned = true
            }
        }
        guard !hasSigned else { throw .input(.digestRefused(.signedTransaction)) }
        keys.content.digestKeys.insert(key)
    }
}
