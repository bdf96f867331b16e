import JSON
import KeyVault
import Shell

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
            "sequence?": .number("the record that is affected"), "file?": .text("the archive that is affected"),
            "first?": .number("the first record of an archive, or the first one that is affected"),
            "last?": .number("the last one"), "time?": .text("when an archive was made, in UTC"),
            "blake2b?": .text("the hash of an archive"), "count?": .number("how many rows are in unused bytes"),
        ]
    ) { $0.members }
}

extension VaultFault {
    /// What is wrong, and where.
    var words: FaultWords {
        switch self {
        case .manifest: .init(.manifest, "the manifest (list of digests) does not match the vault")
        case .pages(let table?):
            .init(.pages, "malformed database pages in the table \(table)", ["table": .string("\(table)")])
        case .pages(nil): .init(.pages, "malformed database pages")
        case .key(let name, let fault): .init(fault.code, "\(name): \(fault.text)", name.json)
        case .row(let table): .init(.row, "malformed row in the table \(table)", ["table": .string("\(table)")])
        case .rows(let table):
            .init(.rows, "rows of the table \(table) were added, changed or removed", ["table": .string("\(table)")])
        case .label(let name): .init(.label, "\(name): its label was modified", name.json)
        case .count(let expected, let found):
            .init(.count, "the vault has \(Words.count(found, "entry", "entries")) instead of \(expected)")
        case .slot(let number): .init(.slot, "both copies of slot \(number) are damaged", ["slot": .number(number)])
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
        case .changed(let sequence), .missing(let sequence), .extra(let sequence): ["sequence": .number(sequence)]
        case .cut(let last, let expected): ["sequence": .number(last + 1), "last": .number(expected)]
        }
    }
}
