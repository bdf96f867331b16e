import CShim
import Glibc

/// Delays signals until a step is done.
public enum HeldSignals {
    /// Runs `body`; signals that would end or stop the process are delivered after it. SIGKILL and
    /// SIGSTOP do not wait.
    public static func during<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var held = sigset_t()
        var before = sigset_t()
        unsafe shim_hold_signals(&held, &before)
        defer { unsafe sigprocmask(SIG_SETMASK, &before, nil) }
        return try body()
    }
}
