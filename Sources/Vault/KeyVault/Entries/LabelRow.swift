/// A row of the table `labels`: which entry has a label.
struct LabelRow: TableRow, Equatable {
    static let table = VaultTable.labels

    let label: String
    /// The name of the entry.
    let name: EntryName

    init(label: Label, name: EntryName) {
        self.label = label.text
        self.name = name
    }

    /// Reads a row.
    /// - Throws: `damaged(.row(.labels))`.
    init(_ row: borrowing some RowColumns & ~Copyable) throws(VaultError) {
        guard let bucket = row.integer(0), let label = row.text(1),
            let name = row.text(2).flatMap({ EntryName($0) }),
            bucket == Int64(VaultTable.labels.bucket(of: label))
        else { throw .damaged(.labels) }
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
        try visit(label, in: connection) { row throws(VaultError) in found = try LabelRow(row) }
        return found
    }

    var rowName: String { label }
    var values: [SQLiteValue] { [.text(name.text)] }
}

/// The owner of each label, in rows that the manifest of a damaged vault proves.
struct LabelOwners: TableContent {
    private(set) var owners: [Label: EntryName] = [:]

    var rows: [any TableRow] { owners.map { LabelRow(label: $0.key, name: $0.value) } }

    mutating func visit(_ row: borrowing some RowColumns & ~Copyable) {
        guard let row = try? LabelRow(row), let label = try? Label(stored: row.label) else { return }
        owners[label] = row.name
    }
}

extension VaultTable {
    package static let labels = named(
        9, "labels", by: "label", ["name TEXT NOT NULL"], isBucketed: true, contents: [LabelOwners.self])
}
