import Files

/// What a backup holds.
package struct BackupDescription: Equatable, Sendable {
    package let generation: Int64
    package let keyCount: Int64
    /// Bytes.
    package let size: Int
    /// Whether the vault records which keys the backup holds; not where its file has several names.
    package var isRecorded = true
    /// Changes that this machine has seen of the vault after the backup, and that are not in it.
    package var laterChanges: Int64 = 0
    /// Whether this machine remembers a newer state, and refuses the restored vault until it is
    /// told to forget that.
    package var isOlderThanSeen = false
}

extension UnlockedVault {
    /// Writes a copy of the vault as it stands now, while others may use it: verified as
    /// `Vault.check` does before it is written, synced, read back from the disk and compared. Then
    /// the vault knows which keys a backup holds.
    /// - Parameters:
    ///   - path: nothing may stand there.
    ///   - progress: keys verified, of how many.
    /// - Throws: `faulty`, `alreadyExists`, `diskFull`, `readBackDiffers`, `commitUncertain`;
    ///   `backupNotRecorded` when the copy stands and only the vault could not be told, as one that
    ///   can't be written.
    package borrowing func backup(to path: String, progress: (Int64, Int64) -> Void = { _, _ in }) throws(VaultError)
        -> BackupDescription
    {
        let location = try VaultLocation(path)
        try location.verifyAbsent()
        let (vault, opened) = (vault, opened)
        // One view of the file; the lock is held no longer than it takes to copy.
        let image = try vault.read { () throws(VaultError) in
            _ = try vault.verifiedManifest(opened)
            return try vault.connection.serialized()
        }
        let report = try Vault(image: image).check(opened, progress: progress)
        guard report.faults.isEmpty else { throw .faulty(count: report.faults.count) }
        let made = try location.createFile(image, onAnyFileSystem: true)
        try location.readBack(image, of: made)
        guard try vault.linkCount() <= 1 else {
            return BackupDescription(
                generation: report.generation, keyCount: report.keyCount, size: image.count, isRecorded: false)
        }
        do {
            try transaction { (transaction: inout VaultTransaction) throws(VaultError) in
                try transaction.remember(BackupMark(generation: report.generation, time: transaction.now()))
                try transaction.record(.backedUp(generation: report.generation))
            }
        } catch { throw .backupNotRecorded(error) }
        return BackupDescription(generation: report.generation, keyCount: report.keyCount, size: image.count)
    }
}

extension Vault {
    /// Makes a vault out of a backup, after checking all of it.
    /// - Parameters:
    ///   - way: opens the backup; it opens the vault as well.
    ///   - path: nothing may stand there; its folder must be the user's and not writable by others.
    ///   - witness: refuses a backup that is older than the last one made on this machine, unless
    ///     `acceptRollback`.
    /// - Throws: what `check` throws; `faulty` for a backup that is not sound, `alreadyExists`,
    ///   `rolledBack`.
    package static func restore(
        _ image: VaultImage, to path: String, way: borrowing WayIn, witness: Witness? = nil,
        acceptRollback: Bool = false,
        clock: VaultClock = .system, progress: (Int64, Int64) -> Void = { _, _ in }
    ) throws(VaultError) -> BackupDescription {
        let location = try VaultLocation(path)
        try location.verifyFolder()
        try location.verifyAbsent()
        let backup = try Vault(image: image.bytes, witness: witness, acceptRollback: acceptRollback, clock: clock)
        let opened = try backup.openSlot(way, countedIn: counter(at: image.path, clock: clock))
        let newest = acceptRollback ? nil : try witness?.seen(opened.slot.vaultID)?.generation
        let report = try backup.check(opened, takingLastBackup: true, progress: progress)
        // A slot that opens by one of its two copies is what there are two for; it is repaired
        // below.
        let faults = report.faults.filter { fault in if case .slotCopy = fault { false } else { true } }
        guard faults.isEmpty else { throw .faulty(count: faults.count) }
        let made = try location.createFile(image.bytes)
        do throws(VaultError) {
            try location.readBack(image.bytes, of: made)
            // The machine goes on remembering a newer state, unless it is told to forget it: the
            // vault may stand there still.
            let isNewest = newest.map { $0 <= report.generation } ?? true
            let vault = try Vault.open(path, witness: isNewest ? witness : nil, acceptRollback: true, clock: clock)
            vault.isCompared = true
            // What is changed now must be what was checked, or newer.
            vault.seenGeneration = report.generation
            try UnlockedVault(vault: vault, opened: opened).transaction { transaction throws(VaultError) in
                try transaction.repairSlotCopies()
                // What it was made from is a backup of it.
                try transaction.remember(BackupMark(generation: report.generation, time: transaction.now()))
                try transaction.record(.restored(generation: report.generation))
            }
        } catch {
            // All or nothing; what was made and may not last stays.
            if error != .commitUncertain { made.remove() }
            throw error
        }
        return BackupDescription(
            generation: report.generation, keyCount: report.keyCount, size: image.bytes.count,
            laterChanges: max(0, (newest ?? 0) - report.generation - 1),
            isOlderThanSeen: newest.map { $0 > report.generation } ?? false)
    }
}
