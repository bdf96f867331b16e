import Shell

/// The codes of faults that `check`, `rescue` and `log verify` find.
enum FaultCode: String, MessageCode {
    case manifest, pages, row, rows, label, count, slot, malformed
    case slotCopy = "slot-copy", entrySeal = "entry-seal", entryKey = "entry-key", recordChanged = "record-changed",
        recordMissing = "record-missing", recordsCut = "records-cut", recordExtra = "record-extra",
        rowGone = "row-gone",
        unusedRows = "unused-rows",
        archiveDamaged = "archive-damaged", archiveMissing = "archive-missing",
        archiveNotReferredTo = "archive-not-referred-to", archiveOfOtherVault = "archive-of-other-vault"

    var meaning: String {
        switch self {
        case .manifest: "the manifest (list of digests) does not match the vault"
        case .pages: "the database has malformed pages"
        case .row: "a table has a malformed row"
        case .rows: "rows of a table were added, changed or removed"
        case .label: "the label of a key or credential was modified"
        case .count: "the number of keys and credentials is wrong"
        case .slot: "both copies of a slot are damaged"
        case .slotCopy: "one of the two copies of a slot is damaged"
        case .entrySeal: "the entry of a key or credential is damaged or was modified"
        case .entryKey: "the entry of a key contains the private key for another public key"
        case .recordChanged: "a record of the audit log was changed"
        case .recordMissing: "a record of the audit log is missing"
        case .recordsCut: "the last records of the audit log are missing"
        case .recordExtra: "the audit log has a record that the vault did not write"
        case .malformed: "the entry of a lost key or credential has invalid values"
        case .unusedRows: "unused bytes of the file contain rows that the vault did not write"
        case .rowGone: "the entry of a lost key or credential is missing"
        case .archiveDamaged: "an archive of the audit log was changed or cut off"
        case .archiveMissing: "an archive that the vault refers to is missing"
        case .archiveNotReferredTo: "an archive is intact, but the vault does not refer to it"
        case .archiveOfOtherVault: "an archive is of another vault"
        }
    }
}
