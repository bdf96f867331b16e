import Glibc
import SecureMemory
import Synchronization

/// Secrets must not reach the swap: what holds them is locked in memory, where the system lets this
/// process lock enough.
enum LockedMemory {
    /// Whether that it does not was said.
    private static let isSaid = Atomic(false)

    /// Bytes that a command may have locked at once. The most that any of them has is 13 pages
    /// (`import --lines`); the rest is margin.
    static let needed = 64 * sysconf(Int32(_SC_PAGESIZE))

    /// The limit of this process as it is now, in bytes; nil for none.
    static var limit: Int? { ProcessLimit.lockedMemory.current.soft }

    /// Whether so much can be locked, which is tried: the limit does not hold for a process with
    /// CAP_IPC_LOCK.
    static var isEnough: Bool {
        guard let pages = unsafe mmap(nil, needed, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            unsafe pages != MAP_FAILED
        else { return false }
        defer { unsafe munmap(pages, needed) }
        return unsafe mlock(pages, needed) == 0
    }

    /// Said before a secret is read.
    static func warnIfTooSmall() {
        guard !isEnough else { return }
        isSaid.store(true, ordering: .relaxed)
        Messages.warning(Words.lockedMemory(limit: limit, needed: needed))
    }

    /// Said after the command, when each allocation has been tried.
    static func warnIfMissing() {
        if !SecureBytes.allAreLocked, !isSaid.load(ordering: .relaxed) { Messages.warning(Words.notLocked) }
    }
}
