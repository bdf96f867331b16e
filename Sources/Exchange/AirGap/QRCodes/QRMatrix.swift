/// The modules of a symbol while they are placed (ISO/IEC 18004:2015, 6.3, 7.7 to 7.10).
struct QRMatrix {
    let version: QRVersion
    let size: Int
    /// In rows from the top; true is dark.
    private(set) var modules: [Bool]
    /// Modules of patterns and information. Data is elsewhere, and masks do not change these.
    private var isFunction: [Bool]

    /// All function patterns. The format information is light, and reserved.
    init(_ version: QRVersion) {
        self.version = version
        size = version.size
        modules = Array(repeating: false, count: size * size)
        isFunction = modules
        placeTimingPatterns()
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { placeFinderPattern(row, column) }
        placeAlignmentPatterns()
        placeVersion()
        for copy in Self.formatModules(size) {
            for (row, column) in copy { setFunction(row, column, false) }
        }
        setFunction(size - 8, 8, true)
    }

    private mutating func setFunction(_ row: Int, _ column: Int, _ isDark: Bool) {
        modules[row * size + column] = isDark
        isFunction[row * size + column] = true
    }

    // MARK: - patterns

    private mutating func placeTimingPatterns() {
        for index in 0..<size {
            setFunction(6, index, index % 2 == 0)
            setFunction(index, 6, index % 2 == 0)
        }
    }

    /// A finder pattern with its separator, around this centre.
    private mutating func placeFinderPattern(_ row: Int, _ column: Int) {
        for y in max(0, row - 4)...min(size - 1, row + 4) {
            for x in max(0, column - 4)...min(size - 1, column + 4) {
                let ring = max(abs(y - row), abs(x - column))
                setFunction(y, x, ring != 2 && ring != 4)
            }
        }
    }

    private mutating func placeAlignmentPatterns() {
        let centres = version.alignmentCentres
        guard let first = centres.first, let last = centres.last else { return }
        for row in centres {
            for column in centres {
                // These positions are inside the finder patterns.
                if (row, column) == (first, first) || (row, column) == (first, last)
                    || (row, column) == (last, first)
                {
                    continue
                }
                for y in -2...2 {
                    for x in -2...2 { setFunction(row + y, column + x, max(abs(y), abs(x)) != 1) }
                }
            }
        }
    }

    /// Version information in versions 7 and larger: the number with 12 bits of a BCH code (7.10).
    private mutating func placeVersion() {
        guard version.number >= 7 else { return }
        let bits = version.number << 12 | Self.remainder(version.number, generator: 0x1f25, degree: 12)
        for index in 0..<18 {
            let isDark = bits >> index & 1 == 1
            setFunction(index / 3, size - 11 + index % 3, isDark)
            setFunction(size - 11 + index % 3, index / 3, isDark)
        }
    }

    /// The remainder of value · x^degree, divided by a generator with coefficients in GF(2).
    private static func remainder(_ value: Int, generator: Int, degree: Int) -> Int {
        var remainder = value
        for _ in 0..<degree { remainder = remainder << 1 ^ (remainder >> (degree - 1) & 1) * generator }
        return remainder
    }

    // MARK: - data

    /// Places the codewords in columns of two modules, from the right, up and down in turn (7.7.3).
    mutating func place(_ codewords: [UInt8]) {
        var bit = 0
        // Column 6 has the timing pattern.
        let columns = Array(stride(from: size - 1, through: 8, by: -2)) + [5, 3, 1]
        for (index, right) in columns.enumerated() {
            for step in 0..<size {
                let row = index % 2 == 0 ? size - 1 - step : step
                for column in [right, right - 1]
                where !isFunction[row * size + column] && bit < codewords.count * 8 {
                    modules[row * size + column] = codewords[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1
                    bit += 1
                }
            }
        }
    }

    /// The symbol with this mask and its format information.
    func masked(_ mask: QRMask, _ level: QRLevel) -> QRMatrix {
        var copy = self
        for row in 0..<size {
            for column in 0..<size
            where !isFunction[row * size + column] && mask.inverts(row: row, column: column) {
                copy.modules[row * size + column].toggle()
            }
        }
        let data = level.formatBits << 3 | mask.number
        let bits = (data << 10 | Self.remainder(data, generator: 0x537, degree: 10)) ^ 0x5412
        for modules in Self.formatModules(size) {
            for (index, module) in modules.enumerated() {
                copy.setFunction(module.row, module.column, bits >> index & 1 == 1)
            }
        }
        return copy
    }

    /// The modules of the two copies of the format information, from the lowest bit (figure 25).
    private static func formatModules(_ size: Int) -> [[(row: Int, column: Int)]] {
        let first =
            (0...5).map { (row: $0, column: 8) } + [(7, 8), (8, 8), (8, 7)]
            + (0...5).reversed().map { (row: 8, column: $0) }
        let second =
            (1...8).map { (row: 8, column: size - $0) }
            + (1...7).reversed().map { (row: size - $0, column: 8) }
        return [first, second]
    }
}
