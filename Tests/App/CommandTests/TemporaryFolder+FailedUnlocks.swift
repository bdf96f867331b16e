import CSQLite
import Glibc
import TestSupport
import Testing

extension TemporaryFolder {
    /// Counts failed unlocks in the default vault, in the future, so that the next attempt waits.
    /// No matter how late it is, it waits for 2 to the power of `count - 1` seconds (at most 30).
    func countFailedUnlocks(_ count: Int) throws {
        var database: OpaquePointer?
        defer { sqlite3_close_v2(database) }
        let vault = path + "/.local/share/eosvault/vault.db"
        try #require(sqlite3_open_v2(vault, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        let now = time(nil)
        let sql = "INSERT OR REPLACE INTO failed_unlocks VALUES (1, \(count), \(now), \(now + 3_600))"
        try #require(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
    }
}
