import JSON
import KeyVault
import Shell

extension VaultFault {
    /// What is wrong, and where.
    var words: FaultWords {
        switch self {
        case .manifest: .init(.manifest, "the manifest (list of digests) does not match the vault")
        case .pages(let table?):
            .init(.pages, "malformed database pages in the table \(table)", ["table": .string("\(table)")])
        case .pages(nil): .init(.pages, "malformed database pages")
        case .key(let name, let fault): .init(fault.words.code, "\(name): \(fault.words.text)", name.json)
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
            .init(fault.words.code, "the audit log was modified: \(fault.words.text)", fault.words.members)
        }
    }
}
