extension StringProtocol {
    /// The most columns that a terminal uses for the text. East Asian characters and emoji take two
    /// columns (Unicode Standard Annex 11); some others in these ranges take one.
    package var columns: Int {
        // Almost all text of the program is ASCII, and reviews have many rows.
        let utf8 = utf8
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
        return unicodeScalars.reduce(0) { $0 + $1.columns }
    }
}

extension Character {
    package var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }
}

extension Unicode.Scalar {
    package var columns: Int {
        switch value {
        case 0x1100..<0x1200, 0x2300..<0x2c00, 0x2e80...: 2
        default: 1
        }
    }
}

extension String {
    package func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - columns))
    }

    /// The rows that the text takes on a terminal. A wide character that does not fit at the end of
    /// a row moves to the next one.
    package func height(at width: Int) -> Int {
        var (height, columns) = (1, 0)
        guard self.columns > width else { return height }
        for scalar in unicodeScalars {
            if columns + scalar.columns > width { (height, columns) = (height + 1, 0) }
            columns += scalar.columns
        }
        return height
    }

    /// The beginning that takes at most so many columns.
    package func prefix(columns limit: Int) -> Substring {
        var columns = 0
        return prefix { character in
            columns += character.columns
            return columns <= limit
        }
    }
}
