/// The tables of a damaged vault, read page by page along SQLite's B-trees without SQLite
/// (https://sqlite.org/fileformat2.html#b_tree_pages). A tree proves nothing: the caller compares
/// its rows with digests.
///
/// Every page is read at most once, and the rows of a page have at most the size of the page. This
/// also holds for a crafted file, so the file's length bounds the work. A malformed page costs only
/// the rows below it.
struct PageTree {
    private static let pageSize = VaultFormat.pageSize
    /// A tree of 1 GiB has four levels.
    private static let maximumDepth = 12
    /// The most bytes of a row that is followed into overflow pages, in a table that declares
    /// nothing else. The digests of one table have 8,192 bytes. Rows of keys and labels, and
    /// records of the log, are shorter.
    static let usualRowSize = 16_384

    private let pageCount: Int
    private var isRead: [Bool]
    /// The number of bytes of pages that were read. It determines the time of a walk.
    private(set) var readCount = 0

    init(of pages: VaultPages) {
        pageCount = pages.count
        isRead = [Bool](repeating: false, count: pageCount + 1)
    }

    /// One row of a table.
    struct Row {
        /// The row's number; nil in a table whose rows have their own key.
        let number: Int64?
        let record: ScannedRecord
        /// The bytes that the ranges of the record refer to.
        let bytes: [UInt8]
    }

    /// Visits the rows of a declared table.
    mutating func walk<Failure: Error>(
        _ table: VaultTable, _ roots: TableRoots, of pages: VaultPages, _ visit: (Row) throws(Failure) -> Void
    ) throws(Failure) {
        try walk(
            roots[table], of: pages, columnCount: table.columnCount, maximum: table.maximumRowSize, visit)
    }

    enum Kind: UInt8 {
        case keyBranch = 2
        case numberBranch = 5
        case keyLeaf = 10
        case numberLeaf = 13

        var isBranch: Bool { self == .keyBranch || self == .numberBranch }
        var hasNumber: Bool { self == .numberBranch || self == .numberLeaf }
        /// True if the cells of the page contain rows. The interior pages of a table with row
        /// numbers contain only numbers.
        var hasRows: Bool { self != .numberBranch }
        var headerCount: Int { isBranch ? 12 : 8 }
        /// The most bytes of a row that are on the page itself.
        private var maximumLocalCount: Int { self == .numberLeaf ? 4_061 : 1_002 }

        /// How many of the bytes of a row are on the page itself. The others are in overflow pages.
        func localCount(of count: Int) -> Int {
            guard count > maximumLocalCount else { return count }
            let minimum = (pageSize - 12) * 32 / 255 - 23
            let localCount = minimum + (count - minimum) % (pageSize - 4)
            return localCount > maximumLocalCount ? minimum : localCount
        }
    }

    /// Allows each page to be read once more.
    mutating func forget() {
        isRead = [Bool](repeating: false, count: pageCount + 1)
    }

    /// Visits the rows of the tree whose first page is `root`, in their order.
    /// - Parameter columnCount: the number of columns of a row; other rows are skipped.
    /// - Parameter maximum: the most bytes of a row; longer rows are skipped.
    mutating func walk<Failure: Error>(
        _ root: Int, of pages: VaultPages, columnCount: Int, maximum: Int = usualRowSize,
        _ visit: (Row) throws(Failure) -> Void
    ) throws(Failure) {
        try walk(root, pages, Shape(columnCount: columnCount, maximum: maximum), depth: 0, visit)
    }

    /// The rows of a table.
    private struct Shape {
        let columnCount: Int
        /// The most bytes of a row.
        let maximum: Int
    }

    private mutating func walk<Failure: Error>(
        _ number: Int, _ pages: VaultPages, _ shape: Shape, depth: Int, _ visit: (Row) throws(Failure) -> Void
    ) throws(Failure) {
        guard depth < Self.maximumDepth, let page = page(number, of: pages) else { return }
        let start = number == 1 ? 100 : 0
        guard let kind = Kind(rawValue: page[start]) else { return }
        let cellCount: Int = page.bigEndian(at: start + 3, count: 2)
        guard start + kind.headerCount + 2 * cellCount <= page.count else { return }
        // The cells of an intact page do not overlap, so together they are no longer than the page.
        var left = Self.pageSize
        for cell in 0..<cellCount {
            var offset: Int = page.bigEndian(at: start + kind.headerCount + 2 * cell, count: 2)
            if kind.isBranch {
                guard offset + 4 <= page.count else { continue }
                try walk(page.bigEndian(at: offset), pages, shape, depth: depth + 1, visit)
                offset += 4
            }
            if kind.hasRows, let row = row(in: page, at: offset, kind, shape, pages, &left) { try visit(row) }
        }
        if kind.isBranch { try walk(page.bigEndian(at: start + 8), pages, shape, depth: depth + 1, visit) }
    }

    /// The row of a cell; nil when the cell is not a row with this number of columns.
    /// - Parameter left: the number of bytes that the page's other rows leave for this row.
    private mutating func row(
        in page: [UInt8], at offset: Int, _ kind: Kind, _ shape: Shape, _ pages: VaultPages, _ left: inout Int
    ) -> Row? {
        var cursor = offset
        guard let count = Self.varint(page, &cursor), count > 0, count <= shape.maximum else { return nil }
        var number: Int64?
        if kind.hasNumber {
            guard let value = Self.varint(page, &cursor) else { return nil }
            number = value
        }
        guard let bytes = content(of: page, cursor, Int(count), kind, pages, &left),
            let record = ScannedRecord(in: bytes, at: 0, columnCount: shape.columnCount),
            record.range.upperBound == bytes.count
        else { return nil }
        return Row(number: number, record: record, bytes: bytes)
    }

    /// The bytes of a row, including bytes in overflow pages.
    private mutating func content(
        of page: [UInt8], _ start: Int, _ count: Int, _ kind: Kind, _ pages: VaultPages, _ left: inout Int
    ) -> [UInt8]? {
        let usable = Self.pageSize - 4
        let localCount = kind.localCount(of: count)
        guard start + localCount + (localCount < count ? 4 : 0) <= page.count, localCount <= left else {
            return nil
        }
        left -= localCount
        var bytes = Array(page[start..<(start + localCount)])
        var next = localCount < count ? page.bigEndian(at: start + localCount) : 0
        while bytes.count < count {
            guard let overflow = self.page(next, of: pages) else { return nil }
            bytes += overflow[4..<(4 + min(usable, count - bytes.count))]
            next = overflow.bigEndian(at: 0)
        }
        return bytes
    }

    /// Reads a page; nil when the page was read before or does not exist.
    private mutating func page(_ number: Int, of pages: VaultPages) -> [UInt8]? {
        guard number >= 1, number <= pageCount, !isRead[number] else { return nil }
        isRead[number] = true
        readCount += Self.pageSize
        return pages.page(number)
    }

    /// SQLite's integer of 1 to 9 bytes; nil when the page ends inside it.
    static func varint(_ bytes: [UInt8], _ cursor: inout Int) -> Int64? {
        var value: Int64 = 0
        for index in 0..<9 {
            guard cursor < bytes.count else { return nil }
            let byte = bytes[cursor]
            cursor += 1
            if index == 8 { return value << 8 | Int64(byte) }
            value = value << 7 | Int64(byte & 0x7f)
            if byte < 0x80 { return value }
        }
        return nil
    }
}

/// A row of a table with row numbers has NULL in the column of the number.
extension PageTree.Row: RowColumns {
    func integer(_ column: Int32) -> Int64? {
        let number = column == 0 && record.isNull(0) ? number : nil
        return number ?? record.integer(Int(column))
    }

    func text(_ column: Int32) -> String? { record.text(Int(column), in: bytes) }
    func blob(_ column: Int32) -> [UInt8]? { record.blob(Int(column), in: bytes) }
    func isNull(_ column: Int32) -> Bool { record.isNull(Int(column)) }
}
