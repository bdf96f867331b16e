import Codecs

/// The storage key of a TPM: the primary key of the owner hierarchy that the TPM derives from the
/// hierarchy's seed and a template. It is the same key each time until the TPM is cleared.
///
/// The template is the one of the TCG TPM v2.0 Provisioning Guidance (version 1.0, 7.5.1), which
/// refers to the ECC P-256 template of the TCG EK Credential Profile (version 2.5, B.3.4, L-2).
struct StorageKey {
    let handle: UInt32
    /// TPM_ALG_SHA256 and the digest of the public area (Part 1, 16): it identifies the key.
    let name: [UInt8]
    /// x and y of the public key.
    let point: [UInt8]

    static let nameCount = 34

    /// The public area before the point: ECC, SHA-256; fixedTPM, fixedParent, sensitiveDataOrigin,
    /// userWithAuth, noDA, restricted, decrypt; no policy; AES-128-CFB, no scheme, P-256, no KDF.
    private static let template: [UInt8] = [
        0x00, 0x23, 0x00, 0x0b, 0x00, 0x03, 0x04, 0x72, 0x00, 0x00, 0x00, 0x06, 0x00, 0x80, 0x00, 0x43,
        0x00, 0x10, 0x00, 0x03, 0x00, 0x10,
    ]

    /// Makes the key. The owner hierarchy must have no password, as by default.
    static var command: TPMCommand {
        var area = Packing()
        area.write(raw: template)
        for _ in 0..<2 { area.write(sized: [UInt8](repeating: 0, count: 32)) }
        var parameters = Packing()
        // No authorization and no data for the new object.
        parameters.write(sized: [0, 0, 0, 0])
        parameters.write(sized: area.bytes)
        // No outside information, and no PCR in the certificate of the creation.
        parameters.write(raw: [0, 0, 0, 0, 0, 0])
        // TPM_RH_OWNER
        return TPMCommand(
            code: .createPrimary, handles: [0x4000_0001], authorization: TPMCommand.emptyPassword,
            parameters: parameters.bytes)
    }

    /// - Throws: `invalidAnswer` if the key is not of the template.
    init(_ answer: TPMAnswer) throws(TPMError) {
        let (area, point, name) = try TPMAnswer.read(answer.parameters, of: .createPrimary) {
            reader throws(Malformed) in
            let area = try reader.sized()
            var fields = Unpacking(area)
            guard try fields.raw(Self.template.count) == Self.template else { throw Malformed() }
            let point = try fields.sized(32) + fields.sized(32)
            try fields.expectEnd()
            try skipCreationData(&reader)
            return (area, point, try reader.sized(Self.nameCount))
        }
        self.handle = answer.handle
        self.point = point
        self.name = ObjectName.name(of: area)
        guard name == self.name else {
            throw .invalidAnswer(command: TPMCommand.Code.createPrimary.name)
        }
    }

    static func make(on connection: TPMConnection) throws(TPMError) -> StorageKey {
        do {
            return try StorageKey(connection.run(command))
        } catch {
            guard let code = error.responseCode else { throw error }
            // The owner hierarchy is not subject to the protection against guessing.
            throw code.isWrongAuthorization ? .ownerPassword : error
        }
    }
}

enum ObjectName {
    /// The Name of an object: TPM_ALG_SHA256 and the digest of its public area (Part 1, 16).
    static func name(of publicArea: [UInt8]) -> [UInt8] { [0, 0x0b] + HashFunction.sha256.hash(publicArea) }
}

/// Skips the certificate of the creation of an object: data, their digest, and a ticket.
func skipCreationData(_ reader: inout Unpacking) throws(Malformed) {
    _ = try reader.sized()
    _ = try reader.sized(32)
    // TPM_ST_CREATION, the hierarchy.
    try reader.expect(0x8021 as UInt16)
    _ = try reader.number(UInt32.self)
    _ = try reader.sized()
}
