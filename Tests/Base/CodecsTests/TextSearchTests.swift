import Messages
import Testing

/// The functions give what those of the standard library give for texts whose letters have one
/// spelling.
struct TextSearchTests {
    @Test(arguments: [
        ("a, b, c", ", "), ("aaaa", "aa"), ("", "a"), ("abc", "abcd"), ("äöü ä", "ä"), (", ", ", "),
        ("ab", "b"),
        ("a\nb\n", "\n"), ("mississippi", "issip"),
    ])
    func partsAndPlaces(text: String, sought: String) {
        let expected = text.split(separator: sought, omittingEmptySubsequences: false).map(String.init)
        #expect(text.parts(separatedBy: sought) == expected)
        let replaced: String = text.replacing(sought, with: "<>")
        #expect(replaced == expected.joined(separator: "<>"))
        let range: Range<String.Index>? = text.firstRange(of: sought)
        #expect((range != nil) == (expected.count > 1))
        if let range { #expect(text[range] == sought && text[..<range.lowerBound] == expected[0]) }
        let isFound: Bool = text.contains(sought)
        #expect(isFound == (expected.count > 1))
    }

    @Test func nothingIsFoundForNothing() {
        let range: Range<String.Index>? = "abc".firstRange(of: "")
        let isFound: Bool = "abc".contains("")
        #expect(range == nil && "abc".parts(separatedBy: "") == ["abc"] && isFound)
    }

    /// A screen of many lines takes no longer for each line.
    @Test func longTextsAreNotCopiedForEachPart() {
        let text = String(repeating: "a line of a review\n", count: 100_000)
        #expect(text.parts(separatedBy: "\n").count == 100_001)
    }
}
