import Codecs

/// A credential of an authenticator with a salt: the authenticator makes the same secret for it at
/// any time, after it verified the user. Nothing in it is secret.
///
/// Packed: the id as varuint32 count and bytes, the public key, the salt, the AAGUID.
package struct FIDO2Credential: Equatable, Sendable {
    /// 1 to 1,023 bytes. The authenticator may have encrypted the private key in it.
    package let id: [UInt8]
    /// x and y of a point of P-256: 64 bytes.
    package let publicKey: [UInt8]
    /// 32 random bytes.
    package let salt: [UInt8]
    /// The model of the authenticator: 16 bytes.
    package let aaguid: [UInt8]

    /// CTAP 2.1, section 6.1.2: the most bytes of an id that authenticators can use.
    static let maximumIDCount = 1_023

    /// - Throws: `invalidCredential` if a length is wrong.
    package init(
        id: [UInt8], publicKey: [UInt8], salt: [UInt8], aaguid: [UInt8]
    ) throws(FIDO2Error) {
        guard (1...Self.maximumIDCount).contains(id.count), publicKey.count == 64, salt.count == 32,
            aaguid.count == 16
        else { throw .invalidCredential }
        (self.id, self.publicKey, self.salt, self.aaguid) = (id, publicKey, salt, aaguid)
    }

    /// - Throws: `invalidCredential` if the bytes are not exactly one credential. The point is
    ///   checked when a signature is verified.
    package init(packed: [UInt8]) throws(FIDO2Error) {
        let parts: [[UInt8]]
        do throws(CodecError) {
            parts = try ByteReader.readAll(packed) { reader throws(CodecError) in
                [
                    try reader.readPrefixedBytes(), try reader.readBytes(64), try reader.readBytes(32),
                    try reader.readBytes(16),
                ]
            }
        } catch { throw .invalidCredential }
        try self.init(id: parts[0], publicKey: parts[1], salt: parts[2], aaguid: parts[3])
    }

    package var packed: [UInt8] {
        var writer = ByteWriter()
        writer.write(prefixed: id)
        for part in [publicKey, salt, aaguid] { writer.write(bytes: part) }
        return writer.bytes
    }
}
