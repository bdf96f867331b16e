/// A row of a table with 256 buckets. Its first two columns are the bucket and a name, which is
/// unique in the table.
protocol TableRow {
    static var table: VaultTable { get }
    /// All columns, in the order of the CREATE text.
    static var columns: String { get }
    /// The column of the name.
    static var nameColumn: String { get }

    var bucket: Int { get }
    var rowName: String { get }
    /// The values of the columns after the name.
    var values: [SQLiteValue] { get }
}

extension TableRow {
    static var nameColumn: String { "name" }
    var bucket: Int { Self.table.bucket(of: rowName) }
    private var allValues: [SQLiteValue] { [.integer(Int64(bucket)), .text(rowName)] + values }

    /// Encodes the whole row, with the same bytes as `SQLiteRow.encode` for the stored row.
    func encode(into encoder: inout RowEncoder) { encoder.append(row: allValues) }

    func insert(in connection: SQLiteConnection) throws(VaultError) {
        let values = allValues
        let places = values.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        try connection.run("INSERT INTO \(Self.table) (\(Self.columns)) VALUES (\(places))", values)
    }

    static func remove(_ name: String, in connection: SQLiteConnection) throws(VaultError) {
        try connection.run("DELETE FROM \(table) WHERE bucket = ?1 AND \(nameColumn) = ?2", key(of: name))
    }

    /// Visits the row with this name, if there is one. It is not verified.
    static func visit(
        _ name: String, in connection: SQLiteConnection, _ body: (borrowing SQLiteRow) throws(VaultError) -> Void
    ) throws(VaultError) {
        let sql = "SELECT \(columns) FROM \(table) WHERE bucket = ?1 AND \(nameColumn) = ?2"
        try connection.query(sql, key(of: name), body)
    }

    private static func key(of name: String) -> [SQLiteValue] {
        [.integer(Int64(table.bucket(of: name))), .text(name)]
    }
}
