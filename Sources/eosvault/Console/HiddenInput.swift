import Glibc
import Synchronization

/// The signal that ended a hidden prompt; 0 for none. A signal handler can reach nothing but a global.
private let caughtSignal = Atomic<Int32>(0)

/// Echo is off while one exists. Signals that would end or stop the program are held back but while it waits for input, and
/// then only end the waiting, so that the terminal is put back first.
@safe
struct HiddenInput: ~Copyable {
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGALRM, SIGUSR1, SIGUSR2]

    private let descriptor: Int32
    private let settings: termios
    /// What was held back before.
    let mask: sigset_t
    private let handlers: [sigaction]

    init(on descriptor: Int32) {
        self.descriptor = descriptor
        var held = sigset_t()
        unsafe sigemptyset(&held)
        for signal in Self.signals { unsafe sigaddset(&held, signal) }
        var mask = sigset_t()
        unsafe sigprocmask(SIG_BLOCK, &held, &mask)
        self.mask = mask

        caughtSignal.store(0, ordering: .sequentiallyConsistent)
        var handlers: [sigaction] = []
        for signal in Self.signals {
            var action = sigaction()
            unsafe action.__sigaction_handler.sa_handler = { caughtSignal.store($0, ordering: .sequentiallyConsistent) }
            var previous = sigaction()
            unsafe sigaction(signal, &action, &previous)
            handlers.append(previous)
        }
        self.handlers = handlers

        var settings = termios()
        _ = unsafe tcgetattr(descriptor, &settings)
        self.settings = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        // What was typed before the question was seen is no answer to it.
        _ = unsafe tcsetattr(descriptor, TCSAFLUSH, &settings)
    }

    /// Puts the terminal, the handlers and the signals back. A signal that was held back arrives now.
    /// - Returns: The signal that ended the waiting, to be raised again.
    consuming func end() -> Int32? {
        var settings = settings
        _ = unsafe tcsetattr(descriptor, TCSAFLUSH, &settings)
        for (index, signal) in Self.signals.enumerated() {
            var previous = handlers[index]
            unsafe sigaction(signal, &previous, nil)
        }
        var mask = mask
        unsafe sigprocmask(SIG_SETMASK, &mask, nil)
        let caught = caughtSignal.load(ordering: .sequentiallyConsistent)
        return caught == 0 ? nil : caught
    }
}
