import CShim
import CSodium

/// What can go wrong with guarded memory.
package enum SecureMemoryError: Error, Equatable {
    /// libsodium could not be initialised, or the system gave no guarded allocation of `count`
    /// bytes.
    case unavailable(count: Int)
    /// More than `limit` bytes were offered to a secret that may have at most so many.
    case tooLong(limit: Int)
    /// read(2) failed with this `errno`.
    case unreadable(errno: Int32)
}

/// The one owner of secret bytes: a guarded allocation of libsodium, locked in memory, left out of
/// core dumps, between two no-access pages, wiped when its owner goes away, also by a thrown error.
///
/// It can't be copied, printed or encoded; it lends its bytes to a closure and takes them back.
/// While nobody has them, their page is no-access; while they are lent for reading, it can't be
/// written.
package struct SecureBytes: ~Copyable {
    private var pages: GuardedPages
    /// Bytes in use; never more than what was allocated.
    public private(set) var count: Int

    /// `count` zero bytes.
    package init(count: Int) throws(SecureMemoryError) {
        pages = try GuardedPages(count: count)
        self.count = count
    }

    /// `count` bytes from the system's random number generator.
    package init(randomCount count: Int) throws(SecureMemoryError) {
        try self.init(count: count)
        unsafe pages.lendMutable { unsafe randombytes_buf($0, count) }
    }

    /// A copy of bytes that are no secret (a published test vector, a public salt). Never pass a
    /// secret: what is in an array already is in memory that nobody wipes.
    package init(copyingPublic bytes: some Collection<UInt8>) throws(SecureMemoryError) {
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
    package borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let count = count
        return unsafe try pages.lend { base throws(Failure) in
            unsafe try body(RawSpan(_unsafeStart: base, byteCount: count))
        }
    }

    /// Lends the bytes for writing.
    package mutating func withMutableBytes<Result: ~Copyable, Failure: Error>(
        _ body: (inout MutableRawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let count = count
        return unsafe try pages.lendMutable { base throws(Failure) in
            var span = unsafe MutableRawSpan(_unsafeStart: base, byteCount: count)
            return try body(&span)
        }
    }

    /// Keeps the first `length` bytes and wipes the rest. A `length` beyond the count keeps all.
    package mutating func truncate(to length: Int) {
        guard length >= 0, length < count else { return }
        let wiped = count - length
        unsafe pages.lendMutable { unsafe sodium_memzero($0 + length, wiped) }
        count = length
    }

    /// Whether both hold the same bytes, in time that depends on the lengths alone.
    package borrowing func isEqual(to other: borrowing SecureBytes) -> Bool {
        guard count == other.count else { return false }
        let count = count
        // That they differ is what the caller is told; not where.
        return unsafe pages.lend { left in
            unsafe other.pages.lend { right in unsafe disclosed(sodium_memcmp(left, right, count) == 0) }
        }
    }

    /// Whether every guarded allocation of this process so far is locked in memory. libsodium hands
    /// memory out all the same where RLIMIT_MEMLOCK is used up, and a swap could then keep a
    /// secret.
    package static var allAreLocked: Bool { GuardedPages.allAreLocked }
}

/// How much of the stack below its caller `wipeScratch` overwrites, in bytes.
///
/// The deepest of the calls that touch secrets, Argon2id, goes 7 KiB down, a signature 2 KiB
/// (libsodium 1.0.18 and libsecp256k1 0.2.0 over a painted stack; the tests measure it again). A
/// signal that comes meanwhile puts the registers below that, 3 KiB of them with AVX-512 and 11 KiB
/// with AMX, and its handler runs below those. The rest is margin, and costs nothing worth having:
/// all of it takes 0.6 µs, a hundredth of a signature.
let scratchCount = 64 * 1024

/// Overwrites what library calls leave behind on this thread: the dead part of the stack and the
/// vector registers. Called after each derivation, unsealing and signature.
@inline(never)
package func wipeScratch() {
    sodium_stackzero(scratchCount)
    shim_clear_vector_registers()
}

/// How much of the stack below its caller `wipeShallowScratch` overwrites, in bytes.
///
/// BLAKE2b goes less than 2 KiB down (the tests measure it), and a signal that comes meanwhile puts
/// at most 11 KiB of registers below that.
let shallowScratchCount = 16 * 1024

/// `wipeScratch` for what is called some hundred thousand times in a row: after a keyed BLAKE2b,
/// which is not as deep as other calls.
@inline(never)
package func wipeShallowScratch() {
    sodium_stackzero(shallowScratchCount)
    shim_clear_vector_registers()
}
