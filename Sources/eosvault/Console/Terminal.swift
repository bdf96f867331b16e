import CShim
import Glibc
import SecureMemory

/// The controlling terminal, where a person is asked, whatever the standard streams are connected to.
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
    /// The same terminal, where a read that finds nothing returns: what made it readable may be gone, and signals held back.
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
        Output.write(text, to: descriptor)
    }

    /// Asks a question that is answered with `y` or `yes`; anything else is no.
    borrowing func confirm(_ question: String) throws(Failure) -> Bool {
        ["y", "yes"].contains(try ask(question + " [y/N] ", limit: 256).lowercased())
    }

    /// Asks for a line that is no secret: it shows while it is typed.
    /// - Parameter limit: The most bytes it may have.
    borrowing func ask(_ question: String, limit: Int) throws(Failure) -> String {
        // What was typed before the question shows is no answer to it.
        tcflush(descriptor, TCIFLUSH)
        write(question)
        let answer: SecureBytes
        do throws(Failure) {
            guard let line = try readLine(limit: limit) else { throw .closed }
            answer = line
        } catch {
            // The rest of a long answer must not become the shell's next line.
            tcflush(descriptor, TCIFLUSH)
            throw error
        }
        return answer.withBytes { span in String(decoding: (0..<span.byteCount).map { span[byte: $0] }, as: UTF8.self) }
    }

    /// Asks for a secret with echo off.
    /// - Parameter limit: The most bytes it may have.
    borrowing func readSecret(_ prompt: String, limit: Int) throws(Failure) -> SecureBytes {
        try readHidden(limit: limit, before: { write(prompt) }, after: { write("\n") })
    }

    /// Shows a secret on a screen of its own, until Return is pressed.
    /// - Parameters:
    ///   - text: public lines above the secret.
    ///   - prompt: stands below it.
    borrowing func showSecret(_ secret: borrowing SecureBytes, below text: String, prompt: String) throws(Failure) {
        _ = try readHidden(
            limit: 256,
            before: {
                write(Screen.open + text)
                _ = secret.withBytes { Output.write($0, to: descriptor) }
                write(prompt)
            },
            after: { write(Screen.close) })
    }

    /// One line with echo off. What stands around it is written also when a signal ends the waiting: a secret does not stay on the screen of
    /// a program that was stopped.
    private borrowing func readHidden(limit: Int, before: () -> Void, after: () -> Void) throws(Failure) -> SecureBytes {
        var left: HiddenInput.Modes?
        while true {
            if let answer = try readOnce(limit: limit, &left, before: before, after: after, interrupted: {}) { return answer }
        }
    }

    /// - Parameter interrupted: Wipes what else was typed, before a signal has its way.
    /// - Returns: nil when a signal stopped the program, which was continued, perhaps under a shell that has set modes of its own: it is to be
    ///   asked anew.
    private borrowing func readOnce(
        limit: Int, _ left: inout HiddenInput.Modes?, before: () -> Void, after: () -> Void, interrupted: () -> Void
    ) throws(Failure) -> SecureBytes? {
        BeforeSecrets.warn()
        // Echo goes off first: what is typed as soon as the question shows must not show.
        let echo = try HiddenInput(on: descriptor, left: left)
        before()
        let answer: Result<SecureBytes?, Failure>
        do throws(Failure) { answer = .success(try readLine(limit: limit + 2, signals: echo.signals) { echo.keepHidden() }) } catch {
            answer = .failure(error)
        }
        after()
        guard shim_signal_waits(echo.signals) == 0 else {
            // It has its way when nothing that was typed is left, and the terminal is as it was. One that came with the last key counts.
            _ = consume answer
            interrupted()
            left = echo.end()
            return nil
        }
        left = echo.end()
        return try answer.get()
    }

    /// Asks twice for a secret that can't be looked up again; after a stop from the first question on, so that none is kept meanwhile.
    borrowing func readNewSecret(_ prompt: String, again: String, limit: Int) throws(Failure) -> SecureBytes {
        var left: HiddenInput.Modes?
        func end() { write("\n") }
        while true {
            let once = try readOnce(limit: limit, &left, before: { write(prompt) }, after: end, interrupted: {})
            guard var first = once else { continue }
            let twice = try readOnce(
                limit: limit, &left, before: { write(again) }, after: end, interrupted: { first.truncate(to: 0) })
            guard let second = twice else { continue }
            guard first.isEqual(to: second) else { throw .mismatch }
            return first
        }
    }

    /// One line, without its ending, in guarded memory from its first byte.
    /// - Parameters:
    ///   - signals: Can be read when a signal was held back, which ends the waiting.
    ///   - waiting: Called some times a second, where signals are held back.
    /// - Returns: nil, what was typed being wiped, when a signal came.
    private borrowing func readLine(limit: Int, signals: Int32 = -1, waiting: () -> Void = {}) throws(Failure) -> SecureBytes? {
        var line: SecureBytes
        do { line = try SecureBytes(count: limit) } catch { throw .memory(error) }
        var length = 0
        while true {
            guard length < limit else { throw .tooLong(limit: limit) }
            let event = shim_wait_for_input(input, signals, signals < 0 ? -1 : 100)
            guard event >= 0 else { throw .closed }
            guard event != 2 else {
                waiting()
                continue
            }
            guard event == 1 else { return nil }
            let count = line.withMutableBytes { span in
                unsafe span.withUnsafeMutableBytes { unsafe read(input, $0.baseAddress.map { unsafe $0 + length }, limit - length) }
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

/// A screen of its own, where the terminal has one (ECMA-48, and the alternate screen of xterm): what was on it is in no scroll-back.
private enum Screen {
    /// Goes there, cleared.
    static var open: String { isPlain ? "" : "\u{1b}[?1049h\u{1b}[H\u{1b}[J" }
    /// Clears it and goes back. A terminal without such a screen is cleared all the same.
    static var close: String { isPlain ? Words.notCleared : "\u{1b}[H\u{1b}[J\u{1b}[?1049l" }

    /// Whether the terminal knows no sequences.
    private static var isPlain: Bool { Environment["TERM"] == "dumb" }
}
