/// The code of a message, for programs. `eosvault help codes` lists all of them. A code may be
/// added. It never changes, and is never removed.
///
/// The raw value is the row of the code: `name: meaning`.
package protocol MessageCode: RawRepresentable<String>, CaseIterable, Sendable {
    /// Lower case, with hyphens.
    var name: String { get }
    /// One line, without the details of a case.
    var meaning: String { get }
}

extension MessageCode {
    package var name: String { String(rawValue.prefix { $0 != ":" && $0 != " " }) }

    package var meaning: String { row.meaning }

    /// The line after the meaning, if there is one.
    fileprivate var row: (head: Substring, meaning: String, hint: String?) {
        let lines = rawValue.split(separator: "\n", maxSplits: 1)
        let first = String(lines.first ?? "")
        let mark = first.firstRange(of: ": ")
        let head = mark.map { first[..<$0.lowerBound] } ?? first[...]
        let meaning = mark.map { first[$0.upperBound...] } ?? first[...]
        return (head, String(meaning), lines.count > 1 ? String(lines[1]) : nil)
    }
}

extension ErrorCode {
    /// The exit status of a program after the error.
    package var status: Int32 {
        row.head.split(separator: " ").dropFirst().first.flatMap { Int32($0) } ?? 1
    }

    /// The next step, for errors whose words do not state it.
    package var hint: String { Words.advice(self) ?? row.hint ?? "run the command with --help" }
}
