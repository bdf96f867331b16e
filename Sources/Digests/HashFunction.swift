import CCrypto

/// A hash function of libcrypto's default provider, fetched once.
@safe
public struct HashFunction: Sendable {
    /// The number of output bytes.
    public let size: Int
    nonisolated(unsafe) private let method: OpaquePointer

    private init(_ name: String, size: Int) {
        LibCrypto.start()
        // The default provider of OpenSSL 3 always has SHA-2, and RIPEMD-160 since 3.0.7. The
        // program can't work without them.
        guard let method = unsafe EVP_MD_fetch(nil, name, nil) else { preconditionFailure("libcrypto has no \(name)") }
        unsafe self.method = method
        self.size = size
    }

    public static let sha256 = HashFunction("SHA256", size: 32)
    public static let ripemd160 = HashFunction("RIPEMD160", size: 20)

    /// Fetches each function and calls it once, because libcrypto initialises parts of itself at
    /// the first use.
    public static func start() { precondition(isStarted, "libcrypto does not start") }

    private static let isStarted = [sha256, ripemd160].allSatisfy { $0.hash([0]).count == $0.size }

    /// The digest of public bytes.
    public func hash(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: size)
        var span = digest.mutableSpan
        var raw = unsafe span.mutableBytes
        unsafe hash(bytes.span.bytes, into: &raw)
        return digest
    }

    /// Hashes bytes that may be secret. The digest is written to the first `size` bytes of
    /// `digest`, which must have at least that many.
    public func hash(_ bytes: RawSpan, into digest: inout MutableRawSpan) {
        precondition(digest.byteCount >= size)
        let done = unsafe bytes.withUnsafeBytes { input in
            unsafe digest.withUnsafeMutableBytes { output in
                unsafe EVP_Digest(
                    input.baseAddress, input.count, output.baseAddress?.assumingMemoryBound(to: UInt8.self), nil,
                    method, nil)
            }
        }
        precondition(done == 1, "libcrypto does not hash")
    }
}
