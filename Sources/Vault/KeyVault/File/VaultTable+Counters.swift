extension VaultTable {
    /// Numbers that signatures and requests change: uses of limits, the payment history, nonces.
    package static let counters = named(
        7, "counters", isBucketed: true, maximumRowSize: PolicyUses.maximumContent + 1_024,
        contents: [PolicyUseTable.self, CredentialNonces.self, HistoryContent.self])
}
