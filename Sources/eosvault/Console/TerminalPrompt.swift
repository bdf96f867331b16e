import CShim
import Glibc

/// Echo is off while one exists, and signals are held back, so that the terminal is put back and what was typed is wiped before
/// one ends or stops the program.
///
/// They wait in the kernel: no handler runs, which would put registers on the stack while there is a secret. A fault of the program
/// itself can't be held back and ends it at once, and the terminal stays without echo then (`stty sane` cures it): code that runs after a
/// fault, near a secret, is worth less than an echo.
@safe
struct HiddenInput: ~Copyable {
    private let descriptor: Int32
    /// Can be read while a signal is held back.
    let signals: Int32
    /// What was held back before.
    private let mask: sigset_t
    private let modes: Modes

    /// The terminal's modes before, and as they are set here.
    @safe
    struct Modes {
        var before: termios
        var hidden: termios
    }

    /// - Parameter left: what `end` could not put back: a shell gives a program that it continues the modes which that one had.
    /// - Throws: `closed` for a terminal whose echo can't be switched off.
    init(on descriptor: Int32, left: Modes? = nil) throws(Terminal.Failure) {
        // A process in the background is stopped here until it is brought to the foreground, or ended: nothing is held back yet. The modes that
        // it would read there are those that the shell edits its line with.
        guard tcflush(descriptor, TCIFLUSH) == 0 else { throw .closed }
        var held = sigset_t()
        var mask = sigset_t()
        unsafe shim_hold_signals(&held, &mask)
        let signals = unsafe shim_signal_descriptor(&held)
        guard signals >= 0, let modes = Self.hide(descriptor, left: left) else {
            if signals >= 0 { close(signals) }
            unsafe sigprocmask(SIG_SETMASK, &mask, nil)
            throw .closed
        }
        self.descriptor = descriptor
        self.signals = signals
        self.mask = mask
        self.modes = modes
    }

    /// Switches echo off.
    private static func hide(_ descriptor: Int32, left: Modes?) -> Modes? {
        // What was typed before the question was seen is no answer to it; and again, had it been stopped meanwhile.
        repeat {
            guard tcflush(descriptor, TCIFLUSH) == 0 else { return nil }
        } while shim_drop_continuation() == 1
        var before = termios()
        guard unsafe tcgetattr(descriptor, &before) == 0 else { return nil }
        if let left, before.isSame(as: left.hidden) { before = left.before }
        var hidden = before
        hidden.c_lflag &= ~tcflag_t(ECHO)
        // tcsetattr succeeds when it could make any of the changes.
        guard unsafe tcsetattr(descriptor, TCSAFLUSH, &hidden) == 0, unsafe tcgetattr(descriptor, &hidden) == 0,
            hidden.c_lflag & tcflag_t(ECHO) == 0
        else { return nil }
        return Modes(before: before, hidden: hidden)
    }

    /// Switches echo off again where another program, which asked at the same terminal, has put back what it found.
    borrowing func keepHidden() {
        var now = termios()
        guard unsafe tcgetattr(descriptor, &now) == 0, now.c_lflag & tcflag_t(ECHO) != 0,
            tcgetpgrp(descriptor) == ProcessHardening.inherited.processGroup
        else { return }
        var hidden = modes.hidden
        _ = unsafe tcsetattr(descriptor, TCSANOW, &hidden)
    }

    /// Puts the terminal and the signals back. A signal that was held back arrives now, and ends or stops the program, or goes by.
    /// - Returns: the modes, where they were not put back.
    consuming func end() -> Modes? {
        var left: Modes? = modes
        var now = termios()
        // A shell that took the terminal over has given it other modes, which are not this program's to change.
        if unsafe tcgetattr(descriptor, &now) == 0, now.isSame(as: modes.hidden) {
            // From the background, too: a shell that sets no modes of its own would be left without an echo.
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
    /// Whether it has the same modes; speeds and characters are nobody's to change while a question is asked.
    fileprivate func isSame(as other: termios) -> Bool {
        (c_iflag, c_oflag, c_cflag, c_lflag) == (other.c_iflag, other.c_oflag, other.c_cflag, other.c_lflag)
    }
}
