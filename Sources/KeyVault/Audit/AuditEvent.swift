/// What the audit log keeps of a change or a use of the vault. Never a secret, and never more than
/// is listed here.
///
/// A key is named by its public key as an entry's `name` has it, a chain and a transaction by their
/// 32 bytes.
package enum AuditEvent: Equatable, Sendable {
    /// The vault itself.
    case made
    case created(key: String)
    case imported(key: String)
    /// A signature that was released. `transaction` is its id.
    case signed(key: String, chain: [UInt8], transaction: [UInt8])
    /// A private key left the vault in the clear.
    case exported(key: String)
    case removed(key: String)
    case renamed(key: String, from: Label?, to: Label?)
    case slotAdded(number: Int, SlotKind)
    case slotRemoved(number: Int, SlotKind)
    /// Another PIN, key file, phrase or cost for the same slot.
    case slotChanged(number: Int, SlotKind)
    /// A new master key: what an earlier one sealed was sealed anew.
    case rekeyed
    /// Tries since the last time the vault was opened, and the times of the first and the last.
    /// They were counted where nothing vouches for them: whoever can write the file can write these
    /// numbers.
    case failedUnlocks(count: Int64, first: Int64, last: Int64)
    /// A backup was made of this generation, and verified.
    case backedUp(generation: Int64)
    /// The vault was made from a backup of this generation.
    case restored(generation: Int64)
    /// The vault was brought from an older format version to that of this program.
    case migrated(from: UInt32)
    /// The vault was made from the entries of a damaged one, of which so many opened.
    case rescued(count: Int64)
    /// An event of a later version: it is verified and kept, not understood.
    case other(kind: UInt8)

    var kind: UInt8 {
        switch self {
        case .made: 1
        case .created: 2
        case .imported: 3
        case .signed: 4
        case .exported: 5
        case .removed: 6
        case .renamed: 7
        case .slotAdded: 8
        case .slotRemoved: 9
        case .slotChanged: 10
        case .rekeyed: 11
        case .failedUnlocks: 12
        case .backedUp: 13
        case .restored: 14
        case .migrated: 15
        case .rescued: 16
        case .other(let kind): kind
        }
    }

    /// The public key that the event is about.
    package var key: String? {
        switch self {
        case .created(let key), .imported(let key), .signed(let key, _, _), .exported(let key), .removed(let key),
            .renamed(let key, _, _):
            key
        case .made, .slotAdded, .slotRemoved, .slotChanged, .rekeyed, .failedUnlocks, .backedUp, .restored, .migrated,
            .rescued, .other:
            nil
        }
    }
}
