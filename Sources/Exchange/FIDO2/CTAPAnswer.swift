/// The answers of CTAP 2.1, section 6, as far as this program uses them. Each is read from the CBOR
/// after the status; nil if it breaks the standard.
package enum CTAPAnswer {
    /// The authenticator's key of getKeyAgreement: x and y. The point is not checked.
    package static func keyAgreement(_ answer: [UInt8]) -> [UInt8]? {
        CBORValue(answer)?[1].flatMap { COSEKey.point($0, algorithm: -25) }
    }

    /// The encrypted token of getPinUvAuthToken….
    package static func token(_ answer: [UInt8]) -> [UInt8]? { CBORValue(answer)?[2]?.bytes }

    /// The number of tries: member 3 for the PIN, 5 for the fingerprint.
    package static func tries(_ answer: [UInt8], member: UInt64) -> Int? {
        CBORValue(answer)?[member]?.unsigned.flatMap { $0 <= 255 ? Int($0) : nil }
    }

    /// The authenticator data of authenticatorMakeCredential. The attestation is not checked: the
    /// credential is trusted because the user holds the authenticator.
    package static func made(_ answer: [UInt8]) -> AuthenticatorData? {
        guard let map = CBORValue(answer), map[1]?.text != nil else { return nil }
        return map[2]?.bytes.flatMap { AuthenticatorData($0) }
    }

    package struct Assertion: Equatable, Sendable {
        /// Nil if the authenticator omits it, as it may with one allowed credential.
        package let credential: [UInt8]?
        /// The bytes that are signed, before the hash of the client data.
        package let signed: [UInt8]
        package let data: AuthenticatorData
        package let signature: [UInt8]
    }

    package static func assertion(_ answer: [UInt8]) -> Assertion? {
        guard let map = CBORValue(answer), let signed = map[2]?.bytes, let signature = map[3]?.bytes,
            let data = AuthenticatorData(signed), data.made == nil
        else { return nil }
        var id: [UInt8]?
        if let credential = map[1] {
            guard let bytes = credential["id"]?.bytes else { return nil }
            id = bytes
        }
        return Assertion(credential: id, signed: signed, data: data, signature: signature)
    }
}
