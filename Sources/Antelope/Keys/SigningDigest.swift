import Codecs

/// The 32 bytes that are signed. The program makes a digest only from a transaction and a chain id;
/// no command accepts one.
public struct SigningDigest: Hashable, Sendable {
    public let bytes: [UInt8]

    /// - Throws: `wrongLength` unless `bytes` has 32 bytes.
    public init(_ bytes: [UInt8]) throws(CurveError) {
        guard bytes.count == 32 else { throw .wrongLength(expected: 32) }
        self.bytes = bytes
    }

    /// The SHA-256 of `message`.
    public init(sha256 message: [UInt8]) {
        bytes = HashFunction.sha256.hash(message)
    }
}
