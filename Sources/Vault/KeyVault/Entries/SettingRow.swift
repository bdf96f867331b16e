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

extension VaultTransaction {
    /// The verified value of a setting; nil when there is none.
    func setting(_ name: String) throws(VaultError) -> [UInt8]? {
        try buckets.find(name, in: .settings) { row throws(VaultError) in try SettingRow.value(name, of: row) }
    }

    /// Writes a setting.
    mutating func set(_ name: String, to value: [UInt8]) throws(VaultError) {
        try expectWritable()
        try buckets.load(Manifest.Leaf(table: .settings, bucket: 0))
        try write { transaction throws(VaultError) in
            try transaction.buckets.remove(name, of: SettingRow.self)
            try transaction.buckets.add(SettingRow(rowName: name, value: value))
        }
    }

    /// Removes a setting that is there.
    mutating func removeSetting(_ name: String) throws(VaultError) {
        try buckets.load(Manifest.Leaf(table: .settings, bucket: 0))
        try write { transaction throws(VaultError) in try transaction.buckets.remove(name, of: SettingRow.self) }
    }
}
