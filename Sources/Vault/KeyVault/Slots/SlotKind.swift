/// The kind of unlock method that opens a slot.
package enum SlotKind: Hashable, Sendable {
    /// A PIN only, through Argon2id.
    case pin
    /// A PIN through Argon2id, and the 32 bytes of a key file.
    case pinAndKeyFile
    /// A recovery phrase. It needs no derivation, because it has 256 bits.
    case recovery
    /// A kind of a later version: it is listed and kept, but not tried.
    case other(UInt8)

    private static let known: [SlotKind] = [.pin, .pinAndKeyFile, .recovery]

    init(number: UInt8) { self = Self.known.first { $0.number == number } ?? .other(number) }

    /// True if this version can open a slot of this kind.
    var isKnown: Bool { if case .other = self { false } else { true } }

    /// True if slots of the kind store details for their unlock method.
    var storesDetails: Bool {
        switch self {
        case .pin, .pinAndKeyFile, .recovery: false
        case .other: true
        }
    }

    /// The number of the kind in a slot's body.
    var number: UInt8 {
        switch self {
        case .pin: 1
        case .pinAndKeyFile: 2
        case .recovery: 3
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
