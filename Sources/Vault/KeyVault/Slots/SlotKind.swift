/// The kind of unlock method that opens a slot.
package enum SlotKind: Hashable, Sendable {
    /// A PIN only, through Argon2id.
    case pin
    /// A PIN through Argon2id, and the 32 bytes of a key file.
    case pinAndKeyFile
    /// A recovery phrase. It needs no derivation, because it has 256 bits.
    case recovery
    /// A PIN through Argon2id, and a secret that the TPM of a machine releases for this PIN.
    case pinAndTPM
    /// A PIN through Argon2id, and a secret of an authenticator (FIDO2, hmac-secret).
    case pinAndFIDO2
    /// A secret of an authenticator alone.
    case fido2
    /// A kind of a later version: it is listed and kept, but not tried.
    case other(UInt8)

    package static let known: [SlotKind] = [
        .pin, .pinAndKeyFile, .recovery, .pinAndTPM, .pinAndFIDO2, .fido2,
    ]

    init(number: UInt8) { self = Self.known.first { $0.number == number } ?? .other(number) }

    /// True if this version can open a slot of this kind.
    package var isKnown: Bool { if case .other = self { false } else { true } }

    /// True if slots of the kind store details for their unlock method.
    var storesDetails: Bool {
        switch self {
        case .pin, .pinAndKeyFile, .recovery: false
        case .pinAndTPM, .pinAndFIDO2, .fido2, .other: true
        }
    }

    /// True if its slots derive a part of their secret from a PIN.
    package var hasPIN: Bool {
        switch self {
        case .pin, .pinAndKeyFile, .pinAndTPM, .pinAndFIDO2: true
        case .recovery, .fido2, .other: false
        }
    }

    /// True if a vault may have slots of this kind only. A device can fail or be lost, and there is
    /// no copy of it.
    package var mayBeOnly: Bool {
        switch self {
        case .pin, .pinAndKeyFile, .recovery: true
        case .pinAndTPM, .pinAndFIDO2, .fido2, .other: false
        }
    }

    /// True if a copy of the vault opens with it on another machine.
    package var opensElsewhere: Bool { isKnown && self != .pinAndTPM }

    /// The number of the kind in a slot's body.
    var number: UInt8 {
        switch self {
        case .pin: 1
        case .pinAndKeyFile: 2
        case .recovery: 3
        case .pinAndTPM: 4
        case .pinAndFIDO2: 5
        case .fido2: 7
        case .other(let number): number
        }
    }
}

/// A description of a slot that was not opened.
package struct SlotDescription: Hashable, Sendable {
    package enum Condition: Hashable, Sendable {
        /// Both copies are intact.
        case sound
        /// One of the two copies is damaged; the slot still opens.
        case copyDamaged
    }

    /// The number of the slot, 0 to 7.
    package let number: Int
    package let kind: SlotKind
    /// Passes and bytes of Argon2id as stored in the slot; nil without a derivation.
    package let derivation: Derivation?
    /// The registers (PCRs) of the TPM that the slot depends on; empty without a TPM.
    package let registers: [Int]
    /// Seconds since 1970.
    package let createdAt: Int64
    package let condition: Condition
    /// The slot's checksum. It identifies the slot.
    let checksum: [UInt8]

    /// The cost of one guess; nil without a derivation.
    /// - Throws: `kdfCost` for a cost that this program does not run.
    package func cost() throws(VaultError) -> KDFCost? { try derivation?.cost() }

    /// True if both describe the same slot, whatever the condition of its copies.
    func isSame(as other: SlotDescription) -> Bool { number == other.number && checksum == other.checksum }

    /// The derivation that a slot requests. It is checked against the limits only before it is run.
    package struct Derivation: Hashable, Sendable {
        package let passes: UInt32
        package let memory: UInt64

        static func argon2id(passes: UInt32, memory: UInt64) -> Derivation {
            Derivation(passes: passes, memory: memory)
        }

        func cost() throws(VaultError) -> KDFCost { try KDFCost(storedPasses: passes, memory: memory) }
    }
}
