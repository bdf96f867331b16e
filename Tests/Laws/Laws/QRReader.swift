import AirGap

/// Reads the modules of a QR code without errors in them, strictly: both copies of the format and
/// version information, the check codewords, the segments and the padding.
///
/// It finds all from the modules, except the division into blocks.
package struct QRReader {
    package struct Malformed: Error {
        let part: String
    }

    package private(set) var bytes: [UInt8] = []
    private let code: QRCode
    private let number: Int
    private let size: Int

    package init(_ code: QRCode) throws {
        self.code = code
        size = code.size
        number = (size - 17) / 4
        let format = try format()
        guard let level = [1: QRLevel.low, 0: .medium, 3: .quartile, 2: .high][format >> 3] else {
            throw Malformed(part: "level")
        }
        try checkVersion()
        let data = try data(codewords(mask: format & 7), QRBlocks(QRVersion(number), level))
        try readSegments(data)
    }

    private func value(_ modules: [(Int, Int)]) -> Int {
        modules.reduce(0) { $0 << 1 | (code[$1.0, $1.1] ? 1 : 0) }
    }

    /// Whether a polynomial over GF(2) is a multiple of the generator.
    private func isMultiple(_ value: Int, _ generator: Int) -> Bool {
        var rest = value
        while rest.leadingZeroBitCount <= generator.leadingZeroBitCount {
            rest ^= generator << (generator.leadingZeroBitCount - rest.leadingZeroBitCount)
        }
        return rest == 0
    }

    private func format() throws -> Int {
        let first =
            [0, 1, 2, 3, 4, 5, 7, 8].map { (8, $0) } + [7, 5, 4, 3, 2, 1, 0].map { ($0, 8) }
        let second = (1...7).map { (size - $0, 8) } + (0...7).map { (8, size - 8 + $0) }
        let bits = value(first)
        guard bits == value(second), code[size - 8, 8] else { throw Malformed(part: "format copies") }
        guard isMultiple(bits ^ 0x5412, 0x537) else { throw Malformed(part: "format") }
        return (bits ^ 0x5412) >> 10
    }

    private func checkVersion() throws {
        guard number >= 7 else { return }
        let places = (0..<18).reversed().map { ($0 / 3, size - 11 + $0 % 3) }
        let bits = value(places)
        guard bits == value(places.map { ($0.1, $0.0) }), isMultiple(bits, 0x1f25), bits >> 12 == number
        else {
            throw Malformed(part: "version")
        }
    }

    // MARK: - codewords

    private var centres: [Int] {
        guard number > 1 else { return [] }
        let count = number / 7 + 2
        let step = number == 32 ? 26 : (number * 4 + count * 2 + 1) / (count * 2 - 2) * 2
        return [6] + (1..<count).map { size - 7 - (count - 1 - $0) * step }
    }

    private func isFunction(_ row: Int, _ column: Int, _ centres: [Int]) -> Bool {
        if row == 6 || column == 6 { return true }
        if row < 9 && (column < 9 || column >= size - 8) || row >= size - 8 && column < 9 { return true }
        if number >= 7, row < 6 && column >= size - 11 || column < 6 && row >= size - 11 { return true }
        guard let y = centres.first(where: { abs($0 - row) <= 2 }),
            let x = centres.first(where: { abs($0 - column) <= 2 })
        else { return false }
        let last = size - 7
        return !((y == 6 && (x == 6 || x == last)) || (y == last && x == 6))
    }

    private func inverts(_ mask: Int, _ i: Int, _ j: Int) -> Bool {
        let values = [
            (i + j) % 2, i % 2, j % 3, (i + j) % 3, (i / 2 + j / 3) % 2, (i * j) % 2 + (i * j) % 3,
            ((i * j) % 2 + (i * j) % 3) % 2, ((i + j) % 2 + (i * j) % 3) % 2,
        ]
        return values[mask] == 0
    }

    private func codewords(mask: Int) -> [UInt8] {
        let centres = centres
        var bits: [UInt8] = []
        var upward = true
        var column = size - 1
        while column > 0 {
            if column == 6 { column = 5 }
            for step in 0..<size {
                let row = upward ? size - 1 - step : step
                for x in [column, column - 1] where !isFunction(row, x, centres) {
                    bits.append(code[row, x] != inverts(mask, row, x) ? 1 : 0)
                }
            }
            upward.toggle()
            column -= 2
        }
        return stride(from: 0, to: bits.count - 7, by: 8).map {
            bits[$0..<($0 + 8)].reduce(0) { $0 << 1 | $1 }
        }
    }

    private func data(_ codewords: [UInt8], _ blocks: QRBlocks) throws -> [UInt8] {
        var parts = blocks.dataCounts.map { _ in [UInt8]() }
        var rest = codewords[...]
        for index in 0..<(blocks.dataCounts.max() ?? 0) {
            for block in parts.indices where index < blocks.dataCounts[block] {
                guard let next = rest.popFirst() else { throw Malformed(part: "codewords") }
                parts[block].append(next)
            }
        }
        let data = parts.flatMap { $0 }
        for _ in 0..<blocks.checkCount {
            for block in parts.indices {
                guard let next = rest.popFirst() else { throw Malformed(part: "codewords") }
                parts[block].append(next)
            }
        }
        guard rest.isEmpty else { throw Malformed(part: "codewords left") }
        for part in parts where !syndromes(part, blocks.checkCount).allSatisfy({ $0 == 0 }) {
            throw Malformed(part: "check codewords")
        }
        return data
    }

    /// The values of the polynomial at the powers of the generator element, with logarithms.
    private func syndromes(_ block: [UInt8], _ count: Int) -> [UInt8] {
        (0..<count).map { root in
            block.reduce(0) { sum, byte in
                let product =
                    sum == 0 ? 0 : GaloisField.powers[(GaloisField.logarithms[Int(sum)] + root) % 255]
                return product ^ byte
            }
        }
    }

    // MARK: - segments

    private mutating func readSegments(_ data: [UInt8]) throws {
        var bits = data.flatMap { byte in (0..<8).reversed().map { Int(byte >> UInt8($0) & 1) } }[...]
        func take(_ count: Int) throws -> Int {
            guard count <= bits.count else { throw Malformed(part: "segment") }
            defer { bits = bits.dropFirst(count) }
            return bits.prefix(count).reduce(0) { $0 << 1 | $1 }
        }
        let group = number < 10 ? 0 : number < 27 ? 1 : 2
        while bits.count >= 4 {
            switch try take(4) {
            case 0:
                _ = try take(bits.count % 8)
                for index in 0..<(bits.count / 8) {
                    guard try take(8) == (index % 2 == 0 ? 0xec : 0x11) else {
                        throw Malformed(part: "padding")
                    }
                }
                return
            case 1:
                var count = try take([10, 12, 14][group])
                while count > 0 {
                    let digits = min(count, 3)
                    let text = String(try take([4, 7, 10][digits - 1]))
                    bytes +=
                        Array(String(repeating: "0", count: max(0, digits - text.utf8.count)).utf8)
                        + Array(text.utf8)
                    count -= digits
                }
            case 2:
                let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)
                let count = try take([9, 11, 13][group])
                for _ in 0..<(count / 2) {
                    let pair = try take(11)
                    guard pair < 45 * 45 else { throw Malformed(part: "pair") }
                    bytes += [alphabet[pair / 45], alphabet[pair % 45]]
                }
                if count % 2 == 1 { bytes.append(alphabet[min(44, try take(6))]) }
            case 4:
                for _ in 0..<(try take([8, 16, 16][group])) { bytes.append(UInt8(try take(8))) }
            default: throw Malformed(part: "mode")
            }
        }
        guard bits.allSatisfy({ $0 == 0 }) else { throw Malformed(part: "terminator") }
    }
}

/// GF(256) by the powers of 2.
private enum GaloisField {
    static let powers: [UInt8] = (0..<254).reduce(into: [1]) { powers, _ in
        let last = powers[powers.count - 1]
        powers.append(last << 1 ^ (last >> 7 == 1 ? 0x1d : 0))
    }

    static let logarithms: [Int] = powers.enumerated().reduce(into: Array(repeating: 0, count: 256)) {
        $0[Int($1.element)] = $1.offset
    }
}
