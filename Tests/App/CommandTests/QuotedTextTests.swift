import Shell
import Testing

@testable import App

struct QuotedTextTests {
    @Test(arguments: [
        ("hello", #""hello""#), ("", #""""#), ("a b  c", #""a b  c""#), ("a   b", #""a\{3 spaces}b""#),
        ("    ", #""\{4 spaces}""#), ("\"\\", #""\"\\""#), ("\n\r\t", #""\n\r\t""#),
        ("\u{1b}[2J", #""\u{1b}[2J""#),
        ("é", #""\u{e9}""#), ("е", #""\u{435}""#), ("\u{202e}", #""\u{202e}""#),
        ("\u{7f}\0", #""\u{7f}\u{0}""#),
        (#"\{3 spaces}"#, #""\\{3 spaces}""#), ("\r\n", #""\r\n""#), ("e\u{301}", #""e\u{301}""#),
    ])
    func escapes(text: String, quoted: String) {
        #expect(QuotedText.quoted(text) == quoted)
    }

    /// Only printable ASCII is shown, and each text has a different form: an independent parser
    /// finds the text again.
    @Test func isReversible() {
        var random = RandomText(seed: 1)
        for _ in 0..<3_000 {
            let text = random.text(upTo: 60)
            let quoted = QuotedText.quoted(text)
            #expect(quoted.utf8.allSatisfy { (0x20...0x7e).contains($0) })
            #expect(!quoted.contains("   "))
            #expect(
                Self.parse(quoted).map { Array($0.unicodeScalars) } == Array(text.unicodeScalars), "\(quoted)"
            )
        }
    }

    @Test(arguments: [
        ("from", "from"), ("max_payment", "max_payment"), ("a-b.c", "a-b.c"), ("", #""""#),
        ("a b", #""a b""#),
        ("\"x", #""\"x""#), ("ф", #""\u{444}""#),
    ])
    func namesAreQuotedUnlessPlain(name: String, shown: String) {
        #expect(QuotedText.name(name) == shown)
    }

    // MARK: - a parser that knows only the documented form

    private static func parse(_ quoted: String) -> String? {
        guard quoted.count >= 2, quoted.first == "\"", quoted.last == "\"" else { return nil }
        var rest = quoted.dropFirst().dropLast()
        var text = String.UnicodeScalarView()
        while let character = rest.popFirst() {
            guard character == "\\" else {
                guard character != "\"" else { return nil }
                text.append(contentsOf: String(character).unicodeScalars)
                continue
            }
            switch rest.popFirst() {
            case "n": text.append("\n")
            case "r": text.append("\r")
            case "t": text.append("\t")
            case "\"": text.append("\"")
            case "\\": text.append("\\")
            case "u":
                guard rest.popFirst() == "{", let end = rest.firstIndex(of: "}"),
                    let scalar = UInt32(rest[..<end], radix: 16).flatMap(Unicode.Scalar.init)
                else { return nil }
                text.append(scalar)
                rest = rest[rest.index(after: end)...]
            case "{":
                guard let end = rest.firstIndex(of: "}"), rest[..<end].hasSuffix(" spaces"),
                    let count = Int(rest[..<end].dropLast(7))
                else { return nil }
                text.append(contentsOf: String(repeating: " ", count: count).unicodeScalars)
                rest = rest[rest.index(after: end)...]
            default: return nil
            }
        }
        return String(text)
    }
}
