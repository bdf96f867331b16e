import Curves
import KeyText
import KeyVault

/// A key that is to sign, as the vault's file described it before the PIN was known, and how it was
/// chosen. After the PIN is known, the choice is repeated in the verified vault.
public struct ChosenKey: Sendable {
    public enum Choice: Equatable, Sendable {
        /// By its public key.
        case publicKey
        case label(String)
        /// The vault has only one key, and the user named none.
        case only
    }

    public let entry: EntryDescription
    public let publicKey: PublicKey
    let choice: Choice

    /// - Throws: The error in the entry's name, if the file is damaged.
    public init(_ entry: EntryDescription, choice: Choice) throws(KeyTextError) {
        publicKey = try PublicKey(entry.name)
        self.entry = entry
        self.choice = choice
    }

    /// Repeats the choice in the verified vault and returns its entry.
    /// - Throws: `keyAddedMeanwhile`, and errors of the vault.
    func verified(in transaction: inout VaultTransaction) throws(SigningError) -> EntryDescription {
        do throws(VaultError) {
            switch choice {
            case .publicKey: return try transaction.entry(publicKey)
            case .label(let label): return try transaction.entry(label)
            case .only where transaction.entryCount <= 1: return try transaction.entry(publicKey)
            case .only:
                // Either another process added a key after the review. Or someone removed rows from
                // the file, so that it showed another key as the only one. `verifyEntries` finds
                // missing rows.
                try transaction.verifyEntries()
            }
        } catch { throw .vault(error) }
        throw .keyAddedMeanwhile
    }
}
