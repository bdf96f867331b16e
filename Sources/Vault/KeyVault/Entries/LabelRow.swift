/// A row of the table `labels`: which entry has a label.
struct LabelRow: TableRow, Equatable {
    static let table = VaultTable.labels

    let label: Label
    /// The name of the entry.
    let name: EntryName

    var rowName: String { label.text }
    var values: [SQLiteValue] { [.text(name.text)] }

    /// True if this row belongs to the entry and its label.
    func isOf(_ entry: EntryDescription) -> Bool { entry.label == label && entry.name == name }
}

extension LabelRow {
    /// Reads a row.
    /// - Throws: `damaged(.row(.labels))`.
    init(_ row: borrowing some RowColumns & ~Copyable) throws(VaultError) {
        guard let text = row.text(1), row.integer(0) == Int64(VaultTable.labels.bucket(of: text)),
            let label = try? Label(stored: text), let name = row.text(2).flatMap({ EntryName($0) })
        else { throw .damaged(.labels) }
        (self.label, self.name) = (label, name)
    }
}

/// The owner of each label.
struct Labels: TableContent {
    static let table = VaultTable.labels

    private(set) var owners: [Label: EntryName] = [:]

    var rows: [any TableRow] { owners.map { LabelRow(label: $0.key, name: $0.value) } }

    mutating func visit(_ row: borrowing some RowColumns & ~Copyable) throws(VaultError) {
        let row = try LabelRow(row)
        owners[row.label] = row.name
    }

    func check(_ check: inout VaultCheck) {
        for name in wrong(check.checked.first(Entries.self).labelled) { check.note(.label(name: name)) }
    }

    /// The entries whose label and row disagree. Each entry with a label has one row, and there are
    /// no others.
    func wrong(_ entries: [EntryDescription]) -> [EntryName] {
        var others = owners
        let wrong = entries.filter { entry in
            guard let label = entry.label else { return false }
            return others.removeValue(forKey: label) != entry.name
        }
        return Set(wrong.map(\.name) + others.values).sorted()
    }
}

extension VaultTable {
    package static let labels = named(9, "labels", by: "label", ["name TEXT NOT NULL"], isBucketed: true)
}
