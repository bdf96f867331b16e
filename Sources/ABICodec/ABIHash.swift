import Codecs
import Digests

/// The SHA-256 of an ABI's raw form: the `abi_hash` by which chains identify the ABI.
public struct ABIHash: Hashable, Sendable {
    public let bytes: [UInt8]

    /// Hashes a raw form.
    public init(raw: [UInt8]) { bytes = HashFunction.sha256.hash(raw) }

    /// 64 hex digits, lower case.
    public var text: String { Hex.encode(bytes) }
}
