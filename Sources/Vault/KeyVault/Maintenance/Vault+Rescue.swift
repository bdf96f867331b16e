extension Vault {
    /// Makes a new vault with the keys that can be recovered from a damaged one. Rows that the
    /// verified manifest covers are taken as they are. Where the manifest is damaged, each entry
    /// whose own seal verifies is taken. The new vault has a new master key and one slot: the given
    /// unlock method, at the cost of the slot that it opened. Pinned ABIs,
    /// policies and uses of their limits are taken only if the verified manifest covers them.
    /// Settings and the log are not copied.
    ///
    /// The damaged file is read, whatever its mode and owner. Nothing is written to it or to its
    /// folder, with one exception: failed unlocks are counted in a file that is an intact vault
    /// (`mayCountTries`).
    /// - Parameters:
    ///   - path: the damaged vault. Symbolic links are followed, and a journal next to it is read
    ///     too.
    ///   - newPath: must not exist. The new vault appears there complete and synced, or not at all.
    ///   - witness: the state file of this machine. An older copy is still rescued, and the report
    ///     states it.
    ///   - progress: is called before each try of a slot outside of the tables, until one opens.
    /// - Returns: a report of the rescued and the lost data. When no key was rescued, no vault is
    ///   made.
    /// - Throws: `wrongUnlockMethod`, `noSlot` and `kdfCost` when no slot opens, after all were
    ///   tried; `alreadyExists`, `tooLarge`, `readBackDiffers`; the errors of the file and the
    ///   machine.
    package static func rescue(
        _ path: String, to newPath: String, with method: borrowing some SlotKeySource & ~Copyable,
        witness: Witness? = nil, clock: VaultClock = .system, progress: SlotProgress = { _, _ in }
    ) throws(VaultError) -> RescueReport {
        try Sodium.start()
        let location = try VaultLocation(newPath)
        try location.verifyFolder()
        try location.verifyAbsent()
        var rescue = try countingTries(in: counter(at: path, clock: clock)) { () throws(VaultError) in
            try Rescue(DamagedVault(path), method, witness: witness, progress: progress)
        }
        guard rescue.hasKeys else { return rescue.finishedReport }
        var report = RescueReport()
        let slot = try SlotSecret(
            of: method, cost: rescue.slot.derivation?.cost() ?? .standard,
            registers: SlotDescription.registers(of: rescue.slot.kind, rescue.slot.details))
        let image = try image(method: slot, createdAt: clock.now()) {
            transaction throws(VaultError) in
            report = try rescue.write(to: &transaction)
        }
        guard !report.rescued.isEmpty else { return report }
        // The new vault is opened like any other, and each key in it is verified, before the file
        // gets its name.
        let check = try Vault(image: image).check(method)
        guard check.faults.isEmpty, check.entryCount == Int64(report.rescued.count) else {
            throw .integrity(.faulty(count: check.faults.count))
        }
        let made = try location.createFile(image)
        try location.readBack(image, of: made)
        return report
    }
}

extension Rescue {
    /// The first row of the table `vault` with this id. If there is a journal, the row is the
    /// journal's: the state of the vault before an unfinished change.
    static func vaultRow(of vaultID: [UInt8], in vault: DamagedVault) -> Manifest? {
        var first: Manifest?
        vault.visit { piece, _ in
            piece.visitVaultRows { row, _ in
                if first == nil, row.vaultID == vaultID { first = row }
            }
        }
        return first
    }
}
