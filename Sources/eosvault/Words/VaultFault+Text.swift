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

    private var code: FaultCode {
        switch self {
        case .manifest: .manifest
        case .pages: .pages
        case .key(_, let fault): fault.code
        case .row: .row
        case .rows: .rows
        case .label: .label
        case .count: .count
        case .slot: .slot
        case .slotCopy: .slotCopy
        case .audit(let fault): fault.code
        }
    }

    private var members: [JSONMember] {
        switch self {
        case .manifest, .pages(nil), .count: []
        case .pages(let table?), .row(let table), .rows(let table): [JSONMember("table", .string("\(table)"))]
        case .key(let name, _), .label(let name): [name.member]
        case .slot(let number), .slotCopy(let number): [JSONMember("slot", .number(number))]
        case .audit(let fault): fault.members
        }
    }
}
