extension VaultTransaction {
    /// Adds a way in.
    /// - Returns: the slot's number.
    /// - Throws: `slotsFull`, `slotsDamaged`, `manifestMismatch`.
    @discardableResult
    public mutating func addSlot(_ way: borrowing SlotSecret) throws(VaultError) -> Int {
        try expectWritable()
        let states = try SlotTable(in: connection).states
        guard let number = states.indices.first(where: { states[$0] == .absent }) else { throw .slotsFull }
        try verify(Manifest.Leaf(table: .slots, bucket: number))
        try write(way, number: number)
        try record(.slotAdded(number: number, way.kind))
        return number
    }

    /// Puts a new way in the place of the slot that opened the vault: a changed PIN.
    /// - Throws: `slotChanged` when another process changed that slot meanwhile, `manifestMismatch`.
    public mutating func replaceOpenedSlot(by way: borrowing SlotSecret) throws(VaultError) {
        try expectWritable()
        guard case .sound(opened.slot, _) = try SlotTable(in: connection).states[opened.number] else { throw .slotChanged }
        try verify(Manifest.Leaf(table: .slots, bucket: opened.number))
        try write(way, number: opened.number)
        try record(.slotChanged(number: opened.number, way.kind))
    }

    /// Removes a way in; one whose copies are both damaged too.
    /// - Throws: `noSuchSlot`, `lastSlot`, `manifestMismatch`.
    public mutating func removeSlot(_ number: Int) throws(VaultError) {
        try expectWritable()
        let states = try SlotTable(in: connection).states
        guard states.indices.contains(number), states[number] != .absent else { throw .noSuchSlot(number) }
        var kind = SlotKind.other(0)
        if case .sound(let slot, _) = states[number] {
            try verify(Manifest.Leaf(table: .slots, bucket: number))
            kind = slot.kind
        }
        let others = states.indices.filter { other in
            guard case .sound(let slot, _) = states[other] else { return false }
            return other != number && slot.kind.isKnown
        }
        guard !others.isEmpty else { throw .lastSlot }
        try removeRow(ofSlot: number)
        try record(.slotRemoved(number: number, kind))
    }

    /// Writes damaged copies of slots anew from their sound ones.
    /// - Returns: the numbers of the slots.
    @discardableResult
    public mutating func repairSlotCopies() throws(VaultError) -> [Int] {
        try expectWritable()
        let states = try SlotTable(in: connection).states
        var repaired: [Int] = []
        for number in states.indices {
            guard case .sound(let slot, true) = states[number] else { continue }
            try verify(Manifest.Leaf(table: .slots, bucket: number))
            try write { (transaction: inout VaultTransaction) throws(VaultError) in
                try SlotTable.write(slot, number: number, in: transaction.connection)
            }
            repaired.append(number)
        }
        return repaired
    }

    mutating func write(_ way: borrowing SlotSecret, number: Int) throws(VaultError) {
        let slot = try Slot.wrapping(keys.master, under: way, number: number, vaultID: manifest.vaultID, createdAt: now())
        try write { (transaction: inout VaultTransaction) throws(VaultError) in
            try SlotTable.write(slot, number: number, in: transaction.connection)
            try transaction.reload(Manifest.Leaf(table: .slots, bucket: number))
        }
    }

    mutating func removeRow(ofSlot number: Int) throws(VaultError) {
        try write { (transaction: inout VaultTransaction) throws(VaultError) in
            try SlotTable.remove(number: number, in: transaction.connection)
            try transaction.reload(Manifest.Leaf(table: .slots, bucket: number))
        }
    }
}
