/// The schema of a vault. Its text is part of the format, byte by byte.
enum VaultSchema {
    struct Item: Equatable {
        let name: String
        let sql: String
    }

    static let items = [
        table(
            "vault",
            "id INTEGER PRIMARY KEY, vault_id BLOB NOT NULL, created_at INTEGER NOT NULL, generation INTEGER NOT NULL, "
                + "entry_count INTEGER NOT NULL, root BLOB NOT NULL"),
        table("manifest", "section INTEGER PRIMARY KEY, leaves BLOB NOT NULL"),
        table("slots", "id INTEGER PRIMARY KEY, body BLOB NOT NULL, checksum BLOB NOT NULL"),
        table("slot_copies", "id INTEGER PRIMARY KEY, body BLOB NOT NULL, checksum BLOB NOT NULL"),
        table(
            "entries",
            "bucket INTEGER NOT NULL, name TEXT NOT NULL, kind INTEGER NOT NULL, label TEXT, "
                + "created_at INTEGER NOT NULL, generation INTEGER NOT NULL, details BLOB NOT NULL, "
                + "nonce BLOB NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (bucket, name)",
            clustered: true),
        table(
            "labels", "bucket INTEGER NOT NULL, label TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (bucket, label)",
            clustered: true),
        table("settings", "name TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL", clustered: true),
        table(
            "abis", "bucket INTEGER NOT NULL, name TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (bucket, name)",
            clustered: true),
        table("policies", "name TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL", clustered: true),
        table(
            "counters", "bucket INTEGER NOT NULL, name TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (bucket, name)",
            clustered: true),
        table("audit_head", "id INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, mac BLOB NOT NULL"),
        table("audit", "sequence INTEGER PRIMARY KEY, body BLOB NOT NULL, mac BLOB NOT NULL"),
        table(
            "failed_unlocks",
            "id INTEGER PRIMARY KEY, count INTEGER NOT NULL, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL"),
    ]

    private static func table(_ name: String, _ columns: String, clustered: Bool = false) -> Item {
        Item(name: name, sql: "CREATE TABLE \(name) (\(columns)) STRICT" + (clustered ? ", WITHOUT ROWID" : ""))
    }

    /// A database in memory with the header and the empty tables of a vault.
    static func emptyDatabase() throws(VaultError) -> SQLiteConnection {
        let connection = try SQLiteConnection(path: nil, busyTimeout: 0)
        try connection.run("PRAGMA page_size = \(VaultFormat.pageSize)")
        try connection.run("PRAGMA auto_vacuum = NONE")
        try connection.run("PRAGMA encoding = 'UTF-8'")
        try connection.run("PRAGMA application_id = \(VaultFormat.applicationID)")
        try connection.run("PRAGMA user_version = \(VaultFormat.version)")
        for item in items { try connection.run(item.sql) }
        return connection
    }

    /// Refuses any other schema. A crafted CHECK, DEFAULT, generated column, trigger or view would
    /// run code of the attacker. Two tables with one root page would be one table: the second copy
    /// of the slots would be missing without notice.
    static func verify(in connection: SQLiteConnection) throws(VaultError) {
        var index = 0
        var differs = false
        var roots: Set<Int64> = []
        try connection.query("SELECT type, name, tbl_name, sql, rootpage FROM sqlite_schema ORDER BY rowid") {
            row throws(VaultError) in
            let expected = index < items.count ? items[index] : nil
            index += 1
            guard let expected, row.text(0) == "table", row.text(1) == expected.name, row.text(2) == expected.name,
                let sql = row.text(3), sql.utf8.elementsEqual(expected.sql.utf8),
                let root = row.integer(4), root > 1, roots.insert(root).inserted
            else {
                differs = true
                return
            }
        }
        guard !differs, index == items.count else { throw .integrity(.schemaAltered) }
    }
}
