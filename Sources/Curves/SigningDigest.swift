import Digests

/// The 32 bytes that are signed. The program makes a digest only from a transaction and a chain id;
/// no command accepts one.
package struct SigningDigest: Hashable, Sendable {
    package let bytes: [UInt8]

    /// - Throws: `wrongLength` unless `bytes` has 32 bytes.
    package init(_ bytes: [UInt8]) throws(CurveError) {
        guard bytes.count == 32 else { throw .wrongLength(expected: 32) }
        self.bytes = bytes
    }

    /// The SHA-256 of `message`.
    package init(sha256 message: [UInt8]) {
        bytes = HashFunction.sha256.hash(message)
    }
}
