/// A table of the vault. The file of its rows declares it, and `all` registers it. The schema, the
/// manifest, check, rescue and fuzzing read the declarations.
package final class VaultTable: Sendable {
    /// Every table, in the order of the schema.
    static let all: [VaultTable] = [
        .vault, .manifest, .slots, .slotCopies, .entries, .labels, .settings, .abis, .policies, .counters,
        .nonces,
        .audit, .auditRecords, .failedUnlocks,
    ]

    /// The types of the rows' contents. Check, rescue and fuzzing read the rows with them.
    private static let allContents: [any TableContent.Type] = [
        SlotContent.self, Entries.self, Labels.self, Settings.self, NamedChains.self, PinnedABIRows.self,
        PolicyTable.self,
        PolicyUseTable.self, CredentialNonces.self, HistoryContent.self, AuditContent.self,
    ]

    /// The tables that the tree of the manifest covers, in the order of their numbers.
    static let inManifest = all.filter { $0.bucketCount > 0 }.sorted { $0.number < $1.number }

    /// The tables of the tree whose rows are spread over 256 buckets.
    static let bucketed = inManifest.filter(\.isBucketed)

    /// The number in the manifest.
    let number: UInt8
    /// The name in the schema.
    let name: String
    /// The name in messages.
    private let title: String
    /// The column whose text orders the rows; nil in a table with row numbers.
    let key: String?
    /// The number of buckets that the table's rows are spread over. A table that is always read
    /// whole has one bucket, so that a removed row is detected. 0 for a table that the tree of the
    /// manifest does not cover.
    let bucketCount: Int
    let columnCount: Int
    /// The text of the table in the schema, which is part of the format byte by byte.
    let sql: String
    /// Selects every column of every row of one bucket, in the order of the CREATE text, with
    /// ascending keys.
    let selection: String
    /// The most bytes of a row that a rescue reads.
    let maximumRowSize: Int

    private init(
        number: UInt8, name: String, title: String, key: String?, bucketCount: Int, columnCount: Int,
        sql: String,
        selection: String, maximumRowSize: Int
    ) {
        (self.number, self.name, self.title, self.key) = (number, name, title, key)
        (self.bucketCount, self.columnCount, self.sql, self.selection) = (
            bucketCount, columnCount, sql, selection
        )
        self.maximumRowSize = maximumRowSize
    }

    /// A table with row numbers.
    /// - Parameter columns: the columns after the number, in the words of the schema.
    static func numbered(
        _ number: UInt8, _ name: String, title: String? = nil, by key: String = "id", _ columns: [String],
        bucketCount: Int = 0
    ) -> VaultTable {
        VaultTable(
            number: number, name: name, title: title ?? name, key: nil, bucketCount: bucketCount,
            columnCount: columns.count + 1,
            sql:
                "CREATE TABLE \(name) (\((["\(key) INTEGER PRIMARY KEY"] + columns).joined(separator: ", "))) STRICT",
            selection: "SELECT * FROM \(name) ORDER BY \(key)", maximumRowSize: PageTree.usualRowSize)
    }

    /// A table whose rows have a name.
    /// - Parameters:
    ///   - columns: the columns after the name, in the words of the schema.
    ///   - isBucketed: true if the rows are spread over 256 buckets. The bucket is then the first
    ///     column.
    static func named(
        _ number: UInt8, _ name: String, by key: String = "name",
        _ columns: [String] = ["value BLOB NOT NULL"],
        isBucketed: Bool, maximumRowSize: Int = PageTree.usualRowSize
    ) -> VaultTable {
        let all =
            isBucketed
            ? ["bucket INTEGER NOT NULL", "\(key) TEXT NOT NULL"] + columns + ["PRIMARY KEY (bucket, \(key))"]
            : ["\(key) TEXT NOT NULL PRIMARY KEY"] + columns
        return VaultTable(
            number: number, name: name, title: name, key: key,
            bucketCount: isBucketed ? VaultFormat.bucketCount : 1,
            columnCount: columns.count + (isBucketed ? 2 : 1),
            sql: "CREATE TABLE \(name) (\(all.joined(separator: ", "))) STRICT, WITHOUT ROWID",
            selection: "SELECT * FROM \(name)\(isBucketed ? " WHERE bucket = ?1" : "") ORDER BY \(key)",
            maximumRowSize: maximumRowSize)
    }

    /// The types of the rows' contents.
    var contents: [any TableContent.Type] { Self.allContents.filter { $0.table == self } }

    var isBucketed: Bool { bucketCount == VaultFormat.bucketCount }

    /// The column of the key.
    var keyColumn: Int32? { key.map { _ in isBucketed ? 1 : 0 } }

    var leaves: [Manifest.Leaf] { (0..<bucketCount).map { Manifest.Leaf(table: self, bucket: $0) } }

    /// The bucket of the row with this name (in `labels`: with this label), in a table with 256
    /// buckets. It is the first byte of an unkeyed hash, so that it can be found without a key.
    func bucket(of name: String) -> Int {
        isBucketed ? Int(Sodium.hash(Domain.place.bytes + [number] + name.utf8)[0]) : 0
    }

    /// True if a row is outside the 256 buckets, where no digest covers it.
    func hasStrayRows(in connection: SQLiteConnection) throws(VaultError) -> Bool {
        try connection.integer("SELECT 1 FROM \(name) WHERE bucket < 0 OR bucket > 255 LIMIT 1") != nil
    }
}

extension VaultTable: Hashable, CustomStringConvertible {
    package static func == (left: VaultTable, right: VaultTable) -> Bool { left.number == right.number }

    package func hash(into hasher: inout Hasher) { hasher.combine(number) }

    package var description: String { title }
}
