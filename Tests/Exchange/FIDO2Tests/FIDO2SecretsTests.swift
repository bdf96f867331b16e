import Codecs
import SecureMemory
import Testing

@testable import FIDO2

/// The PIN/UV auth protocols. The values were made with python-fido2 2.2.1 (`PinProtocolV1`,
/// `PinProtocolV2` of fido2.ctap2.pin): the private key of this side, the one of the authenticator,
/// the PIN 1234, the salt 00…1f, the token 40…5f, the output 80…9f.
@Suite struct FIDO2SecretsTests {
    private static let scalar = "7452e599fee739d8a653f6a507343d12d382249108a651402520b72f24fe7684"
    private static let point =
        "471c3e758c4904285bba7e53118ed0f524adeb0757d25bd2f8e7b0d76dfa714c"
        + "dd520f7aca8a8b917acc37f51de8f0c9bbe3ad858382e702dc25a12d09f7a858"
    private static let publicKey =
        "44d78d7989b97e62ea993496c9ef6e8fd58b8b00715f9a89153ddd9c4657e47f"
        + "ec802ee7d22bd4e100f12e48537eb4e7e96ed3a47a0a3bd5f5eeab65001664f9"
    private static let message = Array("message".utf8)

    private static func secrets(_ number: Int) throws -> FIDO2Secrets {
        let scalar = try SecureBytes(copyingPublic: Hex.decode(scalar))
        return try FIDO2Secrets(protocolNumber: number, point: Hex.decode(point), testOnlyScalar: scalar)
    }

    @Test func protocol1() throws {
        var secrets = try Self.secrets(1)
        #expect(secrets.publicKey == (try Hex.decode(Self.publicKey)))
        let typed = try SecureBytes(copyingPublic: "1234".utf8)
        #expect(Hex.encode(secrets.encrypted(pin: typed)) == "ae5d86c095a5f7a4309192c6f35b8cbc")
        #expect(
            Hex.encode(secrets.encrypted(salt: Array(0..<32)))
                == "bbfe21fe5aa6ef5ee60cc1261b6d86ec45af8a4b60b4132e41d52f4788f1e9fd")
        #expect(Hex.encode(secrets.code(of: Self.message, by: .agreed)) == "69b83d4c77e2e5dcae22addeb408bdb6")
        let token = "3c1b3374dc2aee7cfba864a5168a5eaead4de37810923d025ca81680d15591b9"
        #expect(secrets.take(token: try Hex.decode(token)))
        #expect(Hex.encode(secrets.code(of: Self.message, by: .token)) == "69b2615da8c2d460d244229059d990f0")
        let output = try bytes(
            secrets.output(
                Hex.decode("1f993b65d9c37539c91d38164877e00677f738f5b73612fd33c5ba08ecd8bdc8")))
        #expect(output == Array(128..<160))
    }

    @Test func protocol2() throws {
        var secrets = try Self.secrets(2)
        #expect(
            Hex.encode(secrets.code(of: Self.message, by: .agreed))
                == "a2026859a836e4148ac36748471125b950d3c93ff6ea60416403b70ee2c38112")
        let token =
            "5fff8853d962bf8780576a98ae5b951b0d153d8fb2d796a1"
            + "52891f4f8024c3d859aad9e2a792ea312d5be90f933a2881"
        #expect(secrets.take(token: try Hex.decode(token)))
        #expect(
            Hex.encode(secrets.code(of: Self.message, by: .token))
                == "69b2615da8c2d460d244229059d990f0b7b522e38a12f000fad733b379e43873")
        let output = try bytes(
            secrets.output(
                Hex.decode(
                    "2c3b6c2a7a63ee27e48f3ba5e5b88aed0bdf67e7d42b178e"
                        + "ceff0a5c4d31dcd6df62023d137d77148c5851dbadec089d")))
        #expect(output == Array(128..<160))
        // A ciphertext has another IV each time, and decrypts to the plain text.
        let salts = (secrets.encrypted(salt: Array(0..<32)), secrets.encrypted(salt: Array(0..<32)))
        #expect(salts.0 != salts.1)
        let plain = try bytes(secrets.output(salts.0))
        #expect(plain == Array(0..<32))
        let typed = try SecureBytes(copyingPublic: "1234".utf8)
        #expect(secrets.encrypted(pin: typed).count == 32)
    }

    @Test(arguments: [1, 2]) func wrongLengths(number: Int) throws {
        var secrets = try Self.secrets(number)
        for count in [0, 1, 15, 17, 31, 33, 47, 49, 63, 65, 80, 81, 96, 1_000] {
            let cipher = [UInt8](repeating: 9, count: count)
            let isTaken = secrets.take(token: cipher)
            #expect(!isTaken, "\(count)")
            let output = try bytes(secrets.output(cipher))
            #expect(output == nil, "\(count)")
        }
        // Only protocol 1 has short tokens.
        #expect(secrets.take(token: [UInt8](repeating: 9, count: 16)) == (number == 1))
    }

    @Test func pointsOffTheCurve() throws {
        for point in [[], [UInt8](repeating: 0, count: 64), [UInt8](repeating: 255, count: 64)] as [[UInt8]] {
            #expect(!FIDO2Secrets.isPoint(point))
            #expect(!FIDO2Secrets.verify([0x30, 0], of: [1], by: point))
        }
        #expect(FIDO2Secrets.isPoint(try Hex.decode(Self.point)))
    }
}
