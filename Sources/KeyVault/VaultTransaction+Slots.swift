extension VaultTransaction {
    /// Adds a way in.
    /// - Returns: the slot's number.
    /// - Throws: `slotsFull`, `slotsDamaged`, `manifestMismatch`.
    @discardableResult
    package mutating func addSlot(_ way: borrowing SlotSecret) throws(VaultError) -> Int {
        try expectWritable()
        let states = try SlotTable(in: connection).states
        guard let number = states.indices.first(where: { states[$0] == .absent }) else { throw .slotsFull }
        try verify(states[number], ofSlot: number)
        try write(way, number: number, recording: .slotAdded(number: number, way.kind))
        return number
    }

    /// Puts a new way in the place of the slot that opened the vault: a changed PIN.
    /// - Throws: `slotChanged` when another process changed that slot meanwhile,
    ///   `manifestMismatch`.
    package mutating func replaceOpenedSlot(by way: borrowing SlotSecret) throws(VaultError) {
        try expectWritable()
        let state = try SlotTable(in: connection).states[opened.number]
        guard case .sound(opened.slot, _) = state else { throw .slotChanged }
        try verify(state, ofSlot: opened.number)
        try write(way, number: opened.number, recording: .slotChanged(number: opened.number, way.kind))
    }

    /// Removes a way in; one whose copies are both damaged too. Another one must be left that the
    /// manifest vouches for.
    /// - Parameter seen: the slot as it was when it was chosen; nil takes whatever stands there.
    /// - Throws: `noSuchSlot`, `slotChanged` when it is not the one that was seen, `lastSlot`,
    ///   `manifestMismatch`.
    package mutating func removeSlot(_ number: Int, seen: SlotDescription? = nil) throws(VaultError) {
        try expectWritable()
        let table = try SlotTable(in: connection)
        let states = table.states
        guard states.indices.contains(number), states[number] != .absent else { throw .noSuchSlot(number) }
        if let seen, !table.descriptions.contains(where: { $0.isSame(as: seen) }) { throw .slotChanged }
        var kind = SlotKind.other(0)
        var others = 0
        for other in states.indices where states[other] != .damaged {
            // A slot that someone put there opens nothing.
            try verify(states[other], ofSlot: other)
            guard case .sound(let slot, _) = states[other] else { continue }
            if other == number { kind = slot.kind } else if slot.kind.isKnown { others += 1 }
        }
        guard others > 0 else { throw .lastSlot }
        let removed = kind
        try change { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.removeRow(ofSlot: number)
            try transaction.record(.slotRemoved(number: number, removed))
        }
    }

    /// Writes damaged copies of slots anew from their sound ones.
    /// - Returns: the numbers of the slots.
    @discardableResult
    package mutating func repairSlotCopies() throws(VaultError) -> [Int] {
        try expectWritable()
        let states = try SlotTable(in: connection).states
        var repaired: [Int] = []
        for number in states.indices {
            guard case .sound(let slot, true) = states[number] else { continue }
            try verify(states[number], ofSlot: number)
            try write { (transaction: inout VaultTransaction) throws(VaultError) in
                try SlotTable.write(slot, number: number, in: transaction.connection)
            }
            repaired.append(number)
        }
        return repaired
    }

    private mutating func write(_ way: borrowing SlotSecret, number: Int, recording event: AuditEvent)
        throws(VaultError)
    {
        let before = writeCount
        do {
            try write(way, number: number)
            try record(event)
        } catch {
            if writeCount != before { failure = error }
            throw error
        }
    }

    mutating func write(_ way: borrowing SlotSecret, number: Int) throws(VaultError) {
        let slot = try Slot.wrapping(
            keys.master, under: way, number: number, vaultID: manifest.vaultID, createdAt: now())
        try write { (transaction: inout VaultTransaction) throws(VaultError) in
            try SlotTable.write(slot, number: number, in: transaction.connection)
            try transaction.expect(.sound(slot, damagedCopy: false), ofSlot: number)
        }
    }

    mutating func removeRow(ofSlot number: Int) throws(VaultError) {
        try write { (transaction: inout VaultTransaction) throws(VaultError) in
            try SlotTable.remove(number: number, in: transaction.connection)
            try transaction.expect(.absent, ofSlot: number)
        }
    }

    /// Compares a slot that was read with the manifest, or with what this transaction made of it.
    /// The slot is not read again: what is compared is what the caller goes on with.
    func verify(_ state: SlotTable.State, ofSlot number: Int) throws(VaultError) {
        let leaf = Manifest.Leaf(table: .slots, bucket: number)
        let expected = loaded[leaf]?.digest(keys) ?? manifest[leaf]
        guard Sodium.areEqual(try leaf.rows(of: state, keys).digest(keys), expected) else {
            throw .manifestMismatch(.bucket(.slots, number))
        }
    }

    /// The file must return what was written: in a crafted tree of pages a row can be stored, or
    /// remain, where no query finds it. The digest is computed from what was written, and never
    /// from what is read back.
    private mutating func expect(_ state: SlotTable.State, ofSlot number: Int) throws(VaultError) {
        let leaf = Manifest.Leaf(table: .slots, bucket: number)
        guard try SlotTable(in: connection).states[number] == state else {
            throw .manifestMismatch(.bucket(.slots, number))
        }
        loaded[leaf] = try leaf.rows(of: state, keys)
        changed.insert(leaf)
    }
}
