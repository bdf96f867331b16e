import SecureMemory

extension Vault {
    /// Tries the PIN on each PIN slot. No lock is held while a key is derived; each try takes as long as its slot's cost says.
    /// - Throws: `wrongPIN` when no slot takes it, `slotsDamaged` when the only PIN slots are damaged in both copies, `damaged` when there are
    ///   rows of no slot alone, `noPINSlot`,
    ///   `kdfCost` when a slot asks for more than is allowed, `manifestMismatch` when the vault was edited.
    public func unlock(_ pin: borrowing PIN) throws(VaultError) -> UnlockedVault {
        let slots = try read { () throws(VaultError) in try SlotTable(in: connection) }
        let damaged = slots.states.indices.filter { slots.states[$0] == .damaged }
        var tried = false
        for number in slots.states.indices {
            guard case .sound(let slot, _) = slots.states[number], slot.kind == Slot.Kind.pin.rawValue else { continue }
            tried = true
            let secret = try slot.secret(of: pin)
            guard let master = try slot.open(under: secret, number: number) else { continue }
            let keys = try VaultKeys(master: master)
            try verify(slot, number: number, keys)
            return UnlockedVault(vault: self, keys: keys)
        }
        guard tried else {
            guard damaged.isEmpty else { throw .slotsDamaged(damaged) }
            throw slots.hasStrayRow ? .damaged(.row(.slots)) : .noPINSlot
        }
        throw .wrongPIN(damagedSlots: damaged)
    }

    /// The root, and that the slot is one of its rows. A slot that another process changed since it was read still opened, and
    /// its master key is still the vault's: what counts is the slot as it is now.
    private func verify(_ slot: Slot, number: Int, _ keys: VaultKeys) throws(VaultError) {
        try read { () throws(VaultError) in
            let manifest = try verifiedManifest(keys)
            guard manifest.vaultID == slot.vaultID else { throw .manifestMismatch(.root) }
            let leaf = Manifest.Leaf(table: .slots, bucket: number)
            guard Sodium.areEqual(try leaf.digest(in: connection, keys), manifest[leaf]) else {
                throw .manifestMismatch(.bucket(.slots, number))
            }
        }
    }

    /// The manifest as it stands in the file, its root verified and not older than the one seen before.
    func verifiedManifest(_ keys: VaultKeys) throws(VaultError) -> Manifest {
        let manifest = try Manifest(in: connection)
        try manifest.verifyRoot(keys)
        guard manifest.generation >= seenGeneration else {
            throw .rolledBack(found: UInt64(manifest.generation), seen: UInt64(seenGeneration))
        }
        seenGeneration = manifest.generation
        return manifest
    }
}
