import CLibraries

/// A hash function of libcrypto's default provider, fetched once.
@safe
public struct HashFunction: Sendable {
    /// The number of output bytes.
    public let size: Int
    nonisolated(unsafe) fileprivate let method: OpaquePointer

    private init(_ name: String, size: Int) {
        LibCrypto.start()
        // The default provider of OpenSSL 3 always has SHA-2, and RIPEMD-160 since 3.0.7. The
        // program can't work without them.
        guard let method = unsafe EVP_MD_fetch(nil, name, nil) else {
            preconditionFailure("libcrypto has no \(name)")
        }
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
                    input.baseAddress, input.count, output.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    nil,
                    method, nil)
            }
        }
        precondition(done == 1, "libcrypto does not hash")
    }
}

/// The hash of public bytes that arrive in parts.
@safe
public struct RunningHash: ~Copyable {
    private let function: HashFunction
    private let context: OpaquePointer

    public init(_ function: HashFunction) {
        // Both calls fail only if the library can't allocate memory.
        guard let context = unsafe EVP_MD_CTX_new(),
            unsafe EVP_DigestInit_ex(context, function.method, nil) == 1
        else { preconditionFailure("libcrypto does not hash") }
        self.function = function
        unsafe self.context = context
    }

    public mutating func add(_ bytes: [UInt8]) {
        let isAdded = unsafe bytes.withUnsafeBytes {
            unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count)
        }
        precondition(isAdded == 1, "libcrypto does not hash")
    }

    /// The digest of all bytes.
    public consuming func digest() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: function.size)
        precondition(unsafe EVP_DigestFinal_ex(context, &digest, nil) == 1, "libcrypto does not hash")
        return digest
    }

    deinit { unsafe EVP_MD_CTX_free(context) }
}
