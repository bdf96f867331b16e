import CShim
import Glibc

/// The terminal's modes while a question is asked. While one exists, the terminal edits lines,
/// Return ends a line and Ctrl-C sends SIGINT, also where the terminal was found in raw mode. Echo
/// is off for a secret.
///
/// Signals are held back, so that the terminal is restored and what was typed is wiped before one
/// ends or stops the program. They wait in the kernel: no handler runs, because a handler would put
/// registers on the stack while there is a secret. A fault of the program itself can't be held
/// back. It ends the program at once, and the terminal stays as it is (`stty sane` restores it):
/// code that runs after a fault, near a secret, is a larger risk.
@safe
struct TerminalPrompt: ~Copyable {
    private let descriptor: Int32
    /// Can be read while a signal is held back.
    let signals: Int32
    /// The signal mask before.
    private let mask: sigset_t
    private let modes: Modes

    enum Echo { case on, off }

    /// The terminal's modes before, and while the question is asked.
    @safe
    struct Modes {
        var before: termios
        var asking: termios
        var echo: Echo
    }

    /// - Parameter left: what `end` could not restore: a shell gives a program that it continues
    ///   the modes which that one had.
    /// - Throws: `closed` for a terminal that does not take the modes.
    init(on descriptor: Int32, echo: Echo, left: Modes? = nil) throws(Terminal.Failure) {
        // A process in the background is stopped here until it is in the foreground, or ended:
        // nothing is held back yet. The modes that it would read in the background are those that
        // the shell edits its line with.
        guard tcflush(descriptor, TCIFLUSH) == 0 else { throw .closed }
        var held = sigset_t()
        var mask = sigset_t()
        unsafe shim_hold_signals(&held, &mask)
        let signals = unsafe shim_signal_descriptor(&held)
        guard signals >= 0, let modes = Self.begin(descriptor, echo, left: left) else {
            if signals >= 0 { close(signals) }
            unsafe sigprocmask(SIG_SETMASK, &mask, nil)
            throw .closed
        }
        self.descriptor = descriptor
        self.signals = signals
        self.mask = mask
        self.modes = modes
    }

    private static func begin(_ descriptor: Int32, _ echo: Echo, left: Modes?) -> Modes? {
        // What was typed before the question was shown is no answer to it. After a stop in between
        // this is done again.
        repeat {
            guard tcflush(descriptor, TCIFLUSH) == 0 else { return nil }
        } while shim_drop_continuation() == 1
        var before = termios()
        guard unsafe tcgetattr(descriptor, &before) == 0 else { return nil }
        if let left, before.isSame(as: left.asking) { before = left.before }
        var asking = before.asking(echo)
        // tcsetattr succeeds when it could make any of the changes.
        guard unsafe tcsetattr(descriptor, TCSAFLUSH, &asking) == 0, unsafe tcgetattr(descriptor, &asking) == 0,
            asking.asks(echo)
        else { return nil }
        return Modes(before: before, asking: asking, echo: echo)
    }

    /// Sets the modes again after another program, which asked at the same terminal, has restored
    /// what it found.
    borrowing func keep() {
        var now = termios()
        guard unsafe tcgetattr(descriptor, &now) == 0, !now.asks(modes.echo),
            tcgetpgrp(descriptor) == ProcessHardening.inherited.processGroup
        else { return }
        var asking = modes.asking
        _ = unsafe tcsetattr(descriptor, TCSANOW, &asking)
    }

    /// Restores the terminal and the signal mask. A signal that was held back is delivered now, and
    /// ends or stops the program, or is ignored.
    /// - Returns: the modes, where they were not restored.
    consuming func end() -> Modes? {
        var left: Modes? = modes
        var now = termios()
        // A shell that took the terminal over has set other modes, which this program must not
        // change.
        if unsafe tcgetattr(descriptor, &now) == 0, now.isSame(as: modes.asking) {
            // From the background, too: a shell that sets no modes of its own would be left without
            // an echo.
            var background = sigset_t()
            unsafe sigemptyset(&background)
            unsafe sigaddset(&background, SIGTTOU)
            unsafe sigprocmask(SIG_BLOCK, &background, nil)
            var before = modes.before
            _ = unsafe tcsetattr(descriptor, TCSAFLUSH, &before)
            left = nil
        }
        close(signals)
        var mask = mask
        unsafe sigprocmask(SIG_SETMASK, &mask, nil)
        return left
    }
}

extension termios {
    /// Whether it has the same modes. Nobody has a reason to change speeds and characters while a
    /// question is asked.
    fileprivate func isSame(as other: termios) -> Bool {
        (c_iflag, c_oflag, c_cflag, c_lflag) == (other.c_iflag, other.c_oflag, other.c_cflag, other.c_lflag)
    }

    /// These modes with what a question needs.
    fileprivate func asking(_ echo: TerminalPrompt.Echo) -> termios {
        var modes = self
        modes.c_iflag |= tcflag_t(ICRNL)
        modes.c_iflag &= ~tcflag_t(INLCR | IGNCR)
        modes.c_oflag |= tcflag_t(OPOST | ONLCR)
        modes.c_lflag |= tcflag_t(ICANON | ISIG)
        switch echo {
        case .off: modes.c_lflag &= ~tcflag_t(ECHO)
        // Raw mode switches echo off. In a terminal that edits lines already, the echo is as its
        // owner set it.
        case .on: if c_lflag & tcflag_t(ICANON) == 0 { modes.c_lflag |= tcflag_t(ECHO | ECHOE | ECHOK | IEXTEN) }
        }
        return modes
    }

    /// Whether a question can be asked: a line ends with Return, Ctrl-C works, and a secret is not
    /// echoed.
    fileprivate func asks(_ echo: TerminalPrompt.Echo) -> Bool {
        let needed = tcflag_t(ICANON | ISIG)
        return c_iflag & tcflag_t(ICRNL) != 0 && c_lflag & needed == needed
            && (echo == .on || c_lflag & tcflag_t(ECHO) == 0)
    }
}
