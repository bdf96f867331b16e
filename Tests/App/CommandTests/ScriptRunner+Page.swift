import TestSupport
import Testing

/// Runs the commands of a page of the documentation, as printed, each in a shell with a terminal.
///
/// ```
/// page-tools                  `Scripts/page-tools` comes first in PATH; the vault has its default
///                             path
/// answer 'PIN: ' 'text'       types the text when the terminal shows this question
/// before 'COMMAND' 'sh line'  runs a shell line before this command of the page
/// fails 3 'COMMAND'           this command of the page has exit status 3
/// page docs/batches.md        runs the page; these steps are before it
/// ```
/// The answer to `word N: ` is a word of the phrase that was shown last. The answer to
/// `word 1 of N: ` is all words of the phrase, or the next share that was shown. `/media/stick` is
/// the folder `stick`. `Scripts/page-tools` replaces the programs of other machines. The
/// script `prepare-vault` makes a vault with its labels. Its PIN, and yes, are typed unless the
/// script has another answer.
extension ScriptRunner {
    struct PageSettings {
        private static let pin = "a passphrase of several words"

        var answers = TerminalAnswers(lines: [
            "PIN: ": pin, "PIN again: ": pin, "[y/N] ": "y", QRFixture.question: "q",
        ])
        var before: [String: String] = [:]
        var statuses: [String: Int32] = [:]
    }

    private static let stick = "/media/stick"

    func usePageTools() {
        environment["PATH"] = ScriptTests.folder + "/page-tools:" + (environment["PATH"] ?? "")
        environment["XDG_DATA_HOME"] = nil
        environment["XDG_STATE_HOME"] = nil
    }

    func runPage(_ name: String, _ place: String) throws {
        let root = ScriptTests.vectors + "/.."
        let page = Page(String(decoding: try Self.contents(of: root + "/" + name), as: UTF8.self))
        var unused = Set(settings.before.keys).union(settings.statuses.keys)
        var shown = ""
        for block in page.blocks {
            switch block.kind {
            case "sh":
                shown = ""
                for command in block.commands {
                    unused.remove(command.text)
                    shown += try run(command, of: name)
                }
            case "output": check(block, in: shown, of: name)
            default: break
            }
        }
        #expect(unused.isEmpty, "\(place): \(name) has no such command: \(unused)")
    }

    /// - Returns: what the command printed, on the terminal too.
    private func run(_ command: Page.Line, of page: String) throws -> String {
        let place = "\(page):\(command.number)"
        if let line = settings.before[command.text] { try runShell(line, expecting: 0, place) }
        let line = command.text.replacing(Self.stick, with: "'\(work)/stick'")
        // Codes must fit the usual window. A review is longer.
        let rows = command.text.contains(/(--qr|eosvault qr)( |$)/) ? 24 : 200
        try runShell(
            "stty rows \(rows) cols 80 </dev/tty\nexec >/dev/tty\n" + line,
            expecting: settings.statuses[command.text] ?? 0,
            place,
            answers: settings.answers)
        guard let last else { return "" }
        let words = ShownPhrase.words(in: last.terminal)
        let shares = ShownPhrase.shares(in: last.terminal)
        if !shares.isEmpty { settings.answers.shares = shares }
        if words.count == 24 { settings.answers.phrase = words }
        // A line of a terminal ends with CR LF. A question marks pasted text.
        let streams = [last.terminal, last.output, last.error].map { $0.filter { $0 != 13 } }
        let text = streams.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
        return text.replacing(#/\u{1b}\[\?2004[hl]/#, with: "")
            .replacing(work + "/stick", with: Self.stick).replacing(work, with: "/home/alice")
    }

    private func check(_ block: Page.Block, in shown: String, of page: String) {
        let lines = shown.split(separator: "\n").map(String.init)
        let missing = block.lines.filter { line in
            let parts = line.text.split(separator: "…", omittingEmptySubsequences: false).map(String.init)
            return !line.text.isEmpty && !lines.contains { Self.matches($0, parts) }
        }
        let list = missing.map { "\(page):\($0.number): not printed: \($0.text)\n" }.joined()
        #expect(missing.isEmpty, "\(list)printed:\n\(shown)")
    }

    /// Whether a line consists of these parts, with any text between them.
    static func matches(_ line: String, _ parts: [String]) -> Bool {
        guard let first = parts.first, let last = parts.last else { return line.isEmpty }
        if parts.count == 1 { return line == first }
        guard line.hasPrefix(first), line.hasSuffix(last), line.count >= first.count + last.count else {
            return false
        }
        var rest = line.dropFirst(first.count).dropLast(last.count)
        for part in parts.dropFirst().dropLast() {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }
}
