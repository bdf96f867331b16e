import Glibc
import Hardening
import SecureMemory
import Synchronization

/// Memory with secrets is locked, if the system lets this process lock enough, so that it is not
/// swapped to the disk.
package enum LockedMemory {
    /// True after the warning was printed.
    private static let hasWarned = Atomic(false)

    /// Bytes that a command may lock at once. The highest use is 13 pages (`import --lines`); the
    /// rest is margin.
    package static let needed = 64 * sysconf(Int32(_SC_PAGESIZE))

    /// The current limit of this process in bytes; nil for no limit.
    package static var limit: Int? { ProcessLimit.lockedMemory.current.soft }

    /// True if `needed` bytes can be locked. This is tried, because the limit does not apply to a
    /// process with CAP_IPC_LOCK.
    package static var isEnough: Bool {
        guard
            let pages = unsafe mmap(nil, needed, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            unsafe pages != MAP_FAILED
        else { return false }
        defer { unsafe munmap(pages, needed) }
        return unsafe mlock(pages, needed) == 0
    }

    /// Called before a secret is read.
    package static func warnIfTooSmall() {
        guard !isEnough else { return }
        hasWarned.store(true, ordering: .relaxed)
        Messages.warning(Words.lockedMemory(limit: limit, needed: needed))
    }

    /// Called after the command, when every allocation has been tried.
    package static func warnIfMissing() {
        if !SecureBytes.allAreLocked, !hasWarned.load(ordering: .relaxed) {
            Messages.warning(Words.notLocked)
        }
    }
}
