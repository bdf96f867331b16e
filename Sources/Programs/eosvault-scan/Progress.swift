import Files
import Glibc
import Scanning
import TerminalText

/// A line on the terminal with what was read and what is missing. It disappears at the end.
final class Progress {
    private let isShown = isatty(STDERR_FILENO) == 1 && !Messages.areJSON && !isDumb
    private var shown = ""

    func show(_ pictures: Int, _ collector: ScanCollector, waiting: Bool) {
        guard isShown else { return }
        var text = "\(pictures) \(pictures == 1 ? "picture" : "pictures") read, "
        if let missing = collector.missing {
            text += "\(missing.codes) of \(missing.total) codes missing …"
        } else if !collector.messages.isEmpty {
            text += "a message is complete …"
        } else {
            text += waiting ? "waiting for pictures with codes …" : "no part of a message yet …"
        }
        guard text != shown else { return }
        shown = text
        let columns = TerminalSize(of: STDERR_FILENO).columns
        try? FileDescriptor.standardError.write(text: Self.start + text.prefix(columns: columns - 1))
    }

    func clear() {
        guard isShown, !shown.isEmpty else { return }
        shown = ""
        try? FileDescriptor.standardError.write(text: Self.start)
    }

    /// Whether the terminal has no control sequences.
    private static var isDumb: Bool { unsafe getenv("TERM").map { unsafe strcmp($0, "dumb") == 0 } ?? false }

    /// Moves to the start of the line and clears it (ECMA-48, EL).
    private static let start = "\r\u{1b}[K"
}
