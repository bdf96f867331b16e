import SecureMemory
import Testing

@testable import FIDO2

/// Someone who has the authenticator without its PIN does not get the secret of a credential.
@Suite struct FIDO2ProtectionTests {
    @Test(arguments: [
        ("", true, true), ("--no-permissions", true, true), ("--single-secret", true, true),
        ("--no-cred-protect", false, true), ("--single-secret --no-cred-protect", false, false),
    ])
    func facts(options: String, hasCredProtect: Bool, protectsSecrets: Bool) throws {
        let plug = try TestAuthenticator().plug("--pin 1234 " + options)
        let facts = try plug.device().facts
        #expect(facts.hasCredProtect == hasCredProtect)
        #expect(facts.protectsSecrets == protectsSecrets)
    }

    @Test(arguments: ["FIDO_2_0", "FIDO_2_1_PRE", "U2F_V2", "FIDO_2_1", "FIDO_2_3"])
    func versions(version: String) throws {
        let answer: CBORValue = .numbered([
            1: .array([.text(version)]), 3: .bytes([UInt8](repeating: 0, count: 16)),
        ])
        let facts = try #require(FIDO2Facts(answer.encoded))
        #expect(facts.protectsSecrets == ["FIDO_2_1", "FIDO_2_3"].contains(version))
    }

    @Test(arguments: ["", "--single-secret", "--no-permissions", "--uv"])
    func aProtectedCredentialIsNotFoundWithoutThePIN(options: String) throws {
        let plug = try TestAuthenticator().plug("--pin 1234 " + options)
        let device = try plug.device()
        let credential = try device.makeCredential(pin: try pin("1234")) {}
        var secrets = try device.agree()
        let request = Self.withoutVerification(of: credential, &secrets)
        #expect(throws: FIDO2Error.refused(code: 0x2e, command: FIDO2Device.asserting)) {
            try device.channel.perform(0x02, name: FIDO2Device.asserting, request)
        }
        #expect(try bytes(device.secret(of: credential, pin: try pin("1234")) {})?.count == 32)
    }

    /// `protectsSecrets` is false only for the second authenticator.
    @Test(arguments: [("--no-cred-protect", false), ("--single-secret --no-cred-protect", true)])
    func theSecretOfAnUnprotectedCredential(options: String, isGiven: Bool) throws {
        let plug = try TestAuthenticator().plug("--pin 1234 " + options)
        let device = try plug.device()
        let credential = try device.makeCredential(pin: try pin("1234")) {}
        var secrets = try device.agree()
        let request = Self.withoutVerification(of: credential, &secrets)
        let answer = try device.channel.perform(0x02, name: FIDO2Device.asserting, request)
        let data = try #require(CTAPAnswer.assertion(answer)).data
        let output = try bytes(secrets.output(try #require(data.extensions?["hmac-secret"]?.bytes)))
        let secret = try bytes(device.secret(of: credential, pin: try pin("1234")) {})
        #expect(output?.count == 32 && (output == secret) == isGiven)
    }

    /// The request of `secret` without options, pinUvAuthParam and its protocol.
    private static func withoutVerification(
        of credential: FIDO2Credential, _ secrets: inout FIDO2Secrets
    ) -> CBORValue {
        let request = FIDO2Device.assertion(
            of: credential, [UInt8](repeating: 1, count: 32), .option, &secrets)
        guard case .map(let entries) = request else { return request }
        return .map(entries.filter { $0.key != .unsigned(5) })
    }
}
