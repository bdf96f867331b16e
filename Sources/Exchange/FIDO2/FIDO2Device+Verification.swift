import SecureMemory

/// The PIN/UV auth protocols and authenticatorClientPIN: CTAP 2.1, section 6.5.
extension FIDO2Device {
    static let invalidPINAnswer = FIDO2Error.invalidAnswer(command: "authenticatorClientPIN")

    /// The bits of pinUvAuthToken permissions.
    enum Permission: Int { case makeCredential = 0x01, getAssertion = 0x02 }

    func clientPIN(
        _ members: KeyValuePairs<UInt64, CBORValue?>, onTouch: () -> Void = {}
    ) throws(FIDO2Error) -> [UInt8] {
        try channel.perform(0x06, name: "authenticatorClientPIN", .numbered(members), onTouch: onTouch)
    }

    /// Agrees on a new secret with the authenticator, if it is usable.
    func agree() throws(FIDO2Error) -> FIDO2Secrets {
        try expectUsable()
        let chosen = try protocolNumber()
        let answer = try clientPIN([1: number(chosen), 2: .unsigned(0x02)])
        guard let point = CTAPAnswer.keyAgreement(answer) else { throw Self.invalidPINAnswer }
        return try FIDO2Secrets(protocolNumber: chosen, point: point)
    }

    /// Verifies the user for one operation.
    /// - Parameters:
    ///   - hash: the hash of the client data, 32 bytes.
    ///   - pin: nil if the authenticator verifies the user itself.
    func permit(
        _ hash: [UInt8], _ permission: Permission, pin: borrowing SecureBytes?,
        _ secrets: inout FIDO2Secrets, onTouch: () -> Void
    ) throws(FIDO2Error) -> Permit {
        switch pin {
        case .some(let pin): try permitByPIN(hash, permission, pin, &secrets)
        case .none: try permitByFingerprint(hash, permission, &secrets, onTouch: onTouch)
        }
    }

    private func permitByPIN(
        _ hash: [UInt8], _ permission: Permission, _ pin: borrowing SecureBytes, _ secrets: inout FIDO2Secrets
    ) throws(FIDO2Error) -> Permit {
        guard facts.hasPIN else { throw .noVerification }
        guard !facts.mustChangePIN else { throw .pinMustChange }
        // CTAP 2.1, section 6.5.1: at most 63 bytes, and a least number of code points.
        guard (4...63).contains(pin.count),
            FIDO2Secrets.characterCount(of: pin) >= facts.minimumPINCount
        else { throw .pinLength }
        let wantsPermission = facts.hasPermissions
        let answer: [UInt8]
        do throws(FIDO2Error) {
            answer = try clientPIN([
                1: number(secrets.protocolNumber), 2: .unsigned(wantsPermission ? 0x09 : 0x05),
                3: COSEKey.agreement(secrets.publicKey), 6: .bytes(secrets.encrypted(pin: pin)),
                9: wantsPermission ? number(permission.rawValue) : nil,
                10: wantsPermission ? .text(Self.party) : nil,
            ])
        } catch { throw pinError(error) }
        return try Self.permit(hash, by: answer, &secrets)
    }

    private func permitByFingerprint(
        _ hash: [UInt8], _ permission: Permission, _ secrets: inout FIDO2Secrets, onTouch: () -> Void
    ) throws(FIDO2Error) -> Permit {
        guard facts.hasFingerprint else { throw .pinNeeded }
        guard facts.hasPermissions else { return .option }
        let answer: [UInt8]
        do throws(FIDO2Error) {
            answer = try clientPIN(
                [
                    1: number(secrets.protocolNumber), 2: .unsigned(0x06),
                    3: COSEKey.agreement(secrets.publicKey), 9: number(permission.rawValue),
                    10: .text(Self.party),
                ], onTouch: onTouch)
        } catch { throw operationError(error) }
        return try Self.permit(hash, by: answer, &secrets)
    }

    /// - Parameter answer: the token of getPinUvAuthToken….
    private static func permit(
        _ hash: [UInt8], by answer: [UInt8], _ secrets: inout FIDO2Secrets
    ) throws(FIDO2Error) -> Permit {
        guard let token = CTAPAnswer.token(answer), secrets.take(token: token) else {
            throw invalidPINAnswer
        }
        return .code(secrets.code(of: hash, by: .token), protocolNumber: secrets.protocolNumber)
    }

    // MARK: refusals

    /// The error after a status of a command with a PIN.
    private func pinError(_ error: FIDO2Error) -> FIDO2Error {
        guard case .refused(let code, let command) = error, command != "CTAPHID" else { return error }
        return switch code {
        case 0x31: .wrongPIN(triesLeft: try? pinTries())
        case 0x32: .pinBlocked
        case 0x34: .pinAuthBlocked
        case 0x35: .noVerification
        case 0x37: .pinMustChange
        default: error
        }
    }

    /// The error after a status of a command that needs the user.
    func operationError(_ error: FIDO2Error) -> FIDO2Error {
        guard case .refused(let code, let command) = error, command != "CTAPHID" else { return error }
        return switch code {
        case 0x22, 0x2e: command == Self.asserting ? .otherAuthenticator : error
        // The user refused, or did not touch it in time.
        case 0x27, 0x2f, 0x3a: .noTouch
        case 0x2d: .cancelled
        case 0x3c: .fingerprintBlocked
        case 0x3f: .fingerprintFailed(triesLeft: fingerprintTries())
        case 0x36: .pinNeeded
        case 0x32: .pinBlocked
        case 0x34: .pinAuthBlocked
        default: error
        }
    }

    private func fingerprintTries() -> Int? {
        (try? clientPIN([2: .unsigned(0x07)])).flatMap { CTAPAnswer.tries($0, member: 5) }
    }
}
