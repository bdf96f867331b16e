/// The version of a symbol, 1 to 40. It gives the size (ISO/IEC 18004:2015, 5.3.1).
package struct QRVersion: Comparable, Hashable, Sendable {
    package let number: Int

    package init(_ number: Int) throws(QRError) {
        guard (1...40).contains(number) else { throw .versionOutOfRange(number) }
        self.number = number
    }

    private init(known number: Int) { self.number = number }

    package static let smallest = QRVersion(known: 1)
    package static let largest = QRVersion(known: 40)

    /// All versions, from the smallest.
    package static let all = (1...40).map(QRVersion.init(known:))

    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }

    /// Modules per side, without the quiet zone.
    package var size: Int { 17 + 4 * number }

    /// The versions in which the counts of characters have the same numbers of bits (table 3).
    static let groups = [all[..<9], all[9..<26], all[26...]]

    /// The centres of the alignment patterns, in both directions (annex E).
    var alignmentCentres: [Int] {
        guard number > 1 else { return [] }
        let count = number / 7 + 2
        // The distances are equal and even, except for the first one, which is smaller.
        let step = (number * 8 + count * 3 + 5) / (count * 4 - 4) * 2
        return [6] + (0..<(count - 1)).reversed().map { size - 7 - $0 * step }
    }

    /// All codewords of a symbol: the data codewords and the error correction codewords (table 1).
    /// The modules that are left, at most 7, are remainder bits.
    var codewordCount: Int {
        let centres = alignmentCentres.count
        // Three finder patterns with separators and format information, the dark module, and the
        // timing patterns.
        var modules = size * size - 3 * 64 - 31 - 2 * (size - 16)
        if centres > 0 {
            // Patterns in row 6 or column 6 share 5 modules with the timing pattern. Three of the
            // positions are inside the finder patterns.
            modules -= 25 * (centres * centres - 3) - 2 * 5 * (centres - 2)
        }
        if number >= 7 { modules -= 2 * 18 }
        return modules / 8
    }

    /// The codewords of data at this level.
    func dataCount(_ level: QRLevel) -> Int { QRBlocks(self, level).dataCounts.reduce(0, +) }

    /// The most characters of one segment in this mode: table 7.
    package func capacity(_ mode: QRMode, _ level: QRLevel) -> Int {
        mode.characters(in: dataCount(level) * 8 - mode.headerBits(self))
    }
}
