package import Keys

/// A public key: K1 (secp256k1), R1 (P-256) or WebAuthn. It is a point of its curve.
public struct PublicKey: Hashable, Sendable, CustomStringConvertible {
    package let value: Keys.PublicKey

    package init(_ value: Keys.PublicKey) { self.value = value }

    /// - Parameter text: `EOS…`, `PUB_K1_…`, `PUB_R1_…` or `PUB_WA_…`.
    /// - Throws: `invalid-key`; `private-key-given` for a private key.
    public init(_ text: String) throws(EOSError) {
        value = try reporting { () throws(KeyTextError) in try Keys.PublicKey(text) }
    }

    /// `EOS…` for K1, as the vault names keys; otherwise ``canonicalText``.
    public var description: String { value.text }
    /// `PUB_K1_…`, `PUB_R1_…` or `PUB_WA_…`.
    public var canonicalText: String { value.canonicalText }
}

/// A signature of a transaction.
public struct Signature: Hashable, Sendable, CustomStringConvertible {
    package let value: Keys.Signature

    package init(_ value: Keys.Signature) { self.value = value }

    /// - Parameter text: `SIG_K1_…`, `SIG_R1_…` or `SIG_WA_…`.
    /// - Throws: `invalid-signature`.
    public init(_ text: String) throws(EOSError) {
        value = try reporting { () throws(KeyTextError) in try Keys.Signature(text) }
    }

    /// True if nodeos accepts r and s: for K1, both are 32 bytes without a sign bit.
    public var isCanonical: Bool { value.isCanonical }

    /// The public key that made the signature.
    /// - Throws: `invalid-signature` if there is none.
    public func publicKey(over digest: Digest) throws(EOSError) -> PublicKey {
        try reporting { () throws(CurveError) in PublicKey(try value.recover(digest.value)) }
    }

    public var description: String { value.text }
}

/// The 32 bytes that are signed.
public struct Digest: Hashable, Sendable {
    package let value: SigningDigest

    package init(_ value: SigningDigest) { self.value = value }

    /// - Throws: `invalid-encoding` unless there are 32 bytes.
    public init(bytes: [UInt8]) throws(EOSError) {
        value = try reporting { () throws(CurveError) in try SigningDigest(bytes) }
    }

    /// 32 bytes.
    public var bytes: [UInt8] { value.bytes }
}
