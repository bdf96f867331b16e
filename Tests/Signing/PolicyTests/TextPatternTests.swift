import Testing

@testable import Policy

struct TextPatternTests {
    @Test(arguments: [
        ("", "", true), ("", "a", false), ("abc", "abc", true), ("abc", "abcd", false), ("abc", "ab", false),
        ("*", "", true), ("*", "anything\nat all", true), ("a*", "a", true), ("a*c", "abc", true),
        ("a*c", "abd", false),
        ("a*b*c", "a__b__b_c", true), ("**a", "ba", true), ("?", "é", true), ("?", "", false),
        ("??", "e\u{301}", true),
        ("[a-c]", "b", true), ("[a-c]", "d", false), ("[^a-c]", "d", true), ("[^a-c]", "b", false),
        ("[0-9]+", "0123", true), ("[0-9]+", "", false), ("[0-9]+", "12a", false),
        ("[0-9]+[0-9]", "12", true),
        ("[^0-9]+x", "abcx", true), ("[a-]", "-", true), ("[-a]", "-", true), ("[\\]\\-\\^]+", "]-^", true),
        ("\\*\\?\\[\\]\\\\", "*?[]\\", true), ("\\a", "a", true), ("+", "+", true), ("[a]+*", "ab", true),
        ("invoice [0-9]+", "invoice 27", true), ("invoice [0-9]+", "invoice ", false), ("A", "a", false),
        ("\u{e9}", "e\u{301}", false),
    ])
    func matches(pattern: String, text: String, expected: Bool) throws {
        #expect(try TextPattern(pattern).matches(text) == expected)
    }

    @Test(arguments: [
        ("a]", PatternFault.close, 1), ("a[b", .open, 1), ("[", .open, 0), ("[^", .open, 0),
        ("[]", .emptyClass, 0),
        ("x[^]", .emptyClass, 1), ("\\", .escape, 0), ("ab\\", .escape, 2), ("[a\\", .escape, 2),
        ("[z-a]", .range, 1),
        ("[a-\\", .escape, 3), (String(repeating: "a", count: 257), .tooLong(limit: 256), 256),
    ])
    func refuses(pattern: String, fault: PatternFault, offset: Int) {
        do {
            let pattern = try TextPattern(pattern)
            Issue.record("\(pattern) is read")
        } catch {
            #expect(error.fault == fault)
            #expect(error.offset == offset)
        }
    }

    /// A match compares each part at most once for each character of the text.
    @Test(arguments: [
        "*a*a*a*a*a*a*a*b", "[a]+[a]+[a]+[a]+[a]+b", "*?*?*?*?*?*?x", "a*", "?", "[^b]+[^b]+*[^b]+b",
        String(repeating: "*a", count: 128), String(repeating: "[a]+", count: 64),
    ])
    func isLinear(pattern: String) throws {
        let pattern = try TextPattern(pattern)
        for length in [0, 1, 10, 100, 1_000, 10_000] {
            for end in ["", "b", "c"] {
                var steps = 0
                _ = pattern.matches(String(repeating: "a", count: length) + end, counting: &steps)
                #expect(steps <= (pattern.parts.count + 1) * (length + end.count + 1))
            }
        }
    }

    @Test func aLongTextMatchesNothing() throws {
        let limit = TextPattern.maximumTextLength
        #expect(try TextPattern("*").matches(String(repeating: "a", count: limit)))
        #expect(try !TextPattern("*").matches(String(repeating: "a", count: limit + 1)))
    }
}
