import ArgumentParser
import KeyVault

/// The name of an event of the audit log, for programs and for `--event`.
enum AuditEventCode: String, CaseIterable, ExpressibleByArgument {
    case made
    case created
    case imported
    case signed
    case exported
    case removed
    case renamed
    case slotAdded = "slot-added"
    case slotRemoved = "slot-removed"
    case slotChanged = "slot-changed"
    case rekeyed
    case failedUnlocks = "failed-unlocks"
    case backedUp = "backed-up"
    case restored
    case rescued
    case abiPinned = "abi-pinned"
    case abiUnpinned = "abi-unpinned"
    case archived
    case requestSigned = "request-signed"
    case rotated
    case policySet = "policy-set"
    case policyRemoved = "policy-removed"
    case policyRefusals = "policy-refusals"
    case clockCorrected = "clock-corrected"

    /// - Returns: nil for an event of a later version.
    init?(_ event: AuditEvent) {
        switch event {
        case .made: self = .made
        case .created: self = .created
        case .imported: self = .imported
        case .signed: self = .signed
        case .exported: self = .exported
        case .removed: self = .removed
        case .renamed: self = .renamed
        case .slotAdded: self = .slotAdded
        case .slotRemoved: self = .slotRemoved
        case .slotChanged: self = .slotChanged
        case .rekeyed: self = .rekeyed
        case .failedUnlocks: self = .failedUnlocks
        case .backedUp: self = .backedUp
        case .restored: self = .restored
        case .rescued: self = .rescued
        case .abiPinned: self = .abiPinned
        case .abiUnpinned: self = .abiUnpinned
        case .archived: self = .archived
        case .requestSigned: self = .requestSigned
        case .rotated: self = .rotated
        case .policySet: self = .policySet
        case .policyRemoved: self = .policyRemoved
        case .policyRefusals: self = .policyRefusals
        case .clockCorrected: self = .clockCorrected
        case .other: return nil
        }
    }
}
