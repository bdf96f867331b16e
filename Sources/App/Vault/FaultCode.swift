import Shell

/// The codes of faults that `check`, `rescue` and `log verify` find, with their meanings.
enum FaultCode: String, MessageCode {
    case manifest = "manifest: the manifest (list of digests) does not match the vault"
    case pages = "pages: the database has malformed pages"
    case row = "row: a table has a malformed row"
    case rows = "rows: rows of a table were added, changed or removed"
    case label = "label: the label of a key or credential was modified"
    case count = "count: the number of keys and credentials is wrong"
    case slot = "slot: both copies of a slot are damaged"
    case slotCopy = "slot-copy: one of the two copies of a slot is damaged"
    case entrySeal = "entry-seal: the entry of a key or credential is damaged or was modified"
    case entryKey = "entry-key: the entry of a key contains the private key for another public key"
    case recordChanged = "record-changed: a record of the audit log was changed"
    case recordMissing = "record-missing: a record of the audit log is missing"
    case recordsCut = "records-cut: the last records of the audit log are missing"
    case recordExtra = "record-extra: the audit log has a record that the vault did not write"
    case malformed = "malformed: the entry of a lost key or credential has invalid values"
    case unusedRows = "unused-rows: unused bytes of the file contain rows that the vault did not write"
    case rowGone = "row-gone: the entry of a lost key or credential is missing"
    case archiveDamaged = "archive-damaged: an archive of the audit log was changed or cut off"
    case archiveMissing = "archive-missing: an archive that the vault refers to is missing"
    case archiveNotReferredTo = "archive-not-referred-to: an archive is intact, but the vault does not refer to it"
    case archiveOfOtherVault = "archive-of-other-vault: an archive is of another vault"
}
