import CSystem

#if EOSVAULT_CTIME
    import CMemcheck
#endif

/// Marks where data becomes secret and where it becomes public, for the test that no timing depends
/// on a secret (`make ctime`).
///
/// Under valgrind, classified bytes count as uninitialised, and so does everything computed from
/// them. valgrind reports a branch on such a value and an address made from it. Disclosed data
/// counts as public again. Each call gives the reason why its value may be public. A verdict is
/// returned to the caller in any case and reveals one bit of the secret. A signature, a ciphertext
/// and a public key are made for publication. `make ctime` lists the calls, and fails where a call
/// discloses no secret data.
///
/// Only the build of `make ctime` does this. In every other build, a disclosed number passes a
/// barrier of no instructions: the optimiser can't merge a decision after the barrier into the
/// computation before it. For bytes, the calls compile to nothing.

/// A number derived from a secret; it is public from here on.
@inlinable
@inline(__always)
public func disclosed<Number: FixedWidthInteger>(
    _ number: Number, file: StaticString = #fileID, line: UInt32 = #line
) -> Number {
    let bits = UInt64(truncatingIfNeeded: number)
    #if EOSVAULT_CTIME
        return unsafe Number(
            truncatingIfNeeded: memcheck_disclosed(bits, Int32(Number.bitWidth / 8), file.utf8Start, line))
    #else
        return Number(truncatingIfNeeded: registers_value_barrier(bits))
    #endif
}

/// A verdict about a secret; it is public from here on.
@inlinable
@inline(__always)
public func disclosed(_ verdict: Bool, file: StaticString = #fileID, line: UInt32 = #line) -> Bool {
    disclosed(verdict ? 1 as UInt8 : 0, file: file, line: line) != 0
}

/// Marks bytes for publication: they are public from here on.
@inlinable
@inline(__always)
public func disclose(_ bytes: RawSpan, file: StaticString = #fileID, line: UInt32 = #line) {
    #if EOSVAULT_CTIME
        unsafe bytes.withUnsafeBytes {
            unsafe memcheck_disclose($0.baseAddress, $0.count, file.utf8Start, line)
        }
    #endif
}

/// Marks an array for publication and returns it: its bytes are public from here on.
@inlinable
@inline(__always)
public func disclosed(_ bytes: [UInt8], file: StaticString = #fileID, line: UInt32 = #line) -> [UInt8] {
    unsafe disclose(bytes.span.bytes, file: file, line: line)
    return bytes
}

/// Marks bytes as secret from here on, although they were computed from public data.
@inlinable
@inline(__always)
public func classify(_ bytes: RawSpan, file: StaticString = #fileID, line: UInt32 = #line) {
    #if EOSVAULT_CTIME
        unsafe bytes.withUnsafeBytes {
            unsafe memcheck_classify($0.baseAddress, $0.count, file.utf8Start, line)
        }
    #endif
}

extension SecureBytes {
    /// Marks the bytes as secret from here on: they are random, or derived from data that is not
    /// marked as secret.
    @inlinable
    @inline(__always)
    public borrowing func classify(file: StaticString = #fileID, line: UInt32 = #line) {
        // Lending costs two mprotect(2) calls, and only valgrind uses the mark.
        #if EOSVAULT_CTIME
            withBytes { SecureMemory.classify($0, file: file, line: line) }
        #endif
    }
}
