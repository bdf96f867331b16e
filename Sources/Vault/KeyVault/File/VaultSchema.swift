/// The schema of a vault: the texts of its tables. They are part of the format, byte by byte.
enum VaultSchema {
    /// A database in memory with the header and the empty tables of a vault.
    static func emptyDatabase() throws(VaultError) -> SQLiteConnection {
        let connection = try SQLiteConnection(path: nil, busyTimeout: 0)
        try connection.run("PRAGMA page_size = \(VaultFormat.pageSize)")
        try connection.run("PRAGMA auto_vacuum = NONE")
        try connection.run("PRAGMA encoding = 'UTF-8'")
        try connection.run("PRAGMA application_id = \(VaultFormat.applicationID)")
        try connection.run("PRAGMA user_version = \(VaultFormat.version)")
        for table in VaultTable.all { try connection.run(table.sql) }
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
            let expected = index < VaultTable.all.count ? VaultTable.all[index] : nil
            index += 1
            guard let expected, row.text(0) == "table", row.text(1) == expected.name,
                row.text(2) == expected.name,
                let sql = row.text(3), sql.utf8.elementsEqual(expected.sql.utf8),
                let root = row.integer(4), root > 1, roots.insert(root).inserted
            else {
                differs = true
                return
            }
        }
        guard !differs, index == VaultTable.all.count else { throw .integrity(.schemaAltered) }
    }
}
