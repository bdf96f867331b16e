import JSON
import KeyVault

// Faults of a vault, to people and to programs: a line of text, and an object with a code, the
// text, and what the fault is about.

extension VaultFault {
    /// What is wrong, and with what.
    var text: String {
        switch self {
        case .manifest: "the list of digests does not fit the vault"
        case .pages(let table): "pages that make no sense" + (table.map { ", of \($0)" } ?? "")
        case .key(let name, let fault): "\(name): \(fault.text)"
        case .row(let table): "a row of \(table) makes no sense"
        case .rows(let table): "rows of \(table) were added, changed or taken away"
        case .label(let name): "\(name): its label was changed"
        case .count(let expected, let found): "\(Words.count(found, "key")), and there were \(expected)"
        case .slot(let number): "both copies of slot \(number) are damaged"
        case .slotCopy(let number):
            "one of the two copies of slot \(number) is damaged; `eosvault check --repair` writes it anew"
        case .audit(let fault): "the audit log was changed: \(fault.text)"
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
    /// What is wrong with a key's entry, behind the key's name.
    var text: String {
        switch self {
        case .seal: "its entry is damaged or was changed"
        case .key: "its entry holds another private key"
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
        case .changed(let sequence): "record \(sequence): it is not what was written there"
        case .missing(let sequence): "record \(sequence): it is missing"
        case .cut(let last, let expected): "records \(last + 1) to \(expected): they are cut off"
        case .extra(let sequence): "record \(sequence): this vault never wrote it"
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

    /// `last` where several records are meant.
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
    /// The one form of a fault.
    static func fault(_ code: String, _ text: String, _ members: [JSONMember]) -> JSONValue {
        .object([JSONMember("code", .string(code)), JSONMember("message", .string(text))] + members)
    }
}
