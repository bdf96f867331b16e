/// A secret that only one TPM can decrypt, and only with its authorization. It is public.
package struct SealedSecret: Equatable, Sendable {
    /// The Name of the storage key that encrypts the secret: 34 bytes.
    package let primaryName: [UInt8]
    /// The PCRs whose values must be the same as when the secret was sealed: numbers from 0 to 23
    /// in ascending order; may be empty.
    package let registers: [Int]
    /// The TPMT_PUBLIC of the object in which the secret is sealed (Part 2, 12.2.4).
    package let publicArea: [UInt8]
    /// What TPM2B_PRIVATE contains (Part 2, 12.3.7): encrypted and authenticated by the TPM.
    package let privateArea: [UInt8]

    /// The most packed bytes.
    package static let maximumCount = 1024

    /// - Throws: `invalidBlob` unless the fields are consistent.
    init(
        primaryName: [UInt8], registers: [Int], publicArea: [UInt8], privateArea: [UInt8]
    ) throws(TPMError) {
        let area = try? SealedArea(publicArea)
        guard primaryName.count == StorageKey.nameCount, primaryName.starts(with: [0, 0x0b]),
            (try? Registers(registers).numbers) == registers, let area,
            area.policy.isEmpty == registers.isEmpty, !privateArea.isEmpty
        else { throw .invalidBlob }
        (self.primaryName, self.registers) = (primaryName, registers)
        (self.publicArea, self.privateArea) = (publicArea, privateArea)
        guard packed.count <= Self.maximumCount else { throw .invalidBlob }
    }

    /// - Throws: `invalidBlob`.
    package init(packed: [UInt8]) throws(TPMError) {
        guard packed.count <= Self.maximumCount else { throw .invalidBlob }
        var reader = Unpacking(packed)
        let fields: (name: [UInt8], registers: Registers, publicArea: [UInt8], privateArea: [UInt8])
        do {
            fields = (
                try reader.raw(StorageKey.nameCount), Registers(selection: try reader.raw(3)),
                try reader.sized(), try reader.sized()
            )
            try reader.expectEnd()
        } catch { throw .invalidBlob }
        try self.init(
            primaryName: fields.name, registers: fields.registers.numbers, publicArea: fields.publicArea,
            privateArea: fields.privateArea)
    }

    /// The Name, 34 bytes; a bit for each PCR, 3 bytes as in a TPMS_PCR_SELECTION; the public and
    /// the private area, each after a 16-bit count with the highest byte first.
    package var packed: [UInt8] {
        var packing = Packing()
        packing.write(raw: primaryName)
        packing.write(raw: Registers.bits(of: registers))
        packing.write(sized: publicArea)
        packing.write(sized: privateArea)
        return packing.bytes
    }
}

/// The public area of an object that contains a sealed secret.
struct SealedArea {
    /// The digest of the policy; empty if the authorization alone is needed.
    let policy: [UInt8]

    /// Bits of TPMA_OBJECT (Part 2, 8.3). noDA is clear, so the TPM counts wrong authorizations.
    private static let (fixedTPM, fixedParent, userWithAuth): (UInt32, UInt32, UInt32) = (
        1 << 1, 1 << 4, 1 << 6
    )

    /// The public area that TPM2_Create gets: without its last field, a digest that the TPM makes.
    static func template(policy: [UInt8]) -> [UInt8] {
        var area = Packing()
        // TPM_ALG_KEYEDHASH, TPM_ALG_SHA256
        area.write(0x0008 as UInt16)
        area.write(0x000b as UInt16)
        area.write(fixedTPM | fixedParent | (policy.isEmpty ? userWithAuth : 0))
        area.write(sized: policy)
        // TPM_ALG_NULL: data, not a key.
        area.write(0x0010 as UInt16)
        return area.bytes
    }

    /// - Throws: unless the area is one that this program makes.
    init(_ bytes: [UInt8]) throws(Malformed) {
        var reader = Unpacking(bytes)
        _ = try reader.raw(8)
        policy = try reader.sized()
        guard policy.isEmpty || policy.count == 32, bytes.starts(with: Self.template(policy: policy)) else {
            throw Malformed()
        }
        _ = try reader.raw(2)
        _ = try reader.sized(32)
        try reader.expectEnd()
    }
}
