import CSodium
import Glibc
import Synchronization

/// Set by the first allocation that could not be locked.
private let lockingFailed = Atomic(false)

/// Pages of libsodium between two no-access pages: locked in memory, left out of core dumps, all
/// zero in a child after fork(2), and themselves no-access unless they are lent. Wiped and unmapped
/// when their owner goes away.
@safe
struct GuardedPages: ~Copyable {
    /// The first byte in use. The last one stands before the no-access page.
    private let base: UnsafeMutableRawPointer
    /// How many read at this moment, one inside the other. Not in several threads: a secret belongs
    /// to one, and is not `Sendable`.
    private let readers = Atomic(0)

    /// `count` zero bytes, of which there is at least one.
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
        // sodium_malloc does not say whether it could lock, nor what came of the rest; what is done
        // already is done once more and changes nothing. Memory that is not locked is told
        // (`allAreLocked`); what is dumped, or copied to a child in which nobody wipes it, is not
        // used.
        if unsafe mlock(pages, length) != 0 { lockingFailed.store(true, ordering: .relaxed) }
        let isHidden = unsafe madvise(pages, length, MADV_DONTDUMP) == 0 && madvise(pages, length, MADV_WIPEONFORK) == 0
        guard isHidden, unsafe sodium_mprotect_noaccess(base) == 0 else {
            unsafe sodium_free(base)
            return nil
        }
        return unsafe base
    }

    /// Lends the first byte for reading; writing there ends the process.
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

    /// Lends the first byte for writing. Nobody else has it meanwhile: the owner is lent as a
    /// whole.
    mutating func lendMutable<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeMutableRawPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe Self.expect(sodium_mprotect_readwrite(base))
        defer { unsafe Self.expect(sodium_mprotect_noaccess(base)) }
        return unsafe try body(base)
    }

    /// The pages are a mapping of their own from the start, so that no change of their protection
    /// needs memory of the kernel: no input makes it fail.
    private static func expect(_ result: Int32) { precondition(result == 0, "guarded memory can't be protected") }

    /// Whether every one so far is locked.
    static var allAreLocked: Bool { !lockingFailed.load(ordering: .relaxed) }

    deinit {
        // Makes them writable, checks the canary, wipes, unlocks and unmaps; on a damaged canary it
        // ends the process.
        unsafe sodium_free(base)
    }
}
