import SecureMemory
import WordLists

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

    /// - Parameter bits: 32 bytes, for example joined from shares.
    /// - Throws: `recoveryPhrase(.byteCount)`.
    package init(bits: consuming SecureBytes) throws(VaultError) {
        guard bits.count == Self.count else { throw .input(.recoveryPhrase(.byteCount(bits.count))) }
        bytes = bits
    }

    /// Lends the 32 bytes, for example to split them into shares.
    package borrowing func withBits<Result: ~Copyable, Failure: Error>(
        _ body: (borrowing SecureBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result { try body(bytes) }

    /// A new random phrase.
    package static func random() throws(VaultError) -> RecoveryPhrase {
        try RecoveryPhrase(bits: Sodium.randomKey())
    }

    /// The first byte of the SHA-256 of `bits`: the checksum of BIP-39 for 24 words.
    static func walletChecksum(of bits: borrowing SecureBytes) throws(VaultError) -> UInt8 {
        try Sodium.sha256(bits).withBytes { $0[byte: 0] }
    }
}
