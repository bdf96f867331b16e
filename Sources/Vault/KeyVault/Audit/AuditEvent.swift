/// A change or a use of the vault in the audit log. The log records only the values listed here,
/// and never a secret.
///
/// A key, or another entry, is recorded by the `name` of its entry. A chain and a transaction
/// are recorded by their 32-byte ids.
package enum AuditEvent: Equatable, Sendable {
    /// The vault was created.
    case made
    case created(key: EntryName)
    case imported(key: EntryName)
    /// A signature was released. `transaction` is the transaction id.
    case signed(
        key: EntryName, chain: [UInt8], transaction: [UInt8], actions: SignedActions = SignedActions([]))
    /// A private key left the vault unencrypted.
    case exported(key: EntryName)
    case removed(key: EntryName)
    case renamed(key: EntryName, from: Label?, to: Label?)
    case slotAdded(number: Int, SlotKind)
    case slotRemoved(number: Int, SlotKind)
    /// The slot got another PIN, key file, phrase or cost.
    case slotChanged(number: Int, SlotKind)
    /// The vault got a new master key: everything sealed under the old one was sealed again.
    case rekeyed
    /// Unlocks that failed since the last successful one: their number, and the times of the first
    /// and the last. The counter is not authenticated: anyone who can write the file can write
    /// these numbers.
    case failedUnlocks(count: Int64, first: Int64, last: Int64)
    /// A backup of this generation was made and verified.
    case backedUp(generation: Int64)
    /// The vault was restored from a backup of this generation.
    case restored(generation: Int64)
    /// The vault was made from a damaged one, of which `count` entries opened.
    case rescued(count: Int64)
    /// An ABI was pinned for a contract. `hash` is the SHA-256 of its raw form.
    case abiPinned(ContractAddress, hash: [UInt8])
    /// A chain got a name, in place of an earlier one or for the first time.
    case chainNamed([UInt8], ChainName)
    /// The name of a chain was removed.
    case chainUnnamed([UInt8], ChainName)
    /// The pinned ABI of a contract was removed.
    case abiUnpinned(ContractAddress, hash: [UInt8])
    /// A signature of an HTTP request was released.
    case requestSigned(key: EntryName, RequestRecord)
    /// The secret of a credential was replaced.
    case rotated(key: EntryName)
    /// The records `first` to `last` were moved to an archive, which `hash` identifies.
    case archived(first: Int64, last: Int64, hash: [UInt8])
    /// A policy was set, in place of an earlier one or for the first time. `hash` is the SHA-256 of
    /// its text.
    case policySet(StoredPolicy.Subject, hash: [UInt8])
    /// A policy was removed.
    case policyRemoved(StoredPolicy.Subject, hash: [UInt8])
    /// Requests that policies refused after the unlock.
    case policyRefusals(PolicyRefusals)
    /// The clock was ahead, and is right now. `last` is the time of the last record before.
    case clockCorrected(last: Int64)
    /// A signature of a digest was released. Nothing shows what the digest is of.
    case digestSigned(key: EntryName, digest: [UInt8])
    /// An event of a later version. It is verified and kept, but not interpreted.
    case other(kind: UInt8)

    /// Nil for an event of a later version.
    package var kind: AuditEventKind? {
        switch self {
        case .made: .made
        case .created: .created
        case .imported: .imported
        case .exported: .exported
        case .removed: .removed
        case .renamed: .renamed
        case .slotAdded: .slotAdded
        case .slotRemoved: .slotRemoved
        case .slotChanged: .slotChanged
        case .rekeyed: .rekeyed
        case .failedUnlocks: .failedUnlocks
        case .backedUp: .backedUp
        case .restored: .restored
        case .rescued: .rescued
        case .abiPinned: .abiPinned
        case .abiUnpinned: .abiUnpinned
        case .signed: .signed
        case .archived: .archived
        case .requestSigned: .requestSigned
        case .rotated: .rotated
        case .policySet: .policySet
        case .policyRemoved: .policyRemoved
        case .policyRefusals: .policyRefusals
        case .clockCorrected: .clockCorrected
        case .chainNamed: .chainNamed
        case .chainUnnamed: .chainUnnamed
        case .digestSigned: .digestSigned
        case .other: nil
        }
    }

    /// The number in the body of a record.
    package var number: UInt8 {
        if case .other(let number) = self { return number }
        if case .signed(_, _, _, let actions) = self, !actions.payments.isEmpty { return Self.paidNumber }
        return kind?.rawValue ?? 0
    }

    /// The number of a signature whose record has payments.
    static let paidNumber: UInt8 = 27

    /// The entry that the event is about; nil for an event without one.
    package var key: EntryName? {
        switch self {
        case .created(let key), .imported(let key), .signed(let key, _, _, _), .exported(let key),
            .removed(let key),
            .renamed(let key, _, _), .requestSigned(let key, _), .rotated(let key),
            .digestSigned(let key, _):
            key
        case .policySet(.key(let key), _), .policyRemoved(.key(let key), _): key
        case .made, .slotAdded, .slotRemoved, .slotChanged, .rekeyed, .failedUnlocks, .backedUp, .restored,
            .rescued,
            .abiPinned, .abiUnpinned, .archived, .policySet, .policyRemoved, .policyRefusals, .clockCorrected,
            .chainNamed, .chainUnnamed, .other:
            nil
        }
    }
}

/// The kinds of events that this version knows. Each one is the number in the body of a record.
package enum AuditEventKind: UInt8, CaseIterable, Sendable {
    case made = 1, created = 2, imported = 3, signed = 19, exported = 5, removed = 6, renamed = 7,
        slotAdded = 8, slotRemoved = 9, slotChanged = 10, rekeyed = 11, failedUnlocks = 12,
        backedUp = 13, restored = 14, rescued = 16, abiPinned = 17, abiUnpinned = 18,
        archived = 20, requestSigned = 21, rotated = 22, policySet = 23, policyRemoved = 24,
        policyRefusals = 25, clockCorrected = 26, chainNamed = 28, chainUnnamed = 29,
        digestSigned = 30

    /// The name for programs: the name of the case in lower case with hyphens, such as
    /// `slot-added`.
    package var name: String {
        "\(self)".reduce(into: "") {
            $0 += $1.isUppercase && $0.last?.isUppercase != true ? "-\($1)" : "\($1)"
        }
        .lowercased()
    }
}
