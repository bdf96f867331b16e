import CLibraries
import Codecs
import SecureMemory

/// P-256 by libcrypto. No other file calls its curve arithmetic.
enum R1 {
    nonisolated(unsafe) private static let group: OpaquePointer = {
        LibCrypto.start()
        guard let group = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else {
            preconditionFailure("libcrypto has no P-256")
        }
        return unsafe group
    }()

    private static let order = Curve.r1.order

    /// 0 < scalar < order, without a branch on the scalar.
    static func isScalar(_ scalar: RawSpan) -> Bool {
        var borrow: Int32 = 0
        var anyBit: UInt8 = 0
        for index in stride(from: 31, through: 0, by: -1) {
            borrow = (Int32(scalar[byte: index]) &- Int32(order[index]) &+ borrow) &>> 8
            anyBit |= scalar[byte: index]
        }
        // `borrow` is -1 if scalar < order. `anyBit - 1` wraps to all ones if the scalar is 0.
        // Discloses whether the scalar is in range; if it is not, it is not a key.
        return disclosed((UInt32(bitPattern: borrow) & ~(UInt32(anyBit) &- 1)) &>> 31) != 0
    }

    static func validate(point: [UInt8]) throws(CurveError) {
        unsafe try withArithmetic { arithmetic throws(CurveError) in
            _ = unsafe try arithmetic.point(decoding: point)
        }
    }

    /// True if the uncompressed point, 65 bytes, is on the curve.
    static func isOn(_ point: [UInt8]) -> Bool {
        (try? unsafe withArithmetic { arithmetic throws(CurveError) in
            let decoded = unsafe try arithmetic.newPoint()
            return unsafe EC_POINT_oct2point(group, decoded, point, point.count, arithmetic.context) == 1
        }) ?? false
    }

    static func publicKey(of scalar: RawSpan) throws(CurveError) -> PublicKey {
        unsafe try withArithmetic { arithmetic throws(CurveError) in
            let number = unsafe scalar.withUnsafeBytes { buffer in
                unsafe BN_bin2bn(buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), 32, BN_secure_new())
            }
            defer { unsafe BN_clear_free(number) }
            unsafe BN_set_flags(number, BN_FLG_CONSTTIME)
            let point = unsafe try arithmetic.newPoint()
            guard unsafe EC_POINT_mul(group, point, number, nil, nil, arithmetic.context) == 1 else {
                throw .libraryFailure
            }
            return unsafe try arithmetic.publicKey(point)
        }
    }

    /// Signs with a random nonce and a low s, as libfc does. libcrypto mixes the key and the digest
    /// into the nonce, so a weak random number generator does not disclose the key. The header byte
    /// is 27 + 4 for a compressed key + the recovery id, which is found by recovery.
    /// - Parameter publicKey: the public key of the scalar.
    /// - Throws: `recoveredOtherKey` if the signature is not of this key.
    static func sign(_ digest: SigningDigest, scalar: RawSpan, of publicKey: PublicKey) throws(CurveError)
        -> Signature
    {
        var numbers = try signature(of: digest, scalar)
        unsafe SigningFault.flip(in: &numbers, SigningFault.signature, count: numbers.count)
        guard let signature = try Signature(numbers: numbers, of: publicKey, over: digest) else {
            throw .recoveredOtherKey
        }
        return signature
    }

    /// Signs with a known scalar, to start what signing needs.
    static func signStarting(with scalar: [UInt8]) throws(CurveError) {
        let scalar = scalar.span
        _ = unsafe try signature(of: SigningDigest(sha256: []), scalar.bytes)
    }

    /// r and s, 32 bytes each, most significant byte first.
    private static func signature(of digest: SigningDigest, _ scalar: RawSpan) throws(CurveError) -> [UInt8] {
        guard let key = unsafe key(of: scalar) else { throw .libraryFailure }
        // Wipes the private key.
        defer { unsafe EC_KEY_free(key) }
        let signed = unsafe digest.bytes.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            guard let base = buffer.baseAddress else { return nil }
            var signed: OpaquePointer?
            _ = unsafe SigningFault.flipping(base, SigningFault.digest) { bytes in
                unsafe signed = ECDSA_do_sign(bytes, Int32(buffer.count), key)
                return true
            }
            return unsafe signed
        }
        guard let signed = unsafe signed else { throw .libraryFailure }
        defer { unsafe ECDSA_SIG_free(signed) }
        // The signature is public if its key is the expected one, and discarded otherwise.
        let r = unsafe disclosed(try bytes(ECDSA_SIG_get0_r(signed)))
        let s = unsafe disclosed(try bytes(ECDSA_SIG_get0_s(signed)))
        return r + s
    }

    private static func key(of scalar: RawSpan) -> OpaquePointer? {
        LibCrypto.start()
        let number = unsafe scalar.withUnsafeBytes { buffer -> OpaquePointer? in
            guard buffer.count == 32, let base = buffer.baseAddress else { return nil }
            var number: OpaquePointer?
            _ = unsafe SigningFault.flipping(
                base.assumingMemoryBound(to: UInt8.self), SigningFault.key
            ) { bytes in
                unsafe number = BN_bin2bn(bytes, 32, BN_secure_new())
                return true
            }
            return unsafe number
        }
        defer { unsafe BN_clear_free(number) }
        guard let number = unsafe number, let key = unsafe EC_KEY_new() else { return nil }
        unsafe BN_set_flags(number, BN_FLG_CONSTTIME)
        guard unsafe EC_KEY_set_group(key, group) == 1, unsafe EC_KEY_set_private_key(key, number) == 1 else {
            unsafe EC_KEY_free(key)
            return nil
        }
        return unsafe key
    }

    /// The 32 bytes of a number, most significant byte first.
    private static func bytes(_ number: OpaquePointer?) throws(CurveError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 32)
        guard unsafe BN_bn2binpad(number, &bytes, Int32(bytes.count)) == bytes.count else {
            throw .libraryFailure
        }
        return bytes
    }

    /// The limits of libfc for r, s and the header byte. For WebAuthn signatures it has no limits
    /// for r and s, and reduces them modulo the order
    /// (libraries/libfc/src/crypto/elliptic_webauthn.cpp).
    enum RecoveryRules {
        case r1, webAuthn

        fileprivate var headers: ClosedRange<UInt8> { self == .r1 ? 27...34 : 31...34 }
    }

    /// Q = r⁻¹(sR - eG) (SEC 1, 4.1.6). Bit 1 of the recovery id means that R's x was r + order.
    /// The header is 27 to 34; 31 to 34 mean a compressed key. The rules come from libfc
    /// (libraries/libfc/src/crypto/elliptic_r1.cpp).
    static func recover(_ signature: [UInt8], digest: SigningDigest, rules: RecoveryRules = .r1)
        throws(CurveError)
        -> PublicKey
    {
        guard rules.headers.contains(signature[0]) else { throw .notRecoverable }
        let recoveryID = Int32((signature[0] - 27) & 3)
        return unsafe try withArithmetic { arithmetic throws(CurveError) in
            let order = unsafe try arithmetic.number(order)
            let r = unsafe try arithmetic.number(Array(signature[1..<33]))
            let s = unsafe try arithmetic.number(Array(signature[33..<65]))
            let e = unsafe try arithmetic.number(digest.bytes)
            if rules == .r1 {
                guard unsafe BN_is_zero(r) == 0, unsafe BN_is_zero(s) == 0 else { throw .notRecoverable }
                // libfc refuses an s above half the order ("invalid high s-value").
                let half = unsafe try arithmetic.number([0])
                guard unsafe BN_rshift1(half, order) == 1 else { throw .libraryFailure }
                guard unsafe BN_cmp(r, order) < 0, unsafe BN_cmp(s, half) <= 0 else { throw .notRecoverable }
            } else {
                // 0 has no inverse.
                guard unsafe BN_is_zero(r) == 0, unsafe BN_cmp(r, order) != 0 else { throw .notRecoverable }
            }

            let x = unsafe try arithmetic.number(Array(signature[1..<33]))
            if recoveryID & 2 != 0, unsafe BN_add(x, x, order) != 1 { throw .libraryFailure }
            // libcrypto would reduce x without an error.
            guard unsafe BN_cmp(x, EC_GROUP_get0_field(group)) < 0 else { throw .notRecoverable }
            let nonce = unsafe try arithmetic.newPoint()
            guard
                unsafe EC_POINT_set_compressed_coordinates(
                    group, nonce, x, recoveryID & 1, arithmetic.context) == 1
            else { throw .notRecoverable }

            let inverse = unsafe try arithmetic.number([0])
            let u1 = unsafe try arithmetic.number([0])
            let u2 = unsafe try arithmetic.number([0])
            let zero = unsafe try arithmetic.number([0])
            let context = unsafe arithmetic.context
            guard unsafe BN_mod_inverse(inverse, r, order, context) != nil,
                unsafe BN_mod_sub(u1, zero, e, order, context) == 1,
                unsafe BN_mod_mul(u1, u1, inverse, order, context) == 1,
                unsafe BN_mod_mul(u2, s, inverse, order, context) == 1
            else { throw .libraryFailure }
            let key = unsafe try arithmetic.newPoint()
            guard unsafe EC_POINT_mul(group, key, u1, nonce, u2, context) == 1 else { throw .libraryFailure }
            guard unsafe EC_POINT_is_at_infinity(group, key) == 0 else { throw .notRecoverable }
            return unsafe try arithmetic.publicKey(key)
        }
    }

    // MARK: - libcrypto's objects

    /// The numbers and points of one computation, freed together.
    @unsafe
    private final class Arithmetic {
        let context: OpaquePointer
        private var numbers: [OpaquePointer] = unsafe []
        private var points: [OpaquePointer] = unsafe []

        init() throws(CurveError) {
            LibCrypto.start()
            guard let context = unsafe BN_CTX_new() else { throw .libraryFailure }
            unsafe self.context = context
        }

        func number(_ bytes: [UInt8]) throws(CurveError) -> OpaquePointer {
            guard let number = unsafe BN_bin2bn(bytes, Int32(bytes.count), nil) else { throw .libraryFailure }
            unsafe numbers.append(number)
            return unsafe number
        }

        func newPoint() throws(CurveError) -> OpaquePointer {
            guard let point = unsafe EC_POINT_new(group) else { throw .libraryFailure }
            unsafe points.append(point)
            return unsafe point
        }

        /// Decodes a compressed point, 33 bytes. libcrypto checks that it is on the curve.
        func point(decoding bytes: [UInt8]) throws(CurveError) -> OpaquePointer {
            guard bytes.count == 33, bytes[0] == 2 || bytes[0] == 3 else { throw .notOnCurve(.r1) }
            let point = unsafe try newPoint()
            guard unsafe EC_POINT_oct2point(group, point, bytes, bytes.count, context) == 1 else {
                throw .notOnCurve(.r1)
            }
            return unsafe point
        }

        func publicKey(_ point: OpaquePointer) throws(CurveError) -> PublicKey {
            var bytes = [UInt8](repeating: 0, count: 33)
            let count = unsafe EC_POINT_point2oct(
                group, point, POINT_CONVERSION_COMPRESSED, &bytes, bytes.count, context)
            guard count == 33 else { throw .libraryFailure }
            // When the point was derived from a private key, it is that key's public key, so it may
            // be disclosed.
            return PublicKey(computed: .r1, point: disclosed(bytes))
        }

        deinit {
            unsafe numbers.forEach { unsafe BN_free($0) }
            unsafe points.forEach { unsafe EC_POINT_free($0) }
            unsafe BN_CTX_free(context)
        }
    }

    private static func withArithmetic<Result>(
        _ body: (Arithmetic) throws(CurveError) -> Result
    ) throws(CurveError) -> Result {
        let arithmetic = unsafe try Arithmetic()
        return unsafe try body(arithmetic)
    }
}
