import KeyVault

extension VaultFault {
    /// What is wrong, and with what.
    var words: String {
        switch self {
        case .manifest: "the list of digests does not fit the vault"
        case .pages(let table): "pages that make no sense" + (table.map { ", of \($0)" } ?? "")
        case .key(let name, .seal): "\(name): its entry is damaged or was changed"
        case .key(let name, .key): "\(name): its entry holds another private key"
        case .row(let table): "a row of \(table) makes no sense"
        case .rows(let table): "rows of \(table) were added, changed or taken away"
        case .label(let name): "\(name): its label was changed"
        case .count(let expected, let found): "\(Words.count(found, "key")), and there were \(expected)"
        case .slot(let number): "both copies of slot \(number) are damaged"
        case .slotCopy(let number): "one of the two copies of slot \(number) is damaged; `eosvault check --repair` writes it anew"
        case .audit(let fault): Words.text(of: fault)
        }
    }
}
