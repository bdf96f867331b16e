/// The slots of a vault from its two tables. Each row is stored twice, on different pages, so that
/// one bad sector does not lock the user out.
struct SlotTable {
    enum State: Equatable {
        case absent
        /// At least one copy is intact; `damagedCopy` is true when the other one is not.
        case sound(Slot, damagedCopy: Bool)
        /// No copy is intact, or two intact copies differ.
        case damaged
    }

    /// The states of the eight slots, in the order of their numbers.
    private(set) var states = [State](repeating: .absent, count: VaultFormat.maximumSlotCount)
    /// True if a table has a row with a number that no slot has: a damaged row that can't be
    /// assigned to a slot.
    private(set) var hasStrayRow = false

    private static let maximumRowCount = 64

    private enum Copy: Equatable {
        /// `unreadable`: SQLite can't read the pages of this table.
        case absent, damaged, unreadable
        case sound([UInt8])
    }

    init(in connection: SQLiteConnection) throws(VaultError) {
        let first = try copies("SELECT id, body, checksum FROM slots ORDER BY id", in: connection)
        let second = try copies("SELECT id, body, checksum FROM slot_copies ORDER BY id", in: connection)
        for number in states.indices {
            states[number] = Self.state(first[number], second[number])
        }
    }

    private static func state(_ first: Copy, _ second: Copy) -> State {
        switch (first, second) {
        case (.absent, .absent), (.absent, .unreadable), (.unreadable, .absent): .absent
        case (.sound(let body), .sound(let other)): body == other ? state(body, damagedCopy: false) : .damaged
        case (.sound(let body), _), (_, .sound(let body)): state(body, damagedCopy: true)
        default: .damaged
        }
    }

    private static func state(_ body: [UInt8], damagedCopy: Bool) -> State {
        do { return .sound(try Slot(body: body), damagedCopy: damagedCopy) } catch { return .damaged }
    }

    private mutating func copies(_ sql: String, in connection: SQLiteConnection) throws(VaultError) -> [Copy]
    {
        var copies = [Copy](repeating: .absent, count: VaultFormat.maximumSlotCount)
        do {
            var rows = 0
            try connection.query(sql) { row throws(VaultError) in
                rows += 1
                // A few stray rows are damaged rows. So many are a crafted page tree, which may be
                // endless.
                guard rows <= Self.maximumRowCount else { throw .integrity(.damaged(.pages)) }
                guard let id = row.integer(0), let number = Int(exactly: id), copies.indices.contains(number)
                else {
                    hasStrayRow = true
                    return
                }
                // A crafted page tree may return a number twice.
                guard copies[number] == .absent, let body = row.blob(1), let checksum = row.blob(2),
                    checksum == Slot.checksum(body, number: number)
                else {
                    copies[number] = .damaged
                    return
                }
                copies[number] = .sound(body)
            }
        } catch .integrity(.damaged(.pages)) {
            // The other table may be intact. SQLite returns the same result for a sector that can't
            // be read (EIO).
            for number in copies.indices where copies[number] == .absent { copies[number] = .unreadable }
        }
        return copies
    }

    /// The slots that can be read, in the order of their numbers.
    var descriptions: [SlotDescription] {
        states.indices.compactMap { number in
            guard case .sound(let slot, let damagedCopy) = states[number] else { return nil }
            return slot.description(number: number, damagedCopy ? .copyDamaged : .sound)
        }
    }

    /// The numbers of the slots whose copies are both damaged, or differ.
    var damaged: [Int] { states.indices.filter { states[$0] == .damaged } }

    /// Removes both copies.
    static func remove(number: Int, in connection: SQLiteConnection) throws(VaultError) {
        try connection.run("DELETE FROM slots WHERE id = ?1", [.integer(Int64(number))])
        try connection.run("DELETE FROM slot_copies WHERE id = ?1", [.integer(Int64(number))])
    }

    /// Writes both copies.
    static func write(_ slot: Slot, number: Int, in connection: SQLiteConnection) throws(VaultError) {
        let body = slot.body
        let values: [SQLiteValue] = [
            .integer(Int64(number)), .blob(body), .blob(Slot.checksum(body, number: number)),
        ]
        try connection.run("INSERT OR REPLACE INTO slots (id, body, checksum) VALUES (?1, ?2, ?3)", values)
        try connection.run(
            "INSERT OR REPLACE INTO slot_copies (id, body, checksum) VALUES (?1, ?2, ?3)", values)
    }
}

/// The slots as a check reads them.
struct SlotContent: TableContent {
    static let table = VaultTable.slots

    func check(_ check: inout VaultCheck) throws(VaultError) {
        let slots = try SlotTable(in: check.connection)
        for (number, state) in slots.states.enumerated() {
            switch state {
            case .absent: break
            case .damaged: check.note(.slot(number))
            case .sound(let slot, let damagedCopy):
                if damagedCopy { check.note(.slotCopy(number)) }
                if !slot.kind.isKnown { check.report.unsupported.slots += 1 }
            }
        }
        if slots.hasStrayRow { check.note(.row(.slots)) }
    }
}

extension VaultTable {
    private static let slotColumns = ["body BLOB NOT NULL", "checksum BLOB NOT NULL"]
    package static let slots = numbered(2, "slots", slotColumns, bucketCount: VaultFormat.maximumSlotCount)
    package static let slotCopies = numbered(10, "slot_copies", slotColumns)
}
