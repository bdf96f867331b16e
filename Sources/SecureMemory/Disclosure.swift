import CShim

#if EOSVAULT_CTIME
    import CMemcheck
#endif

/// Where a secret begins and where it ends, for the proof that no time depends on it (`make
/// ctime`).
///
/// Under valgrind, bytes that are classified count as uninitialised, and so does all that is
/// computed from them: a branch on them, or an address made of them, is reported. What is disclosed
/// counts as public again. Each call says why its value may be known: a verdict is what the caller
/// is told in any case, and no more of the secret than that bit; a signature, a ciphertext or a
/// public key is made to be given out. `make ctime` lists the calls, and fails where one discloses
/// nothing that was secret.
///
/// That is in the build of `make ctime` alone. In every other one nothing is called: a disclosed
/// number passes a barrier of no instructions, so that the optimiser can't put into the computation
/// before it what is decided behind it; of bytes nothing is left at all.

/// A number read off a secret that is public from here on.
@inlinable
@inline(__always)
package func disclosed<Number: FixedWidthInteger>(
    _ number: Number, file: StaticString = #fileID, line: UInt32 = #line
) -> Number {
    let bits = UInt64(truncatingIfNeeded: number)
    #if EOSVAULT_CTIME
        return unsafe Number(
            truncatingIfNeeded: memcheck_disclosed(bits, Int32(Number.bitWidth / 8), file.utf8Start, line))
    #else
        return Number(truncatingIfNeeded: shim_value_barrier(bits))
    #endif
}

/// A verdict over a secret that is public from here on.
@inlinable
@inline(__always)
package func disclosed(_ verdict: Bool, file: StaticString = #fileID, line: UInt32 = #line) -> Bool {
    disclosed(verdict ? 1 as UInt8 : 0, file: file, line: line) != 0
}

/// Bytes that are given out: public from here on.
@inlinable
@inline(__always)
package func disclose(_ bytes: RawSpan, file: StaticString = #fileID, line: UInt32 = #line) {
    #if EOSVAULT_CTIME
        unsafe bytes.withUnsafeBytes { unsafe memcheck_disclose($0.baseAddress, $0.count, file.utf8Start, line) }
    #endif
}

/// The same of an array.
@inlinable
@inline(__always)
package func disclosed(_ bytes: [UInt8], file: StaticString = #fileID, line: UInt32 = #line) -> [UInt8] {
    unsafe disclose(bytes.span.bytes, file: file, line: line)
    return bytes
}

/// Bytes that are secret from here on, though what they were made from was not.
@inlinable
@inline(__always)
package func classify(_ bytes: RawSpan, file: StaticString = #fileID, line: UInt32 = #line) {
    #if EOSVAULT_CTIME
        unsafe bytes.withUnsafeBytes { unsafe memcheck_classify($0.baseAddress, $0.count, file.utf8Start, line) }
    #endif
}

extension SecureBytes {
    /// Says that the bytes are secret from here on: where they are drawn at random, or derived from
    /// what does not count as a secret itself.
    @inlinable
    @inline(__always)
    package borrowing func classify(file: StaticString = #fileID, line: UInt32 = #line) {
        // Lending costs something, and where nobody counts there is nothing to tell.
        #if EOSVAULT_CTIME
            withBytes { SecureMemory.classify($0, file: file, line: line) }
        #endif
    }
}
