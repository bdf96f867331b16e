import CShim
import Glibc

/// What the process gives up before it reads anything.
enum ProcessHardening {
    /// What the process was given, before it gives it up, and the right to ask for it.
    struct Inherited {
        let umask: mode_t
        let lockedMemory: ProcessLimit.Value
        let processGroup: pid_t
    }

    /// The old umask can't be asked for without setting another, which is the one from here on.
    static let inherited = Inherited(
        umask: umask(0o077), lockedMemory: ProcessLimit.lockedMemory.current, processGroup: getpgrp())

    /// Bytes of stack: what most systems give, and the least that every command runs with.
    private static let usualStack = 8 << 20
    private static let leastStack = 1 << 20

    static func apply() throws(CommandError) {
        try growStack()
        holdStandardStreams()
        // A crash must not run a backtracer, which prints registers, nor leave a core; Swift's runs
        // for SIGQUIT too.
        for signal in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT] { _ = Glibc.signal(signal, SIG_DFL) }
        // A closed pipe and a full disk are errors to be told, not deaths in the middle of a write.
        for signal in [SIGPIPE, SIGXFSZ] { _ = Glibc.signal(signal, SIG_IGN) }
        _ = LoadedObjects.atStart
        _ = inherited
        ProcessLimit.core.forbid()
        ProcessLimit.lockedMemory.raise()
        // Other processes of the same user can't read this one's memory.
        guard shim_forbid_dumping() == 0 else { throw .readableProcess }
    }

    /// The kernel compares the stack with the limit as it is when the stack grows, and leaves at
    /// least 128 MiB of addresses free below it (arch/x86/mm/mmap.c, mm/util.c), so raising the
    /// limit takes effect at once.
    private static func growStack() throws(CommandError) {
        ProcessLimit.stack.raise(to: usualStack)
        let limit = ProcessLimit.stack.current.soft ?? .max
        guard limit >= leastStack else { throw .smallStack(limit: limit, least: leastStack) }
    }

    /// A standard stream that is closed would give its number to the next file that is opened, the
    /// vault's perhaps, and what is written to the stream would land there. Each gets a descriptor
    /// that can do nothing instead.
    private static func holdStandardStreams() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is taken, which is this one.
            _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
