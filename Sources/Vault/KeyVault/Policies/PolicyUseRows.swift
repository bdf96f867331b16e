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
    mutating func visit(_ row: borrowing SQLiteRow) throws(VaultError) {
        guard let name = row.text(1), let value = row.blob(2) else { throw .damaged(.counters) }
        try visit(name, value)
    }

    mutating func visit(_ name: String, _ value: [UInt8]) throws(VaultError) {
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

    /// - Returns: what all rows have.
    /// - Throws: `damaged(.row(.counters))` for parts without times.
    func complete() throws(VaultError) -> PolicyUses {
        guard uses.times != nil || uses.parts.isEmpty else { throw .damaged(.counters) }
        return uses
    }
}
