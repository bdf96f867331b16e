import Codecs
import SecureMemory

/// A private key: a scalar from 1 to the order of its curve minus 1, in guarded memory. It can't be
/// copied or printed.
public struct PrivateKey: ~Copyable, Sendable {
    public static let size = 32

    public let curve: Curve
    /// Derived from the scalar when the key is created, so that callers need no second derivation.
    public let publicKey: PublicKey
    private var scalar: SecureBytes

    /// - Parameter scalar: 32 bytes, most significant byte first.
    /// - Throws: `wrongLength`, `scalarOutOfRange`.
    public init(curve: Curve, scalar: consuming SecureBytes) throws(CurveError) {
        CurveLibraries.start()
        guard scalar.count == Self.size else { throw .wrongLength(expected: Self.size) }
        publicKey = try scalar.withBytes { span throws(CurveError) in
            try Self.publicKey(of: span, on: curve)
        }
        self.curve = curve
        self.scalar = scalar
    }

    /// - Parameter publicKey: the result of `publicKey(of:on:)` for the scalar.
    init(curve: Curve, scalar: consuming SecureBytes, _ publicKey: PublicKey) {
        (self.curve, self.publicKey) = (curve, publicKey)
        self.scalar = scalar
    }

    /// A key from the system's random number generator.
    public static func generate(_ curve: Curve) throws(CurveError) -> PrivateKey {
        CurveLibraries.start()
        // A random scalar is out of range about once in 2^128 (K1) or 2^32 (R1) tries. A second
        // failure means that the generator is broken.
        for _ in 0..<2 {
            do { return try PrivateKey(curve: curve, scalar: try random()) } catch .scalarOutOfRange {
                continue
            }
        }
        throw .libraryFailure
    }

    private static func random() throws(CurveError) -> SecureBytes {
        do {
            let scalar = try SecureBytes(randomCount: size)
            scalar.classify()
            return scalar
        } catch { throw .memory(error) }
    }

    /// The public key of a scalar in guarded memory of the caller: 32 bytes, most significant byte
    /// first.
    /// - Throws: `scalarOutOfRange`, also for another number of bytes.
    package static func publicKey(of scalar: RawSpan, on curve: Curve) throws(CurveError) -> PublicKey {
        CurveLibraries.start()
        defer { wipeScratch() }
        guard curve == .k1 ? K1.isScalar(scalar) : R1.isScalar(scalar) else {
            throw .scalarOutOfRange(curve)
        }
        return try curve == .k1 ? K1.publicKey(of: scalar) : R1.publicKey(of: scalar)
    }

    /// Signs as libfc does. The signature is released only if it recovers to this key's public key.
    /// For K1, its nonce must also be the nonce of the rule, so no computation error releases a
    /// wrong signature. R1 nonces are random: no error gives a second signature with the same
    /// nonce.
    public borrowing func sign(_ digest: SigningDigest) throws(CurveError) -> NewSignature {
        var nonce = try converting(CurveError.memory, Self.nonceMemory())
        return try sign(digest, nonce: &nonce)
    }

    /// The guarded memory that a signature needs.
    package static func nonceMemory() throws(SecureMemoryError) -> ReusedBytes {
        try ReusedBytes(capacity: K1.nonceMemorySize)
    }

    /// Signs as the other function does. The caller reuses the guarded memory for many signatures.
    package borrowing func sign(
        _ digest: SigningDigest, nonce memory: inout ReusedBytes
    ) throws(CurveError) -> NewSignature {
        switch curve {
        case .k1:
            let (signed, hasExpectedNonce) = try signRepeatingNonce(digest, &memory)
            guard try signed.signature.recover(digest) == publicKey else { throw .recoveredOtherKey }
            guard hasExpectedNonce else { throw .faultyNonce }
            return NewSignature(signed.signature, of: digest, by: publicKey, attempts: signed.attempts)
        case .r1:
            defer { wipeScratch() }
            let key = publicKey
            return try scalar.withBytes { span throws(CurveError) in
                NewSignature(try R1.sign(digest, scalar: span, of: key), of: digest, by: key, attempts: 1)
            }
        }
    }

    /// Both computations use the scalar, so it is lent once.
    private borrowing func signRepeatingNonce(
        _ digest: SigningDigest, _ memory: inout ReusedBytes
    ) throws(CurveError) -> (signed: (signature: Signature, attempts: Int), hasExpectedNonce: Bool) {
        // One wipe after all attempts, before other code runs. The code after it handles only
        // public values.
        defer { wipeScratch() }
        return try memory.lend(K1.nonceMemorySize) { nonce throws(CurveError) in
            try scalar.withBytes { span throws(CurveError) in
                let signed = try K1.sign(digest, scalar: span)
                return (signed, try K1.hasExpectedNonce(signed, digest, scalar: span, into: &nonce))
            }
        }
    }

    /// A K1 signature that is not checked. It is only for the benchmark; `Tests/Tools/lint.sh`
    /// enforces this.
    package borrowing func signUnchecked(_ digest: SigningDigest) throws(CurveError) -> Signature {
        defer { wipeScratch() }
        return try scalar.withBytes { span throws(CurveError) in
            try K1.sign(digest, scalar: span).signature
        }
    }

    /// Wipes the scalar. The key can't be used any more.
    package mutating func wipe() { scalar.wipe() }

    /// Ends this key and returns its scalar.
    package consuming func takeScalar() -> SecureBytes { scalar }

    /// Lends the 32 bytes of the scalar, most significant byte first, for sealing or printing.
    public borrowing func withScalar<Result: ~Copyable, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try scalar.withBytes(body)
    }
}

/// A signature that was just made. The key that made it was recovered from it: only this module
/// makes one.
public struct NewSignature: Sendable {
    public let signature: Signature
    package let digest: SigningDigest
    package let publicKey: PublicKey
    /// K1: the number of its RFC 6979 candidate, counted from 1. R1: 1.
    public let attempts: Int

    init(_ signature: Signature, of digest: SigningDigest, by publicKey: PublicKey, attempts: Int) {
        (self.signature, self.digest, self.publicKey, self.attempts) = (
            signature, digest, publicKey, attempts
        )
    }
}
