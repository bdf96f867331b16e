/// A row of the table `settings`.
struct SettingRow: TableRow {
    static let table = VaultTable.settings

    let rowName: String
    let value: [UInt8]

    var values: [SQLiteValue] { [.blob(value)] }

    /// The value in a row of `name, value` if it is the setting with this name; otherwise nil.
    static func value(_ name: String, of row: borrowing some RowColumns & ~Copyable) throws(VaultError) -> [UInt8]? {
        guard let text = row.text(0), text.utf8.elementsEqual(name.utf8) else { return nil }
        guard let value = row.blob(1) else { throw .damaged(.settings) }
        return value
    }

    /// The value for a name in the file, not verified.
    static func value(_ name: String, in connection: SQLiteConnection) throws(VaultError) -> [UInt8]? {
        var found: [UInt8]?
        try connection.query("SELECT name, value FROM settings WHERE name = ?1", [.text(name)]) {
            row throws(VaultError) in
            found = try value(name, of: row)
        }
        return found
    }
}

/// The values of the settings by name, in rows that the manifest of a damaged vault proves.
struct Settings: TableContent {
    private(set) var values: [String: [UInt8]] = [:]

    var rows: [any TableRow] { values.map { SettingRow(rowName: $0.key, value: $0.value) } }

    mutating func visit(_ row: borrowing some RowColumns & ~Copyable) {
        if let name = row.text(0), let value = row.blob(1) { values[name] = value }
    }
}

extension VaultTable {
    package static let settings = named(
        4, "settings", isBucketed: false, maximumRowSize: VaultFormat.maximumValueCount, contents: [Settings.self])
}
