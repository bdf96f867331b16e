import Messages
import SecureMemory

extension FIDO2Error: WordedError {
    package var words: Words {
        switch self {
        case .noAuthenticator:
            Words(
                .noDevice, "the device does not answer as a FIDO2 authenticator",
                hint: "connect the authenticator, or check the path of its device")
        case .gone:
            Words(
                .noDevice, "the authenticator was removed",
                hint: "plug in the authenticator, and run the command again")
        case .timedOut: Self.failure("the authenticator did not answer in time")
        case .noTouch:
            Words(.noTouch, hint: "run the command again, and touch the authenticator when it blinks")
        case .cancelled:
            Words(
                .deviceFailed, "the command was cancelled at the authenticator",
                hint: "run the command again")
        case .invalidAnswer(let command):
            Self.failure("the authenticator answered \(command) with invalid data")
        case .refused(let code, let command): Self.refusal(code, command)
        case .otherAuthenticator:
            Words(.otherDevice, "the credential is not one of this authenticator", hint: Self.otherHint)
        case .wrongSignature:
            Words(
                .otherDevice,
                "the authenticator's answer is not signed by the key of the credential, so it was discarded",
                hint: Self.otherHint)
        case .notVerified:
            Self.failure("the authenticator answered without verifying the user")
        case .invalidCredential:
            Words(
                .invalidEncoding, "the data of the FIDO2 credential is malformed",
                hint: "restore the vault from a backup")
        case .unreadable(let number):
            Words(.inputOutput, "the list of devices can't be read: \(systemMessage(number))")
        case .memory(let error): error.words
        case .noHMACSecret, .noVerification, .tooOld: wordsOfModel
        default: wordsOfUser
        }
    }

    private static let otherHint =
        "connect the authenticator that was added to the vault; after a reset it has no old credentials"

    private static func failure(_ message: String) -> Words {
        Words(
            .deviceFailed, message,
            hint: "unplug the authenticator, plug it in again, and run the command again")
    }

    private static func refusal(_ code: UInt8, _ command: String) -> Words {
        if command == "CTAPHID", code == 0x06 {
            return Words(
                .deviceFailed, "another program is using the authenticator",
                hint: "close browsers and other programs that use it, then try again")
        }
        return failure("the authenticator refused \(command): status \(hex(code))")
    }

    private static func hex(_ code: UInt8) -> String {
        let digits = String(code, radix: 16)
        return "0x" + (digits.utf8.count == 1 ? "0" : "") + digits
    }

    /// The authenticator lacks something.
    private var wordsOfModel: Words {
        switch self {
        case .noHMACSecret:
            Words(
                .deviceFailed, "the authenticator does not make secrets (no hmac-secret extension)",
                hint: "use a FIDO2 authenticator with the hmac-secret extension")
        case .noVerification:
            Words(
                .deviceFailed, "the authenticator has neither a PIN nor a fingerprint",
                hint: "set a PIN with the tool of its vendor or with a browser, then try again")
        default:
            Words(
                .deviceFailed, "the authenticator is too old: it has no CTAP 2.0",
                hint: "use an authenticator with FIDO2")
        }
    }

    /// The authenticator did not verify the user.
    private var wordsOfUser: Words {
        switch self {
        case .wrongPIN(let tries):
            Words(
                .wrongTokenPIN, "wrong PIN of the authenticator\(Self.left(tries))", hint: Self.advice(tries))
        case .pinBlocked:
            Words(
                .tokenPINLocked, "the authenticator has blocked its PIN: there were too many wrong ones",
                hint: "use another unlock method; only a reset helps, and it makes the credentials unusable")
        case .pinAuthBlocked:
            Words(
                .tokenPINLocked, "three wrong PINs in a row: the authenticator accepts no PIN for now",
                hint: "unplug the authenticator and plug it in again, then try again with the right PIN")
        case .fingerprintFailed(let tries):
            Words(
                .wrongTokenPIN, "the authenticator did not recognise the user\(Self.left(tries))",
                hint: "clean the sensor and try again, or give its PIN with --fido2-pin-file")
        case .fingerprintBlocked:
            Words(
                .tokenPINLocked, "the authenticator accepts no fingerprint: too many were wrong",
                hint: "give its PIN with --fido2-pin-file")
        case .pinLength:
            Words(
                .wrongTokenPIN, "the PIN is too short or too long for the authenticator",
                hint: "a PIN of an authenticator has at least 4 characters and at most 63 bytes of UTF-8")
        case .pinMustChange:
            Words(
                .wrongTokenPIN, "the PIN of the authenticator must be changed before it is used",
                hint: "change the PIN with the tool of the vendor or with a browser")
        default:
            Words(
                .wrongTokenPIN, "the authenticator needs its PIN", hint: "give the PIN of the authenticator")
        }
    }

    private static func left(_ tries: Int?) -> String {
        guard let tries else { return "" }
        return "; it accepts \(Words.count(tries, "more wrong PIN"))"
    }

    private static func advice(_ tries: Int?) -> String {
        tries == 1
            ? "after one more wrong PIN the authenticator is blocked permanently: check the PIN first"
            : "the authenticator blocks its PIN after too many wrong ones: check the PIN first"
    }
}
