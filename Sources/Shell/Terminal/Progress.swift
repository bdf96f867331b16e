import Files
import Glibc

/// A line on the terminal that shows what the program waits for, and disappears afterwards. A key
/// derivation can take a second or more on a slow machine.
package enum Progress {
    package static var isShown: Bool {
        isatty(STDERR_FILENO) == 1 && !Messages.areJSON && Environment["TERM"] != "dumb"
    }

    package static func during<Result: ~Copyable>(_ what: String, _ step: () throws -> Result) rethrows
        -> Result
    {
        show("\(what) …")
        defer { clear() }
        return try step()
    }

    /// Shows the progress of a step that reports how many items are done.
    /// - Parameter hidden: the input that is hidden meanwhile. Its signals are delivered.
    package static func counting<Result: ~Copyable>(
        _ what: String, hiding hidden: HiddenInput? = nil,
        _ step: (_ progress: (_ done: Int64, _ total: Int64) -> Void) throws -> Result
    ) rethrows -> Result {
        try during(what) {
            var pace = Pace()
            return try step { done, total in
                hidden?.deliverSignals()
                if done == total || pace.isDue { show("\(what): \(done) of \(total) …") }
            }
        }
    }

    /// Limits the updates of the line to a few per second.
    package struct Pace {
        private let start = ContinuousClock.now
        /// The time of the last update, in seconds from the start.
        package private(set) var written = 0.0

        /// True if the line may be updated now. If so, it records the update.
        package var isDue: Bool {
            mutating get {
                let time = start.duration(to: .now) / .seconds(1)
                guard Progress.isShown, time - written >= 0.2 else { return false }
                written = time
                return true
            }
        }
    }

    /// Replaces the current line.
    package static func show(_ line: String) {
        guard isShown else { return }
        Output.write(
            start + line.prefix(columns: TerminalSize(of: STDERR_FILENO).columns - 1), to: .standardError)
    }

    /// Clears the line.
    package static func clear() { if isShown { Output.write(start, to: .standardError) } }

    /// Moves to the start of the line and clears the line (ECMA-48, EL).
    private static let start = "\r\u{1b}[K"
}
