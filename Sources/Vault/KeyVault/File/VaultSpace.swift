/// How much of the maximum size a vault uses.
package struct VaultSpace: Equatable, Sendable {
    /// In bytes, without the pages that SQLite uses again.
    let used: Int64

    private static let maximum = Int64(VaultFormat.maximumFileSize)

    init(used: Int64) { self.used = used }

    init(in connection: SQLiteConnection) throws(VaultError) {
        let pages = try connection.integer("PRAGMA page_count") ?? 0
        let free = try connection.integer("PRAGMA freelist_count") ?? 0
        // No file has more pages than the limit, but the number of free pages may be any.
        used = max(0, pages - max(0, free)) * Int64(VaultFormat.pageSize)
    }

    package var percent: Int { Int(used * 100 / Self.maximum) }

    /// True if a warning is due. The last fifth has room for 600,000 payments.
    package var isNearlyFull: Bool { used * 5 >= Self.maximum * 4 }
}
