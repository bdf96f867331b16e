/// A row with a name, which is unique in its table. In a table with 256 buckets, the bucket is the
/// column before the name.
protocol TableRow {
    static var table: VaultTable { get }
    var rowName: String { get }
    /// The values of the columns after the name.
    var values: [SQLiteValue] { get }
}

extension TableRow {
    var bucket: Int { Self.table.bucket(of: rowName) }

    /// The values of all columns. Encoded, they give the same bytes as `SQLiteRow.encode` for the
    /// stored row.
    /// - Parameter bucket: the bucket of the row's name.
    func allValues(in bucket: Int) -> [SQLiteValue] { Self.table.parameters(rowName, bucket) + values }
}

extension VaultTable {
    var keyName: String { key ?? "name" }

    /// The condition for the row with a name, in the words of SQL.
    var condition: String { isBucketed ? "bucket = ?1 AND \(keyName) = ?2" : "\(keyName) = ?1" }

    /// The first columns of the row with a name, which `condition` compares.
    func parameters(_ name: String, _ bucket: Int) -> [SQLiteValue] {
        (isBucketed ? [.integer(Int64(bucket))] : []) + [.text(name)]
    }

    /// - Parameter values: the values of all columns.
    func insert(_ values: [SQLiteValue], in connection: SQLiteConnection) throws(VaultError) {
        let places = values.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        try connection.run("INSERT INTO \(name) VALUES (\(places))", values)
    }

    /// Removes the row with a name.
    func remove(_ name: String, _ bucket: Int, in connection: SQLiteConnection) throws(VaultError) {
        try connection.run("DELETE FROM \(self.name) WHERE \(condition)", parameters(name, bucket))
    }
}
