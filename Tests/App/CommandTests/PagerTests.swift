import Shell
import Testing

@testable import App

/// The pages of a review, without a terminal.
struct PagerTests {
    private static let size = TerminalSize(rows: 6, columns: 80)

    /// Ten actions of four rows; each row is 50 characters wide.
    private static func rows(_ columns: Int) -> [String] {
        (1...10).flatMap { action -> [String] in
            let fields = (1...3).map { "  field\($0) \(action) " + String(repeating: "x", count: 30) }
            let wrapped = fields.flatMap { columns < 40 ? [String($0.prefix(columns)), "    > rest"] : [$0] }
            return ["action \(action) of 10    eosio.token::transfer"] + wrapped
        }
    }

    private static func pager(_ size: TerminalSize = size) -> Pager {
        Pager(size: size, ReviewPages(rows))
    }

    private static func press(_ keys: String, _ pager: inout Pager) -> Pager.Step? {
        keys.utf8.reduce(nil) { _, key in pager.press(key) }
    }

    /// The rows that a step writes.
    private static func shown(_ step: Pager.Step?) -> [String] {
        guard case .write(let text)? = step else { return [] }
        return shown(text)
    }

    private static func shown(_ text: String) -> [String] {
        text.replacing("\r\u{1b}[K", with: "").split(separator: "\n").map(String.init)
    }

    @Test func showsAllRowsInOrder() {
        var pager = Self.pager()
        var rows = Self.shown(pager.start()).dropLast()
        while !pager.isAtEnd { rows += Self.shown(pager.press(0x20)).dropLast() }
        #expect(Array(rows) == Self.rows(80))
        #expect(pager.press(0x20) == .finished("\r\u{1b}[K"))
    }

    @Test func goesBack() {
        var pager = Self.pager()
        let first = Self.shown(pager.start())
        let second = Self.shown(Self.press(" ", &pager))
        #expect(second != first)
        #expect(Self.shown(Self.press(" b", &pager)) == second)
        #expect(Self.shown(Self.press("b", &pager)) == first)
        #expect(Self.shown(Self.press("b", &pager)) == first)
        #expect(first.last == "[5 of 40 rows] space: next, b: back, /: search, g: action, q: question")
    }

    @Test func searches() {
        var pager = Self.pager()
        _ = pager.start()
        #expect(Self.shown(Self.press("/field2 7\r", &pager)).first?.hasPrefix("  field2 7 ") == true)
        #expect(Self.shown(Self.press("/field3\r", &pager)).first?.hasPrefix("  field3 7 ") == true)
        #expect(Self.shown(Self.press("n", &pager)).first?.hasPrefix("  field3 8 ") == true)
        // It goes on at the start, and an empty text repeats the search.
        #expect(Self.shown(Self.press("nn", &pager)).first?.hasPrefix("  field3 10 ") == true)
        #expect(Self.shown(Self.press("/\r", &pager)).first?.hasPrefix("  field3 1 ") == true)
        #expect(Self.shown(Self.press("/nothing\r", &pager)).last?.contains("] (not found) space") == true)
        // Delete and escape.
        #expect(Self.press("/ab\u{7f}c", &pager) == .write("\r\u{1b}[K/ac"))
        #expect(Self.shown(Self.press("\u{1b}", &pager)).last?.hasPrefix("[") == true)
    }

    @Test func goesToAnAction() {
        var pager = Self.pager()
        _ = pager.start()
        #expect(Self.shown(Self.press("g7\r", &pager)).first == "action 7 of 10    eosio.token::transfer")
        #expect(Self.shown(Self.press("g1\r", &pager)).first == "action 1 of 10    eosio.token::transfer")
        for number in ["0", "11", "-1", "x", "99999999999999999999", ""] {
            #expect(
                Self.shown(Self.press("g\(number)\r", &pager)).last?.contains("] (no such action) space")
                    == true)
        }
    }

    /// Parts are made when they are shown, and a search goes on from part to part.
    @Test func partsAreMadeWhenTheyAreShown() throws {
        nonisolated(unsafe) var made: [Int] = []
        let pages = ReviewPages(
            lines: 1_000, estimate: 100, part: { $0 > 0 && $0 <= 100_000 ? ($0 - 1) / 100 : nil }
        ) {
            part, _ in
            made.append(part)
            return (1...100).map { "line \(Amount.text(100 * part + $0))  alice pays" }
        }
        var pager = Pager(size: Self.size, pages)
        let first = Self.shown(pager.start())
        #expect(first.first == "line 1  alice pays" && made == [0])
        #expect(first.last == "[5 of 100,000 rows] space: next, b: back, /: search, g: line, q: question")
        #expect(
            Self.shown(Self.press("g50000\r", &pager)).first == "line 50,000  alice pays"
                && made == [0, 499, 500])
        #expect(Self.shown(pager.press(0x20)).first == "line 50,005  alice pays")
        #expect(Self.shown(Self.press("bb", &pager)).first == "line 49,995  alice pays")
        #expect(Self.shown(Self.press("g100001\r", &pager)).last?.contains("(no such line)") == true)
        // Each step searches one part.
        _ = Self.press("/line 49,9\r", &pager)
        #expect(!pager.isSearching)
        _ = Self.press("/line 50,301 \r", &pager)
        var steps = 0
        var shown = ""
        while pager.isSearching { (shown, steps) = (pager.searchStep(), steps + 1) }
        #expect(Self.shown(shown).first == "line 50,301  alice pays" && steps < 10)
        _ = Self.press("/mallory\r", &pager)
        #expect(pager.isSearching && pager.searchStep().contains("searching, part "))
        #expect(pager.endSearch().contains("(search ended)") && !pager.isSearching)
        _ = Self.press("n", &pager)
        while pager.isSearching { shown = pager.searchStep() }
        #expect(shown.contains("(not found)"))
    }

    /// A part that can't be made ends the review.
    @Test func failureEndsTheReview() {
        let pages = ReviewPages(lines: 3, estimate: 100, part: { _ in nil }) { part, _ throws in
            guard part < 1 else { throw CommandError.linesChanged(line: 101) }
            return ["line 1"]
        }
        var pager = Pager(size: Self.size, pages)
        _ = pager.start()
        #expect(pager.failure is CommandError)
    }

    @Test func isLeft() {
        var pager = Self.pager()
        _ = pager.start()
        #expect(pager.press(UInt8(ascii: "q")) == .finished("\r\u{1b}[K"))
    }

    /// The page starts with the same action again, so that no row is skipped.
    @Test(arguments: [1, 4, 9, 10])
    func wrapsAgain(action: Int) {
        var pager = Self.pager()
        _ = pager.start()
        _ = Self.press("g\(action)\r", &pager)
        #expect(pager.resized(to: Self.size) == nil)
        let narrow = pager.resized(to: TerminalSize(rows: 6, columns: 39)).map(Self.shown) ?? []
        #expect(narrow.first == "action \(action) of 10    eosio.token::transfer")
        #expect(narrow.dropFirst().first?.count == 39)
        let taller = pager.resized(to: TerminalSize(rows: 8, columns: 39)).map(Self.shown) ?? []
        #expect(taller.first == narrow.first)
        #expect(taller.count >= narrow.count)
    }

    /// A row that is wider than the terminal takes several rows of it.
    @Test func pageFitsWithLongRows() {
        let size = TerminalSize(rows: 7, columns: 40)
        var pager = Pager(
            size: size,
            ReviewPages { _ in (0..<20).map { String(repeating: "x", count: $0.isMultiple(of: 3) ? 100 : 10) }
            })
        var count = 0
        var step = Pager.Step.write(pager.start())
        while case .write(let text) = step {
            let rows = Self.shown(text).dropLast()
            #expect(Array(rows).height(at: 40) <= 6)
            count += rows.count
            step = pager.press(0x20)
        }
        #expect(count == 20)
    }

    /// No key moves the cursor or changes the screen.
    @Test func keysDoNotReachTheTerminal() {
        var pager = Self.pager()
        _ = pager.start()
        for key in UInt8.min...UInt8.max where ![0x20, 0x66, 0x71, 0x0a, 0x0d].contains(key) {
            guard case .write(let text) = pager.press(key) else { continue }
            let rest = text.replacing("\r\u{1b}[K", with: "").replacing("\n", with: "")
            #expect(rest.utf8.allSatisfy { (0x20...0x7e).contains($0) }, "\(key)")
        }
    }
}
