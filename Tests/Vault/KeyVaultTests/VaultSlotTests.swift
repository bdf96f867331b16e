import Testing

@testable import KeyVault

/// Damage and forgery of the slots: the second copy, the limits, the commitment.
struct VaultSlotTests {
    let fixture: VaultFixture
    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(1)
    }

    private func unlockError() -> VaultError? { vaultError { _ = try fixture.unlock() } }

    private func signs() throws -> Bool {
        try fixture.lend(1) == 1
    }

    private func slot() throws -> Slot {
        guard case .sound(let slot, _) = try SlotTable(in: fixture.open().connection).states[0] else {
            throw VaultError.input(.noSlot(.pin, others: []))
        }
        return slot
    }

    /// Writes both copies with valid checksums.
    private func replace(_ slot: Slot, number: Int = 0) throws {
        let connection = try fixture.open().connection
        try SlotTable.write(slot, number: number, in: connection)
    }

    @Test func bodyReadsBack() throws {
        let slot = try slot()
        #expect(try Slot(body: slot.body) == slot)
        #expect(slot.body.count == 162)
        for length in 0..<slot.body.count {
            #expect(
                vaultError { _ = try Slot(body: Array(slot.body[..<length])) }
                    == .integrity(.damaged(.row(.slots))))
        }
        #expect(vaultError { _ = try Slot(body: slot.body + [0]) } == .integrity(.damaged(.row(.slots))))
        for offset in [0, 2, 3] {
            var body = slot.body
            body[offset] = 2
            #expect(vaultError { _ = try Slot(body: body) } == .integrity(.damaged(.row(.slots))))
        }
    }

    @Test func copiesAreOnDifferentPages() throws {
        let connection = try fixture.open().connection
        let pages = try ["slots", "slot_copies"].map { name in
            try connection.integer("SELECT rootpage FROM sqlite_schema WHERE name = ?1", [.text(name)])
        }
        #expect(pages[0] != pages[1])
    }

    @Test(arguments: ["slots", "slot_copies"])
    func oneDamagedCopyIsEnough(_ table: String) throws {
        let changes = [
            "UPDATE \(table) SET body = zeroblob(162)", "UPDATE \(table) SET checksum = x''",
            "DELETE FROM \(table)",
        ]
        for (number, change) in zip(UInt8(10)..., changes) {
            try fixture.tamper(change)
            #expect(try signs())
            // Keys can still be added to the vault.
            try fixture.unlock().insert(VaultFixture.key(number), label: nil, createdAt: 0)
        }
    }

    @Test(arguments: ["slots", "slot_copies"])
    func survivesABadSectorInOneCopy(_ table: String) throws {
        let page = try #require(
            try fixture.open().connection.integer(
                "SELECT rootpage FROM sqlite_schema WHERE name = ?1", [.text(table)]))
        try fixture.patch(Int(page - 1) * 4_096, [UInt8](repeating: 0xff, count: 4_096))
        #expect(try signs())
    }

    @Test func twoDamagedCopiesAreNamed() throws {
        try fixture.tamper("UPDATE slots SET body = zeroblob(162); UPDATE slot_copies SET checksum = x'00'")
        #expect(unlockError() == .integrity(.slotsDamaged([0])))
    }

    @Test func reportsAMissingPINSlot() throws {
        try fixture.tamper("DELETE FROM slots; DELETE FROM slot_copies")
        #expect(unlockError() == .input(.noSlot(.pin, others: [])))
    }

    @Test func twoSoundCopiesThatDifferAreDamage() throws {
        var other = try slot()
        other.nonce[0] ^= 1
        let connection = try fixture.open().connection
        try connection.run(
            "UPDATE slots SET body = ?1, checksum = ?2",
            [.blob(other.body), .blob(Slot.checksum(other.body, number: 0))])
        #expect(unlockError() == .integrity(.slotsDamaged([0])))
    }

    @Test func aWrongPINNamesDamagedSlots() throws {
        try fixture.tamper(
            "INSERT INTO slots VALUES (3, x'00', x'00'); INSERT INTO slot_copies VALUES (3, x'00', x'00')")
        #expect(
            vaultError { _ = try fixture.open().unlock(VaultFixture.pin("another pin")) }
                == .input(.wrongUnlockMethod(.pin, damagedSlots: [3])))
    }

    @Test(arguments: ["slots", "slot_copies"], [8, 64, -1, 1 << 40, 3] as [Int64])
    func survivesAFlippedNumberInOneTable(_ table: String, _ id: Int64) throws {
        let whole = try VaultFixture.bytes(of: fixture.path)
        for change in [
            "UPDATE \(table) SET id = \(id) WHERE id = 0",
            "INSERT INTO \(table) VALUES (\(id), x'00', x'00')",
        ] {
            try fixture.tamper(change)
            #expect(try signs(), "\(change)")
            try fixture.unlock().insert(VaultFixture.key(9), label: nil, createdAt: 0)
            try VaultFixture.write(whole, to: fixture.path)
        }
    }

    @Test func flippedNumbersInBothTablesAreDamage() throws {
        try fixture.tamper("UPDATE slots SET id = 64; UPDATE slot_copies SET id = 8")
        #expect(unlockError() == .integrity(.damaged(.row(.slots))))
    }

    @Test func refusesTwoTablesOnOnePage() throws {
        let whole = try VaultFixture.bytes(of: fixture.path)
        for (one, other) in [("slot_copies", "slots"), ("slots", "slot_copies"), ("policies", "settings")] {
            try fixture.tamper(
                """
                PRAGMA writable_schema = 1;
                UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = '\(other)')
                WHERE name = '\(one)'
                """)
            #expect(unlockError() == .integrity(.schemaAltered))
            try VaultFixture.write(whole, to: fixture.path)
        }
    }

    @Test func capsTheDetails() throws {
        let old = try slot()
        func body(_ count: Int) -> [UInt8] {
            Slot(
                kind: .other(99), derivation: .none, vaultID: old.vaultID, createdAt: 0, salt: old.salt,
                details: [UInt8](repeating: 1, count: count)
            ).body
        }
        #expect(try Slot(body: body(8_192)).details.count == 8_192)
        #expect(vaultError { _ = try Slot(body: body(8_193)) } == .integrity(.damaged(.row(.slots))))
    }

    @Test func capsTheCostBeforeAllocating() throws {
        func hostile(_ passes: UInt32, _ memory: UInt64) throws -> VaultError? {
            let old = try slot()
            var slot = Slot(
                kind: old.kind, derivation: .argon2id(passes: passes, memory: memory), vaultID: old.vaultID,
                createdAt: old.createdAt,
                salt: old.salt, details: [])
            (slot.commitment, slot.nonce, slot.wrapped) = (old.commitment, old.nonce, old.wrapped)
            try replace(slot)
            return unlockError()
        }
        #expect(try hostile(3, 1 << 40) == .input(.kdfCost(.memory(1 << 40, allowed: 8_192...(4 << 30)))))
        #expect(try hostile(1_000_000, 8_192) == .input(.kdfCost(.passes(1_000_000, allowed: 1...64))))
        #expect(try hostile(0, 0) == .input(.kdfCost(.passes(0, allowed: 1...64))))
        #expect(try hostile(1, 10_000) == .input(.kdfCost(.memoryNotWholeKibibytes(10_000))))
        // Another cost yields another key, so the commitment differs.
        #expect(try hostile(2, 8_192) == .input(.wrongUnlockMethod(.pin, damagedSlots: [])))
    }

    /// Eight slots that each request the maximum cost. The second one is refused before it is
    /// derived.
    @Test func capsTheCostOfAllSlotsTogether() throws {
        var budget = KDFBudget()
        try budget.spend(KDFCost(passes: 64, memory: 3 << 30))
        #expect(
            vaultError { try budget.spend(KDFCost(passes: 64, memory: 2 << 30)) }
                == .input(.kdfCost(.together)))
        try budget.spend(KDFCost(passes: 64, memory: 1 << 30))
        #expect(
            vaultError { try budget.spend(KDFCost(passes: 1, memory: 8_192, insecure: true)) }
                == .input(.kdfCost(.together)))
        // An intact vault with eight slots is far below the limit.
        var common = KDFBudget()
        for _ in 0..<8 { try common.spend(KDFCost(passes: 16, memory: 256 << 20)) }
    }

    @Test func anEditedSlotIsNotReportedAsAWrongPIN() throws {
        for offset in [4, 20, 120, 150] {
            let sound = try slot()
            var body = sound.body
            body[offset] ^= 1
            try replace(Slot(body: body))
            #expect(unlockError() == .integrity(.manifestMismatch(.bucket(.slots, 0))))
            try replace(sound)
        }
        var kind = try slot().body
        kind[1] = 99
        try replace(Slot(body: kind))
        #expect(unlockError() == .input(.noSlot(.pin, others: [.other(99)])))
    }

    @Test func aSlotOfAnotherNumberDoesNotOpen() throws {
        let slot = try slot()
        try fixture.tamper("DELETE FROM slots; DELETE FROM slot_copies")
        try replace(slot, number: 1)
        #expect(unlockError() == .integrity(.manifestMismatch(.bucket(.slots, 1))))
    }

    @Test func anAddedSlotIsNotInTheManifest() throws {
        // The thief of an old copy and its PIN has the master key, and wraps it again.
        let slot = try slot()
        var budget = KDFBudget()
        guard
            let master = try slot.open(
                under: slot.secret(of: UnlockMethod.pin(VaultFixture.pin()), &budget), number: 0)
        else {
            throw VaultError.input(.noSlot(.pin, others: []))
        }
        let added = try Slot.wrapping(
            master, under: VaultFixture.secret("the thief's"), number: 1, vaultID: slot.vaultID, createdAt: 0)
        try replace(added, number: 1)
        #expect(
            vaultError { _ = try fixture.open().unlock(VaultFixture.pin("the thief's")) }
                == .integrity(.manifestMismatch(.bucket(.slots, 1))))
        #expect(try signs())
    }
}
