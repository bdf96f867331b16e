/// Rows of text for a terminal of some width. Each row is at most that wide, except for a word that
/// is longer: hashes and keys are never split.
struct Rows {
    let width: Int
    private(set) var rows: [String] = []

    init(width: Int) { self.width = width }

    mutating func append(_ row: String) { rows.append(row) }

    /// Adds program text, which wraps at spaces.
    /// - Parameters:
    ///   - first: the beginning of the first row.
    ///   - indent: the columns before the text in each other row.
    ///   - bar: the beginning of each other row, in these columns.
    mutating func append(_ first: String, words text: String, indent: Int, bar: String = "") {
        append(first, parts: text.split(separator: " ").map(String.init), separator: " ", indent: indent, bar: bar)
    }

    /// Adds parts, which are not split.
    mutating func append(_ first: String, parts: [String], separator: String, indent: Int, bar: String = "") {
        let start = bar.padded(to: indent)
        // A long part moves to the left, so that it fits. The bar stays.
        let fewest = bar.trimmed.isEmpty ? 0 : bar.trimmed.count + 1
        var row = first
        var isEmpty = true
        for part in parts {
            let next = isEmpty ? row : row + separator
            let isStart = row.trimmed == start.trimmed
            if !isStart, next.count + part.count > width, !isEmpty || fewest + part.count <= width {
                rows.append(row.trimmed)
                row = start
            } else {
                row = next
            }
            if row.trimmed == start.trimmed, row.count + part.count > width {
                row = String(row.prefix(max(fewest, width - part.count)))
            }
            row += part
            isEmpty = false
        }
        rows.append(row.trimmed)
    }

    /// Adds data, which may be split anywhere. Each continuation is marked, so that no row of data
    /// can imitate a row of the program.
    /// - Parameter bar: the beginning of each continuation, before the mark.
    mutating func append(_ first: String, data: String, bar: String) {
        let mark = bar + "> "
        // A row has room for some characters, even if the terminal is narrow.
        let room = max(width, mark.count + Self.fewestCharacters)
        var row = first
        if first.count + Self.fewestCharacters > room, first.trimmed != bar.trimmed {
            rows.append(first.trimmed)
            row = mark
        }
        for character in data {
            if row.count >= room {
                rows.append(row)
                row = mark
            }
            row.append(character)
        }
        rows.append(row)
    }

    private static let fewestCharacters = 8
}

extension [String] {
    /// The rows of a terminal that these rows take: one that is wider than the terminal takes
    /// several.
    func height(at width: Int) -> Int { reduce(0) { $0 + Swift.max(1, ($1.count + width - 1) / width) } }
}

extension String {
    /// Without the spaces at its end.
    var trimmed: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
