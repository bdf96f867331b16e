import CLibraries
import CSystem

/// The only owner of secret bytes: a guarded allocation of libsodium. It is locked in memory, left
/// out of core dumps, and between two no-access pages. It is wiped at the end of its owner's life,
/// also after a thrown error.
///
/// It can't be copied, printed or encoded; it lends its bytes to a closure. While it does not lend
/// them, their page is no-access. While they are lent for reading, they can't be written.
public struct SecureBytes: ~Copyable, Sendable {
    private var pages: GuardedPages
    /// Bytes in use; never more than the allocation.
    public private(set) var count: Int
    /// Bytes before them that only a computation uses. The last byte is next to a no-access page.
    package let scratch: Int

    /// `count` zero bytes.
    public init(count: Int) throws(SecureMemoryError) {
        try self.init(count: count, scratch: 0)
    }

    /// `count` zero bytes, and memory before them for the steps of a computation: see
    /// `withMutableBytes(_:_:_:_:)`.
    package init(count: Int, scratch: Int) throws(SecureMemoryError) {
        precondition(scratch >= 0)
        pages = try GuardedPages(count: count + scratch)
        self.count = count
        self.scratch = scratch
    }

    /// `count` bytes from the system's random number generator.
    public init(randomCount count: Int) throws(SecureMemoryError) {
        try self.init(count: count)
        unsafe pages.lendMutable { unsafe randombytes_buf($0, count) }
    }

    /// A copy of public bytes (a published test vector, a public salt). Never pass a secret: an
    /// array is in memory that is not wiped.
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
        let (count, start) = (count, scratch)
        return unsafe try pages.lend { base throws(Failure) in
            unsafe try body(RawSpan(_unsafeStart: base + start, byteCount: count))
        }
    }

    /// Lends the bytes for writing.
    public mutating func withMutableBytes<Result: ~Copyable, Failure: Error>(
        _ body: (inout MutableRawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (count, start) = (count, scratch)
        return unsafe try pages.lendMutable { base throws(Failure) in
            var span = unsafe MutableRawSpan(_unsafeStart: base + start, byteCount: count)
            return try body(&span)
        }
    }

    /// Lends the bytes for writing, and three parts of the scratch memory that follow one another.
    /// They are zero before, and wiped when the closure ends, also by an error. Counts beyond the
    /// scratch memory are a programmer's error and trap.
    package mutating func withMutableBytes<Result: ~Copyable, Failure: Error>(
        _ first: Int, _ second: Int, _ third: Int,
        _ body: (
            inout MutableRawSpan, inout MutableRawSpan, inout MutableRawSpan, inout MutableRawSpan
        ) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(min(first, second, third) >= 0 && first + second + third <= scratch)
        let (count, start) = (count, scratch)
        return unsafe try pages.lendMutable { base throws(Failure) in
            var one = unsafe MutableRawSpan(_unsafeStart: base, byteCount: first)
            var two = unsafe MutableRawSpan(_unsafeStart: base + first, byteCount: second)
            var three = unsafe MutableRawSpan(_unsafeStart: base + first + second, byteCount: third)
            var bytes = unsafe MutableRawSpan(_unsafeStart: base + start, byteCount: count)
            defer {
                one.wipe()
                two.wipe()
                three.wipe()
            }
            return try body(&bytes, &one, &two, &three)
        }
    }

    /// Keeps the first `length` bytes and wipes the rest. A `length` greater than the count keeps
    /// all bytes.
    public mutating func truncate(to length: Int) {
        guard length >= 0, length < count else { return }
        let (wiped, start) = (count - length, scratch + length)
        unsafe pages.lendMutable { unsafe sodium_memzero($0 + start, wiped) }
        count = length
    }

    /// Wipes the bytes; their number stays the same.
    public mutating func wipe() { withMutableBytes { $0.wipe() } }

    /// True if both contain the same bytes, in time that depends on the lengths only.
    public borrowing func isEqual(to other: borrowing SecureBytes) -> Bool {
        guard count == other.count else { return false }
        let (count, start, otherStart) = (count, scratch, other.scratch)
        // The caller learns whether they differ, but not where.
        return unsafe pages.lend { left in
            unsafe other.pages.lend { right in
                unsafe disclosed(sodium_memcmp(left + start, right + otherStart, count) == 0)
            }
        }
    }

    /// True if every guarded allocation of this process so far is locked in memory. libsodium also
    /// returns memory when RLIMIT_MEMLOCK is exhausted; that memory may be swapped to disk.
    public static var allAreLocked: Bool { GuardedPages.allAreLocked }
}

extension MutableRawSpan {
    /// Overwrites the bytes with zeros. The optimiser can't remove this.
    mutating func wipe() { unsafe withUnsafeMutableBytes { unsafe sodium_memzero($0.baseAddress, $0.count) } }
}

/// How much of the stack below its caller `wipeScratch` overwrites, in bytes.
///
/// Argon2id is the deepest of the calls that process secrets: it uses 7 KiB; a signature uses 2 KiB
/// (libsodium 1.0.18 and libsecp256k1 0.2.0 over a painted stack; the tests measure it again). A
/// signal that arrives meanwhile saves the registers below that: 3 KiB with AVX-512 and 11 KiB with
/// AMX. Its handler runs below them. The rest is margin at a negligible cost: wiping all of it
/// takes 0.6 µs, a hundredth of a signature.
let scratchCount = 64 * 1024

/// Overwrites data that library calls leave on this thread: the dead part of the stack and the
/// vector registers. Called after each derivation, unsealing and signature.
@inline(never)
public func wipeScratch() {
    sodium_stackzero(scratchCount)
    registers_clear_vectors()
}

/// How much of the stack below its caller `wipeShallowScratch` overwrites, in bytes.
///
/// BLAKE2b uses less than 2 KiB (the tests measure it), and a signal that arrives meanwhile saves
/// at most 11 KiB of registers below that.
let shallowScratchCount = 16 * 1024

/// A cheaper `wipeScratch`, called after a keyed BLAKE2b: that call uses less stack than other
/// calls, and runs some hundred thousand times in a row.
@inline(never)
public func wipeShallowScratch() {
    sodium_stackzero(shallowScratchCount)
    registers_clear_vectors()
}
