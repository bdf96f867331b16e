import Curves
import Glibc
import KeyText
import SecureMemory
import Testing

@testable import KeyVault

/// Whoever can write the file and has no PIN, against what is promised: each of these once got
/// through.
struct VaultAttackTests {
    let fixture: VaultFixture
    let state: VaultFixture

    init() throws {
        fixture = try VaultFixture()
        state = try VaultFixture()
    }

    private func open(accepting: Bool = false) throws -> Vault {
        try Vault.open(
            fixture.path, witness: Witness(folder: state.folder), acceptRollback: accepting, clock: VaultFixture.clock)
    }

    private func unlockError() -> VaultError? { vaultError { _ = try open().unlock(VaultFixture.pin()) } }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Another body for a slot, with its checksum, in both tables.
    private func replaceSlot(_ number: Int, _ change: (inout [UInt8]) -> Void) throws {
        var body = try fixture.open().connection.blob("SELECT body FROM slots WHERE id = \(number)")
        change(&body)
        for table in ["slots", "slot_copies"] {
            try fixture.tamper(
                """
                UPDATE \(table) SET body = x'\(Self.hex(body))', checksum = x'\(Self.hex(Slot.checksum(body, number: number)))' \
                WHERE id = \(number)
                """)
        }
    }

    private func addSlot(_ pin: String) throws {
        let method = try VaultFixture.secret(pin)
        try fixture.change { transaction in try transaction.addSlot(method) }
    }

    // MARK: slots

    /// A slot that only looks like one is no other way in: the last that works stays.
    @Test func theLastSlotThatWorksStays() throws {
        try fixture.createFilled(2)
        try addSlot("the second one")
        try replaceSlot(1) { $0[$0.count - 1] ^= 1 }
        #expect(
            vaultError { try fixture.change { transaction in try transaction.removeSlot(0) } }
                == .manifestMismatch(.bucket(.slots, 1)))
        #expect(try fixture.lend(1) == 1)
        let bogus = try VaultFixture()
        try bogus.createFilled(1)
        try bogus.tamper(
            "INSERT INTO slots SELECT 3, body, checksum FROM slots; INSERT INTO slot_copies SELECT * FROM slots WHERE id = 3"
        )
        // With the checksum of its own number.
        let body = try bogus.open().connection.blob("SELECT body FROM slots WHERE id = 0")
        for table in ["slots", "slot_copies"] {
            try bogus.tamper(
                "UPDATE \(table) SET checksum = x'\(Self.hex(Slot.checksum(body, number: 3)))' WHERE id = 3")
        }
        #expect(
            vaultError { try bogus.change { transaction in try transaction.removeSlot(0) } }
                == .manifestMismatch(.bucket(.slots, 3)))
        #expect(try bogus.lend(1) == 1)
    }

    /// Two rows in a wrong order on the page: a removal that finds nothing to remove is no removal.
    @Test func aSlotThatStaysIsNotCalledRemoved() throws {
        try fixture.createFilled(1)
        try addSlot("the second one")
        var all = try VaultFixture.bytes(of: fixture.path)
        for table in ["slots", "slot_copies"] {
            let cells = (try fixture.rootPage(table) - 1) * 4_096 + 8
            let swapped = Array(all[(cells + 2)..<(cells + 4)] + all[cells..<(cells + 2)])
            all.replaceSubrange(cells..<(cells + 4), with: swapped)
        }
        try VaultFixture.write(all, to: fixture.path)
        let error = vaultError {
            try fixture.change(by: "the second one") { transaction in try transaction.removeSlot(0) }
        }
        #expect(error == .manifestMismatch(.bucket(.slots, 0)))
        #expect(try VaultFixture.bytes(of: fixture.path) == all)
    }

    @Test func theSlotThatWasSeenIsTheOneThatGoes() throws {
        try fixture.createFilled(1)
        try addSlot("the second one")
        let seen = try #require(try fixture.open().unverifiedSlots().slots.first)
        let changed = try VaultFixture.secret("changed meanwhile")
        try fixture.change { transaction in try transaction.replaceOpenedSlot(by: changed) }
        let error = vaultError {
            try fixture.change(by: "the second one") { transaction in try transaction.removeSlot(0, seen: seen) }
        }
        #expect(error == .slotChanged)
        #expect(try VaultFixture.lend(1, of: fixture.open().unlock(VaultFixture.pin("changed meanwhile"))) == 1)
        let now = try #require(try fixture.open().unverifiedSlots().slots.first)
        try fixture.change(by: "the second one") { transaction in try transaction.removeSlot(0, seen: now) }
        #expect(try fixture.open().unverifiedSlots().slots.map(\.number) == [1])
    }

    /// A slot that asks for more than the machine has takes no other one away.
    @Test func oneRefusedSlotHidesNoOther() throws {
        try fixture.createFilled(1)
        try addSlot("the second one")
        try replaceSlot(0) { $0.replaceSubrange(32..<40, with: [0, 0, 0, 0, 2, 0, 0, 0]) }
        #expect(try VaultFixture.lend(1, of: fixture.open().unlock(VaultFixture.pin("the second one"))) == 1)
        guard case .kdfCost(.memory(8_589_934_592, _)) = vaultError({ _ = try fixture.unlock() }) else {
            Issue.record("the slot's own refusal")
            return
        }
    }

    @Test func manyTriesAtOnceWaitOneAfterTheOther() throws {
        try fixture.createFilled(1)
        #expect(vaultError { _ = try fixture.open().unlock(VaultFixture.pin("wrong one")) } != nil)
        // While one waits, another fails: the one that waited looks again.
        let (path, waits) = (fixture.path, Waits())
        let clock = VaultClock(
            now: { waits.time },
            wait: { seconds in
                waits.append(seconds)
                guard waits.count == 1 else { return }
                let other = VaultClock(now: { waits.time }, wait: { _ in })
                _ = vaultError { _ = try Vault.open(path, clock: other).unlock(VaultFixture.pin("wrong too")) }
            })
        waits.time = try fixture.open().connection.integer("SELECT last_at FROM failed_unlocks") ?? 0
        _ = try Vault.open(path, clock: clock).unlock(VaultFixture.pin())
        #expect(waits.all == [1, 2])
        // A try that succeeded is none that failed.
        #expect(
            try VaultFixture.events(of: fixture.unlock()).contains {
                if case .failedUnlocks(2, _, _) = $0 { true } else { false }
            })
    }

    // MARK: crafted trees of pages

    /// Rows in an order in which none of them is found again: nothing is sealed anew that would not
    /// be there afterwards.
    @Test func aCraftedOrderOfRowsSurvivesNoRekey() throws {
        try fixture.create()
        try fixture.unlock().insert(VaultFixture.key(1), label: nil, createdAt: 0)
        let bucket = VaultTable.entries.bucket(of: try VaultFixture.publicKey(1).text)
        for (bucket, name) in [(299, "B"), (bucket, "A"), (300, "C"), (301, "D")] {
            try fixture.tamper("INSERT INTO entries VALUES (\(bucket), '\(name)', 0, NULL, 0, 0, x'', x'', x'')")
        }
        var all = try VaultFixture.bytes(of: fixture.path)
        let cells = (try fixture.rootPage("entries") - 1) * 4_096 + 8
        let pointers = (0..<5).map { Array(all[(cells + 2 * $0)..<(cells + 2 + 2 * $0)]) }
        for (place, from) in [1, 2, 0, 3, 4].enumerated() {
            all.replaceSubrange((cells + 2 * place)..<(cells + 2 + 2 * place), with: pointers[from])
        }
        try VaultFixture.write(all, to: fixture.path)
        let method = try VaultFixture.secret()
        #expect(
            vaultError { try fixture.change { transaction in try transaction.rekey(under: method) } }
                == .damaged(.row(.entries)))
        #expect(try VaultFixture.bytes(of: fixture.path) == all)
    }

    /// Rows in buckets that no digest covers.
    @Test(arguments: [
        ("entries", "300, 'EOSx', 0, NULL, 0, 0, x'', x'', x''"), ("labels", "-1, 'zz', 'q'"),
        ("counters", "300, 'zz', x'00'"),
        ("abis", "256, 'zz', x'00'"),
    ])
    func rowsOutsideOfTheBucketsAreAFault(_ table: String, _ values: String) throws {
        try fixture.createFilled(2)
        try fixture.tamper("INSERT INTO \(table) VALUES (\(values))")
        #expect(try fixture.open().check(.pin(VaultFixture.pin())).faults.count == 1)
        #expect(vaultError { _ = try fixture.unlock().backup(to: fixture.folder + "/copy.db") } == .faulty(count: 1))
        let method = try VaultFixture.secret()
        guard
            case .damaged(.row) = vaultError({
                try fixture.change { transaction in try transaction.rekey(under: method) }
            }
            )
        else {
            Issue.record("a rekey over rows that no digest covers")
            return
        }
    }

    /// A journal of 4 TiB that takes 4 KiB of the disk.
    @Test func aSparseJournalHoldsNobodyUp() throws {
        try fixture.createFilled(1)
        let header: [UInt8] =
            [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7] + [0xff, 0xff, 0xff, 0xff] + [0, 0, 0, 0] + [0, 0, 0, 1]
        try VaultFixture.write(header + [0, 0, 2, 0] + [0, 0, 0x10, 0], to: fixture.path + "-journal")
        #expect(truncate(fixture.path + "-journal", 4 << 40) == 0)
        // What came of it counts less than that something did.
        _ = vaultError { _ = try fixture.open() }
    }

    // MARK: a closure that goes on

    @Test func aFailureThatIsSwallowedCommitsNothing() throws {
        try fixture.createFilled(3)
        try fixture.tamper("UPDATE labels SET name = 'x' WHERE label = 'key 3'")
        let before = try VaultFixture.bytes(of: fixture.path)
        let method = try VaultFixture.secret()
        let error = vaultError {
            try fixture.change { transaction in
                #expect(vaultError { try transaction.rekey(under: method) } != nil)
            }
        }
        // It failed before its first write, or nothing of it is there.
        let after = try VaultFixture.bytes(of: fixture.path)
        #expect(error != nil || before == after)
        for number in UInt8(1)...3 { #expect(try fixture.lend(number) == number) }
    }

    @Test func noKeyIsStoredWithoutARecord() throws {
        try fixture.createFilled(1)
        let timeless = VaultClock(now: { -1 }, wait: { _ in })
        let vault = try Vault.open(fixture.path, clock: timeless).unlock(VaultFixture.pin())
        let error = vaultError {
            try VaultFixture.change(vault) { transaction in
                let insertion = vaultError { try transaction.insert(VaultFixture.key(9), label: nil, createdAt: 0) }
                #expect(insertion == .timeOutOfRange)
            }
        }
        #expect(error == .timeOutOfRange)
        #expect(vaultError { _ = try fixture.lend(9) } == .noSuchKey)
    }

    // MARK: older copies

    private func fork() throws {
        let old = try VaultFixture.bytes(of: fixture.path)
        try open().unlock(VaultFixture.pin()).insert(VaultFixture.key(10), label: nil, createdAt: 0)
        try VaultFixture.write(old, to: fixture.path)
        for number in UInt8(20)...23 { try fixture.unlock().insert(VaultFixture.key(number), label: nil, createdAt: 0) }
        #expect(unlockError() == .forked)
    }

    /// Macs are no secret: one that is copied into a fork makes it no other history.
    @Test func aForkWithTheRightMacIsAFork() throws {
        try fixture.createFilled(2)
        try fork()
        let path = state.folder + "/" + (try #require(state.names().first))
        let seen = String(decoding: try VaultFixture.bytes(of: path), as: UTF8.self).split(separator: " ")
        try fixture.tamper("UPDATE audit SET mac = x'\(seen[4])' WHERE sequence = \(seen[3])")
        #expect(unlockError() == .audit(.changed(sequence: Int64(seen[3]) ?? 0)))
    }

    /// What is looked at before it is compared tells the witness nothing.
    @Test func aForkIsNotTakenUpByLookingAtItsLog() throws {
        try fixture.createFilled(2)
        try fork()
        try fixture.tamper("INSERT INTO failed_unlocks VALUES (1, 1, 5, 5)")
        let vault = try open().unlock(.pin(VaultFixture.pin()), comparing: false)
        #expect(try vault.verifyLog { Issue.record("\($0)") } > 0)
        #expect(vaultError { try vault.compareWithWitness() } == .forked)
        #expect(unlockError() == .forked)
        // Nor by what goes on after the comparison failed.
        try vault.insert(VaultFixture.key(30), label: nil, createdAt: 0)
        #expect(unlockError() == .forked)
    }

    /// A backup that is tried out beside the vault changes nothing of what is remembered of the
    /// vault.
    @Test func aRestoringThatIsTriedOutHarmsNothing() throws {
        try fixture.createFilled(2)
        _ = try open().unlock(VaultFixture.pin()).backup(to: fixture.folder + "/copy.db")
        try open().unlock(VaultFixture.pin()).insert(VaultFixture.key(10), label: nil, createdAt: 0)
        let made = try Vault.restore(
            VaultImage(contentsOf: fixture.folder + "/copy.db"), to: fixture.folder + "/trial.db",
            method: .pin(VaultFixture.pin()),
            witness: Witness(folder: state.folder), clock: VaultFixture.clock)
        #expect(made.isOlderThanSeen && made.laterChanges == 1)
        #expect(unlockError() == nil)
    }

    /// A backup of a history that was given up is not the last one of this.
    @Test func aGivenUpHistoryHasNoBackups() throws {
        try fixture.createFilled(2)
        let old = try VaultFixture.bytes(of: fixture.path)
        for number in UInt8(10)...15 {
            try open().unlock(VaultFixture.pin()).insert(VaultFixture.key(number), label: nil, createdAt: 0)
        }
        _ = try open().unlock(VaultFixture.pin()).backup(to: fixture.folder + "/given-up.db")
        try VaultFixture.write(old, to: fixture.path)
        _ = try open(accepting: true).unlock(VaultFixture.pin())
        _ = try open().unlock(VaultFixture.pin()).backup(to: fixture.folder + "/last.db")
        try open().unlock(VaultFixture.pin()).insert(VaultFixture.key(30), label: nil, createdAt: 0)
        let made = try Vault.restore(
            VaultImage(contentsOf: fixture.folder + "/last.db"), to: fixture.folder + "/restored.db",
            method: .pin(VaultFixture.pin()),
            witness: Witness(folder: state.folder), clock: VaultFixture.clock)
        #expect(made.keyCount == 2)
    }

    // MARK: care

    /// An older row that says a label which another key has by now.
    @Test func aContestedLabelGoesToNobody() throws {
        try fixture.createFilled(2)
        let old = try fixture.copy("old.db")
        try fixture.change { transaction in
            try transaction.rename(VaultFixture.publicKey(1), to: Label("retired"))
            try transaction.rename(VaultFixture.publicKey(2), to: Label("key 1"))
        }
        let name = try VaultFixture.publicKey(1).text
        try fixture.tamper(
            """
            ATTACH '\(old)' AS old; DELETE FROM entries WHERE name = '\(name)';
            INSERT INTO entries SELECT * FROM old.entries WHERE name = '\(name)'; UPDATE vault SET root = zeroblob(32)
            """)
        let report = try fixture.rescue()
        #expect(report.rescued.count == 2 && report.rescued.allSatisfy { $0.label == nil })
        #expect(report.droppedLabels.map(\.reason) == [.ofSeveralKeys, .ofSeveralKeys])
    }

    @Test func aCheckBesideARekeyCallsNothingDamaged() throws {
        try fixture.createFilled(2)
        let vault = try fixture.open()
        let opened = try vault.openSlot(.pin(VaultFixture.pin()))
        let method = try VaultFixture.secret()
        try fixture.change { transaction in try transaction.rekey(under: method) }
        #expect(vaultError { _ = try vault.check(opened) } == .slotChanged)
    }

    @Test func oneCopyOfASlotIsEnoughToRestore() throws {
        try fixture.createFilled(1)
        try fixture.tamper("UPDATE slot_copies SET checksum = zeroblob(32)")
        let restored = fixture.folder + "/restored.db"
        _ = try Vault.restore(VaultImage(contentsOf: fixture.path), to: restored, method: .pin(VaultFixture.pin()))
        #expect(try fixture.open(restored).check(.pin(VaultFixture.pin())).faults == [])
    }

    @Test func aRestoringThatFailsLeavesNothing() throws {
        try fixture.createFilled(1)
        let timeless = VaultClock(now: { -1 }, wait: { _ in })
        let error = vaultError {
            _ = try Vault.restore(
                VaultImage(contentsOf: fixture.path), to: fixture.folder + "/restored.db",
                method: .pin(VaultFixture.pin()), clock: timeless)
        }
        #expect(error == .timeOutOfRange)
        #expect(fixture.names() == ["vault.db"])
    }

    /// SQLite would take it for a journal of the vault, and delete it.
    @Test(arguments: ["vault.db-journal", "vault.db-wal", "other-shm"])
    func namesOfSQLiteAreNotGiven(_ name: String) throws {
        try fixture.createFilled(1)
        let path = fixture.folder + "/" + name
        #expect(vaultError { _ = try fixture.unlock().backup(to: path) } == .reservedName)
        #expect(vaultError { try fixture.create(path) } == .reservedName)
        let image = try VaultImage(contentsOf: fixture.path)
        #expect(
            vaultError { _ = try Vault.restore(image, to: path, method: .pin(VaultFixture.pin())) } == .reservedName)
        #expect(fixture.names() == ["vault.db"])
    }
}

/// What was waited for, and a time that stands still.
private final class Waits: @unchecked Sendable {
    var time: Int64 = 0
    var all: [Int64] = []
    var count: Int { all.count }
    func append(_ seconds: Int64) {
        all.append(seconds)
        time += seconds
    }
}
