/// Rows of text for a terminal of some width. Each row is at most that wide: a terminal would wrap
/// a longer one, and the rest could look like a row of the program.
package struct Rows {
    package let width: Int
    /// True if the rows are a command line, whose words are never split.
    private let isCommand: Bool
    package private(set) var rows: [String] = []

    package init(width: Int, isCommand: Bool = false) {
        self.width = width
        self.isCommand = isCommand
    }

    package mutating func append(_ row: String) { rows.append(row) }

    /// True if there is no room for a column of names.
    package var isNarrow: Bool { width < 60 }

    /// The columns before the text of a named row, except for the first row on a narrow terminal.
    private var nameColumns: Int { isNarrow ? 2 : 13 }

    /// Adds a row of the program: a name and its parts.
    package mutating func append(named name: String, parts: [String], separator: String = " ") {
        let isFirst = !name.isEmpty
        let first =
            isFirst ? (isNarrow ? name : name.padded(to: nameColumns - 1)) + " " : "".padded(to: nameColumns)
        append(first, parts: parts, separator: separator, indent: nameColumns)
    }

    package mutating func append(named name: String, words text: String) {
        append(named: name, parts: text.split(separator: " ").map(String.init))
    }

    /// Adds program text, which wraps at spaces.
    /// - Parameters:
    ///   - first: the beginning of the first row.
    ///   - indent: the columns before the text in each other row.
    ///   - bar: the beginning of each other row, in these columns.
    package mutating func append(_ first: String, words text: String, indent: Int, bar: String = "") {
        append(
            first, parts: text.split(separator: " ").map(String.init), separator: " ", indent: indent,
            bar: bar)
    }

    /// Adds parts. One that is longer than a row is split, and each continuation has a mark.
    package mutating func append(
        _ first: String, parts: [String], separator: String, indent: Int, bar: String = ""
    ) {
        let start = bar.padded(to: indent)
        // A long part moves to the left, so that it fits. The bar stays.
        let fewest = bar.trimmed.isEmpty ? 0 : bar.trimmed.columns + 1
        let startText = start.trimmed
        var row = first
        var isEmpty = true
        for part in parts {
            let columns = part.columns
            let next = isEmpty ? row : row + separator
            let isStart = row.trimmed == startText
            let fits = fewest + columns <= width
            if !isStart, next.columns + columns > width, !isEmpty || fits {
                rows.append(row.trimmed)
                row = start
            } else {
                row = next
            }
            if fits || isCommand, row.trimmed == startText, row.columns + columns > width {
                row = String(row.prefix(max(fewest, width - columns)))
            }
            if isCommand || row.columns + columns <= width {
                row += part
            } else {
                row = split(part, after: row, mark: bar + Self.mark)
            }
            isEmpty = false
        }
        rows.append(row.trimmed)
    }

    /// Adds the rows of some data except for the last one.
    /// - Returns: the last row.
    private mutating func split(_ data: String, after first: String, mark: String) -> String {
        // A row has room for some characters, even if the terminal is very narrow.
        let markColumns = mark.columns
        let room = max(width, markColumns + Self.fewestCharacters)
        var (row, columns) = (first, first.columns)
        func add(_ character: Character) {
            let more = character.columns
            if columns + more > room {
                rows.append(row)
                (row, columns) = (mark, markColumns)
            }
            row.append(character)
            columns += more
        }
        for character in data {
            if markColumns + character.columns <= room {
                add(character)
            } else {
                // One character can consist of any number of Hangul letters, of two columns each.
                for scalar in character.unicodeScalars { add(Character(scalar)) }
            }
        }
        return row
    }

    /// Adds data, which may be split anywhere. Each continuation is marked, so that no row of data
    /// can look like a row of the program.
    /// - Parameter bar: the beginning of each continuation, before the mark.
    package mutating func append(_ first: String, data: String, bar: String) {
        let mark = bar + Self.mark
        var row = first
        if first.columns + Self.fewestCharacters > width, first.trimmed != bar.trimmed {
            rows.append(first.trimmed)
            row = mark
        }
        rows.append(split(data, after: row, mark: mark))
    }

    /// The beginning of a continuation, after the bar.
    private static let mark = "> "
    private static let fewestCharacters = 8
}

extension [String] {
    /// The rows of a terminal that these rows take: one that is wider than the terminal takes
    /// several.
    package func height(at width: Int) -> Int { reduce(0) { $0 + $1.height(at: width) } }
}

extension String {
    /// Without the spaces at its end.
    package var trimmed: String {
        // Many rows, and mostly ASCII: comparing characters would take longer than everything else.
        guard utf8.last == UInt8(ascii: " ") else { return self }
        return utf8.lastIndex { $0 != UInt8(ascii: " ") }.map { String(self[...$0]) } ?? ""
    }
}
