import Curves
import KeyText
import KeyVault

/// A key that is to sign, as the vault's file described it before the PIN was known, and how it was
/// chosen: what was chosen on the word of the file is looked up again once that can be verified.
package struct ChosenKey: Sendable {
    package enum Choice: Equatable, Sendable {
        /// By its public key.
        case publicKey
        case label(String)
        /// It is the vault's only key, and none was named.
        case only
    }

    package let entry: EntryDescription
    package let publicKey: PublicKey
    let choice: Choice

    /// - Throws: What is wrong with the entry's name, which a damaged file may give.
    package init(_ entry: EntryDescription, choice: Choice) throws(KeyTextError) {
        publicKey = try PublicKey(entry.name)
        self.entry = entry
        self.choice = choice
    }

    /// The entry that the same choice comes to in the verified vault.
    /// - Throws: `keyAddedMeanwhile`, and what the vault throws.
    func verified(in transaction: inout VaultTransaction) throws(SigningError) -> EntryDescription {
        do throws(VaultError) {
            switch choice {
            case .publicKey: return try transaction.entry(publicKey)
            case .label(let label): return try transaction.entry(label)
            case .only where transaction.entryCount <= 1: return try transaction.entry(publicKey)
            case .only:
                // Either another process added a key after the review, or someone took rows out of
                // the file, so that another key than was meant is the only one. Rows that are
                // missing are found here.
                try transaction.verifyEntries()
            }
        } catch { throw .vault(error) }
        throw .keyAddedMeanwhile
    }
}
