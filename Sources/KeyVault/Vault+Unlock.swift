import SecureMemory

extension Vault {
    /// Opens the vault with a PIN alone; see `unlock(_:)` of a way in.
    package func unlock(_ pin: consuming PIN) throws(VaultError) -> UnlockedVault { try unlock(.pin(pin)) }

    /// Tries the way in on each slot of its kind. No lock is held while a key is derived; each try
    /// takes as long as its slot's cost says, and the first of them waits longer after failed ones
    /// (1, 2, 4 … 30 seconds from the last).
    /// - Throws: `wrongWayIn` when no slot takes it, `slotsDamaged` when the only such slots are
    ///   damaged in both copies, `damaged` when there are rows of no slot alone, `noSlot`,
    ///   `kdfCost` when a slot asks for more than is allowed, `manifestMismatch` when the vault was
    ///   edited, `rolledBack` and `forked` when it is an older copy.
    /// - Parameter comparing: whether it is compared with what the witness saw; else
    ///   `UnlockedVault.compareWithWitness` does.
    package func unlock(_ way: borrowing WayIn, comparing: Bool = true) throws(VaultError) -> UnlockedVault {
        let opened = try openSlot(way)
        try verify(opened, comparing: comparing)
        let vault = UnlockedVault(vault: self, opened: opened)
        // One record tells of the failures before; where it can't be written now, it is with the
        // next change.
        if isCompared, try read({ () throws(VaultError) in try FailedUnlocks(in: connection) }) != nil {
            try? vault.transaction { _ throws(VaultError) in }
        }
        return vault
    }

    /// A slot that was opened, and the keys that came out of it.
    struct OpenedSlot {
        let number: Int
        let slot: Slot
        let keys: VaultKeys
    }

    /// The keys by a slot that opens. The manifest is not looked at.
    /// - Parameter counter: the vault in which wrong tries are counted; this one unless given.
    func openSlot(_ way: borrowing WayIn, countedIn counter: Vault? = nil) throws(VaultError) -> OpenedSlot {
        let slots = try read { () throws(VaultError) in try SlotTable(in: connection) }
        guard slots.descriptions.contains(where: { $0.kind == way.kind }) else { return try slots.open(way) }
        return try (counter ?? self).countingTries { () throws(VaultError) in try slots.open(way) }
    }

    /// The root, that the slot is one of its rows, and that it is not older than what was seen. A
    /// slot that another process changed since it was read still opened, and its master key is
    /// still the vault's: what counts is the slot as it is now.
    func verify(_ opened: OpenedSlot, comparing: Bool) throws(VaultError) {
        let (manifest, head) = try read { () throws(VaultError) in
            let manifest = try verifiedManifest(opened)
            guard manifest.vaultID == opened.slot.vaultID else { throw .manifestMismatch(.root) }
            try manifest.verify(Manifest.Leaf(table: .slots, bucket: opened.number), in: connection, opened.keys)
            let head = try AuditHead.verified(in: connection, manifest, opened.keys)
            isCompared = false
            if comparing, !acceptsRollback { try compareWithWitness(manifest, opened) }
            isCompared = comparing || acceptsRollback
            return (manifest, head)
        }
        tellWitness(Witness.Seen(generation: manifest.generation, head: head), of: manifest.vaultID)
    }

    /// The manifest as it stands in the file, its root verified and not older than the one seen
    /// before.
    /// - Throws: `slotChanged` when another process gave the vault a new master key since the slot
    ///   was opened.
    func verifiedManifest(_ opened: OpenedSlot) throws(VaultError) -> Manifest {
        let manifest = try Manifest(in: connection, version: version)
        do { try manifest.verifyRoot(opened.keys) } catch {
            guard case .sound(opened.slot, _) = try SlotTable(in: connection).states[opened.number] else {
                throw .slotChanged
            }
            throw error
        }
        guard manifest.generation >= seenGeneration else {
            throw .rolledBack(found: UInt64(manifest.generation), seen: UInt64(seenGeneration))
        }
        seenGeneration = manifest.generation
        return manifest
    }

    // MARK: the witness

    /// - Parameter lastBackup: takes an older vault when it is no older than the last backup that
    ///   was made here.
    /// - Throws: `rolledBack`; `forked` when the log lacks the record that was seen; `audit` when
    ///   the log was changed, so that this can't be told.
    func compareWithWitness(
        _ manifest: Manifest, _ opened: OpenedSlot, takingLastBackup lastBackup: Bool = false
    ) throws(VaultError) {
        guard let seen = try witness?.seen(manifest.vaultID) else { return }
        guard manifest.generation >= seen.generation else {
            if lastBackup, seen.backup > 0, manifest.generation >= seen.backup { return }
            throw .rolledBack(found: UInt64(manifest.generation), seen: UInt64(seen.generation))
        }
        let head = try AuditHead.verified(in: connection, manifest, opened.keys)
        guard seen.head.sequence > 0, head != seen.head else { return }
        guard head.sequence > seen.head.sequence else { throw .forked }
        // What a row says of itself proves nothing: the records after the one that was seen must
        // lead from its mac to the verified head.
        let setting = try SettingRow.value(AuditKeys.settingName, in: connection)
        let keys = try AuditKeys(setting: setting, vaultID: manifest.vaultID, current: opened.keys)
        let log = try AuditLog(in: connection, manifest, keys)
        guard try !log.leads(from: seen.head) else { return }
        // Another history, or a record of this one that was edited.
        try log.walk { _ throws(VaultError) in }
        throw .forked
    }

    /// Remembers what was seen, unless that is known already.
    func tellWitness(_ seen: Witness.Seen, of vaultID: [UInt8]) {
        guard let witness, isCompared else { return }
        let known = try? witness.seen(vaultID)
        var seen = seen
        // What is remembered of a history that was given up says nothing of this one.
        if let known, known.generation <= seen.generation { seen.backup = max(seen.backup, known.backup) }
        guard known != seen, acceptsRollback || known.map({ $0.generation <= seen.generation }) ?? true else { return }
        witness.write(seen, of: vaultID)
    }
}

extension SlotTable {
    /// Tries the way in on each slot of its kind.
    func open(_ way: borrowing WayIn) throws(VaultError) -> Vault.OpenedSlot {
        let kind = way.kind
        var tried = false
        var refusal: VaultError?
        var budget = KDFBudget()
        for number in states.indices {
            guard case .sound(let slot, _) = states[number], slot.kind == kind else { continue }
            tried = true
            do throws(VaultError) {
                let secret = try slot.secret(of: way, &budget)
                guard let master = try slot.open(under: secret, number: number) else { continue }
                return Vault.OpenedSlot(number: number, slot: slot, keys: try VaultKeys(master: master))
            } catch {
                // A slot that was edited, or costs more than this machine can pay, takes no other
                // one away.
                refusal = refusal ?? error
            }
        }
        if let refusal { throw refusal }
        guard tried else {
            guard damaged.isEmpty else { throw .slotsDamaged(damaged) }
            if hasStrayRow { throw .damaged(.row(.slots)) }
            throw .noSlot(kind, others: descriptions.map(\.kind))
        }
        throw .wrongWayIn(kind, damagedSlots: damaged)
    }
}
