import KeyVault

/// A rescue must read any bytes of a damaged vault. No bytes before or after an intact row hide it.
public enum ScannedBytesLaw: Law {
    public static let name = "ScannedBytes"

    private static let pageCount = 4_096
    private static let key = "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"

    /// An entry's record: the length of its header, the types of its nine columns, and the columns
    /// (https://sqlite.org/fileformat2.html#record_format).
    private static let entry: [UInt8] = {
        let types: [UInt8] = [1, 13 + 2 * 53, 8, 0, 4, 9, 12, 12 + 2 * 24, 12 + 2 * 48]
        let (bucket, createdAt): ([UInt8], [UInt8]) = ([7], [0x65, 0x53, 0xf1, 0x00])
        return [UInt8(1 + types.count)] + types + bucket + Array(key.utf8) + createdAt
            + [UInt8](repeating: 0xa5, count: 24 + 48)
    }()

    /// The pages of a vault that are not empty.
    private static let pages = Result {
        let vault = try Vectors.file("Vectors/vault/version-1.db")
        let pages = stride(from: 0, to: vault.count, by: pageCount).map {
            Array(vault[$0..<min($0 + pageCount, vault.count)])
        }
        return pages.filter { page in page.contains { $0 != 0 } }
    }

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let pages = try pages.get()
        return pages + zip(pages, pages.dropFirst()).map { $0 + $1 } + [entry]
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        let found = ScanSummary(of: input)
        try law(found.inexactTables.isEmpty, "a row is written as it was read: \(found.inexactTables)")
        let pages = try must("the vault file can be read") { try Self.pages.get() }
        guard let slot = pages.first(where: { ScanSummary(of: $0).slotCount > 0 }) else {
            throw LawBroken(description: "no slot")
        }
        // The planted rows have their own page, because only a limited number of places on each
        // page is examined.
        let padding = [UInt8](repeating: 0, count: pageCount - input.count % pageCount)
        let planted = ScanSummary(of: input + padding + slot + entry + input)
        try law(planted.slotCount > found.slotCount, "a slot is found among any bytes")
        try law(planted.entryNames.contains(key), "an entry is found among any bytes")
        try law(planted.keyNames.contains(key), "a key's name is found among any bytes")
    }
}
