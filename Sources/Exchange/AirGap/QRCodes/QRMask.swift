/// One of the eight patterns that are combined with the data, so that a symbol has few areas that
/// confuse a reader (ISO/IEC 18004:2015, table 10).
package struct QRMask: Equatable, Sendable {
    package let number: Int

    package init(_ number: Int) throws(QRError) {
        guard (0...7).contains(number) else { throw .maskOutOfRange(number) }
        self.number = number
    }

    private init(known number: Int) { self.number = number }

    static let first = QRMask(known: 0)
    package static let all = (0...7).map(QRMask.init(known:))

    /// True if the mask inverts this module.
    func inverts(row: Int, column: Int) -> Bool {
        switch number {
        case 0: (row + column) % 2 == 0
        case 1: row % 2 == 0
        case 2: column % 3 == 0
        case 3: (row + column) % 3 == 0
        case 4: (row / 2 + column / 3) % 2 == 0
        case 5: row * column % 2 + row * column % 3 == 0
        case 6: (row * column % 2 + row * column % 3) % 2 == 0
        default: ((row + column) % 2 + row * column % 3) % 2 == 0
        }
    }
}
