/// The rows of a vault inside one transaction whose root is verified.
///
/// A bucket is verified before anything in it is used or changed. Its new digest is computed from
/// the verified rows and the new ones. So an edit by another program is refused and never
/// authenticated.
struct VerifiedBuckets: RowSource {
    let connection: SQLiteConnection
    private(set) var keys: VaultKeys
    var manifest: Manifest
    /// The rows of each bucket that is written to: first as verified, then with its changes.
    private var loaded: [Manifest.Leaf: BucketRows] = [:]
    private var changed: Set<Manifest.Leaf> = []
    /// The names of the rows that were written or removed, for each bucket whose rows an earlier
    /// transaction verified, and that no other connection changed since.
    private var touched: [Manifest.Leaf: Set<String>] = [:]
    /// The uses that a ledger stored.
    var written: [EntryName: KeyUses] = [:]

    init(_ connection: SQLiteConnection, _ keys: VaultKeys, _ manifest: Manifest) {
        (self.connection, self.keys, self.manifest) = (connection, keys, manifest)
    }

    var isChanged: Bool { !changed.isEmpty }

    func isChanged(_ leaf: Manifest.Leaf) -> Bool { changed.contains(leaf) }

    /// The digests of a table's buckets in the manifest; nil if this transaction changed the table.
    func unchangedDigests(of table: VaultTable) -> [UInt8]? {
        changed.contains { $0.table == table } ? nil : manifest.leaves[table]
    }

    // MARK: reading

    /// Compares a bucket's rows with the manifest, or with the changes of this transaction.
    func visit(
        _ leaf: Manifest.Leaf, _ body: (borrowing SQLiteRow) throws(VaultError) -> Void
    ) throws(VaultError) {
        try leaf.expect(leaf.digest(in: connection, keys, visit: body), digest(of: leaf))
    }

    /// Reads the row with this name from its verified bucket. The row that was digested is the row
    /// that is read: a second query might return another row.
    /// - Returns: nil when the absence of the row is proved.
    func find<Found>(
        _ name: String, in table: VaultTable, _ read: (borrowing SQLiteRow) throws(VaultError) -> Found?
    ) throws(VaultError) -> Found? {
        var found: Found?
        try visit(Manifest.Leaf(of: name, in: table)) { row throws(VaultError) in
            guard let text = table.keyColumn.flatMap({ row.text($0) }), text.utf8.elementsEqual(name.utf8)
            else {
                return
            }
            found = try read(row)
        }
        return found
    }

    /// Verifies all 256 buckets of a table, in their order, and that it has no other rows.
    func visitAll(
        _ table: VaultTable, _ body: (borrowing SQLiteRow) throws(VaultError) -> Void
    ) throws(VaultError) {
        var count: Int64 = 0
        try keys.lendManifest { _ throws(VaultError) in
            for leaf in table.leaves {
                try visit(leaf) { row throws(VaultError) in
                    count += 1
                    try body(row)
                }
            }
        }
        // Rows outside the 256 buckets belong to no bucket. `count(*)` is not used, because SQLite
        // runs it without the budget, and a crafted page tree may be endless.
        guard try connection.integer("SELECT count(bucket) FROM \(table.name)") == count else {
            throw .damaged(table)
        }
    }

    private func digest(of leaf: Manifest.Leaf) throws(VaultError) -> [UInt8] {
        try loaded[leaf]?.digest(keys) ?? manifest[leaf]
    }

    // MARK: rows with a name

    /// Writes a row. Its table must have none with its name.
    mutating func add(_ row: some TableRow) throws(VaultError) {
        try add(row, to: Manifest.Leaf(of: row.rowName, in: type(of: row).table))
    }

    /// - Parameter leaf: the bucket of the row's name.
    mutating func add<Row: TableRow>(_ row: Row, to leaf: Manifest.Leaf) throws(VaultError) {
        try load(leaf)
        let values = row.allValues(in: leaf.bucket)
        try Row.table.insert(values, in: connection)
        var encoder = RowEncoder(rowOf: leaf.table)
        encoder.append(row: values)
        try cover(encoder, named: row.rowName, in: leaf)
    }

    /// Adds a row that the file has to the digest of its bucket, which was loaded before.
    mutating func cover(
        _ row: RowEncoder, named name: String, in leaf: Manifest.Leaf
    ) throws(VaultError) {
        try keys.manifest.lend { key throws(VaultError) in loaded[leaf]?.insert(row, name: name, key) }
        touched[leaf]?.insert(name)
        changed.insert(leaf)
    }

    /// Removes the row with this name from its table.
    /// - Returns: false if there is none.
    @discardableResult
    mutating func remove<Row: TableRow>(_ name: String, of row: Row.Type) throws(VaultError) -> Bool {
        try remove(name, of: row, in: Manifest.Leaf(of: name, in: Row.table))
    }

    /// - Parameter leaf: the bucket of the name.
    @discardableResult
    mutating func remove<Row: TableRow>(
        _ name: String, of _: Row.Type, in leaf: Manifest.Leaf
    ) throws(VaultError) -> Bool {
        guard try contains(name, in: leaf) else { return false }
        try Row.table.remove(name, leaf.bucket, in: connection)
        loaded[leaf]?.remove(name)
        touched[leaf]?.insert(name)
        changed.insert(leaf)
        return true
    }

    /// True if a verified bucket has a row with this name.
    mutating func contains(_ name: String, in leaf: Manifest.Leaf) throws(VaultError) -> Bool {
        try load(leaf)
        return loaded[leaf]?.contains(name) ?? false
    }

    /// Verifies the rows of a bucket and keeps their digests. If an earlier transaction of this
    /// unlock wrote to the bucket, its digests are used, and `flush` compares the file with them.
    /// If no other connection changed the file since, it compares only the rows that are written: a
    /// limit has up to 256 rows in one bucket, and each signature would read all of them.
    mutating func load(_ leaf: Manifest.Leaf) throws(VaultError) {
        guard loaded[leaf] == nil else { return }
        if let known = keys.content.rows(of: leaf, with: manifest[leaf]) {
            loaded[leaf] = known.rows
            if leaf.table.isBucketed, try known.version == dataVersion() { touched[leaf] = [] }
            return
        }
        let rows = try leaf.rows(in: connection, keys)
        try leaf.expect(rows.digest(keys), manifest[leaf])
        loaded[leaf] = rows
    }

    /// SQLite's counter, which differs after another connection changed the file.
    private func dataVersion() throws(VaultError) -> Int64? {
        try connection.integer("PRAGMA data_version")
    }

    // MARK: other rows

    /// Compares a slot that was read with the manifest, or with the changes of this transaction.
    /// The slot is not read again, so that the caller continues with the state that was compared.
    func verify(_ state: SlotTable.State, ofSlot number: Int) throws(VaultError) {
        let leaf = Manifest.Leaf(table: .slots, bucket: number)
        try leaf.expect(leaf.rows(of: state, keys).digest(keys), digest(of: leaf))
    }

    /// Covers a slot that was written. The file must return what was written: in a crafted page
    /// tree a row can be stored, or remain, where no query finds it. The digest is computed from
    /// what was written, never from what is read back.
    mutating func cover(_ state: SlotTable.State, ofSlot number: Int) throws(VaultError) {
        let leaf = Manifest.Leaf(table: .slots, bucket: number)
        guard try SlotTable(in: connection).states[number] == state else {
            throw .integrity(.manifestMismatch(.bucket(.slots, number)))
        }
        loaded[leaf] = try leaf.rows(of: state, keys)
        changed.insert(leaf)
    }

    /// Writes the end of the audit log.
    mutating func write(_ head: AuditHead) throws(VaultError) {
        let leaf = Manifest.Leaf(table: .audit, bucket: 0)
        try head.write(in: connection)
        loaded[leaf] = try head.rows(keys)
        changed.insert(leaf)
    }

    // MARK: digests

    /// Takes rows that were sealed again, and their digests, for another master key.
    mutating func replace(by renewed: [Manifest.Leaf: BucketRows], _ keys: VaultKeys) {
        self.keys = keys
        loaded = renewed
        touched = [:]
        changed = Set(renewed.keys)
    }

    /// Adds the changes to the manifest, in memory.
    mutating func flush() throws(VaultError) {
        for leaf in changed {
            guard let rows = loaded[leaf] else {
                throw .integrity(.manifestMismatch(.bucket(leaf.table, leaf.bucket)))
            }
            // The digest comes from the verified rows and the added ones. In a crafted page tree a
            // row may be stored where no query finds it again, so the file is compared with them.
            if let names = touched[leaf] {
                try leaf.expect(rows, comparing: names, in: connection, keys)
            } else {
                try visit(leaf) { _ throws(VaultError) in }
            }
            manifest[leaf] = try rows.digest(keys)
            keys.content.keep(rows, of: leaf, as: manifest[leaf], try dataVersion())
        }
    }

    /// Writes the new digests, if anything changed. `flush` must be called before.
    mutating func finish() throws(VaultError) {
        guard isChanged else { return }
        guard manifest.generation < Int64.max else { throw .damaged(.vault) }
        manifest.generation += 1
        manifest.root = try manifest.computedRoot(keys)
        try manifest.write(Set(changed.map(\.table)), in: connection)
        keys.content.manifest = manifest
        for (key, uses) in written {
            keys.content.keep(uses, of: key, as: manifest[PolicyUseRow.leaf(of: key)])
        }
    }
}
