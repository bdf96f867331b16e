import Codecs
import SecureMemory

/// The root of the tree over every row of every table: the vault's identity, its number of changes,
/// and the digest of each bucket (VaultFormat.md, "Manifest").
struct Manifest: Equatable {
    var vaultID: [UInt8]
    var createdAt: Int64
    /// Increases by one with each transaction that changes a row.
    var generation: Int64
    /// The number of entries. It shows when an entry was removed from the file, also in a query
    /// over all entries.
    var entryCount: Int64
    var root: [UInt8]
    /// For each table of the tree, the digests of its buckets, joined.
    var leaves: [VaultTable: [UInt8]]

    /// The position of one digest.
    struct Leaf: Hashable {
        let table: VaultTable
        let bucket: Int
    }
}

extension Manifest {
    /// Reads the manifest and checks the lengths that the format defines.
    /// - Throws: `damaged(.row(.vault))`, `damaged(.row(.manifest))`.
    init(in connection: SQLiteConnection) throws(VaultError) {
        var rows = 0
        var found: Manifest?
        try connection.query("SELECT id, vault_id, created_at, generation, entry_count, root FROM vault") {
            row throws(VaultError) in
            rows += 1
            guard rows == 1, row.integer(0) == 1, let vaultID = row.blob(1), vaultID.count == VaultFormat.vaultIDCount,
                let createdAt = row.integer(2), VaultFormat.allowedTimes.contains(createdAt),
                let generation = row.integer(3), generation >= 0, let entryCount = row.integer(4), entryCount >= 0,
                let root = row.blob(5), root.count == Sodium.digestCount
            else { throw .damaged(.vault) }
            found = Manifest(
                vaultID: vaultID, createdAt: createdAt, generation: generation, entryCount: entryCount, root: root,
                leaves: [:])
        }
        guard rows == 1, var manifest = found else { throw .damaged(.vault) }
        try connection.query("SELECT section, leaves FROM manifest ORDER BY section") { row throws(VaultError) in
            guard let section = row.integer(0).flatMap(UInt8.init(exactly:)), let table = VaultTable(rawValue: section),
                manifest.leaves[table] == nil, let leaves = row.blob(1),
                leaves.count == table.bucketCount * Sodium.digestCount
            else { throw .damaged(.manifest) }
            manifest.leaves[table] = leaves
        }
        guard manifest.leaves.count == VaultTable.inManifest.count else { throw .damaged(.manifest) }
        self = manifest
    }

    /// Writes the row of the vault, and the digests of the changed `tables`. The digests are secret
    /// until they are written: an attacker who edited rows needs the digest that these rows would
    /// have.
    func write(_ tables: some Collection<VaultTable>, in connection: SQLiteConnection) throws(VaultError) {
        for table in tables {
            let leaves = leaves[table] ?? []
            try connection.run(
                "INSERT OR REPLACE INTO manifest (section, leaves) VALUES (?1, ?2)",
                [.integer(Int64(table.rawValue)), .blob(disclosed(leaves))])
        }
        try connection.run(
            "INSERT OR REPLACE INTO vault (id, vault_id, created_at, generation, entry_count, root) "
                + "VALUES (1, ?1, ?2, ?3, ?4, ?5)",
            [.blob(vaultID), .integer(createdAt), .integer(generation), .integer(entryCount), .blob(disclosed(root))])
    }

    /// The root computed from these digests.
    func computedRoot(_ keys: VaultKeys) -> [UInt8] {
        let numbers = [createdAt, generation, entryCount].flatMap(\.littleEndianBytes)
        var message = Domain.root.bytes + VaultFormat.version.littleEndianBytes + vaultID + numbers
        for table in VaultTable.inManifest {
            message += [table.rawValue] + UInt16(truncatingIfNeeded: table.bucketCount).littleEndianBytes
            message += leaves[table] ?? []
        }
        return Sodium.keyedHash(message, key: keys.manifest)
    }

    /// - Throws: `manifestMismatch(.root)`.
    func verifyRoot(_ keys: VaultKeys) throws(VaultError) {
        guard Sodium.areEqual(computedRoot(keys), root) else { throw .integrity(.manifestMismatch(.root)) }
    }

    /// Compares the rows of a bucket with its digest.
    /// - Throws: `manifestMismatch(.bucket)`.
    func verify(
        _ leaf: Leaf, in connection: SQLiteConnection, _ keys: VaultKeys,
        visit: (borrowing SQLiteRow) throws(VaultError) -> Void = { _ throws(VaultError) in }
    ) throws(VaultError) { try leaf.expect(leaf.digest(in: connection, keys, visit: visit), self[leaf]) }

    subscript(leaf: Leaf) -> [UInt8] {
        get {
            let start = leaf.bucket * Sodium.digestCount
            guard let digests = leaves[leaf.table], digests.count >= start + Sodium.digestCount else { return [] }
            return [UInt8](digests[start..<(start + Sodium.digestCount)])
        }
        set {
            let start = leaf.bucket * Sodium.digestCount
            leaves[leaf.table, default: [UInt8](repeating: 0, count: leaf.table.bucketCount * Sodium.digestCount)]
                .replaceSubrange(start..<(start + Sodium.digestCount), with: newValue)
        }
    }
}

extension VaultTable {
    /// The tables that the tree covers, in the order of their numbers.
    static let inManifest: [VaultTable] = [.slots, .entries, .settings, .abis, .policies, .counters, .audit, .labels]

    /// The tables of the tree whose rows are spread over 256 buckets.
    static let bucketed = inManifest.filter(\.isBucketed)

    var isBucketed: Bool { bucketCount == VaultFormat.bucketCount }

    /// Whether a row is outside the 256 buckets, where no digest covers it.
    var leaves: [Manifest.Leaf] { (0..<bucketCount).map { Manifest.Leaf(table: self, bucket: $0) } }

    func hasStrayRows(in connection: SQLiteConnection) throws(VaultError) -> Bool {
        try connection.integer("SELECT 1 FROM \(self) WHERE bucket < 0 OR bucket > 255 LIMIT 1") != nil
    }

    /// The number of buckets that the table's rows are spread over. A table that is always read
    /// whole has one bucket, so that a removed row is detected.
    var bucketCount: Int {
        switch self {
        case .slots: VaultFormat.maximumSlotCount
        case .entries, .labels, .abis, .counters: VaultFormat.bucketCount
        case .settings, .policies, .audit: 1
        case .vault, .manifest: 0
        }
    }

    /// The bucket of the row with this name (in `labels`: with this label), in a table with 256
    /// buckets. It is the first byte of an unkeyed hash, so that it can be found without a key.
    func bucket(of name: String) -> Int {
        isBucketed ? Int(Sodium.hash(Domain.place.bytes + [rawValue] + name.utf8)[0]) : 0
    }
}
