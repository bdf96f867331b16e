import KeyVault
import Keys
import Shell

extension UnlockedVault {
    /// The public keys of the private keys that can be used, verified.
    borrowing func signingKeys() throws(VaultError) -> [PublicKey] {
        let opened = openedTokenKeys
        return try entries().filter(\.isKey).compactMap { entry in
            entry.name.publicKey.flatMap { entry.tokens.isEmpty || opened.contains($0) ? $0 : nil }
        }
    }

    /// A token that can't be used is no reason to keep the other keys locked.
    borrowing func openTokens(by tokens: (KeyCustody) throws -> TokenKeys) throws {
        for (key, error) in try openAllTokens(by: tokens) {
            Messages.warning("\(key.text): \(Words(for: error).message)")
        }
    }
}
