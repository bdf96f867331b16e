/// A row of the table `settings`.
struct SettingRow: TableRow {
    static let table = VaultTable.settings

    let rowName: String
    let value: [UInt8]

    var values: [SQLiteValue] { [.blob(value)] }
}

/// The values of the settings by name.
struct Settings: TableContent {
    static let table = VaultTable.settings

    private(set) var values: [String: [UInt8]] = [:]

    var rows: [any TableRow] { values.map { SettingRow(rowName: $0.key, value: $0.value) } }

    mutating func visit(_ row: borrowing some RowColumns & ~Copyable) {
        if let name = row.text(0), let value = row.blob(1) { values[name] = value }
    }
}

extension VaultTable {
    package static let settings = named(
        4, "settings", isBucketed: false, maximumRowSize: VaultFormat.maximumValueCount)
}

extension RowSource {
    /// The value of a setting; nil when there is none.
    func setting(_ name: String) throws(VaultError) -> [UInt8]? {
        try find(name, in: .settings) { row throws(VaultError) in
            guard let value = row.blob(1) else { throw .damaged(.settings) }
            return value
        }
    }
}

extension VaultTransaction {
    /// The verified value of a setting; nil when there is none.
    func setting(_ name: String) throws(VaultError) -> [UInt8]? { try buckets.setting(name) }

    /// Writes a setting, or removes it.
    mutating func set(_ name: String, to value: [UInt8]?) throws(VaultError) {
        try expectWritable()
        try buckets.load(Manifest.Leaf(table: .settings, bucket: 0))
        try write { transaction throws(VaultError) in
            try transaction.buckets.remove(name, of: SettingRow.self)
            if let value { try transaction.buckets.add(SettingRow(rowName: name, value: value)) }
        }
    }
}
