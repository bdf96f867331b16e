import CP256
import CTPM
import Codecs
import SecureMemory
import Testing

@testable import TPM

/// The derivations of a session, with values of other implementations.
@Suite struct DerivationTests {
    /// KDFa with SHA-256: google/go-tpm, tpm2/test/testvectors/kdfa.json, rows 27 to 30 and 37.
    @Test(
        arguments: [
            (
                "aff14e568afc0ea51eea748c8915df067c7700", "IDENTITY", "ce4edfb881540700e300",
                "68ddb4a0e59d74cd34dfe631d91e1ea3fbc95865440adedff7e9d011890fba", 116,
                "019ed5e0956338ddda4413ecee5cf2"
            ),
            (
                "ff5625623188b99180b53e96108e3e01d19c18db598631d56c", "STORAGE",
                "ef12916d91f3ed8355f100ef7d3553ff69eb63edd59a0048eeda77", "800bce408c34f800", 17, "0051bb"
            ),
            (
                "ff29ff21930d6a35ae4a", "STORAGE", "00f0fe886c43cb9c67a79b2d8a70585c2a7fbf8d3fc4e101f1c7",
                "2d", 175, "438e1b194c52951d00d003410a51a95a936e036eb28f"
            ),
            (
                "", "SECRET", "fbf51f160255018bbc8efea4c36ac4fb4cbba34e9eff", "3cea0fdc2600", 200,
                "a26c73dca13a265e09eec4b0abc4ecb2bf8d26db04e8823ee6"
            ),
            (
                "8d623f4e95bfb5029d231b265cffe400", "ATH",
                "59c425e2a53045feb889dca9f444e4d271f787d4964af8c4c500",
                "de8b18c078218015789b9667472dd0cd579300", 54, "2f65e1381b6e5b"
            ),
        ]) func kdfa(key: String, label: String, u: String, v: String, bits: Int, result: String) throws
    {
        let found = try derive(key, u, v) { session, key, u, v, output in
            tpm_kdfa(session, key, label, u, v, bits, output)
        }
        #expect(cut(found, bits) == (try Hex.decode(result)))
    }

    /// KDFe with SHA-256: google/go-tpm, tpm2/test/testvectors/kdfe.json, rows 22 to 25 and 27.
    @Test(
        arguments: [
            (
                "ff8478dcf4469b9679a8e640408ae9bfb8fe02d4ee24aada", "ATH", "00928a02c2f93ecaca0c",
                "69c45f0a7e92b5ceb1cb2f33b35966", 131, "03d034219d95fb3de7b5535d6922af9693"
            ),
            (
                "0bc3d9ff", "ATH", "80261d5c2bb400d22241556d1637cdc6164a7f2b051ab1baff",
                "00c01b2ff972b2a5753e438d1e13f3c7b0ebe5e11841", 149, "04816878c23cf1b3f46c74ec4c584c0f486564"
            ),
            (
                "001e629d6c796167055b96b7cc5accbbaf", "DUPLICATE", "1d29515f55a1a0bf0d252200", "00", 228,
                "0450ecb7bdc31f9c59cc87f43a479a25dc6591368e2475f9babf41f6c7"
            ),
            (
                "abfeed98891b58d2f881537fba2c215653f8b91b8a131b61f0b72de7ccd07a", "IDENTITY",
                "71a10284e793bd38f61e6aef1cbfa131c3ad546e72421fe4a3ff",
                "64cc0fac59f45b9b2ace75856f409ac830ccc64f2fff", 241,
                "00f17279fc5b8f842d30fbe5a7afc109468671e6da33fec996d6a7c170e37f"
            ),
            (
                "ff739afe0f", "STORAGE", "a2c096d007a0ba160cb38065cc11205b2b433e53e8320a44c34907b15bff",
                "ff85d3c6e10a7cd01e864680c30b", 250,
                "0377bc98e95ee8e36d2ff9346c3f1ca9988f8044623845be4c6a0763c6045ab7"
            ),
        ]) func kdfe(z: String, label: String, u: String, v: String, bits: Int, result: String) throws
    {
        let found = try derive(z, u, v) { session, z, u, v, output in
            tpm_kdfe(session, z, label, u, v, output)
        }
        #expect(cut(found, bits) == (try Hex.decode(result)))
    }

    private typealias Derivation = (
        OpaquePointer, tpm_context, tpm_context, tpm_context, UnsafeMutablePointer<UInt8>
    ) -> Void

    private func derive(_ key: String, _ u: String, _ v: String, _ body: Derivation) throws -> [UInt8] {
        let (key, u, v) = (try Hex.decode(key), try Hex.decode(u), try Hex.decode(v))
        var memory = try TPMSession.newMemory()
        var output = [UInt8](repeating: 0, count: 32)
        TPMSession.withSession(&memory) { session in
            key.withUnsafeBufferPointer { key in
                u.withUnsafeBufferPointer { u in
                    v.withUnsafeBufferPointer { v in
                        body(session, context(key), context(u), context(v), &output)
                    }
                }
            }
        }
        return output
    }

    private func context(_ bytes: UnsafeBufferPointer<UInt8>) -> tpm_context {
        tpm_context(bytes: bytes.baseAddress, count: bytes.count)
    }

    /// The first bits of a derived value; the other bits of the first byte are zero.
    private func cut(_ bytes: [UInt8], _ bits: Int) -> [UInt8] {
        var cut = Array(bytes[..<((bits + 7) / 8)])
        if bits % 8 > 0 { cut[0] &= 0xff >> UInt8(8 - bits % 8) }
        return cut
    }
}

@Suite struct P256Tests {
    init() { LibCrypto.start() }

    /// NIST CAVP, KAS_ECC_CDH_PrimitiveTest.txt, P-256, COUNT = 0.
    private static let other =
        "700c48f77f56584c5cc632ca65640db91b6bacce3a4df6b42ce7cc838833d287"
        + "db71e509e3fd9b060ddb20ba5c51dcc5948d46fbf640dfe0441782cab85fa4ac"
    private static let scalar = "7d7dc5f71eb29ddaf80d6214632eeae03d9058af1fb6d22ed80badb62bc1a534"
    private static let own =
        "ead218590119e8876b29146ff89ca61770c4edbbf97d38ce385ed281d8a6b230"
        + "28af61281fd35e2fa7002523acc85a429cb06ee6648325389f59edfce1405141"
    private static let shared = "46fc62106420ff012e54a434fbdd2d25ccc5852060561e68040dd7778997bd7b"
    private static let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"

    @Test func agrees() throws {
        var (key, x) = ([UInt8](repeating: 0, count: 64), [UInt8](repeating: 0, count: 32))
        #expect(p256_agree_with(try Hex.decode(Self.scalar), try Hex.decode(Self.other), &key, &x) == 1)
        #expect(x == (try Hex.decode(Self.shared)))
        #expect(key == (try Hex.decode(Self.own)))
    }

    @Test(arguments: [String(repeating: "00", count: 32), order, String(repeating: "ff", count: 32)])
    func refusesNumbers(scalar: String) throws {
        var (key, x) = ([UInt8](repeating: 0, count: 64), [UInt8](repeating: 1, count: 32))
        #expect(p256_agree_with(try Hex.decode(scalar), try Hex.decode(Self.other), &key, &x) == 0)
        #expect(x == [UInt8](repeating: 0, count: 32))
    }

    /// Each key is new, and both sides agree.
    @Test func makesKeys() throws {
        let (scalar, own) = (try Hex.decode(Self.scalar), try Hex.decode(Self.own))
        var keys: Set<[UInt8]> = []
        for _ in 0..<20 {
            var (key, x) = ([UInt8](repeating: 0, count: 64), [UInt8](repeating: 0, count: 32))
            #expect(p256_agree(own, &key, &x) == 1)
            var (same, otherX) = (key, x)
            #expect(p256_agree_with(scalar, key, &same, &otherX) == 1)
            #expect(x == otherX && keys.insert(key).inserted)
        }
    }

    @Test func refusesPoints() throws {
        var wrong = try Hex.decode(Self.other)
        wrong[63] ^= 1
        for point in [wrong, [UInt8](repeating: 0, count: 64), [UInt8](repeating: 0xff, count: 64)] {
            var (key, x) = ([UInt8](repeating: 0, count: 64), [UInt8](repeating: 1, count: 32))
            #expect(p256_agree(point, &key, &x) == 0)
            #expect(x == [UInt8](repeating: 0, count: 32))
        }
    }

    /// RFC 6979, A.2.5: SHA-256, "sample".
    @Test func verifies() throws {
        let point = try Hex.decode(
            "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
                + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299")
        let r = "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
        let s = "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
        let digest = HashFunction.sha256.hash(Array("sample".utf8))
        let good = try Hex.decode("3046022100\(r)022100\(s)")
        #expect(p256_verify(point, digest, good, good.count) == 1)
        // A byte more, a length in long form, a leading zero too many, and each byte changed.
        var bad = [good + [0], try Hex.decode("308146022100\(r)022100\(s)")]
        bad.append(try Hex.decode("304702220000\(r)022100\(s)"))
        bad += good.indices.map { index in
            var changed = good
            changed[index] ^= 1
            return changed
        }
        for signature in bad + [[]] { #expect(p256_verify(point, digest, signature, signature.count) == 0) }
        #expect(p256_verify(point, HashFunction.sha256.hash([]), good, good.count) == 0)
    }
}
