import Signing

/// The rows of the payment history. A rescue does not recover them: the new vault has signed
/// nothing.
struct HistoryContent: TableContent {
    static let table = VaultTable.counters

    /// Only the last row: a history may be larger than the memory that a check should take.
    private var history: [HistoryRow] = []

    var rows: [any TableRow] { history }

    mutating func visit(_ row: borrowing some RowColumns & ~Copyable) throws(VaultError) {
        if let row = try HistoryRow.read(row) { history = [row] }
    }
}

/// A sequence of rows of the payment history, as it is read and written.
struct HistoryRows {
    let sequence: HistoryRow.Sequence
    private(set) var rows: [HistoryRow] = []
    /// The rows before this index were not changed.
    private var firstChanged = Int.max
    private(set) var removed: [String] = []

    init(_ sequence: HistoryRow.Sequence) { self.sequence = sequence }

    /// Takes a row of the bucket. Rows of other sequences are ignored.
    /// - Throws: `damaged(.row(.counters))` for a row that no writer produces, or a gap.
    mutating func visit(_ row: borrowing SQLiteRow) throws(VaultError) {
        guard let name = row.text(1), name.hasPrefix(sequence.prefix), let next = try HistoryRow.read(row)
        else {
            return
        }
        if let last = rows.last {
            guard last.number < .max, next.number == last.number + 1 else { throw .damaged(.counters) }
        }
        rows.append(next)
    }

    /// Adds the records that the sequence does not have yet.
    mutating func add(_ records: [HistoryRow.Record]) throws(VaultError) {
        // A few are found faster by comparing bytes.
        guard records.count > 8 else {
            for record in records where !rows.contains(where: { $0.contains(record) }) { try add(record) }
            return
        }
        var known: [Fingerprint: [PaymentHistory.Signature?]] = [:]
        let added = Set(records.map(\.fingerprint))
        for row in rows {
            for record in row.records where added.contains(record.fingerprint) {
                known[record.fingerprint, default: []].append(record.signature)
            }
        }
        for record in records {
            let isKnown = known[record.fingerprint]?.contains { signature in
                signature?.key == record.signature?.key
                    && signature?.transaction == record.signature?.transaction
            }
            guard isKnown != true else { continue }
            try add(record)
            known[record.fingerprint, default: []].append(record.signature)
        }
    }

    private mutating func add(_ record: HistoryRow.Record) throws(VaultError) {
        if let last = rows.indices.last, rows[last].append(record) {
            firstChanged = min(firstChanged, last)
            return
        }
        let number = rows.last.map { $0.number } ?? 0
        guard number < .max else { throw .damaged(.counters) }
        var row = HistoryRow(sequence, number: rows.isEmpty ? 0 : number + 1)
        _ = row.append(record)
        rows.append(row)
        firstChanged = min(firstChanged, rows.count - 1)
    }

    /// Removes the oldest rows that need not be kept.
    /// - Parameter now: seconds since 1970.
    mutating func removeOldest(at now: Int64) {
        var count = 0
        while rows.count - count > sequence.kind.keptRowCount,
            rows.count - count > HistoryRow.maximumRowCount
                || rows[count].newest < now - HistoryRow.keptSeconds
        { count += 1 }
        removed += rows.prefix(count).map(\.rowName)
        rows.removeFirst(count)
        firstChanged = firstChanged == .max ? .max : max(0, firstChanged - count)
    }

    /// Bytes, some.
    var size: Int { rows.reduce(0) { $0 + $1.size } }

    /// The changes were written.
    mutating func endChanges() { (firstChanged, removed) = (.max, []) }

    /// The rows to write.
    var written: ArraySlice<HistoryRow> { firstChanged == .max ? [] : rows[firstChanged...] }
}
