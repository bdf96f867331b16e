/// The state of a vault as its file has it, read without an unlock method. Anyone who can write the
/// file can change it.
package struct VaultStatus: Sendable {
    /// Seconds since 1970, like the other times.
    package let createdAt: Int64
    /// The number of changes of the vault.
    package let generation: Int64
    /// True if the file has fewer changes than this machine has recorded; nil if it has recorded
    /// none.
    package let isOlderThanSeen: Bool?
    package let slots: [SlotDescription]
    package let entries: [KeyStatus]
    package let namedChains: [NamedChain]
    /// nil for a vault without records.
    package let lastRecord: AuditRecord?
    /// The archives with the first records of the log.
    package let archives: [ArchiveDescription]
    /// The last verified backup.
    package let backup: (generation: Int64, time: Int64)?
    /// The failed unlocks since the last successful one.
    package let failedUnlocks: (count: Int64, first: Int64, last: Int64)?
    /// The payment history has all signatures since this time. Earlier ones may be removed, or were
    /// made after the backup that the vault was restored from.
    package let historyStart: Int64
    package let space: VaultSpace
}

extension Vault {
    /// The state of the vault in the file.
    /// - Throws: `damaged` for rows that no writer produces, `witnessUnreadable`.
    package func unverifiedStatus() throws(VaultError) -> VaultStatus {
        try unverified { rows throws(VaultError) in
            let manifest = try Manifest(in: connection)
            let seen = try witness?.seen(manifest.vaultID)
            return VaultStatus(
                createdAt: manifest.createdAt, generation: manifest.generation,
                isOlderThanSeen: seen.map { manifest.generation < $0.generation },
                slots: try SlotTable(in: connection).descriptions,
                entries: try rows.statuses(), namedChains: try rows.namedChains(),
                lastRecord: try unverifiedLastRecord(),
                archives: try rows.archivedLog()?.archives ?? [],
                backup: try rows.lastBackup().map { ($0.generation, $0.time) },
                failedUnlocks: try FailedUnlocks(in: connection).map { ($0.count, $0.first, $0.last) },
                historyStart: max(
                    manifest.createdAt, try rows.lastRestore() ?? 0, try rows.historyStart() ?? 0),
                space: try VaultSpace(in: connection))
        }
    }
}

extension UnverifiedRows {
    /// The payment history has all signatures since this time; nil if none was removed. The first
    /// row of a sequence is read only if earlier ones were removed.
    fileprivate func historyStart() throws(VaultError) -> Int64? {
        var start: Int64?
        for kind in HistoryRow.Kind.allCases {
            for byte in UInt8.min...UInt8.max {
                let sequence = HistoryRow.Sequence(kind: kind, byte: byte)
                try visitFirst("name", of: sequence) { row throws(VaultError) in
                    guard let name = row.text(0), name.hasPrefix(sequence.prefix),
                        name != HistoryRow(sequence, number: 0).rowName
                    else { return }
                    try visitFirst("*", of: sequence) { row throws(VaultError) in
                        guard let row = try HistoryRow.read(row) else { throw .damaged(.counters) }
                        start = max(start ?? 0, row.oldest)
                    }
                }
            }
        }
        return start
    }

    private func visitFirst(
        _ columns: String, of sequence: HistoryRow.Sequence,
        _ visit: (borrowing SQLiteRow) throws(VaultError) -> Void
    ) throws(VaultError) {
        let sql = "SELECT \(columns) FROM counters WHERE bucket = ?1 AND name > ?2 ORDER BY name LIMIT 1"
        let bucket = Int64(sequence.leaf.bucket)
        try connection.query(sql, [.integer(bucket), .text(sequence.prefix)], visit)
    }
}
