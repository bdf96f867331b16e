/// The facts about the files of SQLite that other code needs.
package enum SQLiteFile {
    /// The first bytes of a database file.
    package static let magic = "SQLite format 3\0".utf8

    /// True if SQLite would use a file with this name as part of a database next to it. SQLite
    /// plays a journal back and deletes it.
    package static func isReserved(_ path: String) -> Bool {
        ["-journal", "-wal", "-shm"].contains { path.hasSuffix($0) }
    }
}
