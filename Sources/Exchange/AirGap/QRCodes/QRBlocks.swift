/// The blocks of a symbol. Errors are corrected in each block separately (ISO/IEC 18004:2015,
/// table 9).
package struct QRBlocks: Sendable {
    /// The codewords of data in each block. The last blocks may have one more than the first.
    package let dataCounts: [Int]
    /// The codewords that correct errors, in each block.
    package let checkCount: Int

    package init(_ version: QRVersion, _ level: QRLevel) {
        let index = version.number - 1
        let blocks = Self.blockCounts[level, default: []][index]
        let checks = Self.checkCounts[level, default: []][index]
        let (length, longer) = version.codewordCount.quotientAndRemainder(dividingBy: blocks)
        dataCounts = (0..<blocks).map { length - checks + ($0 >= blocks - longer ? 1 : 0) }
        checkCount = checks
    }

    /// Adds the check codewords, and takes codewords of all blocks in turn (7.6).
    func interleaved(_ data: [UInt8]) -> [UInt8] {
        let generator = ReedSolomon(checkCount: checkCount)
        var blocks: [ArraySlice<UInt8>] = []
        var rest = data[...]
        for count in dataCounts {
            blocks.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        let checks = blocks.map(generator.checks)
        return Self.inTurn(blocks) + Self.inTurn(checks.map { $0[...] })
    }

    private static func inTurn(_ blocks: [ArraySlice<UInt8>]) -> [UInt8] {
        (0..<(blocks.map(\.count).max() ?? 0)).flatMap { index in
            blocks.compactMap { index < $0.count ? $0[$0.startIndex + index] : nil }
        }
    }

    // MARK: - table 9, versions 1 to 40

    private static let checkCounts: [QRLevel: [Int]] = [
        .low: [
            7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28,
            28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
        ],
        .medium: [
            10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
            26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
        ],
        .quartile: [
            13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30,
            28, 30, 30, 30, 30, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
        ],
        .high: [
            17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28,
            30, 24, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
        ],
    ]

    private static let blockCounts: [QRLevel: [Int]] = [
        .low: [
            1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8,
            8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25,
        ],
        .medium: [
            1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16,
            17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
        ],
        .quartile: [
            1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20,
            23, 23, 25, 27, 29, 34, 34, 35, 38, 40, 43, 45, 48, 51, 53, 56, 59, 62, 65, 68,
        ],
        .high: [
            1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25,
            25, 34, 30, 32, 35, 37, 40, 42, 45, 48, 51, 54, 57, 60, 63, 66, 70, 74, 77, 81,
        ],
    ]
}
