package import Signing

/// A key of a vault. The private key stays in the vault.
public struct VaultKey: Hashable, Sendable {
    public let publicKey: Antelope.PublicKey
    /// Unique in the vault; nil for none.
    public let label: String?
    /// True if a verified backup of the vault contains the key.
    public let isBackedUp: Bool

    package init(_ description: KeyDescription) {
        publicKey = Antelope.PublicKey(description.publicKey)
        label = description.label
        isBackedUp = description.isBackedUp ?? false
    }
}
