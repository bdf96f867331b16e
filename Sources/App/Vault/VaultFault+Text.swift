import JSON
import KeyVault
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
    case archiveNotReferredTo =
        "archive-not-referred-to: an archive is intact, but the vault does not refer to it"
    case archiveOfOtherVault = "archive-of-other-vault: an archive is of another vault"
}

/// The text of a fault. People get one line. Programs get a JSON object with the code, the line,
/// and the affected key, slot, table or record.
struct FaultWords: JSONDescribed {
    let code: FaultCode
    let text: String
    /// An object with what is affected.
    let members: JSONValue

    init(_ code: FaultCode, _ text: String, _ members: JSONValue = [:]) {
        (self.code, self.text, self.members) = (code, text, members)
    }

    static let object = JSONObject<FaultWords>([
        .text("code", "its code") { $0.code.name }, .text("message", "for people") { $0.text },
    ]).adding(
        described: [
            "public_key?": .text("the key that is affected"), "name?": .text("the entry that is affected"),
            "slot?": .number("the slot that is affected"), "table?": .text("the table that is affected"),
            "sequence?": .number("the record that is affected"),
            "file?": .text("the archive that is affected"),
            "first?": .number("the first record of an archive, or the first one that is affected"),
            "last?": .number("the last one"), "time?": .text("when an archive was made, in UTC"),
            "blake2b?": .text("the hash of an archive"),
            "count?": .number("how many rows are in unused bytes"),
        ]
    ) { $0.members }
}

extension VaultFault {
    /// The words for the fault and its place.
    var words: FaultWords {
        switch self {
        case .manifest: .init(.manifest, "the manifest (list of digests) does not match the vault")
        case .pages(let table?):
            .init(.pages, "malformed database pages in the table \(table)", ["table": .string("\(table)")])
        case .pages(nil): .init(.pages, "malformed database pages")
        case .key(let name, let fault): .init(fault.code, "\(name): \(fault.text)", name.json)
        case .row(let table):
            .init(.row, "malformed row in the table \(table)", ["table": .string("\(table)")])
        case .rows(let table):
            .init(
                .rows, "rows of the table \(table) were added, changed or removed",
                ["table": .string("\(table)")])
        case .label(let name): .init(.label, "\(name): its label was modified", name.json)
        case .count(let expected, let found):
            .init(.count, "the vault has \(Words.count(found, "entry", "entries")) instead of \(expected)")
        case .slot(let number):
            .init(.slot, "both copies of slot \(number) are damaged", ["slot": .number(number)])
        case .slotCopy(let number):
            .init(
                .slotCopy,
                "one of the two copies of slot \(number) is damaged; repair it with `eosvault check --repair`",
                ["slot": .number(number)])
        case .unusedRows(let count):
            .init(
                .unusedRows,
                "unused bytes of the file contain \(Words.count(count, "row")) that the vault did not write; to "
                    + "remove them, run `eosvault backup` and restore the copy", ["count": .number(count)])
        case .audit(let fault):
            .init(fault.code, "the audit log was modified: \(fault.text)", fault.members)
        }
    }
}

extension EntryFault {
    var code: FaultCode {
        switch self {
        case .seal: .entrySeal
        case .key: .entryKey
        }
    }
}

extension AuditFault {
    var words: FaultWords { FaultWords(code, text, members) }

    fileprivate var code: FaultCode {
        switch self {
        case .changed: .recordChanged
        case .missing: .recordMissing
        case .cut: .recordsCut
        case .extra: .recordExtra
        }
    }

    /// The record, or the first and the last record of a range.
    fileprivate var members: JSONValue {
        switch self {
        case .changed(let sequence), .missing(let sequence), .extra(let sequence):
            ["sequence": .number(sequence)]
        case .cut(let last, let expected): ["sequence": .number(last + 1), "last": .number(expected)]
        }
    }
}
