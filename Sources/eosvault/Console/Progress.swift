import Glibc

/// A line that says what is being waited for, on a terminal alone, and goes away when it is done: a derivation takes as long as
/// its cost says, a second or more on a slow machine.
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
            try step { done, total in show("\(what): \(done) of \(total) …") }
        }
    }

    /// Puts the line in the place of the one that is there.
    static func show(_ line: String) { if isShown { Output.write(start + line, to: STDERR_FILENO) } }

    /// Takes the line away.
    static func clear() { if isShown { Output.write(start, to: STDERR_FILENO) } }

    /// Back to the start of the line, and the line cleared (ECMA-48, EL).
    private static let start = "\r\u{1b}[K"
}
