/// The rows with the uses of one key, as its bucket has them.
struct PolicyUseRows {
    private let key: EntryName
    private(set) var uses = PolicyUses()
    private var size = 0

    init(_ key: EntryName) { self.key = key }

    /// Takes a row of the bucket, which has the columns of `PolicyUseRow`. Rows of other names are
    /// left out.
    /// - Throws: `damaged(.row(.counters))` for rows that are not in order, or too many bytes: a
    ///   file must not control the memory.
    mutating func visit(_ row: borrowing some RowColumns & ~Copyable) throws(VaultError) {
        guard let name = row.text(1), let value = row.blob(2) else { throw .damaged(.counters) }
        guard let next = try PolicyUseRow.read(name, value, of: key) else { return }
        // The row with the times is the last one.
        guard uses.times == nil, uses.parts.last.map({ $0.number < next.number }) ?? true else {
            throw .damaged(.counters)
        }
        switch next.content {
        case .times(let times): uses.times = times
        case .part(let content):
            size += content.count
            guard size <= PolicyUses.maximumSize else { throw .damaged(.counters) }
            uses.parts.append(PolicyUses.Part(number: next.number, content: content))
        }
    }

    var rows: [PolicyUseRow] {
        uses.parts.map { PolicyUseRow(key, $0) } + (uses.times.map { [PolicyUseRow(key, $0)] } ?? [])
    }

    /// - Returns: the uses in all rows.
    /// - Throws: `damaged(.row(.counters))` for parts without times.
    func complete() throws(VaultError) -> PolicyUses {
        guard uses.times != nil || uses.parts.isEmpty else { throw .damaged(.counters) }
        return uses
    }
}

/// The uses of all keys.
struct PolicyUseTable: TableContent {
    static let table = VaultTable.counters

    private var keys: [EntryName: PolicyUseRows] = [:]
    /// Keys with a row that this version does not interpret.
    private var unreadable: Set<EntryName> = []

    mutating func visit(_ row: borrowing some RowColumns & ~Copyable) throws(VaultError) {
        guard let key = row.text(1).flatMap(PolicyUseRow.key(ofName:)) else { return }
        do throws(VaultError) { try keys[key, default: PolicyUseRows(key)].visit(row) } catch {
            unreadable.insert(key)
            throw error
        }
    }

    var rows: [any TableRow] { keys.values.flatMap(\.rows) }

    func check(_ check: inout VaultCheck) throws(VaultError) {
        for rows in keys.values { _ = try rows.complete() }
    }

    /// True if all rows of a key were interpreted.
    func isReadable(_ key: EntryName) -> Bool {
        !unreadable.contains(key) && (keys[key].map { (try? $0.complete()) != nil } ?? true)
    }

    /// Stores what keys used. Where that is not proved, or if the vault may have been used after
    /// this copy was made, the limits count as used up.
    func recover(
        _ proof: ManifestProof, to transaction: inout VaultTransaction, _ report: inout RescueReport
    ) throws(VaultError) {
        for (key, rows) in keys where isReadable(key) {
            guard let uses = try? rows.complete(), let times = uses.times else { continue }
            try transaction.store(uses.parts, times, of: key)
        }
        let limited = try transaction.limitedKeys()
        let lost = limited.filter { !proof.isProved(PolicyUseRow.leaf(of: $0)) || !isReadable($0) }
        report.lostUses = lost.sorted()
        let usedUp = [.newest, .lastBackup].contains(report.history) ? lost : limited
        try transaction.addRestored(of: usedUp)
        report.usedUp = UsedUpLimits(usedUp, at: try transaction.now())
    }
}
