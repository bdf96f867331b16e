import Glibc
import Hardening

/// Restrictions that the process applies to itself before it reads anything.
package enum ProcessHardening {
    /// The inherited state of the process, before hardening changes it.
    package struct Inherited {
        package let umask: UInt32
        package let lockedMemory: ProcessLimit.Value
        package let processGroup: Int32
    }

    /// umask(2) returns the old mask only when it sets a new one. The new mask stays in effect.
    package static let inherited = Inherited(
        umask: umask(0o077), lockedMemory: ProcessLimit.lockedMemory.current, processGroup: getpgrp())

    /// In bytes: the stack size of most systems, and the least stack size that is enough for every
    /// command.
    private static let usualStack = 8 << 20
    private static let leastStack = 1 << 20

    package static func apply() throws(ProcessError) {
        try growStack()
        holdStandardStreams()
        // A closed pipe and a file size limit must return errors, not end the process during a
        // write.
        for signal in [SIGPIPE, SIGXFSZ] { _ = Glibc.signal(signal, SIG_IGN) }
        _ = LoadedObjects.atStart
        _ = inherited
        guard ThisProcess.protectMemory() else { throw .readableProcess }
    }

    /// Raising the limit takes effect at once. The kernel compares the stack with the limit as it
    /// is when the stack grows, and leaves at least 128 MiB of addresses free below the stack
    /// (arch/x86/mm/mmap.c, mm/util.c).
    private static func growStack() throws(ProcessError) {
        ProcessLimit.stack.raise(to: usualStack)
        let limit = ProcessLimit.stack.current.soft ?? .max
        guard limit >= leastStack else { throw .smallStack(limit: limit, least: leastStack) }
    }

    /// If a standard stream is closed, the next file that is opened, such as the vault, gets its
    /// number, and output to the stream would be written to that file. So each closed stream gets
    /// /dev/null, opened so that every read from standard input and every write to the other two
    /// fails.
    private static func holdStandardStreams() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // open(2) returns the lowest free number, which is this one.
            _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
