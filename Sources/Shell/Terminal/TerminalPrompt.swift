import Codecs
import Files
import Glibc
import SecureMemory

/// The terminal's modes during a question. While a `TerminalPrompt` exists, the terminal edits
/// lines, Return ends a line and Ctrl-C sends SIGINT, even if the terminal was in raw mode before.
/// Echo is off for a secret.
///
/// Signals are held back, so that the terminal is restored and the typed input is wiped before a
/// signal ends or stops the program. The signals are pending in the kernel. No handler runs,
/// because a handler would put registers on the stack while there is a secret. A fault of the
/// program itself can't be held back. It ends the program at once, and the terminal keeps the modes
/// of the question (`stty sane` restores it). Code that runs after a fault, near a secret, is a
/// larger risk.
@safe
package struct TerminalPrompt: ~Copyable {
    private let descriptor: Int32
    private let held: HeldSignals
    /// Becomes readable while a signal is held back.
    private let signals: FileDescriptor
    private let modes: Modes

    package enum Echo {
        case on, off
        /// No echo, and each key is read at once.
        case keys
    }

    /// The terminal's modes before and during the question.
    @safe
    package struct Modes {
        fileprivate var before: termios
        fileprivate var asking: termios
        fileprivate var echo: Echo

        /// True if a question has set these modes, also while it reads single keys.
        fileprivate func contain(_ modes: termios) -> Bool {
            modes.isSame(as: asking) || modes.isSame(as: asking.asking(.keys))
        }
    }

    /// - Parameter left: the modes that `end` did not restore. A shell that continues a program
    ///   sets the modes that the program had.
    /// - Throws: `closed` for a terminal that does not accept the modes.
    package init(on descriptor: Int32, echo: Echo, left: Modes? = nil) throws(Terminal.Failure) {
        // A background process is stopped here until it is in the foreground or ended: no signal is
        // held back yet. In the background it would read the modes that the shell uses to edit its
        // line.
        guard tcflush(descriptor, TCIFLUSH) == 0 else { throw .closed() }
        let held = HeldSignals()
        let signals = try? held.makeDescriptor()
        guard let signals, let modes = Self.begin(descriptor, echo, left: left) else {
            if let signals { close(signals.number) }
            held.release()
            throw .closed()
        }
        self.descriptor = descriptor
        self.held = held
        self.signals = signals
        self.modes = modes
    }

    private static func begin(_ descriptor: Int32, _ echo: Echo, left: Modes?) -> Modes? {
        // Input that was typed before the question appeared is not an answer to it. Drop it again
        // after a stop in between.
        repeat {
            guard tcflush(descriptor, TCIFLUSH) == 0 else { return nil }
        } while HeldSignals.discard(SIGCONT)
        var before = termios()
        guard unsafe tcgetattr(descriptor, &before) == 0 else { return nil }
        if let left, left.contain(before) { before = left.before }
        var asking = before.asking(echo)
        // tcsetattr succeeds even if it made only some of the changes, so check them.
        guard unsafe tcsetattr(descriptor, TCSAFLUSH, &asking) == 0,
            unsafe tcgetattr(descriptor, &asking) == 0,
            asking.asks(echo)
        else { return nil }
        return Modes(before: before, asking: asking, echo: echo)
    }

    /// Sets the modes again after another program, which asked at the same terminal, has restored
    /// its own modes.
    private borrowing func keep() {
        var now = termios()
        guard unsafe tcgetattr(descriptor, &now) == 0, !now.asks(modes.echo),
            tcgetpgrp(descriptor) == ProcessHardening.inherited.processGroup
        else { return }
        var asking = modes.asking
        _ = unsafe tcsetattr(descriptor, TCSANOW, &asking)
    }

    /// Restores the terminal and the signal mask. A signal that was held back is now delivered: it
    /// ends or stops the program, or is ignored.
    /// - Returns: the modes, if they were not restored.
    package consuming func end() -> Modes? {
        var left: Modes? = modes
        var now = termios()
        // If the modes differ, a shell took over the terminal and set its own modes, which this
        // program must not change.
        if unsafe tcgetattr(descriptor, &now) == 0, modes.contain(now) {
            // Block SIGTTOU, so that the modes are also restored from the background: a shell that
            // sets no modes would stay without echo.
            held.hold(SIGTTOU)
            var before = modes.before
            _ = unsafe tcsetattr(descriptor, TCSAFLUSH, &before)
            left = nil
        }
        close(signals.number)
        held.release()
        return left
    }

    /// Delivers the signals that are held back, and begins again if the program continues.
    /// - Throws: `closed`.
    package consuming func deliveringSignals() throws(Terminal.Failure) -> TerminalPrompt {
        let (descriptor, echo) = (descriptor, modes.echo)
        return try TerminalPrompt(on: descriptor, echo: echo, left: end())
    }

    // MARK: waiting

    package enum Event { case input, signal, nothing }

    /// Waits for input or a signal, at most a tenth of a second unless another time is given. Sets
    /// the modes again if another program changed them meanwhile.
    /// - Throws: `closed`.
    package borrowing func wait(for input: Int32, milliseconds: Int32 = 100) throws(Terminal.Failure) -> Event
    {
        switch Self.poll([signals.number, input], milliseconds: milliseconds) {
        case nil: throw .closed()
        case []:
            keep()
            return .nothing
        case let ready?: return ready.contains(signals.number) ? .signal : .input
        }
    }

    /// Drops typed or pasted input until none has arrived for 0.3 seconds. The parts of a paste can
    /// arrive one after the other, and the kernel queues only a few kilobytes of it.
    /// - Parameter whileWaiting: is called about ten times a second while no input arrives.
    /// - Returns: false when a signal arrived.
    /// - Throws: `closed`, or `typedAhead` if input still arrives after 10 seconds.
    package borrowing func dropInput(from input: Int32, whileWaiting: () -> Void) throws(Terminal.Failure)
        -> Bool
    {
        try readKeys()
        // The dropped input may be a secret that was pasted too early.
        var dropped = try converting(Terminal.Failure.memory, SecureBytes(count: 4096))
        let end = Clock.sinceBoot + 10
        var silence = 0
        while silence < 3 {
            switch Self.poll([signals.number, input], milliseconds: 100) {
            case nil: throw .closed()
            case []:
                silence += 1
                whileWaiting()
            case let ready? where ready.contains(signals.number): return false
            default:
                silence = 0
                // Linux's tcflush can drop a Ctrl-C too, before it is a signal; a read does not.
                _ = try Self.read(input, into: &dropped, at: 0)
                guard Clock.sinceBoot < end else { throw .typedAhead }
            }
        }
        var asking = modes.asking
        guard unsafe tcsetattr(descriptor, TCSAFLUSH, &asking) == 0 else { throw .closed() }
        return true
    }

    /// Reads what was typed into `line`, from `start` on.
    /// - Returns: the number of bytes; 0 if another reader took them.
    /// - Throws: `closed`.
    package static func read(_ input: Int32, into line: inout SecureBytes, at start: Int) throws(Terminal
        .Failure)
        -> Int
    {
        let count: Int
        do {
            count = try line.withMutableBytes { span throws(FileError) in
                try FileDescriptor(input).read(into: &span, in: start..<span.byteCount)
            }
        } catch {
            guard error.number == EAGAIN else { throw .closed() }
            return 0
        }
        guard count > 0 else { throw .closed() }
        return count
    }

    /// True if more input arrives within 0.1 seconds after a line. No other line can be read at
    /// this prompt afterwards.
    /// - Throws: `closed`.
    package borrowing func isFollowed(on input: Int32) throws(Terminal.Failure) -> Bool {
        try readKeys()
        guard let ready = Self.poll([signals.number, input], milliseconds: 100) else { throw .closed() }
        return ready.contains(input)
    }

    /// Makes each key readable at once, so that an incomplete line is seen too.
    private borrowing func readKeys() throws(Terminal.Failure) {
        var keys = modes.asking.asking(.keys)
        guard unsafe tcsetattr(descriptor, TCSANOW, &keys) == 0 else { throw .closed() }
    }

    /// True if a signal is held back.
    package var hasSignal: Bool { Self.poll([signals.number], milliseconds: 0)?.isEmpty == false }

    /// The descriptors that are readable, at their end or broken; none when the time is over, nil
    /// on failure.
    private static func poll(_ descriptors: [Int32], milliseconds: Int32) -> [Int32]? {
        var waited = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var count: Int32
        repeat {
            count = unsafe Glibc.poll(&waited, nfds_t(waited.count), milliseconds)
        } while count < 0 && errno == EINTR
        return count < 0 ? nil : waited.filter { $0.revents != 0 }.map(\.fd)
    }
}

extension termios {
    /// True if the modes are the same. Speeds and control characters are not compared: no program
    /// has a reason to change them during a question.
    fileprivate func isSame(as other: termios) -> Bool {
        (c_iflag, c_oflag, c_cflag, c_lflag) == (other.c_iflag, other.c_oflag, other.c_cflag, other.c_lflag)
    }

    /// These modes, with the changes that a question needs.
    fileprivate func asking(_ echo: TerminalPrompt.Echo) -> termios {
        var modes = self
        modes.c_iflag |= tcflag_t(ICRNL)
        modes.c_iflag &= ~tcflag_t(INLCR | IGNCR)
        modes.c_oflag |= tcflag_t(OPOST | ONLCR)
        modes.c_lflag |= tcflag_t(ICANON | ISIG)
        switch echo {
        case .off: modes.c_lflag &= ~tcflag_t(ECHO)
        case .keys:
            modes.c_lflag &= ~tcflag_t(ECHO | ICANON)
            // VMIN and VTIME: a read returns as soon as there is one byte.
            (modes.c_cc.6, modes.c_cc.5) = (1, 0)
        // Raw mode has echo off, so switch it on. In a terminal that edits lines, keep the echo as
        // the user set it.
        case .on:
            if c_lflag & tcflag_t(ICANON) == 0 { modes.c_lflag |= tcflag_t(ECHO | ECHOE | ECHOK | IEXTEN) }
        }
        return modes
    }

    /// True if the modes suit a question: Return ends a line, Ctrl-C works, and a secret is not
    /// echoed.
    fileprivate func asks(_ echo: TerminalPrompt.Echo) -> Bool {
        let needed = tcflag_t(echo == .keys ? ISIG : ICANON | ISIG)
        return c_iflag & tcflag_t(ICRNL) != 0 && c_lflag & needed == needed
            && (echo != .keys || c_lflag & tcflag_t(ICANON) == 0)
            && (echo == .on || c_lflag & tcflag_t(ECHO) == 0)
    }
}
