/// Bytes of a vault's file that no row uses: free pages, pages of no table, the bytes between the
/// cells of a page, and the rest of the last page of a long row. SQLite never reads them, and
/// `integrity_check` does not look at them. A rescue does, because the tables may be damaged.
///
/// SQLite's `secure_delete` overwrites removed rows with zeros. But when it divides the rows of a
/// page between two pages, copies of rows may stay between the cells of pages of the same table.
struct UnusedBytes {
    /// Rows in unused bytes.
    struct Rows: Equatable {
        /// Slots, rows of `vault`, and entries outside of the pages of the entries. SQLite leaves
        /// none there, so someone else wrote them.
        var plantedCount = 0
        /// Entries between the cells of pages of the entries. SQLite may have left them there.
        var leftCount = 0
    }

    private enum Use: Equatable {
        /// A free page, or one of no table.
        case none
        case tree(isEntries: Bool)
        /// A page that is used up to this offset: of a long row, or of the list of free pages.
        case part(Int)
    }

    private let connection: SQLiteConnection
    private var uses: [Use]

    private static let pageSize = VaultFormat.pageSize
    private static let maximumDepth = 12

    /// Follows the trees of all tables. Pages of malformed trees count as unused; `integrity_check`
    /// reports them.
    /// - Parameter connection: in a transaction, or a vault in memory.
    init(in connection: SQLiteConnection) throws(VaultError) {
        self.connection = connection
        uses = [Use](repeating: .none, count: Int(try connection.fileSize() / Int64(Self.pageSize)))
        var roots: [(page: Int, isEntries: Bool)] = [(1, false)]
        try connection.query("SELECT name, rootpage FROM sqlite_schema") { row throws(VaultError) in
            guard let root = row.integer(1).flatMap({ Int(exactly: $0) }) else { return }
            roots.append((root, row.text(0) == "entries"))
        }
        try followFreePages()
        for root in roots { try follow(root.page, isEntries: root.isEntries, depth: 0) }
    }

    /// Takes a page for a use; nil when it does not exist or is used already.
    private mutating func take(_ number: Int, for use: Use) throws(VaultError) -> [UInt8]? {
        guard number >= 1, number <= uses.count, uses[number - 1] == .none else { return nil }
        uses[number - 1] = use
        return try connection.page(number)
    }

    /// The list of free pages has trunk pages: the next one, a count, and page numbers.
    private mutating func followFreePages() throws(VaultError) {
        guard !uses.isEmpty else { return }
        var next: Int = try connection.page(1).bigEndian(at: 32)
        while let page = try take(next, for: .part(8)) {
            let count: Int = page.bigEndian(at: 4)
            uses[next - 1] = .part(min(8 + 4 * count, Self.pageSize))
            next = page.bigEndian(at: 0)
        }
    }

    private mutating func follow(_ number: Int, isEntries: Bool, depth: Int) throws(VaultError) {
        guard depth < Self.maximumDepth, let page = try take(number, for: .tree(isEntries: isEntries)),
            let layout = PageLayout(of: page, number: number)
        else { return }
        for row in layout.longRows {
            var (next, left) = (row.page, row.count)
            while left > 0, let overflow = try take(next, for: .part(4 + min(left, Self.pageSize - 4))) {
                next = overflow.bigEndian(at: 0)
                left -= Self.pageSize - 4
            }
        }
        for child in layout.children { try follow(child, isEntries: isEntries, depth: depth + 1) }
    }

    /// The unused ranges of a page, ascending. A malformed page has none.
    private func ranges(of page: [UInt8], number: Int) -> [Range<Int>] {
        switch uses[number - 1] {
        case .none: [0..<page.count]
        case .part(let end): [min(end, page.count)..<page.count]
        case .tree: PageLayout(of: page, number: number)?.unused ?? []
        }
    }

    /// Visits each page that has a byte other than zero in its unused ranges.
    private func visit(_ body: (Int, [UInt8], [Range<Int>]) throws(VaultError) -> Void) throws(VaultError) {
        for number in 1..<(uses.count + 1) {
            let page = try connection.page(number)
            let unused = ranges(of: page, number: number).filter { range in page[range].contains { $0 != 0 } }
            if !unused.isEmpty { try body(number, page, unused) }
        }
    }

    /// The rows that begin in unused bytes.
    func rows() throws(VaultError) -> Rows {
        var rows = Rows()
        try visit { number, page, unused throws(VaultError) in
            let mayHaveEntries = uses[number - 1] == .tree(isEntries: true)
            // A row may continue in the next page.
            let bytes = number < uses.count ? page + (try connection.page(number + 1)) : page
            for range in unused {
                let scan = ScannedBytes(Array(bytes[range.lowerBound...]), startCount: range.count)
                scan.visitSlots { _, _ in rows.plantedCount += 1 }
                scan.visitVaultRows { _, _ in rows.plantedCount += 1 }
                scan.visitEntries { entry, _ in
                    guard case .row = entry else { return 0 }
                    if mayHaveEntries { rows.leftCount += 1 } else { rows.plantedCount += 1 }
                    return 0
                }
            }
        }
        return rows
    }

    /// Puts zeros into the unused bytes of a vault's file. Each row stays where it is.
    /// - Returns: the rows that were in unused bytes.
    @discardableResult
    static func clear(_ image: inout [UInt8]) throws(VaultError) -> Rows {
        let unused = try UnusedBytes(in: SQLiteConnection(image: image))
        let rows = try unused.rows()
        try unused.visit { number, page, ranges throws(VaultError) in
            let start = (number - 1) * pageSize
            let links =
                unused.uses[number - 1] == .none ? [] : PageLayout.freeBlocks(of: page, number: number)
            for range in ranges {
                for offset in range where !links.contains(where: { $0.contains(offset) }) {
                    image[start + offset] = 0
                }
            }
        }
        return rows
    }
}

extension SQLiteConnection {
    /// A page as it is in the file.
    func page(_ number: Int) throws(VaultError) -> [UInt8] {
        try bytes(VaultFormat.pageSize, at: Int64(number - 1) * Int64(VaultFormat.pageSize))
    }
}
