import SecureMemory

extension Manifest.Leaf {
    /// The leaf of the row with this name, in the tables with 256 buckets.
    init(of name: String, in table: VaultTable) {
        self.init(table: table, bucket: table.bucket(of: name))
    }

    /// The digest of the rows that stand in the bucket now.
    /// - Throws: what `rows` throws.
    func digest(
        in connection: SQLiteConnection, _ keys: VaultKeys,
        visit: (borrowing SQLiteRow) throws(VaultError) -> Void = { _ throws(VaultError) in }
    ) throws(VaultError) -> [UInt8] {
        let rows = try rows(in: connection, keys, visit: visit)
        return rows.digest(keys)
    }

    /// The rows that stand in the bucket now.
    /// - Parameter visit: sees each row, in the order of the names.
    /// - Throws: `damaged` for rows that no vault has: a number with a point, names that don't rise, both copies of a slot damaged.
    func rows(
        in connection: SQLiteConnection, _ keys: VaultKeys,
        visit: (borrowing SQLiteRow) throws(VaultError) -> Void = { _ throws(VaultError) in }
    ) throws(VaultError) -> BucketRows {
        if table == .slots { return try slotRows(SlotTable(in: connection), keys) }
        var rows = BucketRows(self)
        var encoder = RowEncoder(.row)
        try connection.query(table.selection, table.bucketCount == 1 ? [] : [.integer(Int64(bucket))]) { row throws(VaultError) in
            var name: String?
            if let column = table.nameColumn {
                guard let text = row.text(column) else { throw .damaged(.row(table)) }
                name = text
            }
            encoder.restart(.row)
            encoder.append(raw: table.rawValue)
            guard row.encode(into: &encoder) else { throw .damaged(.row(table)) }
            try rows.append(encoder, name: name, keys)
            try visit(row)
        }
        return rows
    }

    /// A slot counts by its number and body: whichever copy is sound.
    private func slotRows(_ slots: SlotTable, _ keys: VaultKeys) throws(VaultError) -> BucketRows {
        var rows = BucketRows(self)
        switch slots.states[bucket] {
        case .absent: break
        case .damaged: throw .slotsDamaged([bucket])
        case .sound(let slot, _):
            var encoder = RowEncoder(.row)
            encoder.append(raw: table.rawValue)
            encoder.beginRow(columnCount: 2)
            encoder.append(integer: Int64(bucket))
            encoder.append(blob: slot.body)
            try rows.append(encoder, name: nil, keys)
        }
        return rows
    }
}

extension VaultTable {
    /// Every column of every row of one bucket, in the order of the CREATE text, by rising name.
    fileprivate var selection: String {
        switch self {
        case .entries: "SELECT \(EntryRow.columns) FROM entries WHERE bucket = ?1 ORDER BY name"
        case .labels: "SELECT \(LabelRow.columns) FROM labels WHERE bucket = ?1 ORDER BY label"
        case .abis: "SELECT bucket, name, value FROM abis WHERE bucket = ?1 ORDER BY name"
        case .counters: "SELECT bucket, name, value FROM counters WHERE bucket = ?1 ORDER BY name"
        case .settings: "SELECT name, value FROM settings ORDER BY name"
        case .policies: "SELECT name, value FROM policies ORDER BY name"
        case .audit: "SELECT id, sequence, mac FROM audit_head ORDER BY id"
        // Read by SlotTable, Manifest and Manifest, never through a bucket.
        case .slots, .vault, .manifest: "SELECT NULL WHERE 0"
        }
    }

    /// The column that the rows of a bucket are ordered by.
    fileprivate var nameColumn: Int32? {
        switch self {
        case .entries, .labels, .abis, .counters: 1
        case .settings, .policies: 0
        case .audit, .slots, .vault, .manifest: nil
        }
    }
}
