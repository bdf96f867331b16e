import Files
import Glibc

/// Breaks text between words. A word is never split, so that keys and hashes can be copied from a
/// terminal of any width. A command in backquotes stays on one line if a line has room for it.
package enum WordWrap {
    /// The rows of a line of text.
    /// - Parameter indent: The columns before the text of each row except for the first one.
    package static func rows(_ line: String, width: Int, indent: Int = 0) -> [String] {
        var rows: [String] = []
        var row = ""
        for part in parts(of: line, room: width - indent) {
            if row.isEmpty || row.columns + part.columns <= width {
                row += part
            } else {
                rows.append(row)
                row = String(repeating: " ", count: indent) + part.drop { $0 == " " }
            }
        }
        return row.isEmpty ? rows : rows + [row]
    }

    /// Words, and commands of several words. Each has the spaces before it.
    private static func parts(of line: String, room: Int) -> [String] {
        var parts: [[String]] = []
        var word = ""
        var (isInside, isCommand) = (false, false)
        func end() {
            if isCommand { parts[parts.count - 1].append(word) } else { parts.append([word]) }
            (word, isCommand) = ("", isInside)
        }
        for character in line {
            if character == " ", let last = word.last, last != " " { end() }
            if character == "`" { isInside.toggle() }
            word.append(character)
        }
        if word.contains(where: { $0 != " " }) {
            end()
        } else if !parts.isEmpty {
            // The space at the end of a question stays.
            parts[parts.count - 1].append(word)
        }
        return parts.flatMap { words in
            let whole = words.joined()
            return whole.columns <= room ? [whole] : words
        }
    }

    /// Text for people on a terminal: each line that is too wide continues in lines that are
    /// indented by `indent` columns, or by two columns more. Text for a file is not changed.
    package static func text(_ text: String, on file: FileDescriptor, indent: Int? = nil) -> String {
        guard isatty(file.number) == 1 else { return text }
        return self.text(text, width: TerminalSize(of: file.number).columns, indent: indent)
    }

    package static func text(_ text: String, width: Int, indent: Int? = nil) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard line.columns > width else { return String(line) }
            let margin = indent ?? line.prefix { $0 == " " }.count + 2
            // A deep margin would leave too little room for words.
            let rows = rows(String(line), width: width, indent: margin > width / 2 ? 2 : margin)
            return rows.joined(separator: "\n")
        }.joined(separator: "\n")
    }
}
