import AirGap
import Testing

struct QRTextTests {
    private let code: QRCode

    init() throws { code = try QRCode(Array("ESR".utf8)) }

    /// Characters drawn back to modules give the code and its quiet zone.
    @Test func halfBlocksAreTheModules() {
        let lines = QRText(code, style: .plain).lines
        #expect(lines.count == 15)
        for (index, line) in lines.enumerated() {
            #expect(line.count == 29)
            for (column, character) in line.enumerated() {
                let row = index * 2 - 4
                #expect("\u{2588}\u{2580}".contains(character) == code[row, column - 4])
                #expect("\u{2588}\u{2584}".contains(character) == code[row + 1, column - 4])
            }
        }
    }

    @Test func coloursAreSetInEachLine() {
        let lines = QRText(code, style: .plain).lines.map { "\u{1b}[0;30;47;107m\($0)\u{1b}[0m" }
        #expect(QRText(code, style: .colours).lines == lines)
    }

    @Test func terminalSizes() {
        #expect(QRText.largestVersion(columns: 80, rows: 1000)?.number == 13)
        #expect(QRText.largestVersion(columns: 1000, rows: 24)?.number == 5)
        #expect(QRText.largestVersion(columns: 28, rows: 1000) == nil)
        #expect(QRText.largestVersion(columns: 29, rows: 15) == .smallest)
        #expect(QRText.largestVersion(columns: 185, rows: 93) == .largest)
    }
}
