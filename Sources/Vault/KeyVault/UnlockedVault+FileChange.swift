/// The file of an unlocked vault as a long-lived process finds it after another process may have
/// changed it.
package enum FileChange: Equatable, Sendable {
    /// The file is the same vault, in this generation or unchanged: another process added a key or
    /// signed, for example.
    case none(generation: Int64)
    /// The vault must be locked, because of this error: it has another master key, its slot was
    /// changed, or the file was edited, replaced by another one, or by an older copy.
    case mustLock(VaultError)
}

extension UnlockedVault {
    /// Verifies the root of the manifest and the slot that opened the vault, no other rows. It
    /// reads some 60 KB.
    /// - Throws: `busy` and the errors of the machine, which prove nothing: try again. `locked`.
    package borrowing func fileChange() throws(VaultError) -> FileChange {
        guard !vault.connection.hasMoved else { return .mustLock(.file(.replacedWhileOpening)) }
        do {
            return .none(
                generation: try withoutRecord { transaction throws(VaultError) in
                    let number = transaction.opened.number
                    let state = try SlotTable(in: transaction.connection).states[number]
                    guard case .sound(transaction.opened.slot, _) = state else { throw .input(.slotChanged) }
                    try transaction.buckets.verify(state, ofSlot: number)
                    return transaction.manifest.generation
                })
        } catch {
            switch error {
            case .integrity, .file, .input(.slotChanged): return .mustLock(error)
            case .machine, .input, .tpm, .fido2: throw error
            }
        }
    }
}

extension Vault {
    /// What reviews read of the vault. Two equal values mean that nothing of it changed: no key,
    /// label, name of a chain, pinned ABI, policy or backup. Signatures do not change it.
    package struct ReviewState: Equatable, Sendable {
        fileprivate let digests: [UInt8]
    }

    /// The state in the file, not verified, in less time than it takes to read one key. Read it in
    /// the snapshot in which the rows are read.
    package func unverifiedReviewState() throws(VaultError) -> ReviewState {
        try read { () throws(VaultError) in
            var digests: [UInt8] = []
            for table in [VaultTable.entries, .labels, .settings, .abis, .policies] {
                let sql = "SELECT leaves FROM manifest WHERE section = ?1"
                try connection.query(sql, [.integer(Int64(table.number))]) { row throws(VaultError) in
                    digests += row.blob(0) ?? []
                }
            }
            return ReviewState(digests: digests)
        }
    }
}
