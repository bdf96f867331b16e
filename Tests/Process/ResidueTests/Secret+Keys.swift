import CLibraries
import Keys
import SecureMemory

@testable import KeyVault

extension SecureBytes {
    /// An unprotected copy for tests.
    borrowing func copied() -> [UInt8] { withBytes { span in (0..<span.byteCount).map { span[byte: $0] } } }
}

extension Secret {
    /// A private key: its scalar and all its text forms.
    static func key(_ name: String, _ scalar: [UInt8]) throws -> Secret {
        .bytes(name, scalar, limbs(scalar) + (try Curve.allCases.flatMap { try texts(of: scalar, $0) }))
    }

    /// WIF and PVT; none if the bytes are not a valid scalar.
    private static func texts(of scalar: [UInt8], _ curve: Curve) throws -> [Form] {
        let key: PrivateKey
        do { key = try PrivateKey(curve: curve, scalar: SecureBytes(copyingPublic: scalar)) } catch {
            return []
        }
        let wif = try curve == .k1 ? [Form("WIF", key.exportPlaintextWIF()?.copied() ?? [])] : []
        return wif + [Form("PVT_\(curve.suffix)", try key.exportPlaintext().copied(), known: 7)]
    }

    /// libsecp256k1 inverts a scalar in limbs of 62 bits.
    private static func limbs(_ scalar: [UInt8]) -> [Form] {
        var limbs: [UInt64] = []
        for number in 0..<5 {
            limbs.append((0..<62).reduce(0) { $0 | bit(number * 62 + $1, of: scalar) << UInt64($1) })
        }
        return [Form("limbs of 62 bits", Array(limbs.prefix(4).flatMap(\.littleEndianBytes)), step: 8)]
    }

    private static func bit(_ number: Int, of scalar: [UInt8]) -> UInt64 {
        number < 256 ? UInt64(scalar[31 - number / 8] >> UInt8(number % 8) & 1) : 0
    }

    /// The nonces of all signature candidates up to the canonical one, and their inverses.
    static func nonces(signing digest: SigningDigest, with scalar: [UInt8], _ name: String) throws -> [Secret]
    {
        let key = try PrivateKey(curve: .k1, scalar: SecureBytes(copyingPublic: scalar))
        return try (1...key.sign(digest).attempts).flatMap { attempt in
            var nonce = [UInt8](repeating: 0, count: 32)
            guard
                secp256k1_nonce_function_rfc6979(&nonce, digest.bytes, scalar, nil, nil, UInt32(attempt)) == 1
            else {
                return [Secret]()
            }
            let inverse = inverse(nonce)
            return [
                .bytes("nonce \(attempt) of \(name)", nonce, limbs(nonce)),
                .bytes("inverse of nonce \(attempt) of \(name)", inverse, limbs(inverse)),
            ]
        }
    }

    /// scalar^(n-2) mod n. The private key can be computed from the inverse of a nonce and the
    /// signature.
    private static func inverse(_ scalar: [UInt8]) -> [UInt8] {
        let exponent: [UInt64] = [
            0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_fffe, 0xbaae_dce6_af48_a03b, 0xbfd2_5e8c_d036_413f,
        ]
        var result = [UInt8](repeating: 0, count: 31) + [1]
        for word in exponent {
            for bit in stride(from: 63, through: 0, by: -1) {
                result = product(result, result)
                if word >> UInt64(bit) & 1 == 1 { result = product(result, scalar) }
            }
        }
        return result
    }

    /// The product modulo the order of secp256k1.
    static func product(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        var result = left
        guard let context = secp256k1_context_create(UInt32(SECP256K1_CONTEXT_NONE)) else { return [] }
        defer { secp256k1_context_destroy(context) }
        return secp256k1_ec_seckey_tweak_mul(context, &result, right) == 1 ? result : []
    }

    /// The sum modulo the order of secp256k1.
    static func sum(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        var result = left
        guard let context = secp256k1_context_create(UInt32(SECP256K1_CONTEXT_NONE)) else { return [] }
        defer { secp256k1_context_destroy(context) }
        return secp256k1_ec_seckey_tweak_add(context, &result, right) == 1 ? result : []
    }

    /// The random nonce of an R1 signature, as the private key discloses it: k = (e + rd) / s. With
    /// its inverse, and both in Montgomery form, which libcrypto computes with.
    static func nonce(of signature: Signature, over digest: SigningDigest, by scalar: [UInt8]) -> [Secret] {
        let field = OrderOfP256()
        let (r, s) = (Array(signature.body[1..<33]), Array(signature.body[33..<65]))
        let sum = field.sum(digest.bytes, field.product(r, scalar))
        let low = field.product(sum, field.inverse(s))
        let montgomery = [1] + [UInt8](repeating: 0, count: 32)
        // libcrypto's s is this one or the order minus it.
        return [("", low), ("negative ", field.difference([0], low))].flatMap { name, nonce in
            [("nonce", nonce), ("inverse of the nonce", field.inverse(nonce))].flatMap { kind, number in
                [
                    Secret.bytes("\(name)\(kind) of \(signature.text)", number),
                    .bytes(
                        "\(name)\(kind) of \(signature.text), times 2^256", field.product(number, montgomery)),
                ]
            }
        }
    }
}

/// Arithmetic modulo the order of P-256, by libcrypto. Numbers have the most significant byte
/// first.
private final class OrderOfP256 {
    private let context = BN_CTX_new()
    private let order = BN_new()

    init() { EC_GROUP_get_order(EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1), order, context) }

    func sum(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
        number(a, b) { BN_mod_add($0, $1, $2, order, context) }
    }
    func difference(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
        number(a, b) { BN_mod_sub($0, $1, $2, order, context) }
    }
    func product(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
        number(a, b) { BN_mod_mul($0, $1, $2, order, context) }
    }
    func inverse(_ a: [UInt8]) -> [UInt8] {
        number(a, a) { result, a, _ in BN_mod_inverse(result, a, order, context) == nil ? 0 : 1 }
    }

    private func number(
        _ a: [UInt8], _ b: [UInt8], _ operation: (OpaquePointer?, OpaquePointer?, OpaquePointer?) -> Int32
    ) -> [UInt8] {
        let numbers = [BN_new(), BN_bin2bn(a, Int32(a.count), nil), BN_bin2bn(b, Int32(b.count), nil)]
        defer { numbers.forEach { BN_free($0) } }
        var bytes = [UInt8](repeating: 0, count: 32)
        guard operation(numbers[0], numbers[1], numbers[2]) == 1 else { return [] }
        return BN_bn2binpad(numbers[0], &bytes, 32) == 32 ? bytes : []
    }

    deinit {
        BN_CTX_free(context)
        BN_free(order)
    }
}
