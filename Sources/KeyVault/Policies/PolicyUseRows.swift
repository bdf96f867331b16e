/// The rows with the uses of one key, as its bucket has them.
struct PolicyUseRows {
    private let key: EntryName
    private var rows: [PolicyUseRow] = []
    private var count = 0

    /// The most uses that are read: a file must not control the memory. No writer produces as many.
    static let maximumCount = 2 * PolicyUse.maximumCount

    init(_ key: EntryName) { self.key = key }

    var uses: [PolicyUse] {
        var uses: [PolicyUse] = []
        uses.reserveCapacity(count)
        for row in rows { uses += row.uses }
        return uses
    }

    /// Takes a row of the bucket, which has the columns of `PolicyUseRow`. Rows of other names are
    /// left out.
    /// - Throws: `damaged(.row(.counters))` for a gap, times that are not in order, or too many
    ///   uses.
    mutating func visit(_ row: borrowing SQLiteRow) throws(VaultError) {
        guard let name = row.text(1), let value = row.blob(2) else { throw .damaged(.counters) }
        try visit(name, value)
    }

    mutating func visit(_ name: String, _ value: [UInt8]) throws(VaultError) {
        guard let next = try PolicyUseRow.read(name, value, of: key) else { return }
        count += next.uses.count
        guard count <= Self.maximumCount else { throw .damaged(.counters) }
        if let last = rows.last {
            guard last.number < .max, next.number == last.number + 1, let time = last.uses.last?.time,
                next.uses.allSatisfy({ $0.time >= time })
            else { throw .damaged(.counters) }
        }
        rows.append(next)
    }

    /// Adds uses to the last row, or to new rows after it, and removes rows with old uses only. A
    /// later restore replaces an earlier one, whose windows end no later.
    /// - Returns: the names of the removed rows, and the rows to write.
    mutating func add(
        _ uses: [PolicyUse], keepingFrom oldest: Int64
    ) throws(VaultError) -> (removed: [String], written: [PolicyUseRow]) {
        var removed: [String] = []
        var written: Set<UInt32> = []
        // The last row stays, because the next number follows from it.
        while rows.count > 1, let first = rows.first, first.uses.allSatisfy({ $0.time < oldest }) {
            removed.append(first.rowName)
            rows.removeFirst()
        }
        if uses.contains(where: { $0.content == .restored }) {
            for index in rows.indices { removeUses(of: index, &written) { $0.content == .restored } }
        }
        let added = uses.count(where: \.isSignature)
        // Only the first row can still have old uses.
        if signatureCount + added > PolicyUse.maximumCount, !rows.isEmpty {
            removeUses(of: 0, &written) { $0.time < oldest }
        }
        guard signatureCount + added <= PolicyUse.maximumCount else {
            throw .input(.policyUsesFull(maximum: PolicyUse.maximumCount))
        }
        for use in uses {
            var last = rows.popLast() ?? PolicyUseRow(key, number: 0)
            if !last.append(use) {
                guard last.number < .max else { throw .damaged(.counters) }
                rows.append(last)
                last = PolicyUseRow(key, number: last.number + 1)
                _ = last.append(use)
            }
            written.insert(last.number)
            rows.append(last)
        }
        return (removed, rows.filter { written.contains($0.number) })
    }

    private var signatureCount: Int { rows.reduce(0) { $0 + $1.uses.count(where: \.isSignature) } }

    private mutating func removeUses(of index: Int, _ written: inout Set<UInt32>, where isRemoved: (PolicyUse) -> Bool)
    {
        if rows[index].removeUses(isLast: index == rows.count - 1, where: isRemoved) {
            written.insert(rows[index].number)
        }
    }
}

extension PolicyUse {
    fileprivate var isSignature: Bool { content != .restored }
}
