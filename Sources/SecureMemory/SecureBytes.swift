import CShim
import CSodium
import Glibc
import Synchronization

/// Set by the first allocation that could not be locked.
private let lockingFailed = Atomic(false)

/// What can go wrong with guarded memory.
public enum SecureMemoryError: Error, Equatable {
    /// libsodium could not be initialised, or the system gave no guarded allocation of `count` bytes.
    case unavailable(count: Int)
    /// More than `limit` bytes were offered to a secret that may have at most so many.
    case tooLong(limit: Int)
    /// read(2) failed with this `errno`.
    case unreadable(errno: Int32)
}

/// The one owner of secret bytes: a guarded allocation of libsodium, locked in memory, left out of core dumps,
/// between two no-access pages, wiped when its owner goes away, also by a thrown error.
///
/// It can't be copied, printed or encoded; it lends its bytes to a closure and takes them back.
@safe
public struct SecureBytes: ~Copyable {
    private let base: UnsafeMutableRawPointer
    /// Bytes in use; never more than what was allocated.
    public private(set) var count: Int

    /// `count` zero bytes.
    public init(count: Int) throws(SecureMemoryError) {
        // sodium_init is idempotent and thread-safe; 1 means "already done".
        guard sodium_init() >= 0, count >= 0, let base = unsafe sodium_malloc(max(count, 1)) else {
            throw .unavailable(count: count)
        }
        unsafe self.base = base
        self.count = count
        unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: max(count, 1))
        // sodium_malloc does not say whether it could lock; locking what is locked succeeds and changes nothing.
        if unsafe sodium_mlock(base, max(count, 1)) != 0 { lockingFailed.store(true, ordering: .relaxed) }
    }

    /// `count` bytes from the system's random number generator.
    public init(randomCount count: Int) throws(SecureMemoryError) {
        try self.init(count: count)
        unsafe randombytes_buf(base, count)
    }

    /// A copy of bytes that are no secret (a published test vector, a public salt). Never pass a secret: what is in an
    /// array already is in memory that nobody wipes.
    public init(copyingPublic bytes: some Collection<UInt8>) throws(SecureMemoryError) {
        try self.init(count: bytes.count)
        withMutableBytes { target in
            var index = 0
            for byte in bytes {
                target[byte: index] = byte
                index += 1
            }
        }
    }

    /// Lends the bytes for reading.
    public borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try body(RawSpan(_unsafeStart: base, byteCount: count))
    }

    /// Lends the bytes for writing.
    public mutating func withMutableBytes<Result: ~Copyable, Failure: Error>(
        _ body: (inout MutableRawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var span = unsafe MutableRawSpan(_unsafeStart: base, byteCount: count)
        return try body(&span)
    }

    /// Keeps the first `length` bytes and wipes the rest. A `length` beyond the count keeps all.
    public mutating func truncate(to length: Int) {
        guard length >= 0, length < count else { return }
        unsafe sodium_memzero(base + length, count - length)
        count = length
    }

    /// Whether both hold the same bytes, in time that depends on the lengths alone.
    public borrowing func isEqual(to other: borrowing SecureBytes) -> Bool {
        guard count == other.count else { return false }
        return unsafe sodium_memcmp(base, other.base, count) == 0
    }

    /// Whether every guarded allocation of this process so far is locked in memory. libsodium hands memory out all the same
    /// where RLIMIT_MEMLOCK is used up, and a swap could then keep a secret.
    public static var allAreLocked: Bool { !lockingFailed.load(ordering: .relaxed) }

    deinit {
        // sodium_free checks the canary, wipes, unlocks and unmaps; on a damaged canary it ends the process.
        unsafe sodium_free(base)
    }
}

/// How much of the stack below its caller `wipeScratch` overwrites, in bytes.
///
/// The deepest of the calls that touch secrets, Argon2id, goes 7 KiB down, a signature 2 KiB (libsodium 1.0.18 and libsecp256k1 0.2.0 over a
/// painted stack; the tests measure it again). A signal that comes meanwhile puts the registers below that, 3 KiB of them
/// with AVX-512 and 11 KiB with AMX, and its handler runs below those. The rest is margin, and costs nothing worth having: all of it
/// takes 0.6 µs, a hundredth of a signature.
let scratchCount = 64 * 1024

/// Overwrites what library calls leave behind on this thread: the dead part of the stack and the vector registers.
/// Called after each derivation, unsealing and signature.
@inline(never)
public func wipeScratch() {
    sodium_stackzero(scratchCount)
    shim_clear_vector_registers()
}
