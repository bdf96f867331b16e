import SecureMemory

extension Manifest.Leaf {
    /// - Throws: `manifestMismatch(.bucket)` if the digests differ.
    func expect(_ digest: [UInt8], _ expected: [UInt8]) throws(VaultError) {
        guard Sodium.areEqual(digest, expected) else {
            throw .integrity(.manifestMismatch(.bucket(table, bucket)))
        }
    }

    /// The leaf of the row with this name, in a table with 256 buckets.
    init(of name: String, in table: VaultTable) {
        self.init(table: table, bucket: table.bucket(of: name))
    }

    /// The values of the table's selection.
    var parameters: [SQLiteValue] { table.isBucketed ? [.integer(Int64(bucket))] : [] }

    /// The digest of the rows that are in the bucket now.
    /// - Throws: the errors of `rows`.
    func digest(
        in connection: SQLiteConnection, _ keys: VaultKeys,
        visit: (borrowing SQLiteRow) throws(VaultError) -> Void = { _ throws(VaultError) in }
    ) throws(VaultError) -> [UInt8] {
        let rows = try rows(in: connection, keys, visit: visit)
        return try rows.digest(keys)
    }

    /// The rows that are in the bucket now.
    /// - Parameter visit: receives each row, in the order of the names.
    /// - Throws: `damaged` for rows that no vault has: a floating-point number, names that are not
    ///   ascending, a slot with two damaged copies.
    func rows(
        in connection: SQLiteConnection, _ keys: VaultKeys,
        visit: (borrowing SQLiteRow) throws(VaultError) -> Void = { _ throws(VaultError) in }
    ) throws(VaultError) -> BucketRows {
        var rows = BucketRows(self)
        try keys.lendManifest { key throws(VaultError) in
            try read(in: connection) { row, name throws(VaultError) in
                try rows.append(row, name: name, key)
            } visit: { row throws(VaultError) in
                try visit(row)
            }
        }
        return rows
    }

    /// The rows that are in the bucket now, digested under two keys in one reading. Two readings
    /// might return different rows. The second would then authenticate rows that the first did not
    /// verify.
    func rows(
        in connection: SQLiteConnection, _ keys: VaultKeys, and others: VaultKeys
    ) throws(VaultError) -> (rows: BucketRows, others: BucketRows) {
        var rows = BucketRows(self)
        var renewed = BucketRows(self)
        try keys.lendManifest { key throws(VaultError) in
            try others.lendManifest { other throws(VaultError) in
                try read(in: connection) { row, name throws(VaultError) in
                    try rows.append(row, name: name, key)
                    try renewed.append(row, name: name, other)
                } visit: { _ throws(VaultError) in
                }
            }
        }
        return (rows, renewed)
    }

    /// Compares the rows with these names in the file with `rows`.
    /// - Throws: `manifestMismatch(.bucket)`; `damaged` for a row that no vault has.
    func expect(
        _ rows: BucketRows, comparing names: Set<String>, in connection: SQLiteConnection, _ keys: VaultKeys
    ) throws(VaultError) {
        for name in names {
            var read = BucketRows(self)
            try keys.lendManifest { key throws(VaultError) in
                try self.read(in: connection, only: name) { row, name throws(VaultError) in
                    try read.append(row, name: name, key)
                } visit: { _ throws(VaultError) in
                }
            }
            try expect(read.digest(keys), rows.only(name).digest(keys))
        }
    }

    /// Reads the bucket once.
    /// - Parameters:
    ///   - name: the row to read, in a table with 256 buckets; nil for all.
    ///   - count: receives the bytes that each row's digest is computed over, and the row's name.
    ///   - visit: receives the same row afterwards.
    private func read(
        in connection: SQLiteConnection, only name: String? = nil,
        _ count: (RowEncoder, String?) throws(VaultError) -> Void,
        visit: (borrowing SQLiteRow) throws(VaultError) -> Void
    ) throws(VaultError) {
        if table == .slots {
            if let row = try SlotTable(in: connection).states[bucket].row(number: bucket) {
                try count(row, nil)
            }
            return
        }
        var encoder = RowEncoder(rowOf: table)
        let sql = name == nil ? table.selection : "SELECT * FROM \(table.name) WHERE \(table.condition)"
        let parameters = name.map { table.parameters($0, bucket) } ?? parameters
        try connection.query(sql, parameters) { row throws(VaultError) in
            var name: String?
            if let column = table.keyColumn {
                guard let text = row.text(column) else { throw .damaged(table) }
                name = text
            }
            encoder.restart(rowOf: table)
            guard row.encode(into: &encoder) else { throw .damaged(table) }
            try count(encoder, name)
            try visit(row)
        }
    }

    /// The bucket of a slot in this state, which was read before.
    /// - Throws: `slotsDamaged`.
    func rows(of state: SlotTable.State, _ keys: VaultKeys) throws(VaultError) -> BucketRows {
        var rows = BucketRows(self)
        if let row = try state.row(number: bucket) {
            try keys.manifest.lend { key throws(VaultError) in try rows.append(row, name: nil, key) }
        }
        return rows
    }
}

extension SlotTable.State {
    /// The input of a slot's digest: its number and the body of its intact copy; nil for an absent
    /// slot.
    fileprivate func row(number: Int) throws(VaultError) -> RowEncoder? {
        switch self {
        case .absent: return nil
        case .damaged: throw .integrity(.slotsDamaged([number]))
        case .sound(let slot, _):
            var encoder = RowEncoder(rowOf: .slots)
            encoder.append(row: [.integer(Int64(number)), .blob(slot.body)])
            return encoder
        }
    }
}
