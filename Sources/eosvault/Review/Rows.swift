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
    ///   - indent: the spaces before each other row.
    mutating func append(_ first: String, words text: String, indent: Int) {
        append(first, parts: text.split(separator: " ").map(String.init), separator: " ", indent: indent)
    }

    /// Adds parts, which are not split.
    mutating func append(_ first: String, parts: [String], separator: String, indent: Int) {
        var row = first
        var isEmpty = true
        for part in parts {
            if isEmpty, row.count + part.count > width, row.count > indent, !row.allSatisfy({ $0 == " " }) {
                rows.append(row.trimmed)
                row = String(repeating: " ", count: indent)
            } else if !isEmpty, row.count + separator.count + part.count > width {
                rows.append(row.trimmed)
                row = String(repeating: " ", count: indent)
            } else if !isEmpty {
                row += separator
            }
            // A long word moves to the left, so that it is not split if it can be avoided.
            if row.allSatisfy({ $0 == " " }), row.count + part.count > width {
                row = String(row.prefix(max(0, width - part.count)))
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
        let room = max(width, mark.count + 8, first.count + 1)
        var row = first
        for character in data {
            if row.count >= room {
                rows.append(row)
                row = mark
            }
            row.append(character)
        }
        rows.append(row)
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
