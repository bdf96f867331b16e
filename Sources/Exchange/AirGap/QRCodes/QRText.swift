/// A QR code as text of half-blocks: two modules per character, one above the other.
package struct QRText: Sendable {
    package enum Style: Sendable {
        /// Black on white, whatever the colours of the terminal are.
        case colours
        /// No escape sequences: for a dumb terminal and for files. It is a correct picture where
        /// text is dark on light.
        case plain
    }

    /// One line per row of characters, without line ends.
    package let lines: [String]

    package init(_ code: QRCode, style: Style) {
        let (start, end) = style == .colours ? (Self.blackOnWhite, Self.reset) : ("", "")
        let columns = -QRCode.quietZone..<(code.size + QRCode.quietZone)
        lines = (0..<Self.rows(code.version)).map { line in
            let row = line * 2 - QRCode.quietZone
            return start + columns.map { Self.character(code[row, $0], code[row + 1, $0]) }.joined() + end
        }
    }

    /// Characters per line.
    package static func columns(_ version: QRVersion) -> Int { version.size + 2 * QRCode.quietZone }

    /// Lines. The number of modules is odd, so half of the last line is an addition to the quiet
    /// zone.
    package static func rows(_ version: QRVersion) -> Int { (columns(version) + 1) / 2 }

    /// The largest version that a terminal of this size shows completely, nil if it shows none.
    package static func largestVersion(columns: Int, rows: Int) -> QRVersion? {
        QRVersion.all.last { Self.columns($0) <= columns && Self.rows($0) <= rows }
    }

    /// 0 ends attributes such as bold and inverse. 47 is white, which many terminals show as grey;
    /// 107 is bright white, which old ones ignore.
    private static let blackOnWhite = "\u{1b}[0;30;47;107m"
    private static let reset = "\u{1b}[0m"

    private static func character(_ upper: Bool, _ lower: Bool) -> String {
        switch (upper, lower) {
        case (true, true): "\u{2588}"
        case (true, false): "\u{2580}"
        case (false, true): "\u{2584}"
        case (false, false): " "
        }
    }
}
