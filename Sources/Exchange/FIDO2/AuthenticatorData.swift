/// The authenticator data of an answer: WebAuthn Level 2, section 6.1.
package struct AuthenticatorData: Equatable, Sendable {
    /// SHA-256 of the relying party's id.
    package let party: [UInt8]
    package let flags: UInt8
    /// The new credential, in an answer of authenticatorMakeCredential.
    package let made: Made?
    /// The outputs of the extensions; nil if there are none.
    package let extensions: CBORValue?

    package struct Made: Equatable, Sendable {
        package let aaguid: [UInt8]
        package let id: [UInt8]
        /// x and y. The point is not checked.
        package let publicKey: [UInt8]
    }

    /// The user touched the authenticator.
    var isPresent: Bool { flags & 0x01 != 0 }
    /// The authenticator verified the user, by the PIN or by itself.
    var isVerified: Bool { flags & 0x04 != 0 }

    /// - Returns: nil if the bytes are not exactly that.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 37 else { return nil }
        (party, flags) = (Array(bytes[..<32]), bytes[32])
        var rest = bytes[37...]
        var made: Made?
        if flags & 0x40 != 0 {
            guard rest.count >= 18 else { return nil }
            let aaguid = Array(rest.prefix(16))
            let count = Int(rest[rest.startIndex + 16]) << 8 | Int(rest[rest.startIndex + 17])
            rest = rest.dropFirst(18)
            guard (1...FIDO2Credential.maximumIDCount).contains(count), rest.count >= count else {
                return nil
            }
            let id = Array(rest.prefix(count))
            guard let (key, after) = CBORValue.first(in: Array(rest.dropFirst(count))),
                let point = COSEKey.point(key, algorithm: -7)
            else { return nil }
            made = Made(aaguid: aaguid, id: id, publicKey: point)
            rest = after
        }
        self.made = made
        if flags & 0x80 != 0 {
            guard let value = CBORValue(Array(rest)), value.isMap else { return nil }
            extensions = value
        } else {
            guard rest.isEmpty else { return nil }
            extensions = nil
        }
    }
}
