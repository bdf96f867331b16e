import Testing

@testable import eosvault

/// How text wraps at the width of a terminal.
struct RowsTests {
    private static let widths = [40, 41, 59, 60, 79, 80, 81, 100, 120, 199, 200]

    /// Only a row with a single part may be wider than the terminal, if the part is.
    @Test(arguments: widths)
    func partsFitAndStayWhole(width: Int) {
        var random = RandomText(seed: UInt64(width))
        for _ in 0..<200 {
            let parts = (0..<Int.random(in: 1...20, using: &random)).map { _ in random.word(upTo: 2 * width) }
            let bar = ["", "  | ", "  |   | "][Int.random(in: 0..<3, using: &random)]
            let indent = bar.count + Int.random(in: 0...13, using: &random)
            let first = bar + random.word(upTo: 12) + " "
            var rows = Rows(width: width)
            rows.append(first, parts: parts, separator: " ", indent: indent, bar: bar)
            for row in rows.rows where row.count > width {
                let last = row.split(separator: " ").last?.count ?? 0
                #expect(last > width - bar.count, "\(row)")
            }
            let bars = rows.rows.allSatisfy { $0.hasPrefix(bar.trimmed) }
            #expect(bars)
            let words = rows.rows.flatMap { $0.dropFirst(bar.trimmed.count).split(separator: " ") }
            #expect(words.map(String.init) == [String(first.dropFirst(bar.count).dropLast())] + parts)
        }
    }

    @Test func wordsWrapAtSpaces() {
        var rows = Rows(width: 40)
        rows.append("expires      ", words: "in 30 minutes by this machine's clock, and then", indent: 13)
        #expect(rows.rows == ["expires      in 30 minutes by this", "             machine's clock, and then"])
    }

    /// A hash moves to the left of the text column if it fits there.
    @Test func longPartMovesToTheLeft() {
        let hash = String(repeating: "a", count: 64)
        var rows = Rows(width: 70)
        rows.append("  hash       ", words: hash, indent: 13)
        rows.append("  | hash       ", words: hash, indent: 15, bar: "  | ")
        #expect(rows.rows == ["  hash", "      " + hash, "  | hash", "  |   " + hash])
    }

    /// Each continuation has a mark, and the rows without marks are the data.
    @Test(arguments: widths)
    func dataIsMarked(width: Int) {
        var random = RandomText(seed: UInt64(width))
        for _ in 0..<200 {
            let data = QuotedText.quoted(random.text(upTo: 400))
            let bar = String(repeating: " ", count: Int.random(in: 0...20, using: &random))
            let first = bar + random.word(upTo: width) + " "
            var rows = Rows(width: width)
            rows.append(first, data: data, bar: bar)
            let mark = bar + "> "
            #expect(rows.rows.allSatisfy { $0.count <= max(width, first.count) })
            let joined =
                rows.rows[0].hasPrefix(first)
                ? rows.rows[0].dropFirst(first.count) : rows.rows[0].dropFirst(first.count - 1)
            var text = String(joined)
            for row in rows.rows.dropFirst() {
                #expect(row.hasPrefix(mark))
                text += row.dropFirst(mark.count)
            }
            #expect(text == data)
        }
    }

    @Test func heightCountsRowsOfTheTerminal() {
        #expect(["", "a", String(repeating: "b", count: 80), String(repeating: "c", count: 81)].height(at: 80) == 5)
    }
}
