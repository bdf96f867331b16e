import JSON
import KeyVault

// Faults of a vault. People get a line of text; programs get a JSON object with a code, the text,
// and the affected key, slot, table or record.

extension VaultFault {
    /// One line: what is wrong, and where.
    var text: String {
        switch self {
        case .manifest: "the manifest (list of digests) does not match the vault"
        case .pages(let table): "malformed database pages" + (table.map { " in the table \($0)" } ?? "")
        case .key(let name, let fault): "\(name): \(fault.text)"
        case .row(let table): "malformed row in the table \(table)"
        case .rows(let table): "rows of the table \(table) were added, changed or removed"
        case .label(let name): "\(name): its label was modified"
        case .count(let expected, let found): "the vault has \(Words.count(found, "key")) instead of \(expected)"
        case .slot(let number): "both copies of slot \(number) are damaged"
        case .slotCopy(let number):
            "one of the two copies of slot \(number) is damaged; repair it with `eosvault check --repair`"
        case .audit(let fault): "the audit log was modified: \(fault.text)"
        }
    }

    var json: JSONValue { .fault(code, text, members) }

    private var code: String {
        switch self {
        case .manifest: "manifest"
        case .pages: "pages"
        case .key(_, let fault): fault.code
        case .row: "row"
        case .rows: "rows"
        case .label: "label"
        case .count: "count"
        case .slot: "slot"
        case .slotCopy: "slot-copy"
        case .audit(let fault): fault.code
        }
    }

    private var members: [JSONMember] {
        switch self {
        case .manifest, .pages(nil), .count: []
        case .pages(let table?), .row(let table), .rows(let table): [JSONMember("table", .string("\(table)"))]
        case .key(let name, _), .label(let name): [JSONMember("public_key", .string(name))]
        case .slot(let number), .slotCopy(let number): [JSONMember("slot", .number("\(number)"))]
        case .audit(let fault): fault.members
        }
    }
}

extension EntryFault {
    /// What is wrong with a key's entry. The text follows the key's name.
    var text: String {
        switch self {
        case .seal: "its entry is damaged or was modified"
        case .key: "its entry contains the private key for another public key"
        }
    }

    var code: String {
        switch self {
        case .seal: "entry-seal"
        case .key: "entry-key"
        }
    }
}

extension AuditFault {
    /// One line.
    var text: String {
        switch self {
        case .changed(let sequence): "record \(sequence) was changed"
        case .missing(let sequence): "record \(sequence) is missing"
        case .cut(let last, let expected) where expected == last + 1: "record \(expected), the last one, is missing"
        case .cut(let last, let expected): "records \(last + 1) to \(expected), the last ones, are missing"
        case .extra(let sequence): "record \(sequence) was not written by this vault"
        }
    }

    var json: JSONValue { .fault(code, text, members) }

    fileprivate var code: String {
        switch self {
        case .changed: "record-changed"
        case .missing: "record-missing"
        case .cut: "records-cut"
        case .extra: "record-extra"
        }
    }

    /// The record, or the first and the last record of a range.
    fileprivate var members: [JSONMember] {
        switch self {
        case .changed(let sequence), .missing(let sequence), .extra(let sequence):
            [JSONMember("sequence", .number("\(sequence)"))]
        case .cut(let last, let expected):
            [JSONMember("sequence", .number("\(last + 1)")), JSONMember("last", .number("\(expected)"))]
        }
    }
}

extension JSONValue {
    /// The JSON form that all faults have.
    static func fault(_ code: String, _ text: String, _ members: [JSONMember]) -> JSONValue {
        .object([JSONMember("code", .string(code)), JSONMember("message", .string(text))] + members)
    }
}
