import Messages
import SecureMemory
import Testing

@testable import FIDO2

/// Authenticators with a fault: each fault at each command is the right error, and never a trap.
@Suite struct FIDO2FaultTests {
    struct Fault: CustomTestStringConvertible {
        let name: String
        let command: String
        let error: FIDO2Error
        var testDescription: String { name + "@" + command }
    }

    /// The commands of `makeCredential` and `secret`, with their names in errors.
    private static let commands = [
        ("init", "CTAPHID_INIT"), ("info", "authenticatorGetInfo"), ("agreement", "authenticatorClientPIN"),
        ("token", "authenticatorClientPIN"), ("make", "authenticatorMakeCredential"),
        ("assert", "authenticatorGetAssertion"),
    ]

    /// Faults of packets, and of the CBOR of any answer.
    static let general: [Fault] = commands.flatMap { command, name in
        let isFirst = command == "init"
        let silent = ["cut", "hang", "channel"].map {
            Fault(name: $0, command: command, error: isFirst ? .noAuthenticator : .timedOut)
        }
        let packets = ["oversized", "sequence", "garbage", "keepalive"].map {
            Fault(
                name: $0, command: command, error: isFirst ? .noAuthenticator : .invalidAnswer(command: name))
        }
        let answers = ["truncated", "trailing", "deep", "indefinite", "duplicate", "empty"].map {
            Fault(name: $0, command: command, error: .invalidAnswer(command: name))
        }
        return silent + packets + [Fault(name: "eof", command: command, error: .gone)]
            + (isFirst
                ? [Fault(name: "truncated", command: command, error: .noAuthenticator)]
                : answers + [
                    Fault(name: "error", command: command, error: .refused(code: 0x7f, command: name))
                ])
    }

    static let special: [Fault] = [
        Fault(
            name: "off-curve", command: "agreement",
            error: .invalidAnswer(command: "authenticatorClientPIN")),
        Fault(
            name: "wrong-output-length", command: "token",
            error: .invalidAnswer(command: "authenticatorClientPIN")),
        Fault(
            name: "off-curve", command: "make", error: .invalidAnswer(command: "authenticatorMakeCredential")),
        Fault(
            name: "wrong-party", command: "make",
            error: .invalidAnswer(command: "authenticatorMakeCredential")),
        Fault(name: "no-uv-flag", command: "make", error: .notVerified),
        Fault(name: "no-up-flag", command: "make", error: .notVerified),
        Fault(name: "no-extension", command: "make", error: .noHMACSecret),
        Fault(
            name: "no-protection", command: "make",
            error: .invalidAnswer(command: "authenticatorMakeCredential")),
        Fault(
            name: "weak-protection", command: "make",
            error: .invalidAnswer(command: "authenticatorMakeCredential")),
        Fault(
            name: "wrong-credential", command: "assert",
            error: .invalidAnswer(command: "authenticatorGetAssertion")),
        Fault(
            name: "wrong-party", command: "assert",
            error: .invalidAnswer(command: "authenticatorGetAssertion")),
        Fault(name: "no-uv-flag", command: "assert", error: .notVerified),
        Fault(name: "no-up-flag", command: "assert", error: .notVerified),
        Fault(name: "no-extension", command: "assert", error: .noHMACSecret),
        Fault(name: "wrong-signature", command: "assert", error: .wrongSignature),
        Fault(
            name: "wrong-output-length", command: "assert",
            error: .invalidAnswer(command: "authenticatorGetAssertion")),
    ]

    @Test(arguments: general + special) func isRefused(fault: Fault) throws {
        let isSilent = ["cut", "hang", "channel"].contains(fault.name)
        let authenticator = try TestAuthenticator()
        let credential: FIDO2Credential
        do {
            let plug = try authenticator.plug("--pin 1234 --protocol 2")
            credential = try plug.device().makeCredential(pin: try pin("1234")) {}
        }
        let plug = try authenticator.plug(
            "--pin 1234 --protocol 2 --fault \(fault.name)@\(fault.command)")
        #expect(throws: fault.error) {
            let device = try plug.device(milliseconds: isSilent ? 1_000 : 20_000)
            if fault.command == "make" {
                _ = try device.makeCredential(pin: try pin("1234")) {}
            } else {
                _ = try device.secret(of: credential, pin: try pin("1234")) {}
            }
        }
    }

    /// A wrong PIN is reported also if the authenticator does not state the tries.
    @Test(arguments: ["truncated", "error", "eof"]) func unknownTries(fault: String) throws {
        let plug = try TestAuthenticator().plug("--pin 1234 --fault \(fault)@tries")
        let device = try plug.device()
        #expect(throws: FIDO2Error.wrongPIN(triesLeft: nil)) {
            try device.makeCredential(pin: try pin("9999")) {}
        }
    }

    /// Each error has words, and a next step.
    @Test func words() {
        let errors: [FIDO2Error] =
            (Self.general + Self.special).map(\.error) + [
                .noTouch, .cancelled, .wrongPIN(triesLeft: 1), .wrongPIN(triesLeft: nil), .pinBlocked,
                .pinAuthBlocked, .fingerprintFailed(triesLeft: 2), .fingerprintBlocked, .pinLength,
                .pinMustChange, .pinNeeded, .noVerification, .tooOld, .otherAuthenticator,
                .invalidCredential, .refused(code: 6, command: "CTAPHID"), .unreadable(errno: 13),
                .memory(.unavailable(count: 1)),
            ]
        for error in errors {
            #expect(!error.words.message.isEmpty && !error.words.hint.contains("--help"), "\(error)")
        }
        #expect(FIDO2Error.wrongPIN(triesLeft: 1).words.message.hasSuffix("it accepts 1 more wrong PIN"))
        #expect(
            FIDO2Error.refused(code: 0x0b, command: "authenticatorGetInfo").words.message
                == "the authenticator refused authenticatorGetInfo: status 0x0b")
    }
}
