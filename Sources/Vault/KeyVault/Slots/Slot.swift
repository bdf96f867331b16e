import Codecs

/// The master key wrapped with a key from one unlock method (VaultFormat.md, "Slots"). A slot
/// contains only public bytes.
struct Slot: Equatable {
    /// A description of the slot, which needs no unlocking.
    func description(number: Int, _ condition: SlotDescription.Condition) -> SlotDescription {
        SlotDescription(
            number: number, kind: kind, derivation: derivation,
            registers: SlotDescription.registers(of: kind, details), createdAt: createdAt,
            condition: condition,
            checksum: Self.checksum(body, number: number))
    }

    static let bodyVersion: UInt8 = 1
    static let wrappedCount = Sodium.keyCount + Sodium.tagCount
    static let maximumDetailCount = 8_192
    /// The most details that are written: with more, the row would not fit into one page, where a
    /// rescue finds it.
    static let maximumWrittenDetailCount = 3_584

    let kind: SlotKind
    /// Argon2id, through which a typed secret becomes a key; nil for other secrets.
    let derivation: SlotDescription.Derivation?
    let vaultID: [UInt8]
    /// Seconds since 1970.
    let createdAt: Int64
    let salt: [UInt8]
    /// The data that a kind needs in addition to these fields; empty for a PIN.
    let details: [UInt8]
    var commitment = [UInt8](repeating: 0, count: Sodium.digestCount)
    var nonce = [UInt8](repeating: 0, count: Sodium.nonceCount)
    var wrapped = [UInt8](repeating: 0, count: wrappedCount)

    /// The body as it is stored in the row.
    var body: [UInt8] { header + nonce + wrapped }

    /// The part of the body that the wrapping is bound to: everything before the nonce.
    private var header: [UInt8] {
        let (passes, memory) = (derivation?.passes ?? 0, derivation?.memory ?? 0)
        return [Self.bodyVersion, kind.number, derivation == nil ? 0 : 1, 0] + vaultID
            + createdAt.littleEndianBytes
            + passes.littleEndianBytes + memory.littleEndianBytes + salt + commitment
            + UInt16(truncatingIfNeeded: details.count).littleEndianBytes + details
    }

    /// The data that the wrapping authenticates in addition to the master key.
    func associatedData(number: Int) -> [UInt8] {
        Domain.slot.bytes + [UInt8(truncatingIfNeeded: number)] + header
    }

    /// The unkeyed checksum of a body in the slot with this number. It detects accidents, not
    /// attacks.
    static func checksum(_ body: [UInt8], number: Int) -> [UInt8] {
        Sodium.hash(Domain.check.bytes + [UInt8(truncatingIfNeeded: number)] + body)
    }
}

extension Slot {
    /// Reads a body. The caller has already compared its checksum.
    /// - Throws: `damaged(.row(.slots))` for bytes that no writer of this version produces.
    init(body: [UInt8]) throws(VaultError) {
        do { self = try ByteReader.readAll(body, Slot.init(from:)) } catch { throw .damaged(.slots) }
        // Each slot has one encoding: it must encode to the same bytes again. This refuses an
        // unknown version, a padding byte, and a cost without a KDF.
        guard self.body == body, details.count <= Self.maximumDetailCount,
            details.isEmpty || kind.storesDetails,
            VaultFormat.allowedTimes.contains(createdAt)
        else { throw .damaged(.slots) }
    }

    private init(from reader: inout ByteReader) throws(CodecError) {
        _ = try reader.readByte()
        let kind = try reader.readByte()
        let derivation = try reader.readByte()
        _ = try reader.readByte()
        let vaultID = try reader.readBytes(VaultFormat.vaultIDCount)
        let createdAt = try reader.readInteger(Int64.self)
        let passes = try reader.readInteger(UInt32.self)
        let memory = try reader.readInteger(UInt64.self)
        let salt = try reader.readBytes(Sodium.saltCount)
        let commitment = try reader.readBytes(Sodium.digestCount)
        let detailCount = Int(try reader.readInteger(UInt16.self))
        let details = try reader.readBytes(detailCount)
        self.init(
            kind: SlotKind(number: kind),
            derivation: derivation == 0 ? nil : .argon2id(passes: passes, memory: memory), vaultID: vaultID,
            createdAt: createdAt, salt: salt, details: details, commitment: commitment)
        nonce = try reader.readBytes(Sodium.nonceCount)
        wrapped = try reader.readBytes(Self.wrappedCount)
    }
}
