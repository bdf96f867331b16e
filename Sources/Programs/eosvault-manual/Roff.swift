/// A manual page in the language of man(7).
struct Roff {
    private(set) var text = ""

    /// A macro with its arguments: `.SH NAME`.
    mutating func macro(_ name: String, _ arguments: String...) {
        text +=
            ([".\(name)"] + arguments.map { $0.contains(" ") || $0.isEmpty ? "\"\($0)\"" : $0 })
            .joined(separator: " ") + "\n"
    }

    mutating func section(_ title: String) { macro("SH", title) }

    /// A line of escaped text. A period or an apostrophe at its start would make it a macro.
    mutating func line(_ text: String) {
        self.text += (text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" : "") + text + "\n"
    }

    mutating func paragraphs(_ paragraphs: [String]) {
        for paragraph in paragraphs {
            if !isAtHeading { macro("PP") }
            line(Self.prose(paragraph))
        }
    }

    /// A term, and its description.
    mutating func item(_ term: String, _ description: String) {
        macro("TP")
        line(term)
        line(Self.prose(description))
    }

    /// Lines that are not filled.
    mutating func verbatim(_ lines: [String]) {
        macro("RS", "4")
        macro("nf")
        for text in lines { line(Self.escaped(text)) }
        macro("fi")
        macro("RE")
    }

    /// True if a heading is the last line. It begins a paragraph.
    private var isAtHeading: Bool {
        let last = text.split(separator: "\n").last ?? ""
        return last.hasPrefix(".SH") || last.hasPrefix(".SS")
    }

    // MARK: - text

    static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fP" }
    static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fP" }

    /// Prose of the help: text in backquotes is bold.
    static func prose(_ text: String) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        guard parts.count % 2 == 1 else { return escaped(text) }
        return parts.enumerated().map { $0.offset % 2 == 0 ? escaped($0.element) : bold(String($0.element)) }
            .joined()
    }

    /// Text whose characters mean themselves (groff_char(7)).
    static func escaped(_ text: some StringProtocol) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\e"
            case "-": "\\-"
            case "'": "\\(aq"
            case "`": "\\(ga"
            case "^": "\\(ha"
            case "~": "\\(ti"
            case _ where scalar.isASCII: String(scalar)
            default: "\\[u" + hex(scalar.value) + "]"
            }
        }.joined()
    }

    /// At least four digits.
    private static func hex(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
