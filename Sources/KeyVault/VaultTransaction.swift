import Curves
import KeyText
import SecureMemory

/// A verified view of the vault under its write lock, lent by `UnlockedVault.transaction`.
///
/// The root was verified at the start. A bucket is verified before anything in it is used or changed, and its new digest is computed
/// from the verified rows and the new ones: an edit made behind our back is refused, never signed for.
public struct VaultTransaction: ~Copyable {
    private let connection: SQLiteConnection
    private let keys: VaultKeys
    private var manifest: Manifest
    /// The rows of each bucket that this transaction writes to: verified, and then as it made them.
    private var loaded: [Manifest.Leaf: BucketRows] = [:]
    private var changed: Set<Manifest.Leaf> = []
    /// The failure of a write: SQLite may have undone the transaction by then, so nothing more is written and nothing committed.
    private var failure: VaultError?

    init(connection: SQLiteConnection, keys: VaultKeys, manifest: Manifest) {
        self.connection = connection
        self.keys = keys
        self.manifest = manifest
    }

    /// The generation that this transaction makes, if it changes anything.
    private var nextGeneration: Int64 { manifest.generation &+ 1 }

    // MARK: reading

    /// How many entries the vault has, verified by the root: rows taken out of the file don't change it.
    public var entryCount: Int64 { manifest.entryCount }

    /// What the vault says of a key, verified.
    /// - Throws: `noSuchKey`, `manifestMismatch`, `damaged`.
    public func entry(_ publicKey: PublicKey) throws(VaultError) -> EntryDescription {
        try row(named: publicKey.text).description
    }

    /// The entry that a public key (in any of its forms) or a label names, verified.
    /// - Throws: `noSuchKey`, which is proved, `manifestMismatch`, `damaged`.
    public func entry(_ text: String) throws(VaultError) -> EntryDescription {
        switch EntryQuery(text) {
        case .name(let name): return try row(named: name).description
        case .label(let label): return try entry(labelled: label)
        }
    }

    private func entry(labelled label: String) throws(VaultError) -> EntryDescription {
        var found: LabelRow?
        try verify(Manifest.Leaf(of: label, in: .labels)) { row throws(VaultError) in
            guard let text = row.text(1), text.utf8.elementsEqual(label.utf8) else { return }
            found = try LabelRow(row)
        }
        guard let found else { throw .noSuchKey }
        let description: EntryDescription
        do { description = try row(named: found.name).description } catch .noSuchKey { throw .damaged(.row(.labels)) }
        guard found.isOf(description) else { throw .damaged(.row(.labels)) }
        return description
    }

    /// Lends the private key of a public key; it is gone from memory when `body` returns.
    /// - Throws: `noSuchKey`, `manifestMismatch`, `entryDamaged`, `unsupportedKind`, and what `body` throws.
    public func withKey<Result, Failure: VaultFailure>(
        _ publicKey: PublicKey, _ body: (borrowing PrivateKey) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let key: PrivateKey
        do {
            key = try row(named: publicKey.text).open(vaultID: manifest.vaultID, keys)
        } catch {
            throw Failure(vault: error)
        }
        defer { wipeScratch() }
        return try body(key)
    }

    /// The row of this name out of its verified bucket, which also proves it when there is none.
    private func row(named name: String) throws(VaultError) -> EntryRow {
        var found: EntryRow?
        try verify(Manifest.Leaf(of: name, in: .entries)) { row throws(VaultError) in
            // The row that was digested is the one that is used; a second look-up might come to another.
            guard let text = row.text(1), text.utf8.elementsEqual(name.utf8) else { return }
            found = try EntryRow(row)
        }
        guard let found else { throw .noSuchKey }
        return found
    }

    // MARK: writing

    /// Seals a key into a new entry.
    /// - Parameters:
    ///   - label: unique in the vault.
    ///   - createdAt: seconds since 1970.
    /// - Returns: the entry; give it out only after the transaction's end.
    /// - Throws: `keyExists`, `labelExists`, `timeOutOfRange`, `manifestMismatch`.
    @discardableResult
    public mutating func insert(
        _ key: borrowing PrivateKey, label: Label?, createdAt: Int64
    ) throws(VaultError) -> EntryDescription {
        guard VaultFormat.allowedTimes.contains(createdAt) else { throw .timeOutOfRange }
        let name = key.publicKey.text
        let leaf = Manifest.Leaf(of: name, in: .entries)
        try load(leaf)
        guard loaded[leaf]?.contains(name) == false else { throw .keyExists }
        if let label {
            let leaf = Manifest.Leaf(of: label.text, in: .labels)
            try load(leaf)
            guard loaded[leaf]?.contains(label.text) == false else { throw .labelExists }
        }
        var row = EntryRow(
            name: name, kind: .privateKey(key.curve), label: label, createdAt: createdAt, generation: nextGeneration)
        row.seal(key, vaultID: manifest.vaultID, keys)
        do { try write(row) } catch {
            failure = error
            throw error
        }
        return row.description
    }

    /// Writes the entry and its label, and counts them. The buckets are free of their names.
    private mutating func write(_ row: EntryRow) throws(VaultError) {
        if let failure { throw failure }
        guard manifest.entryCount < Int64.max else { throw .damaged(.row(.vault)) }
        try row.insert(in: connection)
        add(row.name, .entries) { row.encode(into: &$0) }
        if let label = row.label {
            let labelRow = LabelRow(label: label, name: row.name)
            try labelRow.insert(in: connection)
            add(label.text, .labels) { labelRow.encode(into: &$0) }
        }
        manifest.entryCount += 1
    }

    private mutating func add(_ name: String, _ table: VaultTable, _ encode: (inout RowEncoder) -> Void) {
        let leaf = Manifest.Leaf(of: name, in: table)
        var encoder = RowEncoder(.row)
        encoder.append(raw: table.rawValue)
        encode(&encoder)
        loaded[leaf]?.insert(encoder, name: name, keys)
        changed.insert(leaf)
    }

    // MARK: the manifest

    /// Compares the bucket's rows with the manifest, or with what this transaction made of them.
    private func verify(
        _ leaf: Manifest.Leaf, visit: (borrowing SQLiteRow) throws(VaultError) -> Void = { _ throws(VaultError) in }
    ) throws(VaultError) {
        let expected = loaded[leaf]?.digest(keys) ?? manifest[leaf]
        guard Sodium.areEqual(try leaf.digest(in: connection, keys, visit: visit), expected) else {
            throw .manifestMismatch(.bucket(leaf.table, leaf.bucket))
        }
    }

    /// Verifies the rows of a bucket and keeps what they count as.
    private mutating func load(_ leaf: Manifest.Leaf) throws(VaultError) {
        guard loaded[leaf] == nil else { return }
        let rows = try leaf.rows(in: connection, keys)
        guard Sodium.areEqual(rows.digest(keys), manifest[leaf]) else { throw .manifestMismatch(.bucket(leaf.table, leaf.bucket)) }
        loaded[leaf] = rows
    }

    /// Writes the new digests, if anything changed.
    /// - Returns: the generation that is valid after COMMIT.
    mutating func finish() throws(VaultError) -> Int64 {
        if let failure { throw failure }
        guard !changed.isEmpty else { return manifest.generation }
        for leaf in changed {
            // The digest comes from the rows that were verified and those that were added. SQLite must give the same ones back: in a
            // crafted tree of pages a row may be stored where no one finds it again.
            try verify(leaf)
            guard let rows = loaded[leaf] else { throw .manifestMismatch(.bucket(leaf.table, leaf.bucket)) }
            manifest[leaf] = rows.digest(keys)
        }
        wipeScratch()
        guard manifest.generation < Int64.max else { throw .damaged(.row(.vault)) }
        manifest.generation = nextGeneration
        manifest.root = manifest.computedRoot(keys)
        try manifest.write(Set(changed.map(\.table)), in: connection)
        return manifest.generation
    }
}
