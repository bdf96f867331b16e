extension Vault {
    /// Makes a vault with one PIN slot and no entry.
    ///
    /// The whole database is built in memory, which holds nothing in the clear, and written as one file that appears under its
    /// name complete and synced, or not at all.
    /// - Parameters:
    ///   - path: nothing may stand there; its folder must be the user's and not writable by others (`VaultLocation.createFolder`).
    ///   - createdAt: seconds since 1970.
    /// - Throws: `alreadyExists`, `timeOutOfRange`, `commitUncertain`, the errors of file and machine.
    public static func create(
        at path: String, pin: borrowing PIN, cost: KDFCost = .standard, createdAt: Int64
    ) throws(VaultError) {
        try Sodium.start()
        let location = try VaultLocation(path)
        try location.verifyFolder()
        try location.verifyAbsent()
        guard VaultFormat.allowedTimes.contains(createdAt) else { throw .timeOutOfRange }
        let vaultID = Sodium.randomBytes(VaultFormat.vaultIDCount)
        let master = try Sodium.randomKey()
        let slot = try Slot.wrapping(master, under: pin, cost: cost, number: 0, vaultID: vaultID, createdAt: createdAt)
        let keys = try VaultKeys(master: master)
        let connection = try SQLiteConnection(path: nil, busyTimeout: 0)
        try connection.run("PRAGMA page_size = \(VaultFormat.pageSize)")
        try connection.run("PRAGMA auto_vacuum = NONE")
        try connection.run("PRAGMA encoding = 'UTF-8'")
        try connection.run("PRAGMA application_id = \(VaultFormat.applicationID)")
        try connection.run("PRAGMA user_version = \(VaultFormat.version)")
        try VaultSchema.create(in: connection)
        try SlotTable.write(slot, number: 0, in: connection)
        var manifest = Manifest(vaultID: vaultID, createdAt: createdAt, generation: 1, entryCount: 0, root: [], leaves: [:])
        for table in VaultTable.inManifest {
            for bucket in 0..<table.bucketCount {
                let leaf = Manifest.Leaf(table: table, bucket: bucket)
                manifest[leaf] = try leaf.digest(in: connection, keys)
            }
        }
        manifest.root = manifest.computedRoot(keys)
        try manifest.write(VaultTable.inManifest, in: connection)
        try location.createFile(connection.serialized())
    }
}
