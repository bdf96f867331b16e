import Testing

@testable import eosvault_agent

/// Lines of a stream, however it is split.
struct LineQueueTests {
    private static func lines(_ text: String, split: Int, limit: Int = 8) -> [LineQueue.Line] {
        var queue = LineQueue(limit: limit)
        var lines: [LineQueue.Line] = []
        let bytes = Array(text.utf8)
        var rest = bytes[...]
        while !rest.isEmpty {
            queue.add(rest.prefix(split))
            rest = rest.dropFirst(split)
            while let line = queue.next() { lines.append(line) }
        }
        queue.end()
        while let line = queue.next() { lines.append(line) }
        return lines
    }

    private static let rows: [(String, [String?])] = [
        ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\r\n", ["a"]), ("\n", [""]), ("\r\n", [""]),
        ("a\n\nb", ["a", "", "b"]),
        ("a\rb\n", ["a\rb"]), ("12345678\n", ["12345678"]), ("12345678\r\nx", ["12345678", "x"]),
        ("123456789\nx\n", [nil, "x"]), ("123456789", [nil]),
        ("12345678901234567890\r\nab\n123456789012", [nil, "ab", nil]),
        ("a\n1234567890\n1234567890\nb\n", ["a", nil, nil, "b"]),
    ]

    /// nil is a line that is too long.
    @Test(arguments: rows) func eachSplitGivesTheSameLines(_ text: String, _ expected: [String?]) {
        let expected = expected.map { $0.map { LineQueue.Line.text(Array($0.utf8)) } ?? .tooLong }
        for split in 1...max(1, text.utf8.count) {
            #expect(Self.lines(text, split: split) == expected, "split \(split)")
        }
    }

    /// A line is there before the next one begins.
    @Test func aCompleteLineIsNotHeldBack() {
        var queue = LineQueue(limit: 8)
        queue.add(Array("ab\ncd".utf8)[...])
        #expect(queue.next() == .text(Array("ab".utf8)))
        #expect(queue.next() == nil)
        queue.add(Array("\n".utf8)[...])
        #expect(queue.next() == .text(Array("cd".utf8)))
    }
}
