/// What opens a slot.
package enum SlotKind: Hashable, Sendable {
    /// A PIN alone, through Argon2id.
    case pin
    /// A PIN through Argon2id, and the 32 bytes of a key file.
    case pinAndKeyFile
    /// A recovery phrase, which needs no derivation: it has 256 bits.
    case recovery
    /// A kind of a later version: it is listed and kept, and not tried.
    case other(UInt8)

    init(number: UInt8) {
        self =
            switch number {
            case 1: .pin
            case 2: .pinAndKeyFile
            case 3: .recovery
            default: .other(number)
            }
    }

    /// Whether this version can open such a slot.
    var isKnown: Bool { if case .other = self { false } else { true } }

    /// The kind as it stands in a slot's body.
    var number: UInt8 {
        switch self {
        case .pin: 1
        case .pinAndKeyFile: 2
        case .recovery: 3
        case .other(let number): number
        }
    }
}

/// What can be said of a slot without opening it.
package struct SlotDescription: Hashable, Sendable {
    package enum Condition: Hashable, Sendable {
        /// Both copies are sound.
        case sound
        /// One of the two copies is damaged: the slot opens all the same.
        case copyDamaged
    }

    /// 0 to 7.
    package let number: Int
    package let kind: SlotKind
    /// Passes and bytes of Argon2id as the slot states them; nil without a derivation.
    package let derivation: Derivation?
    /// Seconds since 1970.
    package let createdAt: Int64
    package let condition: Condition
    /// The slot's checksum: by it a slot is known again.
    let checksum: [UInt8]

    /// Whether it is the same slot, whatever became of its copies.
    func isSame(as other: SlotDescription) -> Bool { number == other.number && checksum == other.checksum }

    /// What a slot states of its derivation, capped only when it is run.
    package struct Derivation: Hashable, Sendable {
        package let passes: UInt32
        package let memory: UInt64
    }
}

extension SlotDescription {
    /// What a guess costs; nil without a derivation.
    /// - Throws: `kdfCost` for a cost that is not run here.
    package func cost() throws(VaultError) -> KDFCost? {
        guard let derivation else { return nil }
        return try KDFCost(storedPasses: derivation.passes, memory: derivation.memory)
    }
}
