import Codecs
import SecureMemory
import Testing

@testable import Keys

/// Keys and signatures as PKCS#11 tokens state them. The points are the generators of the curves
/// (SEC 2, 2.4.1 and 2.4.2), so their private key is 1.
struct TokenKeyTests {
    static let points = [
        Curve.k1: (
            "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
            "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"
        ),
        .r1: (
            "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
            "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
        ),
    ]

    static func point(_ curve: Curve) throws -> (x: [UInt8], y: [UInt8]) {
        let texts = try #require(points[curve])
        return (try Hex.decode(texts.0), try Hex.decode(texts.1))
    }

    @Test(arguments: Curve.allCases)
    func readsEachFormOfAPoint(curve: Curve) throws {
        let (x, y) = try Self.point(curve)
        let key = try SigningTests.key(curve, SigningTests.one).publicKey
        let whole = [0x04] + x + y
        let compressed = [2 + (y[31] & 1)] + x
        for point in [[0x04, 0x41] + whole, whole, [0x04, 0x21] + compressed, compressed] {
            #expect(try PublicKey(ellipticPoint: point, parameters: curve.objectIdentifier) == key)
        }
    }

    @Test(arguments: Curve.allCases)
    func refusesOtherPoints(curve: Curve) throws {
        let (x, y) = try Self.point(curve)
        let whole = [0x04] + x + y
        for point in [
            [], [0x00], Array(whole.dropLast()), whole + [0], [0x05] + x + y, [0x04] + y + x,
            [0x04, 0x40] + whole,
            [0x04] + x + y.dropLast() + [y[31] ^ 2], [0x02] + [UInt8](repeating: 0xff, count: 32),
        ] {
            #expect(throws: CurveError.self) {
                try PublicKey(ellipticPoint: point, parameters: curve.objectIdentifier)
            }
        }
        #expect(throws: CurveError.self) { try PublicKey(ellipticPoint: whole, parameters: [0x06, 0x00]) }
    }

    /// Both s of a signature give the same one, which nodes accept.
    @Test(arguments: Curve.allCases)
    func completesSignatures(curve: Curve) throws {
        let key = try SigningTests.key(curve, SigningTests.one)
        let digest = SigningDigest(sha256: [7])
        let signature = try key.sign(digest).signature
        let (r, s) = (Array(signature.body[1..<33]), Array(signature.body[33...]))
        var other = [UInt8](repeating: 0, count: 32)
        var borrow = 0
        for index in (0..<32).reversed() {
            let difference = Int(curve.order[index]) - Int(s[index]) - borrow
            other[index] = UInt8(truncatingIfNeeded: difference)
            borrow = difference < 0 ? 1 : 0
        }
        for s in [s, other] {
            #expect(try Signature(numbers: r + s, of: key.publicKey, over: digest) == signature)
        }
        let wrong = SigningDigest(sha256: [8])
        #expect(throws: CurveError.recoveredOtherKey) {
            try Signature(numbers: r + s, of: key.publicKey, over: wrong)
        }
        #expect(throws: CurveError.wrongLength(expected: 64)) {
            try Signature(numbers: r, of: key.publicKey, over: digest)
        }
        for bytes in [UInt8(0), 0xff] {
            #expect(throws: CurveError.recoveredOtherKey) {
                try Signature(
                    numbers: [UInt8](repeating: bytes, count: 64), of: key.publicKey, over: digest)
            }
        }
    }
}
