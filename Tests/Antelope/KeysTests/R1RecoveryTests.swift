import Codecs
import SecureMemory
import Testing

@testable import Keys

/// libfc's rules for R1 recovery, each with a signature made for it (AntelopeIO/spring,
/// libraries/libfc/src/crypto/elliptic_r1.cpp). A signature of digest e by key d = 1 with nonce k =
/// 1 is r = x(G), s = (e + r) mod n, so it can be computed by hand.
struct R1RecoveryTests {
    static let gx = "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    static let digest = String(repeating: "0", count: 64)
    /// s equals r, because e is 0 and d and k are 1. It is below half the order.
    static let s = gx
    static func recover(_ header: UInt8, _ r: String, _ s: String) throws -> PublicKey {
        let body = [header] + (try Hex.decode(r + s))
        return try Signature(kind: .r1, body: body).recover(SigningDigest(Hex.decode(digest)))
    }

    static func generator() throws -> PublicKey {
        try PrivateKey(
            curve: .r1,
            scalar: SecureBytes(copyingPublic: Hex.decode(String(repeating: "0", count: 63) + "1"))
        ).publicKey
    }

    /// G has an odd y, so its recovery id is 1. Headers 27 to 30 mean that the key is not
    /// compressed; they are accepted too.
    @Test(arguments: [UInt8(32), 28])
    func recovers(header: UInt8) throws {
        #expect(try Self.recover(header, Self.gx, Self.s) == Self.generator())
    }

    @Test(
        arguments: [
            (UInt8(26), gx, s), (35, gx, s),
            // r or s is zero, or r is not below the order
            (32, String(repeating: "0", count: 64), s), (32, gx, String(repeating: "0", count: 64)),
            (32, "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", s),
            // the other s of the same signature, which is above half the order
            (31, gx, "94e82e0c1ed3bdb90743191a9c5bbf0d45e37d2c792c6ae3ff18917d23ca62bb"),
            // recovery ids 2 and 3: x would be r + order, which is above the prime of the field
            (33, gx, s), (34, gx, s),
        ] as [(UInt8, String, String)])
    func refuses(header: UInt8, r: String, s: String) {
        #expect(throws: CurveError.notRecoverable) { try Self.recover(header, r, s) }
    }
}
