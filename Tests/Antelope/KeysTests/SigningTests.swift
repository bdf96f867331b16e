import Codecs
import SecureMemory
import Testing

@testable import Keys

/// Values from Vectors/sign-digest.json (libsecp256k1 with the nonce rule of libfc).
struct SigningTests {
    static func key(_ curve: Curve, _ scalar: String) throws -> PrivateKey {
        try PrivateKey(curve: curve, scalar: SecureBytes(copyingPublic: Hex.decode(scalar)))
    }
    static let one = String(repeating: "0", count: 63) + "1"

    /// nodeos accepts R1 signatures with a low s only (libraries/libfc/src/crypto/elliptic_r1.cpp).
    /// The nonces are random, so no two signatures are equal.
    @Test(arguments: [
        one, "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550",
        "0000000000000000000000000000000000000000000000000000000000ff00ff",
    ])
    func r1SignatureIsLowAndRecovers(scalar: String) throws {
        let key = try Self.key(.r1, scalar)
        let publicKey = key.publicKey
        let half = try Hex.decode("7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8")
        var seen = Set<Signature>()
        for byte in 0..<64 as Range<UInt8> {
            let digest = try SigningDigest([UInt8](repeating: byte & 0x3f, count: 32))
            let signature = try key.sign(digest).signature
            #expect((31...34).contains(signature.body[0]))
            #expect(!half.lexicographicallyPrecedes(signature.body[33...]))
            #expect(try signature.recover(digest) == publicKey)
            #expect(try Signature(signature.text) == signature)
            seen.insert(signature)
        }
        let digest = try SigningDigest([UInt8](repeating: 1, count: 32))
        for _ in 0..<16 { seen.insert(try key.sign(digest).signature) }
        #expect(seen.count == 80)
    }

    /// `is_canonical` of AntelopeIO/spring (libraries/libfc/src/crypto/elliptic_common.cpp), for
    /// the first two bytes of r and of s.
    @Test func canonicalMatchesNodeos() throws {
        func isRefused(_ first: UInt8, _ second: UInt8) -> Bool {
            first & 0x80 != 0 || (first == 0 && second & 0x80 == 0)
        }
        for first in UInt8.min...UInt8.max {
            for second in [0, 1, 0x7f, 0x80, 0xff] as [UInt8] {
                for start in [1, 33] {
                    var body = [31] + [UInt8](repeating: 1, count: 64)
                    body[start] = first
                    body[start + 1] = second
                    #expect(try Signature(kind: .k1, body: body).isCanonical == !isRefused(first, second))
                }
            }
        }
    }

    @Test func signatureIsCanonicalAndRecovers() throws {
        let key = try Self.key(.k1, Self.one)
        let publicKey = key.publicKey
        for byte in UInt8(0)..<64 {
            let digest = try SigningDigest([UInt8](repeating: byte, count: 32))
            let signed = try key.sign(digest)
            #expect(signed.signature.isCanonical)
            #expect(try signed.signature.recover(digest) == publicKey)
        }
    }

    @Test func digestHas32Bytes() {
        #expect(throws: CurveError.wrongLength(expected: 32)) {
            try SigningDigest([UInt8](repeating: 0, count: 31))
        }
    }

    @Test(arguments: [
        (Curve.k1, "0000000000000000000000000000000000000000000000000000000000000000"),
        (.k1, "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"),
        (.r1, "0000000000000000000000000000000000000000000000000000000000000000"),
        (.r1, "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"),
        (.r1, "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
    ])
    func refusesScalar(curve: Curve, scalar: String) {
        #expect(throws: CurveError.scalarOutOfRange(curve)) { _ = try Self.key(curve, scalar).publicKey }
    }

    @Test(arguments: [
        (Curve.k1, "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140"),
        (.r1, "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550"),
    ])
    func acceptsTheLargestScalar(curve: Curve, scalar: String) throws {
        _ = try Self.key(curve, scalar).publicKey
    }
}
