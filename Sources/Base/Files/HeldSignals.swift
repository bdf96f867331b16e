import CSystem
import Glibc

/// Signals that would end or stop the process, delayed until a step is done. SIGKILL and SIGSTOP
/// can't be delayed.
@safe
package struct HeldSignals {
    private var held = sigset_t()
    private var before = sigset_t()

    /// Holds the signals back. They are pending in the kernel until `release`, and no handler runs.
    package init() { unsafe signals_hold(&held, &before) }

    /// Holds back one more signal.
    package func hold(_ signal: Int32) {
        var set = Self.set(of: signal)
        unsafe sigprocmask(SIG_BLOCK, &set, nil)
    }

    /// Discards a signal that is held back.
    /// - Returns: true if it had arrived.
    package static func discard(_ signal: Int32) -> Bool {
        var set = set(of: signal)
        var none = timespec()
        return unsafe sigtimedwait(&set, nil, &none) == signal
    }

    /// A signal to end the program has arrived and is held back. A long wait ends then.
    package static var isEndPending: Bool { signals_end_is_pending() == 1 }

    private static func set(of signal: Int32) -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, signal)
        return set
    }

    /// Delivers the signals that arrived meanwhile.
    package func release() {
        var before = before
        unsafe signals_release(&before)
    }

    /// Runs a `body` that writes to a pipe: if nobody reads it, this thread gets no SIGPIPE, which
    /// would end a program that uses a library.
    package static func withoutPipeSignal<Failure: Error>(
        _ body: () throws(Failure) -> Void
    ) throws(Failure) {
        var (pipe, before) = (set(of: SIGPIPE), sigset_t())
        unsafe pthread_sigmask(SIG_BLOCK, &pipe, &before)
        let wasBlocked = unsafe sigismember(&before, SIGPIPE) == 1
        defer {
            if !wasBlocked {
                _ = discard(SIGPIPE)
                unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
            }
        }
        try body()
    }

    /// A new descriptor that is readable while a signal is held back. The caller closes it.
    /// - Throws: `system`.
    package func makeDescriptor() throws(FileError) -> FileDescriptor {
        var held = held
        let number = unsafe signals_descriptor(&held)
        guard number >= 0 else { throw .last(.open) }
        return FileDescriptor(number)
    }

    /// Runs `body`; signals are delivered after it.
    package static func during<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let signals = HeldSignals()
        defer { signals.release() }
        return try body()
    }
}
