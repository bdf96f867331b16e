import Glibc

/// A line that says what is being waited for, on a terminal alone, and goes away when it is done: a derivation takes as long as
/// its cost says, a second or more on a slow machine.
enum Progress {
    static func during<Result: ~Copyable>(_ what: String, _ step: () throws -> Result) rethrows -> Result {
        if isShown { Output.write("\(what) …", to: STDERR_FILENO) }
        defer { clear() }
        return try step()
    }

    /// Takes the line away.
    static func clear() {
        // Back to the start of the line, and the line cleared (ECMA-48, EL).
        if isShown { Output.write("\r\u{1b}[K", to: STDERR_FILENO) }
    }

    private static var isShown: Bool { isatty(STDERR_FILENO) == 1 && !Messages.areJSON && Environment["TERM"] != "dumb" }
}
