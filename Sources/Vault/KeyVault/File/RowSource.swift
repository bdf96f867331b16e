/// The rows of a vault, verified (`VerifiedBuckets`) or not (`UnverifiedRows`). The functions that
/// read a table extend this protocol, so that both read the rows in the same way.
protocol RowSource {
    /// Visits the rows of a bucket, with ascending names.
    func visit(
        _ leaf: Manifest.Leaf, _ body: (borrowing SQLiteRow) throws(VaultError) -> Void
    ) throws(VaultError)

    /// Visits all rows of a table with 256 buckets, in their order.
    func visitAll(
        _ table: VaultTable, _ body: (borrowing SQLiteRow) throws(VaultError) -> Void
    ) throws(VaultError)

    /// Reads the row with this name.
    /// - Returns: nil if there is none.
    func find<Found>(
        _ name: String, in table: VaultTable, _ read: (borrowing SQLiteRow) throws(VaultError) -> Found?
    ) throws(VaultError) -> Found?
}

/// The rows as the file has them. Anyone who can write the file can change them.
struct UnverifiedRows: RowSource {
    let connection: SQLiteConnection

    func visit(
        _ leaf: Manifest.Leaf, _ body: (borrowing SQLiteRow) throws(VaultError) -> Void
    ) throws(VaultError) { try visit(leaf.table, leaf.table.selection, leaf.parameters, body) }

    func visitAll(
        _ table: VaultTable, _ body: (borrowing SQLiteRow) throws(VaultError) -> Void
    ) throws(VaultError) {
        // The primary key is the order of the file, so SQLite does not sort.
        try visit(table, "SELECT * FROM \(table.name) ORDER BY bucket, \(table.keyName)", [], body)
    }

    func find<Found>(
        _ name: String, in table: VaultTable, _ read: (borrowing SQLiteRow) throws(VaultError) -> Found?
    ) throws(VaultError) -> Found? {
        var found: Found?
        let sql = "SELECT * FROM \(table.name) WHERE \(table.condition)"
        try connection.query(sql, table.parameters(name, table.bucket(of: name))) { row throws(VaultError) in
            found = try read(row)
        }
        return found
    }

    /// - Throws: `damaged(.row)` for rows that are not in order: in a crafted page tree a few rows
    ///   may repeat endlessly.
    private func visit(
        _ table: VaultTable, _ sql: String, _ values: [SQLiteValue],
        _ body: (borrowing SQLiteRow) throws(VaultError) -> Void
    ) throws(VaultError) {
        var last: (bucket: Int64, name: String)?
        try connection.query(sql, values) { row throws(VaultError) in
            guard let name = table.keyColumn.flatMap({ row.text($0) }) else { throw .damaged(table) }
            let bucket = table.isBucketed ? row.integer(0) ?? -1 : 0
            if let last {
                let isNext = last.bucket == bucket && last.name.utf8.lexicographicallyPrecedes(name.utf8)
                guard last.bucket < bucket || isNext else { throw .damaged(table) }
            }
            last = (bucket, name)
            try body(row)
        }
    }
}

extension Vault {
    /// Reads rows as the file has them.
    func unverified<Result>(
        _ body: (UnverifiedRows) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        try read { () throws(VaultError) in try body(UnverifiedRows(connection: connection)) }
    }
}
