/// The numbers of the format. `KeyVault.docc/VaultFormat.md` is normative.
enum VaultFormat {
    /// "EOSV"
    static let applicationID: UInt32 = 0x454F_5356
    /// `user_version`: the newest format that is read, and the one that is written. Older ones,
    /// from 1 on, are read, and become this one with the first change.
    static let version: UInt32 = 3
    /// The first version in which a private key's row has the generation of its last sealing.
    static let sealingVersion: UInt32 = 3
    static let pageSize = 4_096
    static let vaultIDCount = 16
    static let maximumSlotCount = 8
    static let bucketCount = 256
    /// The most bytes a text, a blob or a row may have.
    static let maximumValueCount = 16 << 20
    /// The most bytes a vault may have: some 2.6 million keys. It grows no further, and how long
    /// SQLite may search is bounded by it.
    static let maximumFileSize = 1 << 30
    /// Seconds since 1970: up to the end of the year 9999.
    static let allowedTimes: ClosedRange<Int64> = 0...253_402_300_799
}
