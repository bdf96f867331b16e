/// The constants of the format. `KeyVault.docc/VaultFormat.md` is normative.
enum VaultFormat {
    /// "EOSV"
    static let applicationID: UInt32 = 0x454F_5356
    /// `user_version`: the format version. Seals and the root of the manifest are bound to it.
    static let version: UInt32 = 1
    static let pageSize = 4_096
    static let vaultIDCount = 16
    static let maximumSlotCount = 8
    static let bucketCount = 256
    /// The most bytes of a text, a blob or a row.
    static let maximumValueCount = 16 << 20
    /// The most bytes of a vault: about 2.6 million keys. The size also bounds how long SQLite may
    /// search.
    static let maximumFileSize = 1 << 30
    /// The pages of an empty vault: the schema, the first page of each table, and the two pages in
    /// which each row of the manifest with 256 digests continues. A vault's file never has fewer.
    static let minimumPageCount = Int64(1 + VaultTable.all.count + 2 * VaultTable.bucketed.count)
    /// Seconds since 1970: up to the end of the year 9999.
    static let allowedTimes: ClosedRange<Int64> = 0...253_402_300_799
}
