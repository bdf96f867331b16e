import Files
import SecureMemory

/// Who verifies the user.
package enum UserVerification: Equatable, Sendable {
    /// The authenticator takes a PIN that is typed here.
    case pin
    /// The authenticator has a fingerprint reader or a keypad.
    case builtIn
}

/// A FIDO2 authenticator, such as a security key in a USB port: it makes a secret for a credential,
/// the same at each time, after it verified the user. CTAP 2.1 with the extension hmac-secret.
///
/// Every answer is checked. A secret is returned only if the credential's key signed the answer,
/// with the flags for a touch and for a verified user.
package struct FIDO2Device: ~Copyable {
    private let file: OpenFile
    let channel: CTAPChannel
    package let facts: FIDO2Facts

    /// The lengths of a PIN, in bytes.
    package static let pinCounts = 4...63

    /// The relying party of all credentials of this program.
    static let party = "eosvault"

    /// Opens a channel to an authenticator and asks what it can do.
    /// - Parameters:
    ///   - file: a hidraw device that is open for reading and writing, or a file that carries the
    ///     same packets.
    ///   - milliseconds: how long a command waits for the user.
    /// - Throws: `noAuthenticator` for a device that is not an authenticator, `tooOld`, `gone`,
    ///   `timedOut`, `cancelled`, `invalidAnswer`, `refused`.
    package init(_ file: consuming OpenFile, milliseconds: Int = 30_000) throws(FIDO2Error) {
        let channel = try file.withDescriptor { descriptor throws(FIDO2Error) in
            try CTAPChannel(opening: descriptor, milliseconds: milliseconds)
        }
        let name = "authenticatorGetInfo"
        guard let facts = FIDO2Facts(try channel.perform(0x04, name: name, nil)) else {
            throw .invalidAnswer(command: name)
        }
        guard facts.isFIDO2 else { throw .tooOld }
        (self.channel, self.facts) = (channel, facts)
        self.file = file
    }

    /// - Throws: `noHMACSecret`, `noVerification` if neither a PIN nor a fingerprint is set up, and
    ///   `tooOld` if it has no PIN/UV auth protocol that this program has.
    package func expectUsable() throws(FIDO2Error) {
        guard facts.hasHMACSecret else { throw .noHMACSecret }
        guard facts.hasPIN || facts.hasFingerprint else { throw .noVerification }
        guard facts.protocolNumber != nil else { throw .tooOld }
    }

    /// How the authenticator verifies the user, if no PIN is given. An authenticator with both also
    /// takes the PIN.
    package var verification: UserVerification { facts.hasFingerprint ? .builtIn : .pin }

    /// How many wrong PINs in total the authenticator still takes.
    /// - Throws: the errors of a transaction.
    package func pinTries() throws(FIDO2Error) -> Int {
        let answer = try clientPIN([1: number(try protocolNumber()), 2: .unsigned(0x01)])
        guard let tries = CTAPAnswer.tries(answer, member: 3) else { throw Self.invalidPINAnswer }
        return tries
    }

    // MARK: the two operations

    /// Makes a credential and a random salt for it. The authenticator keeps no record of it.
    /// - Parameters:
    ///   - pin: UTF-8, in Unicode's form NFC; nil if the authenticator verifies the user itself.
    ///   - onTouch: called when the authenticator waits for a touch.
    /// - Throws: all cases except `otherAuthenticator`, `wrongSignature`, `invalidCredential`.
    package func makeCredential(
        pin: borrowing SecureBytes?, onTouch: () -> Void
    ) throws(FIDO2Error) -> FIDO2Credential {
        let hash = Self.randomBytes(32)
        var secrets = try agree()
        let permit = try permit(hash, .makeCredential, pin: pin, &secrets, onTouch: onTouch)
        return try make(hash, permit, onTouch: onTouch)
    }

    /// The secret of a credential: 32 bytes, the same at each time.
    /// - Parameters:
    ///   - pin: UTF-8, in Unicode's form NFC; nil if the authenticator verifies the user itself.
    ///   - onTouch: called when the authenticator waits for a touch.
    /// - Throws: `otherAuthenticator` for a credential of another one, and all other cases except
    ///   `invalidCredential`.
    package func secret(
        of credential: FIDO2Credential, pin: borrowing SecureBytes?, onTouch: () -> Void
    ) throws(FIDO2Error) -> SecureBytes {
        let hash = Self.randomBytes(32)
        var secrets = try agree()
        let permit = try permit(hash, .getAssertion, pin: pin, &secrets, onTouch: onTouch)
        return try assert(credential, hash, permit, &secrets, onTouch: onTouch)
    }

    private func assert(
        _ credential: FIDO2Credential, _ hash: [UInt8], _ permit: Permit, _ secrets: inout FIDO2Secrets,
        onTouch: () -> Void
    ) throws(FIDO2Error) -> SecureBytes {
        let request = Self.assertion(of: credential, hash, permit, &secrets)
        // Credentials of this authenticator fit.
        guard credential.id.count <= facts.maximumIDCount, request.encoded.count < facts.messageLimit else {
            throw .otherAuthenticator
        }
        let answer: [UInt8]
        do throws(FIDO2Error) {
            answer = try channel.perform(0x02, name: Self.asserting, request, onTouch: onTouch)
        } catch { throw operationError(error) }
        let cipher = try Self.output(in: answer, for: credential, hash)
        guard let output = try secrets.output(cipher) else { throw .invalidAnswer(command: Self.asserting) }
        return output
    }

    static let making = "authenticatorMakeCredential"
    static let asserting = "authenticatorGetAssertion"

    static func randomBytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: 0...255) } }

    func number(_ value: Int) -> CBORValue { COSEKey.number(value) }

    func protocolNumber() throws(FIDO2Error) -> Int {
        guard let number = facts.protocolNumber else { throw .tooOld }
        return number
    }
}
