import KeyVault
import Shell

/// The list of keys on a terminal.
struct KeyTable {
    let keys: [KeyStatus]
    let isVerified: Bool

    /// A header, a row for each key, and a footnote if nothing was verified. If a row is wider than
    /// the terminal, each key has a row of its own. A label that is too long for its row is split,
    /// with a mark, so that its rest can't imitate a row of the program.
    func text(width: Int) -> String {
        guard !keys.isEmpty else { return "" }
        let cells =
            [(keys.allSatisfy(\.entry.isKey) ? "KEY" : "KEY OR CREDENTIAL", "BACKUP", "LABEL")]
            + keys.map { key in
                (key.entry.name.text, key.isBackedUp ? "yes" : "NO", key.entry.label?.text ?? "")
            }
        let column = cells.map(\.0.columns).max() ?? 0
        let isWide = cells.allSatisfy { column + Self.backupColumn + $0.2.columns <= width }
        var rows = Rows(width: width)
        for (key, backup, label) in cells {
            if isWide {
                rows.append("\(key.padded(to: column))  \(backup.padded(to: 6))  \(label)")
            } else {
                rows.append(key)
                rows.append("  \(backup.padded(to: 6))  ", data: label, bar: "  ")
            }
        }
        if !isVerified {
            rows.append("")
            rows.append("", words: Words.listNotVerified, indent: 0)
        }
        return rows.rows.map { $0.trimmed + "\n" }.joined()
    }

    /// The width of the column BACKUP and of the spaces around it.
    private static let backupColumn = 10
}
