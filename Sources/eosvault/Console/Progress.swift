import Glibc

/// A line that says what is being waited for, on a terminal alone, and goes away when it is done: a
/// derivation takes as long as its cost says, a second or more on a slow machine.
enum Progress {
    static var isShown: Bool { isatty(STDERR_FILENO) == 1 && !Messages.areJSON && Environment["TERM"] != "dumb" }

    static func during<Result: ~Copyable>(_ what: String, _ step: () throws -> Result) rethrows -> Result {
        show("\(what) …")
        defer { clear() }
        return try step()
    }

    /// The same of a step that tells how many of how many are done.
    static func counting<Result: ~Copyable>(
        _ what: String, _ step: (_ progress: (_ done: Int64, _ total: Int64) -> Void) throws -> Result
    ) rethrows -> Result {
        try during(what) {
            var pace = Pace()
            return try step { done, total in
                if done == total || pace.isDue { show("\(what): \(done) of \(total) …") }
            }
        }
    }

    /// How often a line is written: a terminal needs no more than a few a second.
    struct Pace {
        private let start = ContinuousClock.now
        /// Seconds from the start.
        private(set) var written = 0.0

        /// Whether the next line may be written now, and then it is.
        var isDue: Bool {
            mutating get {
                let time = start.duration(to: .now) / .seconds(1)
                guard Progress.isShown, time - written >= 0.2 else { return false }
                written = time
                return true
            }
        }
    }

    /// Puts the line in the place of the one that is there.
    static func show(_ line: String) { if isShown { Output.write(start + line, to: STDERR_FILENO) } }

    /// Takes the line away.
    static func clear() { if isShown { Output.write(start, to: STDERR_FILENO) } }

    /// Back to the start of the line, and the line cleared (ECMA-48, EL).
    private static let start = "\r\u{1b}[K"
}
