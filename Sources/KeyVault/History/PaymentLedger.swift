/// The whole payment history of a vault in memory: at most `HistoryRow.maximumCountInBucket` rows
/// in each bucket. Signing many transactions looks up each of them here and writes all changes at
/// once.
package struct PaymentLedger: Sendable {
    /// The rows by their names, each with its bucket.
    private var rows: [String: (row: HistoryRow, bucket: Int)] = [:]
    /// The number of rows of each bucket.
    private var counts = [Int](repeating: 0, count: VaultTable.counters.bucketCount)
    /// The names of the rows that were added since the last `takeChanges`.
    private var changed: Set<String> = []
    /// The generation of the vault that has these rows, if they were verified.
    var generation: Int64?

    package init() {}

    /// Adds or replaces a row.
    mutating func add(_ row: HistoryRow) {
        if let known = rows[row.name] {
            rows[row.name] = (row, known.bucket)
        } else {
            let bucket = VaultTable.counters.bucket(of: row.name)
            rows[row.name] = (row, bucket)
            counts[bucket] += 1
        }
    }

    /// What the vault remembers of a transaction.
    package func history(of subject: PaymentHistory.Subject) -> PaymentHistory {
        var history = PaymentHistory()
        for name in subject.rowNames { if let row = rows[name]?.row { history.add(row) } }
        return history
    }

    /// Adds a signature that is released.
    /// - Parameters:
    ///   - time: seconds since 1970.
    ///   - generation: the generation of the vault that has the signature.
    package mutating func add(
        _ signature: PaymentHistory.Signature, of subject: PaymentHistory.Subject, at time: Int64, generation: Int64
    ) {
        var history = PaymentHistory()
        if let row = rows[subject.actionsName]?.row { history.add(row) }
        let added = HistoryRow.rows(
            for: signature, of: subject, after: history.signatures, at: time, generation: generation)
        for row in added {
            add(row)
            changed.insert(row.name)
        }
    }

    /// Removes the oldest rows of each bucket beyond the limit.
    /// - Returns: the rows that were added, by bucket. Those that were removed again are not among
    ///   them.
    @discardableResult
    package mutating func takeChanges() -> [Int: [HistoryRow]] {
        defer { changed = [] }
        let limit = HistoryRow.maximumCountInBucket
        if counts.contains(where: { $0 > limit }) {
            let full = Dictionary(grouping: rows.values.filter { counts[$0.bucket] > limit }, by: \.bucket)
            for (bucket, rows) in full {
                let oldest = rows.map(\.row).sorted { $0.isOlder(than: $1) }.prefix(counts[bucket] - limit)
                for row in oldest { self.rows[row.name] = nil }
                counts[bucket] = limit
            }
        }
        return Dictionary(grouping: changed.compactMap { rows[$0] }, by: \.bucket).mapValues { $0.map(\.row) }
    }
}
