/// The facts that the manifest of a damaged vault still proves. When its root verifies, each bucket
/// whose rows match its digest is proved: the vault has exactly these rows. A removed or replaced
/// row is then recognised, anywhere else in the file.
struct ManifestProof {
    let manifest: Manifest
    let context: SealContext
    /// The contents of the proved rows, in the order of the tables.
    private(set) var contents: [any TableContent] = []
    /// For each table, which of its buckets are proved.
    private var proved: [VaultTable: [Bool]] = [:]
    /// Tables with a proved row that this version does not interpret.
    private var unreadable: Set<VaultTable> = []
    private let roots: TableRoots
    private let pages: VaultPages

    /// - Returns: nil when no root in the pages verifies under one of the contexts.
    init?(of pages: VaultPages, _ contexts: [SealContext]) {
        var tree = PageTree(of: pages)
        var roots = TableRoots(of: pages, &tree)
        var found = Self.verifiedManifest(of: pages, &tree, roots, contexts)
        if found == nil {
            // The schema is damaged. Every vault that this program made has its tables at these
            // pages.
            roots = TableRoots()
            found = Self.verifiedManifest(of: pages, &tree, roots, contexts)
        }
        guard let (manifest, context) = found else { return nil }
        (self.manifest, self.context, self.roots, self.pages) = (manifest, context, roots, pages)
        for table in VaultTable.inManifest where table.key != nil { read(table, &tree) }
    }

    /// Reads the proved rows of a table as they are declared.
    private mutating func read(_ table: VaultTable, _ tree: inout PageTree) {
        var contents = table.contents.map { $0.init() }
        var rowCount = 0
        proved[table] = proveBuckets(of: table, &tree) { row in
            rowCount += 1
            for index in contents.indices { try? contents[index].visit(row) }
        }
        if contents.reduce(0, { $0 + $1.rows.count }) != rowCount { unreadable.insert(table) }
        self.contents += contents
    }

    /// True if the table has exactly the rows that its contents have.
    func isWhole(_ table: VaultTable) -> Bool {
        proved[table]?.allSatisfy(\.self) == true && !unreadable.contains(table)
    }

    /// True if the manifest proves which rows the bucket has.
    func isProved(_ leaf: Manifest.Leaf) -> Bool { proved[leaf.table]?[leaf.bucket] == true }

    /// The last nonce of a credential; nil if the manifest does not prove it.
    func lastNonce(of credential: EntryName) -> UInt64? {
        contents.first(CredentialNonces.self).nonces[credential]?.last
    }

    /// How many buckets of entries and labels are proved.
    var provedBucketCount: Int {
        [VaultTable.entries, .labels].reduce(0) { $0 + (proved[$1] ?? []).count { $0 } }
    }

    /// True if the manifest proves which entries this name's bucket has.
    func isDecided(_ name: EntryName) -> Bool { isProved(Manifest.Leaf(of: name.text, in: .entries)) }

    /// The owner of a label.
    enum Owner: Equatable {
        case key(EntryName)
        case nobody
        case unknown
    }

    func owner(of label: Label) -> Owner {
        guard isProved(Manifest.Leaf(of: label.text, in: .labels)) else { return .unknown }
        return contents.first(Labels.self).owners[label].map(Owner.key) ?? .nobody
    }

    // MARK: reading

    private static func verifiedManifest(
        of pages: VaultPages, _ tree: inout PageTree, _ roots: TableRoots, _ contexts: [SealContext]
    ) -> (Manifest, SealContext)? {
        tree.forget()
        var rows: [Manifest] = []
        tree.walk(.vault, roots, of: pages) { row in
            if rows.count < 4, row.number == 1, let vault = Manifest(row) { rows.append(vault) }
        }
        guard var leaves = rows.first else { return nil }
        tree.walk(.manifest, roots, of: pages) { row in _ = leaves.addLeaves(row) }
        guard leaves.leaves.count == VaultTable.inManifest.count else { return nil }
        for context in contexts {
            for row in rows where row.vaultID == context.vaultID {
                var manifest = row
                manifest.leaves = leaves.leaves
                if (try? manifest.verifyRoot(context.keys)) != nil {
                    return (manifest, context)
                }
            }
        }
        return nil
    }

    /// Walks a table with names and compares each run of rows of one bucket with the digest of the
    /// bucket.
    /// - Parameter visit: receives the rows of the proved buckets.
    /// - Returns: the proved buckets. An empty bucket is proved by the digest of no rows.
    private func proveBuckets(
        of table: VaultTable, _ tree: inout PageTree, _ visit: (PageTree.Row) -> Void
    ) -> [Bool] {
        let leaves = table.leaves
        var proved = leaves.map { isProved(BucketRows($0), $0) }
        var run = Run()
        var spareWork = Self.maximumSpareWork
        var runs = leaves.map { _ in 0 }
        func finish() {
            if let digests = run.digests, !proved[run.bucket] {
                if isProved(digests, leaves[run.bucket]) {
                    proved[run.bucket] = true
                } else if let added = addedRow(digests, leaves[run.bucket], &spareWork) {
                    proved[run.bucket] = true
                    run.rows.remove(at: added)
                }
                if proved[run.bucket] { run.rows.forEach(visit) }
            }
            run.rows.removeAll(keepingCapacity: true)
        }
        var encoder = RowEncoder(rowOf: table)
        tree.walk(table, roots, of: pages) { row in
            let bucket = table.isBucketed ? row.integer(0).flatMap { Int(exactly: $0) } : 0
            guard let bucket, leaves.indices.contains(bucket) else { return }
            if bucket != run.bucket {
                finish()
                runs[bucket] += 1
                let isOpen = runs[bucket] <= Self.maximumRuns && !proved[bucket]
                run = Run(bucket: bucket, digests: isOpen ? BucketRows(leaves[bucket]) : nil)
            }
            run.size += row.bytes.count
            guard run.digests != nil, run.size <= Self.maximumRunSize,
                let name = table.keyColumn.flatMap({ row.text($0) })
            else { return run.digests = nil }
            encoder.restart(rowOf: table)
            row.record.encode(into: &encoder, from: row.bytes)
            do throws(VaultError) {
                try context.keys.manifest.lend { key throws(VaultError) in
                    try run.digests?.append(encoder, name: name, key)
                }
            } catch { run.digests = nil }
            run.rows.append(row)
        }
        finish()
        return proved
    }

    /// Rows of one bucket that follow one another.
    private struct Run {
        var bucket = -1
        var rows: [PageTree.Row] = []
        /// Nil once the rows can't belong to a bucket.
        var digests: BucketRows?
        /// In bytes.
        var size = 0
    }

    /// The most bytes of a run. This bounds the memory that a crafted file can request.
    private static let maximumRunSize = 256 << 20
    /// The most runs of rows that are compared for one bucket. An intact table has one run per
    /// bucket; a crafted one could alternate between buckets.
    private static let maximumRuns = 4
    /// The most rows that are digested again in the search for an added row.
    private static let maximumSpareWork = 1 << 20

    /// The index of the one row that was added to a bucket: the other rows match the digest.
    private func addedRow(_ rows: BucketRows, _ leaf: Manifest.Leaf, _ work: inout Int) -> Int? {
        guard rows.count > 1, rows.count * rows.count <= work else { return nil }
        work -= rows.count * rows.count
        return (0..<rows.count).first { isProved(rows.without($0), leaf) }
    }

    private func isProved(_ rows: BucketRows, _ leaf: Manifest.Leaf) -> Bool {
        guard let digest = try? rows.digest(context.keys) else { return false }
        return Sodium.areEqual(digest, manifest[leaf])
    }
}

// MARK: comparison with the witness

extension ManifestProof {
    /// Compares the vault with what this machine has seen of it, like `Vault.compareWithWitness`.
    func history(seen: Witness.Seen) -> RescueReport.History {
        // The record of a backup is the change right after the backup.
        if seen.backup > 0, manifest.generation == seen.backup, seen.generation == seen.backup + 1 {
            return .lastBackup
        }
        guard manifest.generation >= seen.generation else {
            return .older(found: manifest.generation, seen: seen.generation)
        }
        var tree = PageTree(of: pages)
        guard let head = head(&tree) else { return .notComparable }
        guard seen.head.sequence > 0, head != seen.head else { return .newest }
        guard head.sequence > seen.head.sequence, let keys = auditKeys() else { return .forked }
        if let archived = archivedLog(), seen.head.sequence < archived.last.sequence { return .newest }
        var trail = AuditTrail(head: head, last: seen.head)
        tree.walk(.auditRecords, roots, of: pages) { row in
            guard let sequence = row.number, sequence > seen.head.sequence else { return }
            // A record that can't be visited ends the trail.
            try? trail.visit(sequence, body: row.blob(1), vaultID: manifest.vaultID, keys: keys)
        }
        return trail.isComplete ? .newest : .forked
    }

    /// The verified end of the log; nil when its row is damaged.
    private func head(_ tree: inout PageTree) -> AuditHead? {
        let leaf = Manifest.Leaf(table: .audit, bucket: 0)
        if isProved(BucketRows(leaf), leaf) { return .empty }
        var found: AuditHead?
        tree.walk(.audit, roots, of: pages) { row in
            if found == nil { found = try? AuditHead(row) }
        }
        guard let found else { return nil }
        guard let rows = try? found.rows(context.keys), isProved(rows, leaf) else {
            return nil
        }
        return found
    }

    /// The archives of the log that the vault refers to; none if the settings are damaged.
    func archives() -> [ArchiveDescription] { archivedLog()?.archives ?? [] }

    /// The archived part of the log, if the rows of the settings match the manifest.
    private func archivedLog() -> ArchivedLog? {
        let setting = contents.first(Settings.self).values[ArchivedLog.settingName]
        return setting.flatMap { try? ArchivedLog(setting: $0) }
    }

    private func auditKeys() -> AuditKeys? {
        let setting = contents.first(Settings.self).values[AuditKeys.settingName]
        return try? AuditKeys(setting: setting, vaultID: manifest.vaultID, current: context.keys)
    }
}

/// The first page of each table.
struct TableRoots {
    private var numbers: [String: Int]

    /// The first pages in every vault that this program made. The tables were created once, in the
    /// order of the schema.
    init() {
        numbers = Dictionary(uniqueKeysWithValues: VaultTable.all.enumerated().map { ($1.name, $0 + 2) })
    }

    /// Reads the first pages from the schema in the file.
    init(of pages: VaultPages, _ tree: inout PageTree) {
        self.init()
        var stated: [String: Int] = [:]
        tree.walk(1, of: pages, columnCount: 5) { row in
            guard stated.count < VaultTable.all.count, let name = row.text(1),
                let page = row.record.integer(3).flatMap({ Int(exactly: $0) })
            else { return }
            stated[name] = page
        }
        numbers.merge(stated) { _, stated in stated }
    }

    subscript(table: VaultTable) -> Int { numbers[table.name] ?? 0 }
}
