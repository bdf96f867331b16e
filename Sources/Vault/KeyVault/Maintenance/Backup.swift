import Files

/// The contents of a backup.
package struct BackupDescription: Equatable, Sendable {
    package let generation: Int64
    package let counts: EntryCounts
    /// The size of the file in bytes.
    package let size: Int
    /// True if the vault records which keys the backup contains. False when the vault's file has
    /// several hard links.
    package var isRecorded = true
    /// The number of changes after the backup that this machine has seen and that the backup lacks.
    package var laterChanges: Int64 = 0
    /// True if this machine remembers a newer state. If so, it refuses the restored vault until the
    /// user accepts the rollback.
    package var isOlderThanSeen = false
    /// True if the restored vault has a credential whose requests have nonces. The vault may have
    /// used later ones after the backup.
    package var usesNonces = false
    /// The limits of policies that count as used up in the restored vault; nil for none.
    package var usedUp: UsedUpLimits?
    /// The number of rows in unused bytes of the copied file that its vault did not write. The copy
    /// has none of them.
    package var unusedRowCount = 0
    /// The rows of kinds that this version does not support. The copy has them too.
    package var unsupported = UnsupportedRows()
    /// The unlock methods of the copy, one for each slot.
    package var slots: [SlotKind] = []
}

extension BackupDescription {
    fileprivate init(_ report: CheckReport, size: Int) {
        self.init(
            generation: report.generation, counts: report.counts, size: size,
            unsupported: report.unsupported)
    }
}

/// Limits of policies that count as used up, because a vault may lack later uses of them.
package struct UsedUpLimits: Hashable, Sendable {
    /// The number of keys that the limits are for.
    package let keyCount: Int
    /// Seconds since 1970.
    package let time: Int64

    /// - Returns: nil for no keys.
    init?(_ keys: Set<EntryName>, at time: Int64) {
        guard !keys.isEmpty else { return nil }
        (keyCount, self.time) = (keys.count, time)
    }
}

extension UnlockedVault {
    /// Writes a copy of the vault's current state while other processes may use the vault. The copy
    /// is verified like in `Vault.check`, written, synced, read back from the disk and compared.
    /// Its unused bytes are zeros. Then the vault records which keys a backup contains.
    /// - Parameters:
    ///   - path: must not exist.
    ///   - progress: receives the number of verified keys, and of all keys.
    /// - Throws: `faulty`, `alreadyExists`, `diskFull`, `readBackDiffers`, `commitUncertain`;
    ///   `backupNotRecorded` when the copy is written and verified but the vault could not record
    ///   it, for example because the vault is read-only.
    package borrowing func backup(to path: String, progress: KeyProgress = { _, _ in }) throws(VaultError)
        -> BackupDescription
    {
        let location = try VaultLocation(path)
        try location.verifyAbsent()
        let (vault, opened) = (vault, opened)
        // One consistent view of the file. The lock is held only while the file is copied.
        var image = try vault.read { () throws(VaultError) in
            _ = try vault.verifiedManifest(opened)
            return try vault.connection.serialized()
        }
        let unused = try UnusedBytes.clear(&image)
        let copy = try Vault(image: image)
        let report = try copy.check(opened, progress: progress)
        guard report.faults.isEmpty else { throw .integrity(.faulty(count: report.faults.count)) }
        let slots = try copy.unverifiedSlots().slots.map(\.kind)
        let made = try location.createFile(image, onAnyFileSystem: true)
        try location.readBack(image, of: made)
        var description = BackupDescription(report, size: image.count)
        description.unusedRowCount = unused.plantedCount
        description.slots = slots
        guard try vault.linkCount() <= 1 else {
            description.isRecorded = false
            return description
        }
        do {
            try transaction { transaction throws(VaultError) in
                try transaction.remember(BackupMark(generation: report.generation, time: transaction.now()))
                try transaction.record(.backedUp(generation: report.generation))
            }
        } catch { throw .file(.backupNotRecorded(error)) }
        return description
    }
}

extension VaultImage {
    /// Verifies a backup: everything that `Vault.check` verifies, except that the machine's witness
    /// is not asked, because a backup may be older than the vault. Failed unlocks are counted in
    /// the file, if only the user can write it.
    /// - Throws: the errors of `Vault.check` before it verifies the manifest.
    package func check(
        _ method: borrowing some SlotKeySource & ~Copyable, clock: VaultClock = .system,
        progress: KeyProgress = { _, _ in }
    ) throws(VaultError) -> CheckReport {
        let backup = try Vault(image: bytes, clock: clock)
        return try backup.check(
            backup.openSlot(method, countedIn: Vault.counter(at: path, clock: clock)), progress: progress)
    }
}

extension Vault {
    /// Makes a vault from a backup, after checking all of it. If most pages of the backup are
    /// unused, the vault has the same rows in a smaller file. The limits of policies count as used
    /// up, from the first byte that is written.
    /// - Parameters:
    ///   - method: the unlock method of the backup, and then of the vault.
    ///   - second: the second unlock method of policies, whose limits then do not count as used up.
    ///   - path: must not exist; its folder must belong to the user and not be writable by others.
    ///   - witness: refuses a backup that is older than the last one made on this machine, unless
    ///     `acceptRollback` is true.
    /// - Throws: the errors of `check`; `faulty` for a backup with faults; `alreadyExists`;
    ///   `rolledBack`; `wrongUnlockMethod` also when `second` is not the second method of a policy.
    package static func restore(
        _ image: VaultImage, to path: String, method: borrowing some SlotKeySource & ~Copyable,
        second: borrowing UnlockMethod? = nil, witness: Witness? = nil,
        acceptRollback: Bool = false, clock: VaultClock = .system, progress: KeyProgress = { _, _ in }
    ) throws(VaultError) -> BackupDescription {
        let location = try VaultLocation(path)
        try location.verifyFolder()
        try location.verifyAbsent()
        var (backup, opened, limited) = try restorable(
            image, method: method, second: second, witness: witness, acceptRollback: acceptRollback,
            clock: clock,
            progress: progress)
        let bytes = try restoredBytes(of: image, opened, usingUp: limited, clock: clock, progress: progress)
        let made = try location.createFile(bytes)
        do throws(VaultError) {
            try location.readBack(bytes, of: made)
            // The machine keeps remembering a newer state unless the rollback is accepted, because
            // the newer vault may still exist.
            let vault = try Vault.open(
                path, witness: backup.isOlderThanSeen ? nil : witness, acceptRollback: true, clock: clock)
            vault.isCompared = true
            // The next transaction must find the checked state or a newer one.
            vault.seenGeneration = backup.generation
            try vault.read { () throws(VaultError) in
                vault.noteKnown(try vault.verifiedManifest(opened), opened)
            }
            let unlocked = UnlockedVault(vault: vault, opened: opened)
            backup.usesNonces = try unlocked.entries().contains(where: \.usesNonces)
            try unlocked.transaction { transaction throws(VaultError) in
                try transaction.repairSlotCopies()
                // The restored file itself is a backup of the new vault.
                let mark = BackupMark(generation: backup.generation, time: try transaction.now())
                try transaction.remember(mark)
                try transaction.set(BackupMark.restoredName, to: mark.setting)
                try transaction.record(.restored(generation: backup.generation))
            }
        } catch {
            // A failed restore leaves no file. Only a file that may not survive a power loss stays.
            if error != .machine(.commitUncertain) { made.remove() }
            throw error
        }
        return backup
    }

    /// Verifies that `restore` would accept the backup, and makes nothing. The parameters and the
    /// errors are the same as for `restore`.
    package static func verifyRestorable(
        _ image: VaultImage, method: borrowing some SlotKeySource & ~Copyable,
        second: borrowing UnlockMethod? = nil,
        witness: Witness? = nil,
        acceptRollback: Bool = false, clock: VaultClock = .system, progress: KeyProgress = { _, _ in }
    ) throws(VaultError) -> BackupDescription {
        try restorable(
            image, method: method, second: second, witness: witness, acceptRollback: acceptRollback,
            clock: clock,
            progress: progress
        ).backup
    }

    /// The bytes of the restored vault's file. If they differ from the backup's bytes, they are
    /// checked like the backup itself.
    private static func restoredBytes(
        of image: VaultImage, _ opened: OpenedSlot, usingUp limited: Set<EntryName>, clock: VaultClock,
        progress: KeyProgress
    ) throws(VaultError) -> [UInt8] {
        guard !limited.isEmpty || CompactImage.isSmaller(than: image.bytes) else {
            var bytes = image.bytes
            try UnusedBytes.clear(&bytes)
            return bytes
        }
        let compact = try CompactImage(of: image.bytes)
        try compact.change(opened, clock) { transaction throws(VaultError) in
            try transaction.addRestored(of: limited)
        }
        var bytes = try compact.bytes
        try UnusedBytes.clear(&bytes)
        let faults = try Vault(image: bytes).check(opened, progress: progress).severeFaults
        guard faults.isEmpty else { throw .integrity(.faulty(count: faults.count)) }
        return bytes
    }

    private static func restorable(
        _ image: VaultImage, method: borrowing some SlotKeySource & ~Copyable,
        second: borrowing UnlockMethod?,
        witness: Witness?,
        acceptRollback: Bool, clock: VaultClock, progress: KeyProgress
    ) throws(VaultError) -> (backup: BackupDescription, opened: OpenedSlot, limited: Set<EntryName>) {
        let backup = try Vault(
            image: image.bytes, witness: witness, acceptRollback: acceptRollback, clock: clock)
        let counter = counter(at: image.path, clock: clock)
        let opened = try backup.openSlot(method, countedIn: counter)
        let newest = acceptRollback ? nil : try witness?.seen(opened.slot.vaultID)?.generation
        let report = try backup.check(opened, takingLastBackup: true, progress: progress)
        let faults = report.severeFaults
        guard faults.isEmpty else { throw .integrity(.faulty(count: faults.count)) }
        let unlocked = UnlockedVault(vault: backup, opened: opened)
        let policies = try unlocked.policies()
        let proof =
            switch second {
            case .some(let second) where !policies.isEmpty:
                try backup.proveSecond(second, of: policies, countedIn: counter)
            default: SecondUnlock()
            }
        let limited = try unlocked.withoutRecord { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.limitedKeys(except: proof)
        }
        var description = BackupDescription(report, size: image.bytes.count)
        description.laterChanges = max(0, (newest ?? 0) - report.generation - 1)
        description.isOlderThanSeen = newest.map { $0 > report.generation } ?? false
        description.usedUp = UsedUpLimits(limited, at: clock.now())
        description.slots = try backup.unverifiedSlots().slots.map(\.kind)
        for case .unusedRows(let count) in report.faults { description.unusedRowCount = count }
        return (description, opened, limited)
    }
}

extension CheckReport {
    /// The faults that a restore does not repair. A slot with one damaged copy still opens, and
    /// unused bytes are not copied.
    fileprivate var severeFaults: [VaultFault] {
        faults.filter { fault in
            switch fault {
            case .slotCopy, .unusedRows: false
            default: true
            }
        }
    }
}
