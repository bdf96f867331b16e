/// Which bytes of a page of a table are used (https://sqlite.org/fileformat2.html#b_tree_pages).
struct PageLayout {
    /// The first page below each cell of an interior page.
    private(set) var children: [Int] = []
    /// For each row that continues in other pages: the first of them, and the number of bytes in
    /// them.
    private(set) var longRows: [(page: Int, count: Int)] = []
    /// The ranges that are not the header, a cell or its pointer, ascending.
    private(set) var unused: [Range<Int>] = []

    private static let pageSize = VaultFormat.pageSize

    /// - Parameter number: page 1 begins with the header of the file.
    /// - Returns: nil for a page that is not one of a table, or whose cells overlap.
    init?(of page: [UInt8], number: Int) {
        let start = Self.start(number)
        guard page.count == Self.pageSize, let kind = PageTree.Kind(rawValue: page[start]) else { return nil }
        let count: Int = page.bigEndian(at: start + 3, count: 2)
        let headerEnd = start + kind.headerCount + 2 * count
        guard headerEnd <= page.count else { return nil }
        var used = [0..<headerEnd]
        for index in 0..<count {
            let offset: Int = page.bigEndian(at: start + kind.headerCount + 2 * index, count: 2)
            guard let end = readCell(of: page, at: offset, kind) else { return nil }
            used.append(offset..<end)
        }
        if kind.isBranch { children.append(page.bigEndian(at: start + 8)) }
        used.sort { $0.lowerBound < $1.lowerBound }
        var cursor = 0
        for range in used {
            guard cursor <= range.lowerBound else { return nil }
            if cursor < range.lowerBound { unused.append(cursor..<range.lowerBound) }
            cursor = range.upperBound
        }
        if cursor < page.count { unused.append(cursor..<page.count) }
    }

    /// - Returns: the end of the cell; nil when it passes the end of the page.
    private mutating func readCell(of page: [UInt8], at offset: Int, _ kind: PageTree.Kind) -> Int? {
        var cursor = offset
        if kind.isBranch {
            guard cursor + 4 <= page.count else { return nil }
            children.append(page.bigEndian(at: cursor))
            cursor += 4
        }
        var count: Int64 = 0
        if kind.hasRows {
            guard let value = PageTree.varint(page, &cursor), value >= 0,
                value <= Int64(VaultFormat.maximumFileSize)
            else { return nil }
            count = value
        }
        if kind.hasNumber { guard PageTree.varint(page, &cursor) != nil else { return nil } }
        let localCount = kind.localCount(of: Int(count))
        let end = cursor + localCount + (localCount < Int(count) ? 4 : 0)
        guard end <= page.count else { return nil }
        if localCount < Int(count) {
            longRows.append((page.bigEndian(at: cursor + localCount), Int(count) - localCount))
        }
        // A cell takes at least four bytes.
        return min(max(end, offset + 4), page.count)
    }

    /// The first four bytes of each free block: the offset of the next one, and the length.
    static func freeBlocks(of page: [UInt8], number: Int) -> [Range<Int>] {
        let start = start(number)
        guard page.count == pageSize, PageTree.Kind(rawValue: page[start]) != nil else { return [] }
        var blocks: [Range<Int>] = []
        var next: Int = page.bigEndian(at: start + 1, count: 2)
        // The blocks are in ascending order.
        while next > blocks.last?.lowerBound ?? 0, next + 4 <= page.count {
            blocks.append(next..<(next + 4))
            next = page.bigEndian(at: next, count: 2)
        }
        return blocks
    }

    private static func start(_ number: Int) -> Int { number == 1 ? 100 : 0 }
}
