import SecureMemory

/// 24 words that open a vault without its PIN, and that are useless without the vault's file: 256
/// random bits, written as English words of BIP-39 with a checksum of this program.
///
/// The checksum is BIP-39's (the first byte of the SHA-256 of the bits) XOR the version of this
/// phrase, 1. It is never the checksum that a wallet expects, so no wallet accepts the words as a
/// seed (VaultFormat.md, "Slots").
package struct RecoveryPhrase: ~Copyable {
    package static let wordCount = 24
    /// The number of bytes in the 256 bits.
    static let count = 32
    static let version: UInt8 = 1

    let bytes: SecureBytes

    /// A new random phrase.
    package static func random() throws(VaultError) -> RecoveryPhrase {
        RecoveryPhrase(bytes: try Sodium.randomKey())
    }

    /// The first byte of the SHA-256 of `bits`: the checksum of BIP-39 for 24 words.
    static func walletChecksum(of bits: borrowing SecureBytes) throws(VaultError) -> UInt8 {
        try Sodium.sha256(bits).withBytes { $0[byte: 0] }
    }
}
