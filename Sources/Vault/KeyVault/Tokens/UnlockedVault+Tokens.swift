import Keys
import Signing
import Tokens

extension UnlockedVault {
    /// Opens the tokens of keys, which sign from then on. The entries are verified first: the file
    /// of a vault that someone changed can't name the module that is loaded.
    ///
    /// The vault is not locked for other programs meanwhile, so that a person can be asked.
    /// - Parameters:
    ///   - keys: the keys that are to sign.
    ///   - tokens: makes the connection; called if one of the keys is in a token. The custody wipes
    ///     the PINs when the vault is locked.
    /// - Throws: the errors of `tokens`; `TokenError`; `damaged`, `manifestMismatch`, `locked`.
    package borrowing func openTokens(
        of keys: [PublicKey], by tokens: (KeyCustody) throws -> TokenKeys
    ) throws {
        let entries = try verifiedEntries(of: keys).filter { !$0.tokens.isEmpty }
        guard !entries.isEmpty else { return }
        let opened = try tokens(custody)
        for entry in entries {
            guard let key = entry.name.publicKey else { continue }
            try opened.open(key, in: entry.tokens)
        }
        self.opened.keys.tokens = opened
    }

    /// Opens the tokens of all keys. It stops when another thread locks the vault.
    /// - Returns: the keys whose tokens can't be used, with the reason.
    package borrowing func openAllTokens(
        by tokens: (KeyCustody) throws -> TokenKeys
    ) throws -> [(key: PublicKey, error: any Error)] {
        let entries = try entries().filter { !$0.tokens.isEmpty }
        guard !entries.isEmpty else { return [] }
        let opened = try tokens(custody)
        var failed: [(key: PublicKey, error: any Error)] = []
        for entry in entries {
            guard !custody.isLocked else { throw VaultError.input(.locked) }
            guard let key = entry.name.publicKey else { continue }
            do { try opened.open(key, in: entry.tokens) } catch { failed.append((key, error)) }
        }
        if !opened.keys.isEmpty { self.opened.keys.tokens = opened }
        return failed
    }

    private borrowing func verifiedEntries(of keys: [PublicKey]) throws(VaultError) -> [EntryDescription] {
        try withoutRecord { transaction throws(VaultError) in
            try keys.map { key throws(VaultError) in
                try transaction.entry(named: EntryName(key)).description
            }
        }
    }
}
