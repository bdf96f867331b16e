import SecureMemory

/// The optional passphrase of a seed or of shares. Every passphrase gives other keys, and none is
/// wrong in itself.
enum SeedPassphrase {
    static let maximumCount = 1_024

    /// Refuses passphrases that are not printable ASCII. Others would have to be brought to a
    /// normal form (NFKD) first, and hashing other bytes gives other keys.
    /// - Throws: `passphraseNotASCII`, `passphraseTooLong`.
    static func check(_ passphrase: borrowing SecureBytes) throws(SeedError) {
        guard passphrase.count <= maximumCount else { throw .passphraseTooLong(limit: maximumCount) }
        let offset = passphrase.withBytes { bytes in
            var others: UInt16 = 0
            for index in 0..<bytes.byteCount { others |= Self.other(bytes[byte: index]) }
            // Discloses whether the passphrase is printable. The error states the offset.
            guard disclosed(others >> 15) != 0 else { return nil as Int? }
            return (0..<bytes.byteCount).first { disclosed(Self.other(bytes[byte: $0]) >> 15) != 0 }
        }
        if let offset { throw .passphraseNotASCII(offset: offset) }
    }

    /// The highest bit is set for a byte outside of 0x20 to 0x7e.
    private static func other(_ byte: UInt8) -> UInt16 {
        (UInt16(byte) &- 0x20) | (0x7e &- UInt16(byte))
    }
}
