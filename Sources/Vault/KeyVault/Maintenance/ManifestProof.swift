/// What the manifest of a damaged vault still proves. When its root verifies, each bucket whose
/// rows match its digest is proved: the vault has exactly these rows. A removed or replaced row is
/// then recognised, anywhere else in the file.
struct ManifestProof {
    let manifest: Manifest
    let context: SealContext
    /// The entries of the proved buckets, by name.
    private(set) var entries: [EntryName: EntryRow] = [:]
    /// Rows of proved buckets that are not an entry of this version: their names, nil where a name
    /// can't be read.
    private(set) var unreadable: [EntryName?] = []
    /// For each label in the proved buckets of labels, the name of its entry.
    private var owners: [Label: EntryName] = [:]
    /// The pinned ABIs of the proved buckets.
    private(set) var pinnedABIs: [PinnedABI] = []
    /// Whether every row of the table `abis` is one of them.
    private(set) var hasAllPinnedABIs = false
    /// The policies of the proved table.
    private(set) var policies: [StoredPolicy] = []
    /// Whether every row of the table `policies` is one of them.
    private(set) var hasAllPolicies = false
    /// What keys used of the limits of policies, in the proved buckets.
    private(set) var uses: [EntryName: PolicyUses] = [:]
    /// The last nonces of credentials in the proved buckets.
    private var nonces: [EntryName: UInt64] = [:]
    /// Keys with a row of uses, in a proved bucket, that this version does not interpret.
    private var unreadableUses: Set<EntryName> = []
    private var counterBuckets = [Bool](repeating: false, count: VaultFormat.bucketCount)
    private var entryBuckets = [Bool](repeating: false, count: VaultFormat.bucketCount)
    private var labelBuckets = [Bool](repeating: false, count: VaultFormat.bucketCount)
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
        var entries: [EntryName: EntryRow] = [:]
        var unreadable: [EntryName?] = []
        let entryLimits = Limits(rowCount: manifest.entryCount, rowSize: PageTree.maximumRowCount)
        entryBuckets = proveBuckets(of: .entries, &tree, columnCount: 9, entryLimits, ScannedBytes.Entry.init) {
            entry in
            switch entry {
            case .row(let row): entries[row.name] = row
            case .malformed(let name): unreadable.append(name)
            }
        }
        var owners: [Label: EntryName] = [:]
        labelBuckets = proveBuckets(of: .labels, &tree, columnCount: 3, entryLimits, Self.owner) { owner in
            if let owner { owners[owner.label] = owner.name }
        }
        (self.entries, self.unreadable, self.owners) = (entries, unreadable, owners)
        var abis: [PinnedABI] = []
        var hasAll = true
        let abiLimits = Limits(rowCount: Int64(PinnedABI.maximumCount), rowSize: 2 * PinnedABI.maximumSize)
        let abiBuckets = proveBuckets(of: .abis, &tree, columnCount: 3, abiLimits, Self.pinnedABI) { abi in
            if let abi { abis.append(abi) } else { hasAll = false }
        }
        (pinnedABIs, hasAllPinnedABIs) = (abis, hasAll && abiBuckets.allSatisfy(\.self))
        let stored = provedRows(of: .policies, atMost: Self.maximumPolicyBytes)
        policies = (stored ?? []).compactMap { try? StoredPolicy(name: $0.name, value: $0.value) }
        hasAllPolicies = policies.count == stored?.count
        var uses: [EntryName: PolicyUseRows] = [:]
        var unreadableUses: Set<EntryName> = []
        var nonces: [EntryName: UInt64] = [:]
        let useLimits = Limits(rowCount: Self.maximumUseRows, rowSize: PolicyUses.maximumContent + 1_024)
        counterBuckets = proveBuckets(of: .counters, &tree, columnCount: 3, useLimits, Self.counter) { row in
            guard let row else { return }
            if let nonce = try? CredentialNonce.read(name: row.name, value: row.value) {
                nonces[nonce.credential] = nonce.last
            }
            guard let key = PolicyUseRow.key(ofName: row.name) else { return }
            do throws(VaultError) {
                try uses[key, default: PolicyUseRows(key)].visit(row.name, row.value)
            } catch { unreadableUses.insert(key) }
        }
        self.nonces = nonces
        for (key, rows) in uses where !unreadableUses.contains(key) {
            do throws(VaultError) { self.uses[key] = try rows.complete() } catch { unreadableUses.insert(key) }
        }
        self.unreadableUses = unreadableUses
    }

    /// The most bytes of all policies together.
    private static let maximumPolicyBytes = 256 << 20
    private static let maximumUseRows: Int64 = 1 << 20

    /// Whether the manifest proves what a key used of the limits of policies.
    func provesUses(of key: EntryName) -> Bool {
        counterBuckets[PolicyUseRow.leaf(of: key).bucket] && !unreadableUses.contains(key)
    }

    /// The last nonce of a credential; nil if the manifest does not prove it.
    func lastNonce(of credential: EntryName) -> UInt64? {
        let bucket = VaultTable.counters.bucket(of: CredentialNonce.rowName(of: credential))
        return counterBuckets[bucket] ? nonces[credential] : nil
    }

    /// How many buckets of entries and labels are proved.
    var provedBucketCount: Int { (entryBuckets + labelBuckets).count { $0 } }

    /// Whether the manifest proves which entries this name's bucket has.
    func isDecided(_ name: EntryName) -> Bool { entryBuckets[VaultTable.entries.bucket(of: name.text)] }

    /// The owner of a label.
    enum Owner: Equatable {
        case key(EntryName)
        case nobody
        case unknown
    }

    func owner(of label: Label) -> Owner {
        guard labelBuckets[VaultTable.labels.bucket(of: label.text)] else { return .unknown }
        return owners[label].map(Owner.key) ?? .nobody
    }

    // MARK: reading

    private static func verifiedManifest(
        of pages: VaultPages, _ tree: inout PageTree, _ roots: TableRoots, _ contexts: [SealContext]
    ) -> (Manifest, SealContext)? {
        tree.forget()
        var rows: [Manifest] = []
        tree.walk(roots["vault"], of: pages, columnCount: 6) { row in
            guard rows.count < 4, row.number == 1, let vault = Manifest(row.record, in: row.bytes) else { return }
            rows.append(vault)
        }
        var leaves: [VaultTable: [UInt8]] = [:]
        tree.walk(roots["manifest"], of: pages, columnCount: 2) { row in
            guard let table = row.number.flatMap(UInt8.init(exactly:)).flatMap(VaultTable.init(rawValue:)),
                VaultTable.inManifest.contains(table), leaves[table] == nil,
                let digests = row.record.blob(1, in: row.bytes),
                digests.count == table.bucketCount * Sodium.digestCount
            else { return }
            leaves[table] = digests
        }
        guard leaves.count == VaultTable.inManifest.count else { return nil }
        for context in contexts {
            for row in rows where row.vaultID == context.vaultID {
                var manifest = row
                manifest.leaves = leaves
                if Sodium.areEqual(manifest.computedRoot(context.keys), manifest.root) { return (manifest, context) }
            }
        }
        return nil
    }

    /// Walks a table of 256 buckets and compares each run of rows of one bucket with the digest of
    /// the bucket.
    /// - Parameters:
    ///   - read: makes an element from a row. A row that it can't read is still part of the digest.
    ///   - visit: receives the elements of the proved buckets.
    /// - Returns: the proved buckets. An empty bucket is proved by the digest of no rows.
    private func proveBuckets<Element>(
        of table: VaultTable, _ tree: inout PageTree, columnCount: Int, _ limits: Limits,
        _ read: (ScannedRecord, [UInt8]) -> Element, _ visit: (Element) -> Void
    ) -> [Bool] {
        let leaves = table.leaves
        var proved = leaves.map { isProved(BucketRows($0), $0) }
        var elements: [Element] = []
        var leaf: Manifest.Leaf?
        // Nil once the rows of the run can't be those of a bucket.
        var rows: BucketRows?
        var spareWork = Self.maximumSpareWork
        var runs = leaves.map { _ in 0 }
        func finish() {
            if let leaf, let rows, !proved[leaf.bucket] {
                if isProved(rows, leaf) {
                    proved[leaf.bucket] = true
                } else if let added = addedRow(rows, leaf, &spareWork) {
                    proved[leaf.bucket] = true
                    elements.remove(at: added)
                }
                if proved[leaf.bucket] { elements.forEach(visit) }
            }
            elements.removeAll(keepingCapacity: true)
        }
        var encoder = RowEncoder(rowOf: table)
        tree.walk(roots["\(table)"], of: pages, columnCount: columnCount, maximum: limits.rowSize) { row in
            guard let bucket = row.record.integer(0).flatMap({ Int(exactly: $0) }), leaves.indices.contains(bucket)
            else { return }
            if bucket != leaf?.bucket {
                finish()
                runs[bucket] += 1
                let isOpen = runs[bucket] <= Self.maximumRuns && !proved[bucket]
                (leaf, rows) = (leaves[bucket], isOpen ? BucketRows(leaves[bucket]) : nil)
            }
            // This bounds the memory that a crafted file can request.
            guard rows != nil, Int64(elements.count) <= limits.rowCount,
                let name = row.record.text(1, in: row.bytes)
            else {
                rows = nil
                return
            }
            encoder.restart(rowOf: table)
            row.record.encode(into: &encoder, from: row.bytes)
            do { try rows?.append(encoder, name: name, context.keys) } catch { rows = nil }
            elements.append(read(row.record, row.bytes))
        }
        finish()
        return proved
    }

    /// What a bucket of a table has at most. No bucket of entries or labels has more rows than the
    /// vault has entries.
    private struct Limits {
        let rowCount: Int64
        /// The most bytes of a row.
        let rowSize: Int
    }

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
        Sodium.areEqual(rows.digest(context.keys), manifest[leaf])
    }

    private static func owner(_ record: ScannedRecord, in bytes: [UInt8]) -> (label: Label, name: EntryName)? {
        guard let label = record.text(1, in: bytes).flatMap({ try? Label(stored: $0) }),
            let name = record.text(2, in: bytes).flatMap({ EntryName($0) })
        else { return nil }
        return (label, name)
    }

    /// A row with uses of a key, or with a nonce; nil for any other row.
    private static func counter(_ record: ScannedRecord, in bytes: [UInt8]) -> (name: String, value: [UInt8])? {
        guard let name = record.text(1, in: bytes), PolicyUseRow.isName(name) || CredentialNonce.isName(name) else {
            return nil
        }
        return (name, record.blob(2, in: bytes) ?? [])
    }

    /// nil for a row that this version does not interpret.
    private static func pinnedABI(_ record: ScannedRecord, in bytes: [UInt8]) -> PinnedABI? {
        guard let name = record.text(1, in: bytes), let value = record.blob(2, in: bytes) else { return nil }
        return try? PinnedABI.read(name: name, value: value)
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
        guard head.sequence > seen.head.sequence, let keys = auditKeys(&tree) else { return .forked }
        if let archived = archivedLog(), seen.head.sequence < archived.last.sequence { return .newest }
        var trail = AuditTrail(head: head, last: seen.head)
        tree.walk(roots["audit"], of: pages, columnCount: 3) { row in
            guard let sequence = row.number, sequence > seen.head.sequence else { return }
            trail.visit(
                sequence, body: row.record.blob(1, in: row.bytes), vaultID: manifest.vaultID, keys: keys)
        }
        return trail.isComplete ? .newest : .forked
    }

    /// The verified end of the log; nil when its row is damaged.
    private func head(_ tree: inout PageTree) -> AuditHead? {
        let leaf = Manifest.Leaf(table: .audit, bucket: 0)
        if isProved(BucketRows(leaf), leaf) { return .empty }
        var found: AuditHead?
        tree.walk(roots["audit_head"], of: pages, columnCount: 3) { row in
            guard found == nil, row.number == 1, let sequence = row.record.integer(1),
                let mac = row.record.blob(2, in: row.bytes),
                mac.count == Sodium.digestCount
            else { return }
            found = AuditHead(sequence: sequence, mac: mac)
        }
        guard let found else { return nil }
        var rows = BucketRows(leaf)
        guard (try? rows.append(found.encoded, name: nil, context.keys)) != nil, isProved(rows, leaf) else {
            return nil
        }
        return found
    }

    /// The archives of the log that the vault refers to; none if the settings are damaged.
    func archives() -> [ArchiveDescription] { archivedLog()?.archives ?? [] }

    /// What was archived, if the rows of the settings match the manifest.
    private func archivedLog() -> ArchivedLog? {
        let settings = provedRows(of: .settings, atMost: VaultFormat.maximumValueCount) ?? []
        guard let setting = settings.first(where: { $0.name == ArchivedLog.settingName }) else { return nil }
        return try? ArchivedLog(setting: setting.value)
    }

    /// All rows of a table with one bucket and the columns `name, value`, in the order of their
    /// names.
    /// - Parameter limit: the most bytes of the rows together. It bounds the memory that a crafted
    ///   file can request.
    /// - Returns: nil if the manifest does not prove them.
    private func provedRows(of table: VaultTable, atMost limit: Int) -> [(name: String, value: [UInt8])]? {
        var tree = PageTree(of: pages)
        let leaf = Manifest.Leaf(table: table, bucket: 0)
        var found: [(name: String, value: [UInt8])] = []
        var size = 0
        tree.walk(roots["\(table)"], of: pages, columnCount: 2, maximum: VaultFormat.maximumValueCount) { row in
            guard let name = row.record.text(0, in: row.bytes), let value = row.record.blob(1, in: row.bytes),
                size <= limit
            else { return }
            size += name.utf8.count + value.count
            found.append((name, value))
        }
        found.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        var rows = BucketRows(leaf)
        for row in found {
            var encoder = RowEncoder(rowOf: table)
            encoder.append(row: [.text(row.name), .blob(row.value)])
            guard (try? rows.append(encoder, name: row.name, context.keys)) != nil else { return nil }
        }
        return isProved(rows, leaf) ? found : nil
    }

    private func auditKeys(_ tree: inout PageTree) -> AuditKeys? {
        var setting: [UInt8]?
        tree.walk(roots["settings"], of: pages, columnCount: 2) { row in
            guard let name = row.record.text(0, in: row.bytes), name.utf8.elementsEqual(AuditKeys.settingName.utf8)
            else { return }
            setting = row.record.blob(1, in: row.bytes)
        }
        return try? AuditKeys(setting: setting, vaultID: manifest.vaultID, current: context.keys)
    }
}

/// The first page of each table.
struct TableRoots {
    private var numbers: [String: Int]

    /// The first pages in every vault that this program made. The tables were created once, in the
    /// order of the schema.
    init() {
        numbers = Dictionary(uniqueKeysWithValues: VaultSchema.items.enumerated().map { ($1.name, $0 + 2) })
    }

    /// Reads the first pages from the schema in the file.
    init(of pages: VaultPages, _ tree: inout PageTree) {
        self.init()
        var stated: [String: Int] = [:]
        tree.walk(1, of: pages, columnCount: 5) { row in
            guard stated.count < VaultSchema.items.count, let name = row.record.text(1, in: row.bytes),
                let page = row.record.integer(3).flatMap({ Int(exactly: $0) })
            else { return }
            stated[name] = page
        }
        numbers.merge(stated) { _, stated in stated }
    }

    subscript(table: String) -> Int { numbers[table] ?? 0 }
}
