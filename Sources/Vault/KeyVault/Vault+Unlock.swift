extension Vault {
    /// Opens the vault with a PIN alone; see `unlock(_:comparing:)`.
    package func unlock(_ pin: consuming PIN) throws(VaultError) -> UnlockedVault {
        try unlock(UnlockMethod.pin(pin))
    }

    /// Tries the unlock method on each slot of its kind. No lock is held while a key is derived.
    /// Each try takes as long as its slot's cost requires. After failed unlocks, the first one
    /// waits: 1, 2, 4 … 30 seconds after the last failure.
    /// - Throws: `wrongUnlockMethod` when no slot accepts it; `slotsDamaged` when all such slots
    ///   are damaged in both copies; `damaged` when all rows have numbers that no slot has;
    ///   `noSlot`; `kdfCost` when a slot requests more than is allowed; `manifestMismatch` when the
    ///   vault was edited; `rolledBack` and `forked` when it is an older copy.
    /// - Parameter comparing: true if the vault is compared with what the witness saw. If not, the
    ///   caller uses `UnlockedVault.compareWithWitness`.
    package func unlock(_ method: borrowing some SlotKeySource & ~Copyable, comparing: Bool = true)
        throws(VaultError)
        -> UnlockedVault
    {
        let opened = try openSlot(method)
        try verify(opened, comparing: comparing)
        let vault = UnlockedVault(vault: self, opened: opened)
        // One record reports the earlier failures. If it can't be written now, the next change
        // writes it.
        if isCompared, try read({ () throws(VaultError) in try FailedUnlocks(in: connection) }) != nil {
            try? vault.transaction { _ throws(VaultError) in }
        }
        return vault
    }

    /// A slot that was opened, and the keys from it.
    struct OpenedSlot {
        let number: Int
        let slot: Slot
        let keys: VaultKeys
    }

    /// Opens a slot and returns its keys. The manifest is not verified.
    /// - Parameter counter: the vault in which failed unlocks are counted; this vault by default.
    func openSlot(_ method: borrowing some SlotKeySource & ~Copyable, countedIn counter: Vault? = nil)
        throws(VaultError) -> OpenedSlot
    {
        try Sodium.start()
        let slots = try read { () throws(VaultError) in try SlotTable(in: connection) }
        guard slots.descriptions.contains(where: { $0.kind == method.kind }) else {
            return try slots.open(method)
        }
        return try (counter ?? self).countingTries { () throws(VaultError) in try slots.open(method) }
    }

    /// Verifies the root, that the slot is one of its rows, and that the vault is not older than
    /// what was seen. Another process may have changed the slot after it was read. The slot still
    /// opened, and its master key is still the vault's, so the current slot is verified.
    func verify(_ opened: OpenedSlot, comparing: Bool) throws(VaultError) {
        let (manifest, head) = try read { () throws(VaultError) in
            let manifest = try verifiedManifest(opened)
            guard manifest.vaultID == opened.slot.vaultID else { throw .integrity(.manifestMismatch(.root)) }
            try manifest.verify(
                Manifest.Leaf(table: .slots, bucket: opened.number), in: connection, opened.keys)
            let head = try VerifiedBuckets(connection, opened.keys, manifest).auditHead()
            isCompared = false
            if comparing, !acceptsRollback { try compareWithWitness(manifest, opened) }
            isCompared = comparing || acceptsRollback
            noteKnown(manifest, opened)
            return (manifest, head)
        }
        updateWitness(Witness.Seen(generation: manifest.generation, head: head), of: manifest.vaultID)
    }

    /// The manifest in the file. Its root is verified, and it is not older than the one seen
    /// before.
    /// - Throws: `slotChanged` when another process changed the master key after the slot was
    ///   opened.
    func verifiedManifest(_ opened: OpenedSlot) throws(VaultError) -> Manifest {
        let manifest = try Manifest(in: connection)
        let content = opened.keys.content
        // An equal manifest was verified or written by this unlock.
        do { if manifest != content.manifest { try manifest.verifyRoot(opened.keys) } } catch {
            guard case .sound(opened.slot, _) = try SlotTable(in: connection).states[opened.number] else {
                throw .input(.slotChanged)
            }
            throw error
        }
        guard manifest.generation >= seenGeneration else {
            throw .integrity(.rolledBack(found: UInt64(manifest.generation), seen: UInt64(seenGeneration)))
        }
        seenGeneration = manifest.generation
        content.manifest = manifest
        return manifest
    }

    // MARK: the witness

    /// Determines `knownSince`: the value in the witness, or the generation of the file if the
    /// witness does not know the vault, or if an older or a separately changed copy is accepted.
    func noteKnown(_ manifest: Manifest, _ opened: OpenedSlot) {
        var since = try? witness?.seen(manifest.vaultID)?.since
        if acceptsRollback {
            do { try compareWithWitness(manifest, opened) } catch { since = nil }
        }
        knownSince = since ?? manifest.generation
    }

    /// - Parameter lastBackup: accepts an older vault that is no older than the last backup made on
    ///   this machine.
    /// - Throws: `rolledBack`; `forked` when the log lacks the record that was seen; `audit` when
    ///   the log was changed, so that there is no way to know this.
    func compareWithWitness(
        _ manifest: Manifest, _ opened: OpenedSlot, takingLastBackup lastBackup: Bool = false
    ) throws(VaultError) {
        guard let seen = try witness?.seen(manifest.vaultID) else { return }
        guard manifest.generation >= seen.generation else {
            if lastBackup, seen.backup > 0, manifest.generation >= seen.backup { return }
            throw .integrity(.rolledBack(found: UInt64(manifest.generation), seen: UInt64(seen.generation)))
        }
        let head = try VerifiedBuckets(connection, opened.keys, manifest).auditHead()
        guard seen.head.sequence > 0, head != seen.head else { return }
        guard head.sequence > seen.head.sequence else { throw .integrity(.forked) }
        // The content of a row proves nothing. The records after the seen one must lead from its
        // MAC to the verified head.
        let setting = try UnverifiedRows(connection: connection).setting(AuditKeys.settingName)
        let keys = try AuditKeys(setting: setting, vaultID: manifest.vaultID, current: opened.keys)
        let log = try AuditLog(in: connection, manifest, keys)
        guard try !log.leads(from: seen.head) else { return }
        // This is another history, or a record of this history was edited.
        try log.walk { _ throws(VaultError) in }
        throw .integrity(.forked)
    }

    /// Remembers what was seen, unless it is already remembered.
    func updateWitness(_ seen: Witness.Seen, of vaultID: [UInt8]) {
        guard witness != nil, isCompared else { return }
        guard defersWitness else { return writeWitness(seen, of: vaultID) }
        var seen = seen
        seen.backup = max(seen.backup, deferredWitness?.seen.backup ?? 0)
        deferredWitness = (seen, vaultID, deferredWitness?.since ?? clock.now())
    }

    /// Writes what changes left to write; see `defersWitness`.
    /// - Parameter seconds: writes it only if the oldest of these changes is so old.
    package func writeWitness(after seconds: Int64 = 0) {
        // A clock that was set back must not delay it.
        guard let (seen, vaultID, since) = deferredWitness,
            seconds == 0 || !(since..<since + seconds).contains(clock.now())
        else { return }
        deferredWitness = nil
        writeWitness(seen, of: vaultID)
    }

    private func writeWitness(_ seen: Witness.Seen, of vaultID: [UInt8]) {
        guard let witness else { return }
        let known = try? witness.seen(vaultID)
        var seen = seen
        seen.since = knownSince ?? known?.since ?? seen.generation
        // The remembered state of an abandoned history does not apply to this one.
        if let known, known.generation <= seen.generation { seen.backup = max(seen.backup, known.backup) }
        guard known != seen, acceptsRollback || known.map({ $0.generation <= seen.generation }) ?? true else {
            return
        }
        witness.write(seen, of: vaultID)
    }
}

extension SlotTable {
    /// Tries the unlock method on each slot of its kind, until one opens. An edited slot, or one
    /// that needs more memory than this machine has, does not block the others.
    /// - Throws: the first error of a slot, if no slot opens; see `SlotRefusals`.
    func open(_ method: borrowing some SlotKeySource & ~Copyable) throws(VaultError) -> Vault.OpenedSlot {
        let kind = method.kind
        if kind == .pinAndTPM { try expectOneSlotOfEachTPM() }
        var hasSlot = false
        var refusals = SlotRefusals()
        var budget = KDFBudget()
        for number in states.indices {
            guard case .sound(let slot, _) = states[number], slot.kind == kind else { continue }
            hasSlot = true
            do throws(VaultError) {
                let secret = try slot.secret(of: method, &budget)
                guard let master = try slot.open(under: secret, number: number) else { continue }
                return Vault.OpenedSlot(number: number, slot: slot, keys: try VaultKeys(master: master))
            } catch { try refusals.add(error) }
        }
        if let refusal = refusals.first { throw refusal }
        guard !hasSlot else { throw .input(.wrongUnlockMethod(kind, damagedSlots: damaged)) }
        guard damaged.isEmpty else { throw .integrity(.slotsDamaged(damaged)) }
        if hasStrayRow { throw .damaged(.slots) }
        throw .input(.noSlot(kind, others: descriptions.map(\.kind)))
    }
}
