/// The pages of a damaged vault, either from its file or as they were before an unfinished change.
/// The journal contains the earlier content of the changed pages.
struct VaultPages {
    private let vault: DamagedVault
    /// The offset of a page's earlier content in the journal, by page number.
    private let offsets: [Int: Int64]
    /// The number of pages. They are numbered from 1.
    let count: Int

    /// The pages in the file.
    init(of vault: DamagedVault) {
        self.vault = vault
        offsets = [:]
        count = Int(vault.file.count) / VaultFormat.pageSize
    }

    /// The pages as SQLite would restore them from the journal.
    /// - Returns: nil without a journal that SQLite would play back.
    init?(restoring vault: DamagedVault) {
        guard let header = vault.journal?.journalHeader(vaultSize: vault.file.count) else { return nil }
        self.vault = vault
        offsets = vault.journal?.journalOffsets(header) ?? [:]
        count = Int(header.pageCount)
    }

    /// - Parameter number: from 1 to `count`.
    func page(_ number: Int) -> [UInt8] {
        if let offset = offsets[number], let page = vault.journal?.page(at: offset) { return page }
        return vault.file.page(at: Int64(number - 1) * Int64(VaultFormat.pageSize))
    }
}
