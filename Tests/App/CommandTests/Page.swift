/// A page of the documentation: its code blocks and its links.
///
/// The first line of a block names its content:
/// ```
/// sh       commands, one per line, which a test runs as printed
/// output   what the commands of the block before it print; `…` replaces text that changes
/// text     anything that nobody types
/// json     a file
/// ```
struct Page {
    struct Line {
        var number: Int
        var text: String
    }

    struct Block {
        var kind: String
        var lines: [Line]

        /// The commands of a `sh` block. A line that ends with a backslash continues on the next
        /// line.
        var commands: [Line] {
            var commands: [Line] = []
            var isContinued = false
            for line in lines where isContinued || !(line.text.isEmpty || line.text.hasPrefix("#")) {
                if isContinued, let last = commands.indices.last {
                    commands[last].text += line.text.drop { $0 == " " }
                } else {
                    commands.append(line)
                }
                isContinued = line.text.hasSuffix("\\")
                if isContinued, let last = commands.indices.last { commands[last].text.removeLast() }
            }
            return commands
        }
    }

    static let kinds: Set = ["sh", "output", "text", "json"]

    private(set) var blocks: [Block] = []
    /// The targets of the links.
    private(set) var links: [Line] = []
    private(set) var lineCount = 0
    /// The names by which links refer to the headings.
    private(set) var anchors: Set<String> = []

    init(_ text: String) {
        var indent: Int?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let content = line.drop { $0 == " " }
            if content.hasPrefix("```") {
                if indent == nil {
                    blocks.append(Block(kind: String(content.dropFirst(3)), lines: []))
                    indent = line.count - content.count
                } else {
                    indent = nil
                }
            } else if let indent {
                let dropped = min(indent, line.count - content.count)
                blocks[blocks.count - 1].lines.append(
                    Line(number: index + 1, text: String(line.dropFirst(dropped))))
            } else {
                links += line.matches(of: #/\]\(([^)]+)\)/#).map {
                    Line(number: index + 1, text: String($0.1))
                }
                if line.hasPrefix("#") { anchors.insert(Self.anchor(of: line)) }
            }
        }
        lineCount = text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
    }

    /// GitHub's rule: lower case, a hyphen for each space, without punctuation.
    private static func anchor(of heading: Substring) -> String {
        let title = heading.drop { $0 == "#" }.drop { $0 == " " }.lowercased()
        return String(
            title.compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || "-_".contains($0) ? $0 : nil })
    }
}
