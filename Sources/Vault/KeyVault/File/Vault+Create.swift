extension Vault {
    /// Makes a vault with one PIN slot and no entry; see `create(at:method:recovery:createdAt:)`.
    package static func create(
        at path: String, pin: consuming PIN, cost: KDFCost = .standard, createdAt: Int64
    ) throws(VaultError) {
        try create(at: path, method: SlotSecret(of: UnlockMethod.pin(pin), cost: cost), createdAt: createdAt)
    }

    /// Makes a vault with one or two slots and no entry.
    ///
    /// The whole database is built in memory, where it contains no unencrypted secret. It is
    /// written as one file that appears under its name complete and synced, or not at all.
    /// - Parameters:
    ///   - path: must not exist; its folder must belong to the user and not be writable by others
    ///     (`VaultLocation.createFolder`).
    ///   - method: the unlock method of slot 0.
    ///   - recovery: a second unlock method, for slot 1.
    ///   - createdAt: seconds since 1970.
    /// - Throws: `notEnough`, `alreadyExists`, `timeOutOfRange`, `commitUncertain`, the errors of
    ///   the file and the machine.
    package static func create(
        at path: String, method: borrowing SlotSecret, recovery: borrowing SlotSecret? = nil, createdAt: Int64
    ) throws(VaultError) {
        try Sodium.start()
        let isEnough =
            switch recovery {
            case .some(let recovery): method.kind.mayBeOnly || recovery.kind.mayBeOnly
            case .none: method.kind.mayBeOnly
            }
        guard isEnough else { throw .input(.notEnough) }
        let location = try VaultLocation(path)
        try location.verifyFolder()
        try location.verifyAbsent()
        try location.createFile(
            image(method: method, recovery: recovery, createdAt: createdAt) { _ throws(VaultError) in })
    }

    /// The bytes of a new vault's file.
    /// - Parameter fill: adds the first content of the vault.
    static func image(
        method: borrowing SlotSecret, recovery: borrowing SlotSecret? = nil,
        createdAt: Int64,
        fill: (inout VaultTransaction) throws(VaultError) -> Void
    ) throws(VaultError) -> [UInt8] {
        guard VaultFormat.allowedTimes.contains(createdAt) else { throw .machine(.timeOutOfRange) }
        let vaultID = Sodium.randomBytes(VaultFormat.vaultIDCount)
        let master = try Sodium.randomKey()
        let slot = try Slot.wrapping(master, under: method, number: 0, vaultID: vaultID, createdAt: createdAt)
        let opened = OpenedSlot(number: 0, slot: slot, keys: try VaultKeys(master: master))
        let connection = try VaultSchema.emptyDatabase()
        try SlotTable.write(slot, number: 0, in: connection)
        var manifest = Manifest(
            vaultID: vaultID, createdAt: createdAt, generation: 0, entryCount: 0, root: [], leaves: [:])
        for leaf in VaultTable.inManifest.flatMap(\.leaves) {
            manifest[leaf] = try leaf.digest(in: connection, opened.keys)
        }
        try manifest.write(VaultTable.inManifest, in: connection)
        let clock = VaultClock(now: { createdAt }, wait: { _ in })
        var transaction = VaultTransaction(
            connection: connection, opened: opened, manifest: manifest, clock: clock)
        try transaction.record(.made)
        switch recovery {
        case .some(let recovery): try transaction.addSlot(recovery)
        case .none: break
        }
        try fill(&transaction)
        _ = try transaction.finish()
        return try connection.serialized()
    }
}
