import Codecs
import Keys
import SecureMemory
import WordLists

/// Starts the libraries that derive keys from seeds. A program starts them before it reads a
/// secret, for the reason of `CurveLibraries`. The types of this module also start them.
package enum SeedLibraries {
    /// Starts the libraries once; later calls do nothing.
    package static func start() {
        CurveLibraries.start()
        HMAC.start()
        WordList.start()
    }
}

/// Guarded memory.
func guarded(_ count: Int) throws(SeedError) -> SecureBytes {
    try converting(SeedError.outOfMemory, SecureBytes(count: count))
}

/// Random bytes in guarded memory.
func randomBytes(_ count: Int) throws(SeedError) -> SecureBytes {
    let bytes = try converting(SeedError.outOfMemory, SecureBytes(randomCount: count))
    bytes.classify()
    return bytes
}

extension MutableRawSpan {
    /// Overwrites bytes from `start` on with all bytes of `source`.
    mutating func copy(_ source: RawSpan, to start: Int) {
        for index in 0..<source.byteCount { self[byte: start + index] = source[byte: index] }
    }
}

extension SecureBytes {
    /// Overwrites bytes from `start` on with all bytes of `source`.
    mutating func copy(_ source: borrowing SecureBytes, to start: Int) {
        withMutableBytes { target in source.withBytes { target.copy($0, to: start) } }
    }
}
