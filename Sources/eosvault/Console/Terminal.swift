import CShim
import Glibc
import SecureMemory

/// The controlling terminal, where a person is asked, whatever the standard streams are connected
/// to.
struct Terminal: ~Copyable {
    enum Failure: Error, Equatable {
        /// There is no terminal to ask at; `wanted` says what for.
        case missing(wanted: String)
        case closed
        case tooLong(limit: Int)
        case memory(SecureMemoryError)
        case mismatch
    }

    private let descriptor: Int32
    /// The same terminal, where a read that finds nothing returns: what made it readable may be
    /// gone, and signals held back.
    private let input: Int32

    /// - Parameter wanted: What would be asked for, said when there is no terminal.
    static func open(for wanted: String) throws(Failure) -> Terminal {
        let descriptor = unsafe Glibc.open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw .missing(wanted: wanted) }
        let input = unsafe Glibc.open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard input >= 0 else {
            close(descriptor)
            throw .missing(wanted: wanted)
        }
        return Terminal(descriptor: descriptor, input: input)
    }

    deinit {
        close(descriptor)
        close(input)
    }

    borrowing func write(_ text: String) {
        var modes = termios()
        // In raw mode a line feed does not return to the first column.
        let isRaw = unsafe tcgetattr(descriptor, &modes) == 0 && modes.c_oflag & tcflag_t(OPOST) == 0
        Output.write(isRaw ? text.replacing("\n", with: "\r\n") : text, to: descriptor)
    }

    /// Asks a question that is answered with `y` or `yes`; anything else is no.
    borrowing func confirm(_ question: String) throws(Failure) -> Bool {
        ["y", "yes"].contains(try ask(question + " [y/N] ", limit: 256).lowercased())
    }

    /// Asks for a line that is no secret: it is echoed while it is typed.
    /// - Parameter limit: The most bytes it may have.
    borrowing func ask(_ question: String, limit: Int) throws(Failure) -> String {
        let answer = try readPrompted(echo: .on, limit: limit, before: { write(question) }, after: {})
        return answer.withBytes { span in String(decoding: (0..<span.byteCount).map { span[byte: $0] }, as: UTF8.self) }
    }

    /// Asks for a secret with echo off.
    /// - Parameter limit: The most bytes it may have.
    borrowing func readSecret(_ prompt: String, limit: Int) throws(Failure) -> SecureBytes {
        try readPrompted(echo: .off, limit: limit, before: { write(prompt) }, after: { write("\n") })
    }

    /// Shows a secret on a screen of its own, until Return is pressed.
    /// - Parameters:
    ///   - text: public lines above the secret.
    ///   - prompt: is shown below it.
    borrowing func showSecret(_ secret: borrowing SecureBytes, below text: String, prompt: String) throws(Failure) {
        _ = try readPrompted(
            echo: .off, limit: 256,
            before: {
                write(Screen.open + text)
                _ = secret.withBytes { Output.write($0, to: descriptor) }
                write(prompt)
            },
            after: { write(Screen.close) })
    }

    /// One line that is typed at a prompt. `after` is called also when a signal ends the waiting: a
    /// secret does not stay on the screen of a program that was stopped.
    private borrowing func readPrompted(
        echo: TerminalPrompt.Echo, limit: Int, before: () -> Void, after: () -> Void
    ) throws(Failure) -> SecureBytes {
        var left: TerminalPrompt.Modes?
        while true {
            let answer = try readOnce(echo: echo, limit: limit, &left, before: before, after: after, interrupted: {})
            if let answer { return answer }
        }
    }

    /// - Parameter interrupted: Wipes what else was typed, before a signal is delivered.
    /// - Returns: nil when a signal stopped the program, which was continued, perhaps under a shell
    ///   that has set modes of its own: the question must be asked again.
    private borrowing func readOnce(
        echo: TerminalPrompt.Echo, limit: Int, _ left: inout TerminalPrompt.Modes?, before: () -> Void,
        after: () -> Void,
        interrupted: () -> Void
    ) throws(Failure) -> SecureBytes? {
        if echo == .off { BeforeSecrets.prepare() }
        // The modes are set first: what is typed as soon as the question is shown must not be
        // echoed.
        let prompt = try TerminalPrompt(on: descriptor, echo: echo, left: left)
        before()
        let answer: Result<SecureBytes?, Failure>
        do throws(Failure) {
            answer = .success(try readLine(limit: limit + 2, signals: prompt.signals) { prompt.keep() })
        } catch {
            answer = .failure(error)
        }
        after()
        guard shim_signal_waits(prompt.signals) == 0 else {
            // It is delivered when nothing that was typed is left, and the terminal is as it was.
            // One that came with the last key counts.
            _ = consume answer
            interrupted()
            left = prompt.end()
            return nil
        }
        // This also drops what was typed behind the answer: the rest of a long one must not become
        // the shell's next line.
        left = prompt.end()
        return try answer.get()
    }

    /// Asks twice for a secret that can't be looked up again; after a stop from the first question
    /// on, so that none is kept meanwhile.
    borrowing func readNewSecret(_ prompt: String, again: String, limit: Int) throws(Failure) -> SecureBytes {
        var left: TerminalPrompt.Modes?
        func end() { write("\n") }
        while true {
            let once = try readOnce(
                echo: .off, limit: limit, &left, before: { write(prompt) }, after: end, interrupted: {})
            guard var first = once else { continue }
            let twice = try readOnce(
                echo: .off, limit: limit, &left, before: { write(again) }, after: end,
                interrupted: { first.truncate(to: 0) })
            guard let second = twice else { continue }
            guard first.isEqual(to: second) else { throw .mismatch }
            return first
        }
    }

    /// One line, without its ending, in guarded memory from its first byte.
    /// - Parameters:
    ///   - signals: Can be read when a signal was held back, which ends the waiting.
    ///   - waiting: Called ten times a second.
    /// - Returns: nil when a signal came; what was typed is wiped.
    private borrowing func readLine(limit: Int, signals: Int32, waiting: () -> Void) throws(Failure) -> SecureBytes? {
        var line: SecureBytes
        do { line = try SecureBytes(count: limit) } catch { throw .memory(error) }
        var length = 0
        while true {
            guard length < limit else { throw .tooLong(limit: limit) }
            let event = shim_wait_for_input(input, signals, 100)
            guard event >= 0 else { throw .closed }
            guard event != 2 else {
                waiting()
                continue
            }
            guard event == 1 else { return nil }
            let count = line.withMutableBytes { span in
                unsafe span.withUnsafeMutableBytes {
                    unsafe read(input, $0.baseAddress.map { unsafe $0 + length }, limit - length)
                }
            }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { throw .closed }
            length += count
            if line.withBytes({ $0.isSeparator(UInt8(ascii: "\n"), at: length - 1) }) { break }
        }
        line.truncate(to: length)
        line.dropFinalLineEnding()
        return line
    }
}

/// A screen of its own, where the terminal has one (ECMA-48, and the alternate screen of xterm):
/// what was on it is in no scroll-back.
private enum Screen {
    /// Goes there, cleared.
    static var open: String { isPlain ? "" : "\u{1b}[?1049h\u{1b}[H\u{1b}[J" }
    /// Clears it and goes back. A terminal without such a screen is cleared all the same.
    static var close: String { isPlain ? Words.notCleared : "\u{1b}[H\u{1b}[J\u{1b}[?1049l" }

    /// Whether the terminal knows no sequences.
    private static var isPlain: Bool { Environment["TERM"] == "dumb" }
}
