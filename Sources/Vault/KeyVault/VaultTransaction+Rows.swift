/// The rows with a name: each bucket is verified before it is changed.
extension VaultTransaction {
    /// Writes a row. Its table must have none with its name.
    mutating func add(_ row: some TableRow) throws(VaultError) {
        try add(row, to: Manifest.Leaf(of: row.rowName, in: type(of: row).table))
    }

    /// - Parameter leaf: the bucket of the row's name.
    mutating func add<Row: TableRow>(_ row: Row, to leaf: Manifest.Leaf) throws(VaultError) {
        try load(leaf)
        let values = row.allValues(in: leaf.bucket)
        try Row.insert(values, in: connection)
        var encoder = RowEncoder(rowOf: leaf.table)
        encoder.append(row: values)
        loaded[leaf]?.insert(encoder, name: row.rowName, keys)
        changed.insert(leaf)
    }

    /// Removes the row with this name from its table.
    /// - Returns: false if there is none.
    @discardableResult
    mutating func removeRow<Row: TableRow>(_ name: String, of row: Row.Type) throws(VaultError) -> Bool {
        try removeRow(name, of: row, in: Manifest.Leaf(of: name, in: Row.table))
    }

    /// - Parameter leaf: the bucket of the name.
    @discardableResult
    mutating func removeRow<Row: TableRow>(
        _ name: String, of _: Row.Type, in leaf: Manifest.Leaf
    ) throws(VaultError) -> Bool {
        try load(leaf)
        guard loaded[leaf]?.contains(name) == true else { return false }
        try Row.remove(name, leaf.bucket, in: connection)
        loaded[leaf]?.remove(name)
        changed.insert(leaf)
        return true
    }

    /// Whether a verified bucket has a row with this name.
    mutating func contains(_ name: String, in table: VaultTable) throws(VaultError) -> Bool {
        let leaf = Manifest.Leaf(of: name, in: table)
        try load(leaf)
        return loaded[leaf]?.contains(name) ?? false
    }

    /// Verifies the rows of a bucket and keeps their digests.
    /// - Parameter visit: receives each row.
    mutating func load(
        _ leaf: Manifest.Leaf, visit: (borrowing SQLiteRow) throws(VaultError) -> Void
    ) throws(VaultError) {
        guard loaded[leaf] == nil else { return try verify(leaf, visit: visit) }
        let rows = try leaf.rows(in: connection, keys, visit: visit)
        try leaf.expect(rows.digest(keys), manifest[leaf])
        loaded[leaf] = rows
    }

    /// Verifies the rows of a bucket and keeps their digests, unless they are kept already.
    mutating func load(_ leaf: Manifest.Leaf) throws(VaultError) {
        if loaded[leaf] == nil { try load(leaf) { _ throws(VaultError) in } }
    }
}
