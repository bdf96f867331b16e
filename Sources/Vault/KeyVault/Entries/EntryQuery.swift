import Keys

/// How a user names an entry: by its public key in any text form, or by its label.
enum EntryQuery: Equatable {
    case name(EntryName)
    case label(String)

    init(_ text: String) {
        // A label never parses as a key, so no text can mean both.
        do { self = .name(EntryName(try PublicKey(text))) } catch { self = .label(text) }
    }

    /// The matching row in the file, not verified.
    func first(in connection: SQLiteConnection) throws(VaultError) -> EntryRow? {
        switch self {
        case .name(let name): return try Self.row(named: name, in: connection)
        case .label(let label):
            guard let row = try LabelRow.first(labelled: label, in: connection) else {
                // The name of an entry that is not an EOS key.
                return try EntryName(label).flatMap { name throws(VaultError) in
                    try Self.row(named: name, in: connection)
                }
            }
            guard let found = try Self.row(named: row.name, in: connection), row.isOf(found.description) else {
                throw .damaged(.labels)
            }
            return found
        }
    }

    private static func row(named name: EntryName, in connection: SQLiteConnection) throws(VaultError) -> EntryRow? {
        var found: EntryRow?
        try EntryRow.visit(name.text, in: connection) { row throws(VaultError) in found = try EntryRow(row) }
        return found
    }
}
