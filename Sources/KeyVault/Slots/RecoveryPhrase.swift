import SecureMemory

/// 256 bits that open a vault without its PIN.
public struct RecoveryPhrase: ~Copyable {
    let bytes: SecureBytes

    /// A new one.
    public static func random() throws(VaultError) -> RecoveryPhrase { RecoveryPhrase(bytes: try Sodium.randomKey()) }
}
