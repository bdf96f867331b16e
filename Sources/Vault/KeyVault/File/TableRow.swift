/// A row with a name, which is unique in its table. In a table with 256 buckets, the bucket is the
/// column before the name.
protocol TableRow {
    static var table: VaultTable { get }
    var rowName: String { get }
    /// The values of the columns after the name.
    var values: [SQLiteValue] { get }
}

extension TableRow {
    private static var nameColumn: String { table.key ?? "name" }

    var bucket: Int { Self.table.bucket(of: rowName) }

    /// Encodes the whole row, with the same bytes as `SQLiteRow.encode` for the stored row.
    func encode(into encoder: inout RowEncoder) { encoder.append(row: allValues(in: bucket)) }

    func insert(in connection: SQLiteConnection) throws(VaultError) {
        try Self.insert(allValues(in: bucket), in: connection)
    }

    /// The values of all columns. Encoded, they give the same bytes as `SQLiteRow.encode` for the
    /// stored row.
    /// - Parameter bucket: the bucket of the row's name.
    func allValues(in bucket: Int) -> [SQLiteValue] {
        (Self.table.isBucketed ? [.integer(Int64(bucket))] : []) + [.text(rowName)] + values
    }

    /// - Parameter values: the values of all columns.
    static func insert(_ values: [SQLiteValue], in connection: SQLiteConnection) throws(VaultError) {
        let places = values.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        try connection.run("INSERT INTO \(table.name) VALUES (\(places))", values)
    }

    /// - Parameter bucket: the bucket of the name.
    static func remove(_ name: String, _ bucket: Int, in connection: SQLiteConnection) throws(VaultError) {
        guard table.isBucketed else {
            return try connection.run("DELETE FROM \(table.name) WHERE \(nameColumn) = ?1", [.text(name)])
        }
        let key = [SQLiteValue.integer(Int64(bucket)), .text(name)]
        try connection.run("DELETE FROM \(table.name) WHERE bucket = ?1 AND \(nameColumn) = ?2", key)
    }

    /// Visits the row with this name, if there is one. It is not verified.
    static func visit(
        _ name: String, in connection: SQLiteConnection, _ body: (borrowing SQLiteRow) throws(VaultError) -> Void
    ) throws(VaultError) {
        let sql = "SELECT * FROM \(table.name) WHERE bucket = ?1 AND \(nameColumn) = ?2"
        try connection.query(sql, [.integer(Int64(table.bucket(of: name))), .text(name)], body)
    }
}
