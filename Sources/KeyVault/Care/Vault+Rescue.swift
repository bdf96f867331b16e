import SecureMemory

extension Vault {
    /// Makes a new vault of the keys that a damaged one still holds. What the verified manifest
    /// covers is taken as it is. Where it is damaged, each entry is taken that its own seal proves.
    /// The new vault has a master key of its own, and one slot: the unlock method that was given,
    /// at the cost of the slot that it opened. Settings, policies and the log stay behind.
    ///
    /// The damaged file is read, whatever its mode and owner. Nothing is written to it or beside
    /// it, with one exception: in a file that is a sound vault wrong tries are counted
    /// (`mayCountTries`).
    /// - Parameters:
    ///   - path: of the damaged vault; symbolic links are followed, and a journal beside it is read
    ///     with it.
    ///   - newPath: nothing may be there; the new vault appears there complete and synced, or not
    ///     at all.
    ///   - witness: what this machine has seen of vaults. An older copy is rescued all the same,
    ///     and the report states it.
    /// - Returns: what was rescued and what was not. When no key was, no vault was made.
    /// - Throws: `wrongWayIn`, `noSlot` and `kdfCost` when no slot opens, `alreadyExists`,
    ///   `tooLarge`, `readBackDiffers`, the errors of file and machine.
    package static func rescue(
        _ path: String, to newPath: String, with way: borrowing WayIn, witness: Witness? = nil,
        clock: VaultClock = .system
    ) throws(VaultError) -> RescueReport {
        try Sodium.start()
        let location = try VaultLocation(newPath)
        try location.verifyFolder()
        try location.verifyAbsent()
        var rescue = try countingTries(in: counter(at: path, clock: clock)) { () throws(VaultError) in
            try Rescue(DamagedVault(path), way, witness: witness)
        }
        guard rescue.hasKeys else { return rescue.finishedReport }
        var report = RescueReport()
        let slot = try SlotSecret(of: way, cost: rescue.slot.cost)
        let image = try image(way: slot, createdAt: clock.now()) { transaction throws(VaultError) in
            report = try rescue.write(to: &transaction)
        }
        guard !report.rescued.isEmpty else { return report }
        // Opened as anybody would open it, and each key in it, before it gets its name.
        let check = try Vault(image: image).check(way)
        guard check.faults.isEmpty, check.keyCount == Int64(report.rescued.count) else {
            throw .faulty(count: check.faults.count)
        }
        let made = try location.createFile(image)
        try location.readBack(image, of: made)
        return report
    }
}

extension Slot {
    /// The cost of its derivation, within what is allowed.
    fileprivate var cost: KDFCost {
        get throws(VaultError) {
            guard case .argon2id(let passes, let memory) = derivation else { return .standard }
            return try KDFCost(storedPasses: passes, memory: memory)
        }
    }
}
