import Codecs
import Files
import Glibc
import SecureMemory

/// The controlling terminal. Questions are asked here, even if the standard streams are redirected.
package struct Terminal: ~Copyable {
    package enum Failure: Error, Equatable {
        /// There is no terminal for the question.
        case missing(wanted: TerminalPurpose)
        /// - Parameter wanted: for the hint, if it depends on the question.
        case closed(wanted: TerminalPurpose? = nil)
        case tooLong(limit: Int)
        case memory(SecureMemoryError)
        case mismatch
        /// Input arrived for 10 seconds, so the question was not asked.
        case typedAhead
        /// `isWithdrawn` ended the question.
        case withdrawn
    }

    /// The kind of answer that a question asks for.
    private enum Wanted {
        case secret
        /// Any line, with echo on.
        case text
        /// A yes, a no, or a word that accepts a danger, with echo on.
        case decision
    }

    package let descriptor: Int32
    /// Is called about ten times a second during a question, for each key, while the terminal takes
    /// no output, and when a signal arrived, before the signal is delivered.
    package var watch: (TerminalPrompt.Event) -> Void = { _ in }
    /// Is called about ten times a second. True ends the question: nobody wants the answer.
    package var isWithdrawn: () -> Bool = { false }

    /// The terminal of the process, which all questions use. The program has one thread.
    nonisolated(unsafe) private static var opened: Int32?

    /// Opens the terminal, unless an earlier question did.
    /// - Parameter wanted: for the error if there is no terminal.
    package static func open(for wanted: TerminalPurpose) throws(Failure) -> Terminal {
        if let descriptor = unsafe opened { return Terminal(descriptor: descriptor) }
        // A write does not wait: a terminal that was stopped by Ctrl-S would hold up `watch`. A
        // read without input returns: input that made the terminal readable can disappear, and a
        // blocked read could not be ended while signals are held back.
        let descriptor = unsafe Glibc.open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { throw .missing(wanted: wanted) }
        unsafe opened = descriptor
        return Terminal(descriptor: descriptor)
    }

    /// False if another job has the terminal: a question must not take its input.
    package var isInForeground: Bool { tcgetpgrp(descriptor) == ProcessHardening.inherited.processGroup }

    /// True if the terminal understands control sequences.
    package var hasControlSequences: Bool { !Screen.isPlain }

    package borrowing func write(_ text: String) {
        var modes = termios()
        // In raw mode a line feed does not return to the first column.
        let isRaw = unsafe tcgetattr(descriptor, &modes) == 0 && modes.c_oflag & tcflag_t(OPOST) == 0
        unsafe send(Array((isRaw ? text.replacing("\n", with: "\r\n") : text).utf8).span.bytes)
    }

    package borrowing func write(_ secret: borrowing SecureBytes) { secret.withBytes { send($0) } }

    /// Writes all bytes. A failure is ignored, because there is no other place to report it.
    /// - Parameter isWaiting: false omits what the terminal does not take at once.
    private borrowing func send(_ bytes: RawSpan, isWaiting: Bool = true) {
        var sent = 0
        while sent < bytes.byteCount {
            let rest = bytes.extracting(sent..<bytes.byteCount)
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count > 0 {
                sent += count
                continue
            }
            guard isWaiting, errno == EAGAIN || errno == EINTR else { return }
            var waited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = unsafe poll(&waited, 1, 100)
            watch(.nothing)
        }
    }

    /// Asks a yes-or-no question. `y` and `yes` mean yes; any other answer means no.
    package borrowing func confirm(_ question: String) throws(Failure) -> Bool {
        ["y", "yes"].contains(try decide(question + " [y/N] ").lowercased())
    }

    /// Asks for a yes, a no or a word, with echo on. An answer that was pasted, or that more input
    /// follows within 0.1 seconds, does not count: the question is asked again.
    /// - Parameter limit: the most bytes of the answer.
    package borrowing func decide(_ question: String, limit: Int = 256) throws(Failure) -> String {
        try ask(question, .decision, limit: limit)
    }

    /// Asks for a line that is not secret, with echo on.
    /// - Parameter limit: the most bytes of the answer.
    package borrowing func ask(_ question: String, limit: Int) throws(Failure) -> String {
        try ask(question, .text, limit: limit)
    }

    private borrowing func ask(_ question: String, _ wanted: Wanted, limit: Int) throws(Failure) -> String {
        let answer = try readPrompted(
            wanted, limit: limit,
            // The answer is typed after the question: a column is left for the cursor.
            before: { write(WordWrap.text(question, width: size.columns - 1)) }, after: {})
        return answer.withBytes { span in
            String(decoding: (0..<span.byteCount).map { span[byte: $0] }, as: UTF8.self)
        }
    }

    /// Asks for a secret, with echo off.
    /// - Parameter limit: the most bytes of the secret.
    package borrowing func readSecret(_ prompt: String, limit: Int) throws(Failure) -> SecureBytes {
        try readPrompted(.secret, limit: limit, before: { write(prompt) }, after: { write("\n") })
    }

    /// Runs a step after or before a typed secret with echo off. Input typed meanwhile is neither
    /// shown nor left for the next question or the shell. A signal waits until the step is done or
    /// delivers it.
    /// - Parameter secret: is passed to the step.
    package borrowing func hidingInput<Secret: ~Copyable, Result: ~Copyable>(
        with secret: consuming Secret, _ step: (consuming Secret, HiddenInput) throws -> Result
    ) throws -> Result {
        let hidden = try HiddenInput(on: descriptor)
        defer { hidden.end() }
        return try step(secret, hidden)
    }

    /// Shows a secret on a separate screen until the user presses Return.
    /// - Parameters:
    ///   - text: public lines above the secret.
    ///   - prompt: the line below the secret.
    package borrowing func showSecret(_ secret: borrowing SecureBytes, below text: String, prompt: String)
        throws(Failure)
    {
        _ = try readPrompted(
            .secret, limit: 256,
            before: {
                write(Screen.open + text)
                write(secret)
                write(prompt)
            },
            after: { write(Screen.close) })
    }

    /// Reads one line at a prompt. `after` also runs when a signal ends the wait: a secret must not
    /// stay on the screen of a stopped program.
    private borrowing func readPrompted(
        _ wanted: Wanted, limit: Int, before: () -> Void, after: () -> Void
    ) throws(Failure) -> SecureBytes {
        var left: TerminalPrompt.Modes?
        while true {
            let answer = try readOnce(
                wanted, limit: limit, &left, before: before, after: after, interrupted: {})
            if let answer { return answer }
        }
    }

    /// - Parameters:
    ///   - before: shows the question, after earlier input was dropped.
    ///   - interrupted: wipes other typed input before a signal is delivered.
    /// - Returns: nil if the question must be asked again. Either the answer does not count, or a
    ///   signal stopped the program and it was continued, perhaps by a shell that has set its own
    ///   modes.
    private borrowing func readOnce(
        _ wanted: Wanted, limit: Int, _ left: inout TerminalPrompt.Modes?, before: () -> Void,
        after: () -> Void,
        interrupted: () -> Void
    ) throws(Failure) -> SecureBytes? {
        if wanted == .secret { BeforeSecrets.prepare() }
        // The echo of a text that may be pasted would show the markers.
        return try ask(
            echo: wanted == .secret ? .off : .on, marksPastes: wanted != .text, &left, before: before,
            after: after,
            interrupted: interrupted
        ) { prompt throws(Failure) in
            guard let line = try readLine(limit: limit, at: prompt) else { return nil }
            guard wanted == .decision else { return line.text }
            let isFollowed = try prompt.isFollowed(on: descriptor)
            guard line.isPasted || isFollowed else { return line.text }
            write(WordWrap.text(Words.answerNotTyped, width: size.columns) + "\n")
            return nil
        }
    }

    /// Asks once. `after` also runs when a signal ends the wait.
    /// - Parameter read: reads the answer; nil if it does not count, or when a signal arrived.
    /// - Returns: the result of `read`, or nil after a signal.
    private borrowing func ask<Answer: ~Copyable>(
        echo: TerminalPrompt.Echo, marksPastes: Bool, _ left: inout TerminalPrompt.Modes?, before: () -> Void,
        after: () -> Void, interrupted: () -> Void,
        _ read: (borrowing TerminalPrompt) throws(Failure) -> Answer?
    ) throws(Failure) -> Answer? {
        // Set the modes first: input that is typed as soon as the question appears must not be
        // echoed.
        let prompt = try TerminalPrompt(on: descriptor, echo: echo, left: left)
        if marksPastes { markPastes() }
        var isAsked = false
        let answer = Result { () throws(Failure) -> Answer? in
            guard try dropInput(at: prompt) else { return nil }
            before()
            isAsked = true
            return try read(prompt)
        }
        if marksPastes { endMarkingPastes(at: prompt) }
        if isAsked { after() }
        guard !prompt.hasSignal else {
            // The signal is delivered when the typed input is wiped and the terminal is restored.
            // This includes a signal that arrived with the last key.
            _ = consume answer
            interrupted()
            watch(.signal)
            left = prompt.end()
            return nil
        }
        // This also drops input after the answer: the rest of a long answer must not become the
        // shell's next line.
        left = prompt.end()
        return try answer.get()
    }

    /// Lets the terminal mark pasted text, if it can do that.
    private borrowing func markPastes() { if hasControlSequences { write(PasteMarks.on) } }

    /// A terminal that takes no output must not hold up a signal.
    private borrowing func endMarkingPastes(at prompt: borrowing TerminalPrompt) {
        guard hasControlSequences else { return }
        unsafe send(Array(PasteMarks.off.utf8).span.bytes, isWaiting: !prompt.hasSignal)
    }

    /// Asks twice for a new secret. After a stop, both questions are asked again, so that no input
    /// is kept during the stop.
    package borrowing func readNewSecret(_ prompt: String, again: String, limit: Int) throws(Failure)
        -> SecureBytes
    {
        var left: TerminalPrompt.Modes?
        func end() { write("\n") }
        while true {
            let once = try readOnce(
                .secret, limit: limit, &left, before: { write(prompt) }, after: end, interrupted: {})
            guard var first = once else { continue }
            let twice = try readOnce(
                .secret, limit: limit, &left, before: { write(again) }, after: end,
                interrupted: { first.truncate(to: 0) })
            guard let second = twice else { continue }
            guard first.isEqual(to: second) else { throw .mismatch }
            return first
        }
    }

    // MARK: - lines

    /// Runs a step that reads the lines of one secret. Lines that are pasted together are read one
    /// after the other. After a signal stopped the program, the step runs again from its start, so
    /// that no input is kept during the stop.
    /// - Parameters:
    ///   - isShown: shows the input, on a separate screen; else it has no echo.
    ///   - body: returns nil when a signal arrived.
    package borrowing func readLines<Result: ~Copyable>(
        isShown: Bool, _ body: (borrowing TerminalPrompt) throws -> Result?
    ) throws -> Result {
        BeforeSecrets.prepare()
        var left: TerminalPrompt.Modes?
        while true {
            let answer = try ask(
                echo: isShown ? .on : .off, marksPastes: !isShown, &left,
                before: { if isShown { write(Screen.open) } }, after: { if isShown { write(Screen.close) } },
                interrupted: {}
            ) { prompt throws(Failure) -> Swift.Result<Result, any Error>? in
                do {
                    guard let result = try body(prompt) else { return nil }
                    return .success(result)
                } catch { return .failure(error) }
            }
            if let answer { return try answer.get() }
        }
    }

    // MARK: - keys

    /// Runs a step that reads single keys. After a signal stopped the program, it runs again.
    /// - Parameter body: returns nil when a signal arrived.
    package borrowing func readKeys<Result>(
        _ body: (borrowing TerminalPrompt) throws(Failure) -> Result?
    ) throws(Failure) -> Result {
        var left: TerminalPrompt.Modes?
        while true {
            let prompt = try TerminalPrompt(on: descriptor, echo: .keys, left: left)
            let result = Swift.Result { () throws(Failure) -> Result? in
                guard try dropInput(at: prompt) else {
                    watch(.signal)
                    return nil
                }
                return try body(prompt)
            }
            left = prompt.end()
            if let result = try result.get() { return result }
        }
    }

    /// Reads one byte.
    /// - Parameter whileWaiting: is called about ten times a second, for a terminal that changes
    ///   its size.
    /// - Returns: nil when a signal arrived.
    package borrowing func readKey(
        at prompt: borrowing TerminalPrompt, whileWaiting: () -> Void
    ) throws(Failure) -> UInt8? {
        while true {
            switch try prompt.wait(for: descriptor) {
            case .input: watch(.input)
            case .signal:
                watch(.signal)
                return nil
            case .nothing:
                watch(.nothing)
                whileWaiting()
                if isWithdrawn() { throw .withdrawn }
                continue
            }
            var byte: UInt8 = 0
            let count = unsafe Glibc.read(descriptor, &byte, 1)
            if count == 1 { return byte }
            guard count < 0, errno == EAGAIN || errno == EINTR else { throw .closed() }
        }
    }

    /// Drops input until none has arrived for 0.3 seconds: it was typed before the question.
    /// - Returns: false when a signal arrived.
    /// - Throws: `closed`, or `typedAhead` if input still arrives after 10 seconds.
    package borrowing func dropInput(at prompt: borrowing TerminalPrompt) throws(Failure) -> Bool {
        try prompt.dropInput(from: descriptor) { watch(.nothing) }
    }

    /// Reads one line into guarded memory, and drops its line ending and the markers of a paste.
    /// - Parameter limit: the most bytes without the line ending.
    /// - Returns: nil if a signal arrived; the typed input is wiped.
    package borrowing func readLine(limit: Int, at prompt: borrowing TerminalPrompt) throws(Failure)
        -> TypedLine?
    {
        let room = limit + 2 + PasteMarks.count
        var line = try converting(Failure.memory, SecureBytes(count: room))
        var length = 0
        while true {
            guard length < room else { throw .tooLong(limit: limit) }
            switch try prompt.wait(for: descriptor) {
            case .input: watch(.input)
            case .signal: return nil
            case .nothing:
                watch(.nothing)
                if isWithdrawn() { throw .withdrawn }
                continue
            }
            let count = try TerminalPrompt.read(descriptor, into: &line, at: length)
            guard count > 0 else { continue }
            length += count
            if line.withBytes({ $0.isSeparator(UInt8(ascii: "\n"), at: length - 1) }) { break }
        }
        line.truncate(to: length)
        line.dropFinalLineEnding()
        let typed = TypedLine(line)
        guard typed.text.count <= limit else { throw .tooLong(limit: limit) }
        return typed
    }
}

/// The separate screen of a terminal that has one (ECMA-48, and the alternate screen of xterm). Its
/// text does not stay in the scroll-back.
private enum Screen {
    /// Switches to the screen and clears it.
    static var open: String { isPlain ? "" : "\u{1b}[?1049h\u{1b}[H\u{1b}[J" }
    /// Clears the screen and switches back. A terminal without a separate screen is cleared too.
    /// Its scroll-back is erased (ED 3 of xterm), if it can do that.
    static var close: String { isPlain ? Words.notCleared : "\u{1b}[H\u{1b}[J\u{1b}[3J\u{1b}[?1049l" }

    /// True if the terminal supports no control sequences.
    static var isPlain: Bool { Environment["TERM"] == "dumb" }
}
