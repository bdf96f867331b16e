/// Characters of a symbol that are written in one mode.
package struct QRSegment: Equatable, Sendable {
    /// The most characters of any symbol: digits in version 40 at level L (ISO/IEC 18004:2015,
    /// table 7).
    package static let maximumCount = 7089

    package let mode: QRMode
    package let characters: [UInt8]
    private let values: [Int]

    package init(_ mode: QRMode, _ characters: [UInt8]) throws(QRError) {
        guard !characters.isEmpty else { throw .noData }
        guard characters.count <= Self.maximumCount else {
            throw .tooManyBytes(count: characters.count, limit: Self.maximumCount)
        }
        self.mode = mode
        self.characters = characters
        values = try characters.enumerated().map { offset, character throws(QRError) in
            guard let value = mode.value(character) else { throw .notInMode(mode, offset: offset) }
            return value
        }
    }

    func bitCount(_ version: QRVersion) -> Int { mode.headerBits(version) + mode.bits(values.count) }

    /// Appends the header and the characters.
    func write(to bits: inout QRBits, _ version: QRVersion) {
        let (group, base) = (mode.numbers.group, mode.numbers.base)
        bits.append(mode.numbers.indicator, count: 4)
        bits.append(values.count, count: mode.countBits(version))
        for start in stride(from: 0, to: values.count, by: group) {
            let digits = values[start..<min(start + group, values.count)]
            bits.append(digits.reduce(0) { $0 * base + $1 }, count: mode.bits(digits.count))
        }
    }
}
