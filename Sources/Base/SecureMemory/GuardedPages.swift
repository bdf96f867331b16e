import CLibraries
import Glibc
import Synchronization

/// Set by the first allocation that could not be locked.
private let lockingFailed = Atomic(false)

/// Memory from libsodium between two no-access pages. It is locked in memory, left out of core
/// dumps and all zero in a child after fork(2). It is itself no-access except while it is lent. It
/// is wiped and unmapped at the end of its owner's life.
@safe
struct GuardedPages: ~Copyable, @unchecked Sendable {
    /// The first byte in use. The last byte is directly before the no-access page.
    private let base: UnsafeMutableRawPointer
    /// The number of nested readers at this moment. They are in one thread, because a secret is not
    /// `Sendable`.
    private let readers = Atomic(0)

    /// Allocates `count` zero bytes, and at least one byte.
    init(count: Int) throws(SecureMemoryError) {
        // sodium_init is idempotent and thread-safe; 1 means "already done".
        guard sodium_init() >= 0, count >= 0, let base = unsafe Self.allocate(count: max(count, 1)) else {
            throw .unavailable(count: count)
        }
        unsafe self.base = base
    }

    private static func allocate(count: Int) -> UnsafeMutableRawPointer? {
        guard let base = unsafe sodium_malloc(count) else { return nil }
        unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: count)
        let offset = Int(bitPattern: base) & (Int(getpagesize()) - 1)
        let (pages, length) = unsafe (base - offset, count + offset)
        // sodium_malloc does not report whether mlock and madvise succeeded. Repeating these calls
        // changes nothing where they did. Memory that can't be locked is used and reported
        // (`allAreLocked`). Memory that would be dumped, or copied to a child that does not wipe
        // it, is refused.
        if unsafe mlock(pages, length) != 0 { lockingFailed.store(true, ordering: .relaxed) }
        let isHidden =
            unsafe madvise(pages, length, MADV_DONTDUMP) == 0 && madvise(pages, length, MADV_WIPEONFORK) == 0
        guard isHidden, unsafe sodium_mprotect_noaccess(base) == 0 else {
            unsafe sodium_free(base)
            return nil
        }
        return unsafe base
    }

    /// Lends a pointer to the first byte for reading; a write through it ends the process.
    borrowing func lend<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let isFirst = readers.wrappingAdd(1, ordering: .relaxed).oldValue == 0
        if isFirst { unsafe Self.expect(sodium_mprotect_readonly(base)) }
        defer {
            let isLast = readers.wrappingSubtract(1, ordering: .relaxed).newValue == 0
            if isLast { unsafe Self.expect(sodium_mprotect_noaccess(base)) }
        }
        return unsafe try body(base)
    }

    /// Lends a pointer to the first byte for writing. No reader exists meanwhile, because
    /// `mutating` requires exclusive access to the owner.
    mutating func lendMutable<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeMutableRawPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe Self.expect(sodium_mprotect_readwrite(base))
        defer { unsafe Self.expect(sodium_mprotect_noaccess(base)) }
        return unsafe try body(base)
    }

    /// The pages are a separate mapping from the start. Changing their protection therefore needs
    /// no kernel memory, and no input can make it fail.
    private static func expect(_ result: Int32) {
        precondition(result == 0, "guarded memory can't be protected")
    }

    /// True if all guarded memory allocated so far is locked.
    static var allAreLocked: Bool { !lockingFailed.load(ordering: .relaxed) }

    deinit {
        // sodium_free makes the pages writable, checks the canary, wipes, unlocks and unmaps them.
        // If the canary is damaged, it ends the process.
        unsafe sodium_free(base)
    }
}
