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
        try connection.query(VaultTable.vault.selection) { row throws(VaultError) in
            rows += 1
            guard rows == 1, row.integer(0) == 1 else { throw .damaged(.vault) }
            found = Manifest(row)
        }
        guard rows == 1, var manifest = found else { throw .damaged(.vault) }
        try connection.query(VaultTable.manifest.selection) { row throws(VaultError) in
            guard manifest.addLeaves(row) else { throw .damaged(.manifest) }
        }
        guard manifest.leaves.count == VaultTable.inManifest.count else { throw .damaged(.manifest) }
        self = manifest
    }

    /// Reads the columns of a row of `vault` after its number, without digests of buckets.
    /// - Returns: nil for columns that no writer produces.
    init?(_ row: borrowing some RowColumns & ~Copyable) {
        guard let vaultID = row.blob(1), vaultID.count == VaultFormat.vaultIDCount,
            let createdAt = row.integer(2),
            VaultFormat.allowedTimes.contains(createdAt), let generation = row.integer(3), generation >= 0,
            let entryCount = row.integer(4), entryCount >= 0, let root = row.blob(5),
            root.count == Sodium.digestCount
        else { return nil }
        self.init(
            vaultID: vaultID, createdAt: createdAt, generation: generation, entryCount: entryCount,
            root: root,
            leaves: [:])
    }

    /// Takes a row of `manifest`.
    /// - Returns: false for a row that no writer produces.
    mutating func addLeaves(_ row: borrowing some RowColumns & ~Copyable) -> Bool {
        guard let section = row.integer(0),
            let table = VaultTable.inManifest.first(where: { $0.number == section }),
            leaves[table] == nil, let digests = row.blob(1),
            digests.count == table.bucketCount * Sodium.digestCount
        else { return false }
        leaves[table] = digests
        return true
    }

    /// Writes the row of the vault, and the digests of the changed `tables`. The digests are secret
    /// until they are written: an attacker who edited rows needs the digest that these rows would
    /// have.
    func write(_ tables: some Collection<VaultTable>, in connection: SQLiteConnection) throws(VaultError) {
        for table in tables {
            let leaves = leaves[table] ?? []
            try connection.run(
                "INSERT OR REPLACE INTO manifest (section, leaves) VALUES (?1, ?2)",
                [.integer(Int64(table.number)), .blob(disclosed(leaves))])
        }
        try connection.run(
            "INSERT OR REPLACE INTO vault (id, vault_id, created_at, generation, entry_count, root) "
                + "VALUES (1, ?1, ?2, ?3, ?4, ?5)",
            [
                .blob(vaultID), .integer(createdAt), .integer(generation), .integer(entryCount),
                .blob(disclosed(root)),
            ])
    }

    /// The root computed from these digests.
    func computedRoot(_ keys: VaultKeys) throws(VaultError) -> [UInt8] {
        let numbers = [createdAt, generation, entryCount].flatMap(\.littleEndianBytes)
        var message = Domain.root.bytes + VaultFormat.version.littleEndianBytes + vaultID + numbers
        for table in VaultTable.inManifest {
            message += [table.number] + UInt16(truncatingIfNeeded: table.bucketCount).littleEndianBytes
            message += leaves[table] ?? []
        }
        return try keys.manifest.lend { key throws(VaultError) in Sodium.keyedHash(message, key: key) }
    }

    /// - Throws: `manifestMismatch(.root)`.
    func verifyRoot(_ keys: VaultKeys) throws(VaultError) {
        guard try Sodium.areEqual(computedRoot(keys), root) else {
            throw .integrity(.manifestMismatch(.root))
        }
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
            guard let digests = leaves[leaf.table], digests.count >= start + Sodium.digestCount else {
                return []
            }
            return [UInt8](digests[start..<(start + Sodium.digestCount)])
        }
        set {
            let start = leaf.bucket * Sodium.digestCount
            leaves[
                leaf.table, default: [UInt8](repeating: 0, count: leaf.table.bucketCount * Sodium.digestCount)
            ]
            .replaceSubrange(start..<(start + Sodium.digestCount), with: newValue)
        }
    }
}

extension VaultTable {
    package static let vault = numbered(
        0, "vault",
        [
            "vault_id BLOB NOT NULL", "created_at INTEGER NOT NULL", "generation INTEGER NOT NULL",
            "entry_count INTEGER NOT NULL", "root BLOB NOT NULL",
        ])
    /// The leaves of each table in the tree.
    package static let manifest = numbered(1, "manifest", by: "section", ["leaves BLOB NOT NULL"])
}
