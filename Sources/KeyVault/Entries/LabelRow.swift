/// A row of the table `labels`: which entry has a label.
struct LabelRow: Equatable {
    static let columns = "bucket, label, name"

    let bucket: Int
    let label: String
    /// The name of the entry.
    let name: EntryName

    init(label: Label, name: EntryName) {
        bucket = VaultTable.labels.bucket(of: label.text)
        self.label = label.text
        self.name = name
    }

    /// Reads a row of `columns`.
    /// - Throws: `damaged(.row(.labels))`.
    init(_ row: borrowing SQLiteRow) throws(VaultError) {
        guard let bucket = row.integer(0), let label = row.text(1),
            let name = row.text(2).flatMap({ EntryName($0) }),
            bucket == Int64(VaultTable.labels.bucket(of: label))
        else { throw .damaged(.labels) }
        self.bucket = Int(bucket)
        self.label = label
        self.name = name
    }

    /// Whether this row belongs to the entry and its label.
    func isOf(_ entry: EntryDescription) -> Bool {
        guard let text = entry.label?.text else { return false }
        return text.utf8.elementsEqual(label.utf8) && entry.name == name
    }

    /// The row for a label in the file, not verified.
    static func first(labelled label: String, in connection: SQLiteConnection) throws(VaultError) -> LabelRow? {
        var found: LabelRow?
        try connection.query(
            "SELECT \(columns) FROM labels WHERE bucket = ?1 AND label = ?2",
            [.integer(Int64(VaultTable.labels.bucket(of: label))), .text(label)]
        ) { row throws(VaultError) in found = try LabelRow(row) }
        return found
    }

    /// Encodes the whole row, with the same bytes as `SQLiteRow.encode` for the stored row.
    func encode(into encoder: inout RowEncoder) {
        encoder.beginRow(columnCount: 3)
        encoder.append(integer: Int64(bucket))
        encoder.append(text: label.utf8)
        encoder.append(text: name.text.utf8)
    }

    static func remove(_ label: String, in connection: SQLiteConnection) throws(VaultError) {
        try connection.run(
            "DELETE FROM labels WHERE bucket = ?1 AND label = ?2",
            [.integer(Int64(VaultTable.labels.bucket(of: label))), .text(label)])
    }

    func insert(in connection: SQLiteConnection) throws(VaultError) {
        try connection.run(
            "INSERT INTO labels (\(Self.columns)) VALUES (?1, ?2, ?3)",
            [.integer(Int64(bucket)), .text(label), .text(name.text)])
    }
}
