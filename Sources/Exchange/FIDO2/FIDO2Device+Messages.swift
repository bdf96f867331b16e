import Codecs

/// The requests and answers of the two operations.
extension FIDO2Device {
    // MARK: authenticatorMakeCredential: CTAP 2.1, section 6.1

    /// userVerificationRequired: without verification the authenticator does not find the
    /// credential (CTAP 2.1, section 12.1).
    private static let protection: CBORValue = .unsigned(3)

    private func creation(_ hash: [UInt8], _ permit: Permit) -> CBORValue {
        let parameter: CBORValue = .named(["alg": COSEKey.number(-7), "type": .text("public-key")])
        return .numbered([
            1: .bytes(hash),
            2: .named(["id": .text(Self.party), "name": .text(Self.party)]),
            3: .named(["id": .bytes(Self.randomBytes(32)), "name": .text(Self.party)]),
            4: .array([parameter]),
            6: .named([
                "credProtect": facts.hasCredProtect ? Self.protection : nil, "hmac-secret": .bool(true),
            ]),
            // Without `rk`, the authenticator keeps no record of the credential.
            7: permit.option, 8: permit.code, 9: permit.protocolNumber,
        ])
    }

    /// Makes a credential, which the authenticator protects if it can.
    func make(
        _ hash: [UInt8], _ permit: Permit, onTouch: () -> Void
    ) throws(FIDO2Error) -> FIDO2Credential {
        let answer: [UInt8]
        do throws(FIDO2Error) {
            answer = try channel.perform(
                0x01, name: Self.making, creation(hash, permit), onTouch: onTouch)
        } catch { throw operationError(error) }
        return try credential(in: answer)
    }

    private func credential(in answer: [UInt8]) throws(FIDO2Error) -> FIDO2Credential {
        guard let data = CTAPAnswer.made(answer), let made = data.made,
            data.party == Self.partyHash, made.id.count <= facts.maximumIDCount,
            FIDO2Secrets.isPoint(made.publicKey)
        else { throw .invalidAnswer(command: Self.making) }
        guard data.isPresent, data.isVerified else { throw .notVerified }
        guard data.extensions?["hmac-secret"] == .bool(true) else { throw .noHMACSecret }
        guard !facts.hasCredProtect || data.extensions?["credProtect"] == Self.protection else {
            throw .invalidAnswer(command: Self.making)
        }
        return try FIDO2Credential(
            id: made.id, publicKey: made.publicKey, salt: Self.randomBytes(32), aaguid: made.aaguid)
    }

    // MARK: authenticatorGetAssertion: CTAP 2.1, sections 6.2 and 12.5

    static func assertion(
        of credential: FIDO2Credential, _ hash: [UInt8], _ permit: Permit, _ secrets: inout FIDO2Secrets
    ) -> CBORValue {
        let salt = secrets.encrypted(salt: credential.salt)
        let input: CBORValue = .numbered([
            1: COSEKey.agreement(secrets.publicKey), 2: .bytes(salt),
            3: .bytes(secrets.code(of: salt, by: .agreed)),
            4: secrets.protocolNumber == 1 ? nil : COSEKey.number(secrets.protocolNumber),
        ])
        return .numbered([
            1: .text(party), 2: .bytes(hash),
            3: .array([.named(["id": .bytes(credential.id), "type": .text("public-key")])]),
            4: .named(["hmac-secret": input]),
            5: permit.option, 6: permit.code, 7: permit.protocolNumber,
        ])
    }

    /// The encrypted output of hmac-secret, after all checks of the answer.
    static func output(
        in answer: [UInt8], for credential: FIDO2Credential, _ hash: [UInt8]
    ) throws(FIDO2Error) -> [UInt8] {
        guard let assertion = CTAPAnswer.assertion(answer), assertion.data.party == partyHash,
            assertion.credential ?? credential.id == credential.id
        else { throw .invalidAnswer(command: asserting) }
        guard
            FIDO2Secrets.verify(assertion.signature, of: assertion.signed + hash, by: credential.publicKey)
        else { throw .wrongSignature }
        guard assertion.data.isPresent, assertion.data.isVerified else { throw .notVerified }
        guard let output = assertion.data.extensions?["hmac-secret"] else { throw .noHMACSecret }
        guard let cipher = output.bytes else { throw .invalidAnswer(command: asserting) }
        return cipher
    }

    private static let partyHash = HashFunction.sha256.hash(Array(party.utf8))
}
