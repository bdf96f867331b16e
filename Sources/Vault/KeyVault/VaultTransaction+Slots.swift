extension VaultTransaction {
    /// Adds an unlock method.
    /// - Returns: the slot's number.
    /// - Throws: `slotsFull`, `tpmHasSlot`, `slotsDamaged`, `manifestMismatch`.
    @discardableResult
    package mutating func addSlot(_ method: borrowing SlotSecret) throws(VaultError) -> Int {
        try expectWritable()
        let states = try SlotTable(in: connection).states
        guard let number = states.indices.first(where: { states[$0] == .absent }) else {
            throw .input(.slotsFull)
        }
        try method.expectNew(among: states)
        try buckets.verify(states[number], ofSlot: number)
        try write(method, number: number, recording: .slotAdded(number: number, method.kind))
        return number
    }

    /// Replaces the unlock method of the slot that opened the vault, for example with a new PIN.
    /// - Throws: `slotChanged` when another process changed that slot meanwhile,
    ///   `manifestMismatch`.
    package mutating func replaceOpenedSlot(by method: borrowing SlotSecret) throws(VaultError) {
        try expectWritable()
        let state = try SlotTable(in: connection).states[opened.number]
        guard case .sound(opened.slot, _) = state else { throw .input(.slotChanged) }
        try buckets.verify(state, ofSlot: opened.number)
        try write(method, number: opened.number, recording: .slotChanged(number: opened.number, method.kind))
    }

    /// Removes an unlock method, also one with two damaged copies. Another slot that the manifest
    /// verifies must remain.
    /// - Parameter seen: the slot as it was when the user chose it; nil removes the slot in any
    ///   state.
    /// - Throws: `noSuchSlot`; `slotChanged` when it is not the slot that was seen; `lastSlot`;
    ///   `notEnough`; `manifestMismatch`.
    package mutating func removeSlot(_ number: Int, seen: SlotDescription? = nil) throws(VaultError) {
        try expectWritable()
        let table = try SlotTable(in: connection)
        let states = table.states
        guard states.indices.contains(number), states[number] != .absent else {
            throw .input(.noSuchSlot(number))
        }
        if let seen, !table.descriptions.contains(where: { $0.isSame(as: seen) }) {
            throw .input(.slotChanged)
        }
        var kind = SlotKind.other(0)
        var others: [SlotKind] = []
        for other in states.indices where states[other] != .damaged {
            // A slot that an attacker added opens nothing.
            try buckets.verify(states[other], ofSlot: other)
            guard case .sound(let slot, _) = states[other] else { continue }
            if other == number { kind = slot.kind } else if slot.kind.isKnown { others.append(slot.kind) }
        }
        guard !others.isEmpty else { throw .input(.lastSlot) }
        guard others.contains(where: \.mayBeOnly) else { throw .input(.notEnough) }
        let removed = kind
        try change { transaction throws(VaultError) in
            try transaction.removeRow(ofSlot: number)
            try transaction.record(.slotRemoved(number: number, removed))
        }
    }

    /// Writes damaged copies of slots again from their intact copies.
    /// - Returns: the numbers of the slots.
    @discardableResult
    package mutating func repairSlotCopies() throws(VaultError) -> [Int] {
        try expectWritable()
        let states = try SlotTable(in: connection).states
        var repaired: [Int] = []
        for number in states.indices {
            guard case .sound(let slot, true) = states[number] else { continue }
            try buckets.verify(states[number], ofSlot: number)
            try write { transaction throws(VaultError) in
                try SlotTable.write(slot, number: number, in: transaction.connection)
            }
            repaired.append(number)
        }
        return repaired
    }

    private mutating func write(_ method: borrowing SlotSecret, number: Int, recording event: AuditEvent)
        throws(VaultError)
    {
        try change(lending: method) { (transaction: inout VaultTransaction, method) throws(VaultError) in
            try transaction.write(method, number: number)
            try transaction.record(event)
        }
    }

    mutating func write(_ method: borrowing SlotSecret, number: Int) throws(VaultError) {
        let (now, vaultID) = (try now(), manifest.vaultID)
        let slot = try keys.master.lend { master throws(VaultError) in
            try Slot.wrapping(master, under: method, number: number, vaultID: vaultID, createdAt: now)
        }
        try write { transaction throws(VaultError) in
            try SlotTable.write(slot, number: number, in: transaction.connection)
            try transaction.buckets.cover(.sound(slot, damagedCopy: false), ofSlot: number)
        }
    }

    mutating func removeRow(ofSlot number: Int) throws(VaultError) {
        try write { transaction throws(VaultError) in
            try SlotTable.remove(number: number, in: transaction.connection)
            try transaction.buckets.cover(.absent, ofSlot: number)
        }
    }
}
