import Digests

/// The 32 bytes that are signed. Only a transaction and a chain id make one in the program; no
/// command takes one.
package struct SigningDigest: Hashable, Sendable {
    package let bytes: [UInt8]

    /// - Throws: `wrongLength` unless there are 32 bytes.
    package init(_ bytes: [UInt8]) throws(CurveError) {
        guard bytes.count == 32 else { throw .wrongLength(expected: 32) }
        self.bytes = bytes
    }

    /// The SHA-256 of `message`.
    package init(sha256 message: [UInt8]) {
        bytes = HashFunction.sha256.hash(message)
    }
}
