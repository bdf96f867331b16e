/// The number of failed unlocks in a row. The row is outside the manifest, because it is written
/// without the master key. It slows down anyone who tries PINs through this program, but not a
/// thief of the file.
struct FailedUnlocks: Equatable {
    /// Seconds.
    static let longestDelay: Int64 = 30

    /// At least 1.
    var count: Int64
    /// Seconds since 1970.
    var first: Int64
    var last: Int64
}

extension FailedUnlocks {
    /// Reads the row, which is not authenticated. Nil when there is no row, or when its values are
    /// invalid.
    init?(in connection: SQLiteConnection) throws(VaultError) {
        var found: FailedUnlocks?
        try connection.query("SELECT count, first_at, last_at FROM failed_unlocks WHERE id = 1") {
            row throws(VaultError) in
            guard let count = row.integer(0), let first = row.integer(1), let last = row.integer(2),
                count > 0,
                VaultFormat.allowedTimes.contains(first), VaultFormat.allowedTimes.contains(last)
            else { return }
            found = FailedUnlocks(count: count, first: first, last: last)
        }
        guard let found else { return nil }
        self = found
    }

    /// The remaining delay before the next try, in seconds: 1, 2, 4, 8, 16, then 30 after the last
    /// failure. If the clock was set back, it is the full delay.
    func delay(at now: Int64) -> Int64 {
        let whole = count > 5 ? Self.longestDelay : 1 << (count - 1)
        guard now >= last else { return whole }
        return max(0, whole - (now - last))
    }

    /// Counts one more failure.
    static func record(at now: Int64, in connection: SQLiteConnection) throws(VaultError) {
        guard VaultFormat.allowedTimes.contains(now) else { return }
        let before = try FailedUnlocks(in: connection)
        let count = (before?.count ?? 0) == Int64.max ? Int64.max : (before?.count ?? 0) + 1
        try connection.run(
            "INSERT OR REPLACE INTO failed_unlocks (id, count, first_at, last_at) VALUES (1, ?1, ?2, ?3)",
            [.integer(count), .integer(before?.first ?? now), .integer(now)])
    }

    /// Removes one counted try. The try was counted before it was made, and it did not fail. `self`
    /// is the state before it was counted; other tries may have failed meanwhile.
    func takeBack(in connection: SQLiteConnection) throws(VaultError) {
        guard let now = try FailedUnlocks(in: connection), now.count > count else { return }
        let last = now.count == count + 1 ? last : now.last
        try connection.run(
            "UPDATE failed_unlocks SET count = ?1, last_at = ?2 WHERE id = 1",
            [.integer(now.count - 1), .integer(last)])
    }

    static func clear(in connection: SQLiteConnection) throws(VaultError) {
        try connection.run("DELETE FROM failed_unlocks")
    }
}

extension VaultTable {
    package static let failedUnlocks = numbered(
        12, "failed_unlocks",
        ["count INTEGER NOT NULL", "first_at INTEGER NOT NULL", "last_at INTEGER NOT NULL"])
}
