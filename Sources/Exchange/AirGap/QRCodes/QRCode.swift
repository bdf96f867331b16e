/// A QR code, Model 2 (ISO/IEC 18004:2015): a square of dark and light modules.
package struct QRCode: Equatable, Sendable {
    /// The modules of the quiet zone on each side (5.3.8).
    package static let quietZone = 4

    package let version: QRVersion
    package let level: QRLevel
    package let mask: QRMask
    /// In rows from the top; true is dark.
    private let modules: [Bool]

    /// Modules per side, without the quiet zone.
    package var size: Int { version.size }

    /// True if a module is dark. Modules outside the symbol are light.
    package subscript(row: Int, column: Int) -> Bool {
        let range = 0..<size
        return range.contains(row) && range.contains(column) && modules[row * size + column]
    }

    /// Encodes bytes in the smallest version that holds them.
    ///
    /// The bytes are divided into segments with the fewest bits. The level is raised as far as the
    /// version allows.
    /// - Parameters:
    ///   - level: the lowest level of error correction.
    ///   - versions: the smallest and the largest version that may be used.
    /// - Throws: `noData`, `tooManyBytes`, `tooLong`.
    package init(
        _ bytes: [UInt8], level: QRLevel = .low, versions: ClosedRange<QRVersion> = .smallest ... .largest
    ) throws(QRError) {
        guard !bytes.isEmpty else { throw .noData }
        guard bytes.count <= QRSegment.maximumCount else {
            throw .tooManyBytes(count: bytes.count, limit: QRSegment.maximumCount)
        }
        var needed = 0
        for group in QRVersion.groups {
            let allowed = group.filter(versions.contains)
            guard let last = allowed.last else { continue }
            let segments = try QRSegmentation.segments(bytes, last)
            needed = Self.bitCount(segments, last)
            guard let version = allowed.first(where: { needed <= $0.dataCount(level) * 8 }) else { continue }
            let highest = QRLevel.allCases.last { needed <= version.dataCount($0) * 8 } ?? level
            self.init(segments, version, highest, mask: nil)
            return
        }
        let largest = versions.upperBound
        throw .tooLong(bits: needed, limit: largest.dataCount(level) * 8, version: largest, level: level)
    }

    /// Encodes one segment in exactly this version and level, with this mask.
    /// - Throws: `tooLong`.
    package init(_ segment: QRSegment, version: QRVersion, level: QRLevel, mask: QRMask) throws(QRError) {
        let (needed, limit) = (Self.bitCount([segment], version), version.dataCount(level) * 8)
        guard needed <= limit else {
            throw .tooLong(bits: needed, limit: limit, version: version, level: level)
        }
        self.init([segment], version, level, mask: mask)
    }

    private static func bitCount(_ segments: [QRSegment], _ version: QRVersion) -> Int {
        segments.reduce(0) { $0 + $1.bitCount(version) }
    }

    /// The segments fit the version. Without a mask, the one with the lowest penalty is used.
    private init(_ segments: [QRSegment], _ version: QRVersion, _ level: QRLevel, mask: QRMask?) {
        var bits = QRBits()
        for segment in segments { segment.write(to: &bits, version) }
        bits.finish(dataCount: version.dataCount(level))
        var matrix = QRMatrix(version)
        matrix.place(QRBlocks(version, level).interleaved(bits.codewords))
        let mask = mask ?? matrix.bestMask(level)
        self.version = version
        self.level = level
        self.mask = mask
        modules = matrix.masked(mask, level).modules
    }
}
