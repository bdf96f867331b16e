import JSON

/// What a file may request.
enum WalletLimits {
    /// Bytes of a file.
    static let fileSize = 8 << 20
    /// Keys in a file, also repeated ones. keosd has no limit; its file of 60,000 keys has 8 MB.
    static let keyCount = 60_000
    /// Bytes of memory of scrypt: the highest level of EEP-8 (header 0x68).
    static let scryptMemory: UInt64 = 512 << 20
    /// Key derivations by PBKDF2, each of which takes up to 30 ms: texts of Anchor, salts of
    /// Scatter. Real files need one, or one for each account.
    static let derivationCount = 1000
    /// Real files have at most five levels.
    static let json = JSONLimits(depth: 32, size: fileSize)
    /// Bytes of a label. A vault's label has at most 64 characters.
    static let labelCount = 256
}

extension WalletFile {
    /// The maximum size of a file in bytes. A caller reads no more of it.
    package static var maximumFileSize: Int { WalletLimits.fileSize }
    /// The maximum number of keys in a file.
    package static var maximumKeyCount: Int { WalletLimits.keyCount }
}
