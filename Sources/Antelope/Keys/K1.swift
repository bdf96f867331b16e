import CLibraries
import Codecs
import SecureMemory

/// secp256k1 by libsecp256k1. No other file calls this library.
enum K1 {
    /// The precomputed tables need no context. This context holds the blinding of signatures, which
    /// is random in each process.
    nonisolated(unsafe) private static let context: OpaquePointer = {
        guard let context = unsafe secp256k1_context_create(UInt32(SECP256K1_CONTEXT_NONE)),
            sodium_init() >= 0
        else {
            preconditionFailure("libsecp256k1 does not start")
        }
        var seed = [UInt8](repeating: 0, count: 32)
        unsafe randombytes_buf(&seed, seed.count)
        unsafe classify(seed.span.bytes)
        let randomised = unsafe secp256k1_context_randomize(context, seed)
        unsafe sodium_memzero(&seed, seed.count)
        precondition(randomised == 1, "libsecp256k1 does not start")
        return unsafe context
    }()

    static func validate(point: [UInt8]) throws(CurveError) {
        _ = try parse(point)
    }

    /// True if the uncompressed point, 65 bytes, is on the curve.
    static func isOn(_ point: [UInt8]) -> Bool { (try? parse(point)) != nil }

    private static func parse(_ point: [UInt8]) throws(CurveError) -> secp256k1_pubkey {
        var key = secp256k1_pubkey()
        guard unsafe secp256k1_ec_pubkey_parse(context, &key, point, point.count) == 1 else {
            throw .notOnCurve(.k1)
        }
        return key
    }

    /// The key as the chain stores it. The library computed the point, so it is not parsed again,
    /// which would cost a square root.
    private static func compressed(_ key: secp256k1_pubkey) throws(CurveError) -> PublicKey {
        var key = key
        var point = [UInt8](repeating: 0, count: 33)
        var count = point.count
        guard
            unsafe secp256k1_ec_pubkey_serialize(
                context, &point, &count, &key, UInt32(SECP256K1_EC_COMPRESSED)) == 1
        else { throw .libraryFailure }
        return PublicKey(computed: .k1, point: point)
    }

    /// Lends a pointer to the scalar's 32 bytes for one call.
    private static func lend(_ scalar: RawSpan, _ call: (UnsafePointer<UInt8>) -> Bool) -> Bool {
        unsafe scalar.withUnsafeBytes { buffer in
            guard buffer.count == 32, let base = buffer.baseAddress else { return false }
            return unsafe call(base.assumingMemoryBound(to: UInt8.self))
        }
    }

    static func isScalar(_ scalar: RawSpan) -> Bool {
        // Discloses whether the scalar is in range. If it is not, it is not a key.
        unsafe lend(scalar) { unsafe disclosed(secp256k1_ec_seckey_verify(context, $0)) == 1 }
    }

    static func publicKey(of scalar: RawSpan) throws(CurveError) -> PublicKey {
        var key = secp256k1_pubkey()
        // This succeeds for every scalar in range, and its result is the public key.
        let created = unsafe lend(scalar) {
            unsafe disclosed(secp256k1_ec_pubkey_create(context, &key, $0)) == 1
        }
        guard created else { throw .libraryFailure }
        unsafe withUnsafeBytes(of: &key) { unsafe disclose($0.bytes) }
        return try compressed(key)
    }

    /// Adds a number to a scalar, modulo the order of the curve. Both have 32 bytes, most
    /// significant byte first.
    /// - Returns: false if the number is not below the order, or the sum is zero. The scalar
    ///   is then zero, or unchanged.
    static func add(_ number: RawSpan, to scalar: inout MutableRawSpan) -> Bool {
        guard scalar.byteCount == PrivateKey.size else { return false }
        return unsafe scalar.withUnsafeMutableBytes { scalar in
            guard let start = scalar.baseAddress else { return false }
            let sum = unsafe start.assumingMemoryBound(to: UInt8.self)
            // Discloses whether there is a sum. There is none once in 2^127 additions.
            return unsafe lend(number) {
                unsafe disclosed(secp256k1_ec_seckey_tweak_add(context, sum, $0)) == 1
            }
        }
    }

    /// libfc increments the counter before its first use, so it never signs with candidate 0
    /// (`extended_nonce_function` in AntelopeIO/spring,
    /// libraries/libfc/src/crypto/elliptic_secp256k1.cpp).
    private static let libfcNonce:
        @convention(c) (
            UnsafeMutablePointer<UInt8>?, UnsafePointer<UInt8>?, UnsafePointer<UInt8>?, UnsafePointer<UInt8>?,
            UnsafeMutableRawPointer?, UInt32
        ) -> Int32 = { nonce, message, key, algorithm, counter, _ in
            guard let counter = unsafe counter?.assumingMemoryBound(to: UInt32.self) else { return 0 }
            unsafe counter.pointee += 1
            let isMade = unsafe secp256k1_nonce_function_rfc6979(
                nonce, message, key, algorithm, nil, counter.pointee)
            unsafe SigningFault.flip(in: nonce, SigningFault.nonce, count: 32)
            return isMade
        }

    /// Every second candidate is canonical on average. The probability that none of 256 is
    /// canonical is 2^-256.
    private static let maximumAttempts = 256

    /// Signs as libfc does. Nothing is allocated before a canonical candidate is found.
    /// - Returns: the signature, and the number of its RFC 6979 candidate, counted from 1.
    static func sign(
        _ digest: SigningDigest, scalar: RawSpan
    ) throws(CurveError) -> (signature: Signature, attempts: Int) {
        var counter: UInt32 = 0
        var recoverable = secp256k1_ecdsa_recoverable_signature()
        while counter < maximumAttempts {
            let signed = unsafe lend(scalar) { key in
                unsafe SigningFault.flipping(key, SigningFault.key) { key in
                    unsafe SigningFault.flipping(digest.bytes, SigningFault.digest) { digest in
                        // Discloses whether signing succeeded. It does for every scalar in range.
                        unsafe disclosed(
                            secp256k1_ecdsa_sign_recoverable(
                                context, &recoverable, digest, key, libfcNonce, &counter))
                            == 1
                    }
                }
            }
            guard signed else { throw .libraryFailure }
            let compact = compact(&recoverable)
            // A candidate that nodeos would refuse is discarded and never returned. Only the number
            // of candidates is visible, through the time.
            if disclosed(Signature.isCanonical(compact.span)) {
                return (Signature(computed: compact), Int(counter))
            }
        }
        throw .noCanonicalSignature(limit: maximumAttempts)
    }

    /// The guarded memory that `hasExpectedNonce` needs, in bytes.
    static let nonceMemorySize = 2 * PrivateKey.size

    /// True if the signature was made with the nonce of the rule, which is computed again here. A
    /// signature with another nonce still recovers to the right key. Together with a correct
    /// signature of the same digest, it discloses the private key.
    ///
    /// With digest z, key d and nonce k, a signature (r, s) fulfils s·k = z + r·d modulo the order
    /// (SEC 1, 4.1.3), or s·k = -(z + r·d) after s was replaced by the lower one. The caller checks
    /// that it recovers to the key, so s·R = (z + r·d)·G for the point R with the coordinate r.
    /// Together, R = k·G or -k·G: r belongs to this nonce, without a second multiplication of a
    /// point.
    /// - Parameter memory: guarded memory of `nonceMemorySize` bytes.
    static func hasExpectedNonce(
        _ signed: (signature: Signature, attempts: Int), _ digest: SigningDigest, scalar: RawSpan,
        into memory: inout MutableRawSpan
    ) throws(CurveError) -> Bool {
        guard memory.byteCount == nonceMemorySize else { throw .wrongLength(expected: nonceMemorySize) }
        let number = Curve.k1.reduced(digest.bytes)
        let differs = unsafe memory.withUnsafeMutableBytes { buffer -> Int32? in
            unsafe signed.signature.body.withUnsafeBufferPointer { body in
                guard let start = buffer.baseAddress, let r = unsafe body.baseAddress.map({ unsafe $0 + 1 })
                else {
                    return nil
                }
                let left = unsafe start.assumingMemoryBound(to: UInt8.self)
                let right = unsafe left + PrivateKey.size
                let isComputed = unsafe lend(scalar) { key in
                    unsafe right.update(from: key, count: PrivateKey.size)
                    // These succeed for a signature, and disclose only that they did.
                    return unsafe secp256k1_nonce_function_rfc6979(
                        left, digest.bytes, key, nil, nil, UInt32(signed.attempts)) == 1
                        && disclosed(secp256k1_ec_seckey_tweak_mul(context, left, r + 32)) == 1
                        && disclosed(secp256k1_ec_seckey_tweak_mul(context, right, r)) == 1
                        && disclosed(secp256k1_ec_seckey_tweak_add(context, right, number)) == 1
                }
                guard isComputed else { return nil }
                let asIs = unsafe sodium_memcmp(left, right, PrivateKey.size)
                guard unsafe disclosed(secp256k1_ec_seckey_negate(context, left)) == 1 else { return nil }
                // Discloses whether one of the two is equal, and not which one.
                return unsafe disclosed(asIs & sodium_memcmp(left, right, PrivateKey.size))
            }
        }
        guard let differs else { throw .libraryFailure }
        return differs == 0
    }

    /// Header byte (27 + 4 for a compressed key + the recovery id), r, s.
    private static func compact(_ recoverable: inout secp256k1_ecdsa_recoverable_signature) -> InlineArray<
        65, UInt8
    > {
        var compact = InlineArray<65, UInt8>(repeating: 0)
        var recoveryID: Int32 = 0
        var span = compact.mutableSpan
        unsafe span.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            _ = unsafe secp256k1_ecdsa_recoverable_signature_serialize_compact(
                context, base + 1, &recoveryID, &recoverable)
            unsafe SigningFault.flip(in: base + 1, SigningFault.signature, count: 64)
        }
        compact[0] = UInt8(truncatingIfNeeded: 27 + 4 &+ recoveryID)
        return compact
    }

    /// - Parameter signature: Header byte 31 to 34, r, s: 65 bytes.
    static func recover(_ signature: [UInt8], digest: SigningDigest) throws(CurveError) -> PublicKey {
        var recoverable = secp256k1_ecdsa_recoverable_signature()
        let parsed = unsafe signature.withUnsafeBufferPointer { buffer in
            guard buffer.count == Signature.compactSize, let base = buffer.baseAddress else { return false }
            return unsafe secp256k1_ecdsa_recoverable_signature_parse_compact(
                context, &recoverable, base + 1, Int32(base[0]) - (27 + 4)) == 1
        }
        guard parsed else { throw .notRecoverable }
        var key = secp256k1_pubkey()
        guard unsafe secp256k1_ecdsa_recover(context, &key, &recoverable, digest.bytes) == 1 else {
            throw .notRecoverable
        }
        return try compressed(key)
    }
}
