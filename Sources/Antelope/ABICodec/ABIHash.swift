import Codecs

/// The SHA-256 of an ABI's raw form: the `abi_hash` by which chains identify the ABI.
package struct ABIHash: Hashable, Sendable {
    package let bytes: [UInt8]

    /// Hashes a raw form.
    package init(raw: [UInt8]) { bytes = HashFunction.sha256.hash(raw) }

    /// A hash that someone states.
    /// - Returns: nil unless there are 32 bytes.
    package init?(sha256 bytes: [UInt8]) {
        guard bytes.count == HashFunction.sha256.size else { return nil }
        self.bytes = bytes
    }

    /// 64 hex digits, lower case.
    package var text: String { Hex.encode(bytes) }
}
