import Shell
import Testing

@testable import App

/// How text wraps at the width of a terminal.
struct RowsTests {
    private static let widths = [20, 21, 39, 40, 41, 59, 60, 79, 80, 81, 100, 120, 199, 200]

    /// No row is wider than the terminal. Only a part that is too long for a row is split, and each
    /// of its continuations has a mark.
    @Test(arguments: widths, [false, true])
    func partsFit(width: Int, isWide: Bool) {
        var random = RandomText(seed: UInt64(width))
        for _ in 0..<200 {
            let parts = (0..<Int.random(in: 1...20, using: &random)).map { _ in
                let word = isWide ? random.wideWord(upTo: 2 * width) : random.word(upTo: 2 * width)
                return word.replacing(">", with: "x")
            }
            let bar = ["", "  | ", "  |   | "][Int.random(in: 0..<3, using: &random)]
            let indent = bar.count + Int.random(in: 0...5, using: &random)
            let first = bar + random.word(upTo: 8).replacing(">", with: "x") + " "
            var rows = Rows(width: width)
            rows.append(first, parts: parts, separator: " ", indent: indent, bar: bar)
            #expect(rows.rows.allSatisfy { $0.columns <= width && $0.hasPrefix(bar.trimmed) })
            // Without the marks, the parts are whole again.
            let mark = bar + "> "
            var words: [Substring] = []
            var split: Set<Int> = []
            for row in rows.rows {
                var found = row.dropFirst(bar.trimmed.count).split(separator: " ")
                if row.hasPrefix(mark) {
                    found.removeFirst()
                    let rest = found.removeFirst()
                    words[words.count - 1] += rest
                    split.insert(words.count - 1)
                }
                words += found
            }
            // Only a part that is wider than a row is split.
            #expect(split.allSatisfy { words[$0].columns > width - bar.count - 1 })
            #expect(words.map(String.init) == [String(first.dropFirst(bar.count).dropLast())] + parts)
        }
    }

    /// A command line is pasted into a shell, so its words are whole.
    @Test func wordsOfACommandStayWhole() {
        let path = String(repeating: "a", count: 50)
        var rows = Rows(width: 40, isCommand: true)
        rows.append("  ", parts: ["eosvault", "sign", path, "--chain", "eos"], separator: " ", indent: 2)
        #expect(rows.rows == ["  eosvault sign", path, "  --chain eos"])
    }

    /// A long key or path that is no part of the program's text has a mark on each further row.
    @Test func longPartIsMarked() {
        var rows = Rows(width: 20)
        rows.append(
            "    key ", parts: [String(repeating: "k", count: 40), "weight 1"], separator: " ", indent: 8,
            bar: "    ")
        #expect(
            rows.rows == [
                "    key kkkkkkkkkkkk", "    > kkkkkkkkkkkkkk", "    > kkkkkkkkkkkkkk", "        weight 1",
            ])
    }

    /// A narrow terminal has no room for a column of names.
    @Test func namedRows() {
        for (width, expected) in [
            (60, ["expires      now", "             later"]), (59, ["expires now", "  later"]),
        ] {
            var rows = Rows(width: width)
            rows.append(named: "expires", words: "now")
            rows.append(named: "", words: "later")
            #expect(rows.rows == expected)
        }
    }

    @Test func wordsWrapAtSpaces() {
        var rows = Rows(width: 40)
        rows.append("expires      ", words: "in 30 minutes by this machine's clock, and then", indent: 13)
        #expect(
            rows.rows == ["expires      in 30 minutes by this", "             machine's clock, and then"])
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
            let bar = String(repeating: " ", count: Int.random(in: 0...min(20, width - 10), using: &random))
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

    /// A character of two columns is in one row. Only a row that lacks one column has a free one.
    @Test(arguments: widths)
    func wideDataIsMarked(width: Int) {
        var random = RandomText(seed: UInt64(width))
        for length in [1, width, 400] {
            let data = random.wideWord(upTo: length)
            var rows = Rows(width: width)
            rows.append("  name ", data: data, bar: "  ")
            #expect(rows.rows.allSatisfy { $0.columns <= width })
            #expect(rows.rows.dropLast().allSatisfy { $0.columns >= width - 1 })
            #expect(rows.rows.dropFirst().allSatisfy { $0.hasPrefix("  > ") })
            let parts = rows.rows.enumerated().map { $1.dropFirst($0 == 0 ? 7 : 4) }
            #expect(parts.joined() == data)
        }
    }

    /// One character of 100 Hangul letters takes 200 columns.
    @Test func longCharacterIsSplit() {
        let letters = String(repeating: "\u{1100}", count: 100)
        #expect(letters.count == 1)
        var rows = Rows(width: 80)
        rows.append("label ", data: letters, bar: "")
        #expect(rows.rows.map(\.columns) == [80, 80, 50])
        #expect(rows.rows[1] == "> " + String(repeating: "\u{1100}", count: 39))
    }

    /// A terminal of 79 columns has room for 39 wide characters in a row.
    @Test func heightOfWideText() {
        let text = [78, 79].map { String(repeating: "\u{6f22}", count: $0) }
        #expect(text.map { [$0].height(at: 79) } == [2, 3])
        #expect(text.map { [$0].height(at: 80) } == [2, 2])
    }

    @Test func heightCountsRowsOfTheTerminal() {
        #expect(
            ["", "a", String(repeating: "b", count: 80), String(repeating: "c", count: 81)].height(at: 80)
                == 5)
    }
}
