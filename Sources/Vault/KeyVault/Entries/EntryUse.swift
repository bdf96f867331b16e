/// Which verified entries of a transaction can be used without reading them again, and the keys
/// that stay open.
struct EntryUse {
    /// Distinguishes transactions.
    final class Identity: Sendable {}

    private let transaction = Identity()
    /// How many write steps may have changed an entry or a label. They end the validity of verified
    /// entries.
    private var writeCount = 0
    /// The keys that stay open until `closeKeys`; nil to wipe each key after its use.
    private var openKeys: OpenKeys?

    func verified(_ row: EntryRow) -> VaultTransaction.VerifiedEntry {
        VaultTransaction.VerifiedEntry(row: row, transaction: transaction, writeCount: writeCount)
    }

    /// True if no entry was written since this one was verified.
    func isCurrent(_ entry: VaultTransaction.VerifiedEntry) -> Bool {
        entry.transaction === transaction && entry.writeCount == writeCount
    }

    /// An entry or a label is written.
    mutating func invalidate() {
        writeCount += 1
        openKeys?.removeAll()
    }

    mutating func keepKeysOpen() { if openKeys == nil { openKeys = OpenKeys() } }

    mutating func closeKeys() { openKeys = nil }

    /// The key of an entry after `keepKeysOpen`.
    func openKey(
        of entry: VaultTransaction.VerifiedEntry, _ context: SealContext
    ) throws(VaultError) -> OpenKeys.OpenKey? {
        isCurrent(entry) ? try openKeys?.key(of: entry.row, context) : nil
    }
}

extension VaultTransaction {
    /// A verified entry. Its bucket is not read again to open it, as long as no entry was written.
    package struct VerifiedEntry: Sendable {
        let row: EntryRow
        // The state in which the entry was verified: the transaction, and the number of entries
        // that it had written.
        fileprivate let transaction: EntryUse.Identity
        fileprivate let writeCount: Int

        package var description: EntryDescription { row.description }
    }
}
