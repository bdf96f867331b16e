import CLibraries
import SecureMemory

/// SHA-512 of a secret, by libsodium: its state is on the stack, which is wiped.
enum SHA512 {
    static let size = 64

    /// - Parameter digest: 64 bytes.
    static func hash(_ bytes: RawSpan, into digest: inout MutableRawSpan) {
        precondition(digest.byteCount == size)
        defer { wipeScratch() }
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe digest.withUnsafeMutableBytes { digest in
                guard let digest = digest.baseAddress else { return }
                // The address of no bytes is not used.
                _ = unsafe crypto_hash_sha512(
                    digest.bytes, bytes.baseAddress?.bytes, UInt64(bytes.count))
            }
        }
    }
}
