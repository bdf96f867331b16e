import Glibc
import Keys
import SecureMemory
import Testing

@testable import KeyVault

/// Attacks by someone who can write the file but has no PIN. Each of these attacks once succeeded.
struct VaultAttackTests {
    let fixture: VaultFixture
    let state: VaultFixture

    init() throws {
        fixture = try VaultFixture()
        state = try VaultFixture()
    }

    private func open(accepting: Bool = false) throws -> Vault {
        try Vault.open(
            fixture.path, witness: Witness(folder: state.folder), acceptRollback: accepting,
            clock: VaultFixture.clock)
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
                UPDATE \(table) SET body = x'\(Self.hex(body))', \
                checksum = x'\(Self.hex(Slot.checksum(body, number: number)))' \
                WHERE id = \(number)
                """)
        }
    }

    private func addSlot(_ pin: String) throws {
        let method = try VaultFixture.secret(pin)
        try fixture.change { transaction in try transaction.addSlot(method) }
    }

    // MARK: slots

    /// A slot that can't be opened does not count as another unlock method: the last slot that
    /// opens is kept.
    @Test func keepsTheLastSlotThatOpens() throws {
        try fixture.createFilled(2)
        try addSlot("the second one")
        try replaceSlot(1) { $0[$0.count - 1] ^= 1 }
        #expect(
            vaultError { try fixture.change { transaction in try transaction.removeSlot(0) } }
                == .integrity(.manifestMismatch(.bucket(.slots, 1))))
        #expect(try fixture.lend(1) == 1)
        let bogus = try VaultFixture()
        try bogus.createFilled(1)
        try bogus.tamper(
            "INSERT INTO slots SELECT 3, body, checksum FROM slots; INSERT INTO slot_copies SELECT * "
                + "FROM slots WHERE id = 3"
        )
        // With the checksum for its new number.
        let body = try bogus.open().connection.blob("SELECT body FROM slots WHERE id = 0")
        for table in ["slots", "slot_copies"] {
            try bogus.tamper(
                "UPDATE \(table) SET checksum = x'\(Self.hex(Slot.checksum(body, number: 3)))' WHERE id = 3")
        }
        #expect(
            vaultError { try bogus.change { transaction in try transaction.removeSlot(0) } }
                == .integrity(.manifestMismatch(.bucket(.slots, 3))))
        #expect(try bogus.lend(1) == 1)
    }

    /// Two rows in the wrong order on the page. A removal that finds no row must not be reported as
    /// done.
    @Test func reportsASlotThatCouldNotBeRemoved() throws {
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
        #expect(error == .integrity(.manifestMismatch(.bucket(.slots, 0))))
        #expect(try VaultFixture.bytes(of: fixture.path) == all)
    }

    @Test func removesOnlyTheSlotThatWasSeen() throws {
        try fixture.createFilled(1)
        try addSlot("the second one")
        let seen = try #require(try fixture.open().unverifiedSlots().slots.first)
        let changed = try VaultFixture.secret("changed meanwhile")
        try fixture.change { transaction in try transaction.replaceOpenedSlot(by: changed) }
        let error = vaultError {
            try fixture.change(by: "the second one") { transaction in
                try transaction.removeSlot(0, seen: seen)
            }
        }
        #expect(error == .input(.slotChanged))
        #expect(
            try VaultFixture.lend(1, of: fixture.open().unlock(VaultFixture.pin("changed meanwhile"))) == 1)
        let now = try #require(try fixture.open().unverifiedSlots().slots.first)
        try fixture.change(by: "the second one") { transaction in try transaction.removeSlot(0, seen: now) }
        #expect(try fixture.open().unverifiedSlots().slots.map(\.number) == [1])
    }

    /// A slot that requests more memory than the machine has does not block another slot.
    @Test func aRefusedSlotDoesNotBlockAnother() throws {
        try fixture.createFilled(1)
        try addSlot("the second one")
        try replaceSlot(0) { $0.replaceSubrange(32..<40, with: [0, 0, 0, 0, 2, 0, 0, 0]) }
        #expect(try VaultFixture.lend(1, of: fixture.open().unlock(VaultFixture.pin("the second one"))) == 1)
        guard case .input(.kdfCost(.memory(8_589_934_592, _))) = vaultError({ _ = try fixture.unlock() })
        else {
            Issue.record("the error is not the refused cost of the slot")
            return
        }
    }

    @Test func simultaneousTriesWaitInTurn() throws {
        try fixture.createFilled(1)
        #expect(vaultError { _ = try fixture.open().unlock(VaultFixture.pin("wrong one")) } != nil)
        // Another try fails during the wait, so the waiting one checks the count again.
        let (path, waits) = (fixture.path, Waits())
        let clock = VaultClock(
            now: { waits.time },
            wait: { seconds in
                waits.append(seconds)
                guard waits.count == 1 else { return }
                let other = VaultClock(now: { waits.time }, wait: { _ in })
                _ = vaultError {
                    _ = try Vault.open(path, clock: other).unlock(VaultFixture.pin("wrong too"))
                }
            })
        waits.time = try fixture.open().connection.integer("SELECT last_at FROM failed_unlocks") ?? 0
        _ = try Vault.open(path, clock: clock).unlock(VaultFixture.pin())
        #expect(waits.all == [1, 2])
        // A successful try is not counted as a failure.
        #expect(
            try VaultFixture.events(of: fixture.unlock()).contains {
                if case .failedUnlocks(2, _, _) = $0 { true } else { false }
            })
    }

    // MARK: crafted page trees

    /// Rows in an order in which no query finds them. Nothing is sealed again that would not be
    /// there afterwards.
    @Test func refusesToRekeyACraftedOrderOfRows() throws {
        try fixture.create()
        try fixture.unlock().insert(VaultFixture.key(1), label: nil, createdAt: 0)
        let bucket = VaultTable.entries.bucket(of: try VaultFixture.name(1).text)
        for (bucket, name) in [(299, "B"), (bucket, "A"), (300, "C"), (301, "D")] {
            try fixture.tamper(
                "INSERT INTO entries VALUES (\(bucket), '\(name)', 0, NULL, 0, 0, x'', x'', x'')")
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
                == .integrity(.damaged(.row(.entries))))
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
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults.count == 1)
        #expect(
            vaultError { _ = try fixture.unlock().backup(to: fixture.folder + "/copy.db") }
                == .integrity(.faulty(count: 1)))
        let method = try VaultFixture.secret()
        guard
            case .integrity(.damaged(.row)) = vaultError({
                try fixture.change { transaction in try transaction.rekey(under: method) }
            }
            )
        else {
            Issue.record("the rekey did not refuse rows that no digest covers")
            return
        }
    }

    /// A journal of 4 TiB that takes 4 KiB of the disk.
    @Test func aSparseJournalDoesNotBlock() throws {
        try fixture.createFilled(1)
        let header: [UInt8] =
            [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7] + [0xff, 0xff, 0xff, 0xff] + [0, 0, 0, 0] + [
                0, 0, 0, 1,
            ]
        try VaultFixture.write(header + [0, 0, 2, 0] + [0, 0, 0x10, 0], to: fixture.path + "-journal")
        #expect(truncate(fixture.path + "-journal", 4 << 40) == 0)
        // Any result is accepted, if there is one.
        _ = vaultError { _ = try fixture.open() }
    }

    // MARK: closures that continue after an error

    @Test func aSwallowedErrorCommitsNothing() throws {
        try fixture.createFilled(3)
        try fixture.tamper("UPDATE labels SET name = 'x' WHERE label = 'key 3'")
        let before = try VaultFixture.bytes(of: fixture.path)
        let method = try VaultFixture.secret()
        let error = vaultError {
            try fixture.change { transaction in
                #expect(vaultError { try transaction.rekey(under: method) } != nil)
            }
        }
        // Either it failed before its first write, or nothing of it is in the file.
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
                let insertion = vaultError {
                    try transaction.insert(VaultFixture.key(9), label: nil, createdAt: 0)
                }
                #expect(insertion == .machine(.timeOutOfRange))
            }
        }
        #expect(error == .machine(.timeOutOfRange))
        #expect(vaultError { _ = try fixture.lend(9) } == .input(.noSuchKey))
    }

    // MARK: older copies

    private func fork() throws {
        let old = try VaultFixture.bytes(of: fixture.path)
        try open().unlock(VaultFixture.pin()).insert(VaultFixture.key(10), label: nil, createdAt: 0)
        try VaultFixture.write(old, to: fixture.path)
        for number in UInt8(20)...23 {
            try fixture.unlock().insert(VaultFixture.key(number), label: nil, createdAt: 0)
        }
        #expect(unlockError() == .integrity(.forked))
    }

    /// MACs are public. A MAC that is copied into a fork does not make the fork the same history.
    @Test func detectsAForkWithACopiedMAC() throws {
        try fixture.createFilled(2)
        try fork()
        let path = state.folder + "/" + (try #require(state.names().first))
        let seen = String(decoding: try VaultFixture.bytes(of: path), as: UTF8.self).split(separator: " ")
        try fixture.tamper("UPDATE audit SET mac = x'\(seen[4])' WHERE sequence = \(seen[3])")
        #expect(unlockError() == .integrity(.audit(.changed(sequence: Int64(seen[3]) ?? 0))))
    }

    /// Reading before the comparison does not update the witness.
    @Test func readingTheLogOfAForkDoesNotUpdateTheWitness() throws {
        try fixture.createFilled(2)
        try fork()
        try fixture.tamper("INSERT INTO failed_unlocks VALUES (1, 1, 5, 5)")
        let vault = try open().unlock(UnlockMethod.pin(VaultFixture.pin()), comparing: false)
        #expect(try vault.verifyLog { Issue.record("\($0)") } > 0)
        #expect(vaultError { try vault.compareWithWitness() } == .integrity(.forked))
        #expect(unlockError() == .integrity(.forked))
        // Continuing after the failed comparison does not update it either.
        try vault.insert(VaultFixture.key(30), label: nil, createdAt: 0)
        #expect(unlockError() == .integrity(.forked))
    }

    /// A backup that is restored next to the vault does not change what is remembered of the vault.
    @Test func aTrialRestoreDoesNotUpdateTheWitness() throws {
        try fixture.createFilled(2)
        _ = try open().unlock(VaultFixture.pin()).backup(to: fixture.folder + "/copy.db")
        try open().unlock(VaultFixture.pin()).insert(VaultFixture.key(10), label: nil, createdAt: 0)
        let made = try Vault.restore(
            VaultImage(contentsOf: fixture.folder + "/copy.db"), to: fixture.folder + "/trial.db",
            method: UnlockMethod.pin(VaultFixture.pin()),
            witness: Witness(folder: state.folder), clock: VaultFixture.clock)
        #expect(made.isOlderThanSeen && made.laterChanges == 1)
        #expect(unlockError() == nil)
    }

    /// A backup of an abandoned history is not the last backup of this history.
    @Test func anAbandonedHistoryHasNoBackups() throws {
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
            method: UnlockMethod.pin(VaultFixture.pin()),
            witness: Witness(folder: state.folder), clock: VaultFixture.clock)
        #expect(made.counts.keys == 2)
    }

    // MARK: check, backup and rescue

    /// An older row with a label that another key has now.
    @Test func dropsAContestedLabel() throws {
        try fixture.createFilled(2)
        let old = try fixture.copy("old.db")
        try fixture.change { transaction in
            try transaction.rename(VaultFixture.publicKey(1), to: Label("retired"))
            try transaction.rename(VaultFixture.publicKey(2), to: Label("key 1"))
        }
        let name = try VaultFixture.name(1)
        try fixture.tamper(
            """
            ATTACH '\(old)' AS old; DELETE FROM entries WHERE name = '\(name)';
            INSERT INTO entries SELECT * FROM old.entries WHERE name = '\(name)'; UPDATE vault SET root = zeroblob(32)
            """)
        let report = try fixture.rescue()
        #expect(report.rescued.count == 2 && report.rescued.allSatisfy { $0.label == nil })
        #expect(report.droppedLabels.map(\.reason) == [.ofSeveralKeys, .ofSeveralKeys])
    }

    @Test func aCheckDuringARekeyReportsNoDamage() throws {
        try fixture.createFilled(2)
        let vault = try fixture.open()
        let opened = try vault.openSlot(UnlockMethod.pin(VaultFixture.pin()))
        let method = try VaultFixture.secret()
        try fixture.change { transaction in try transaction.rekey(under: method) }
        #expect(vaultError { _ = try vault.check(opened) } == .input(.slotChanged))
    }

    @Test func oneCopyOfASlotIsEnoughToRestore() throws {
        try fixture.createFilled(1)
        try fixture.tamper("UPDATE slot_copies SET checksum = zeroblob(32)")
        let restored = fixture.folder + "/restored.db"
        _ = try Vault.restore(
            VaultImage(contentsOf: fixture.path), to: restored, method: UnlockMethod.pin(VaultFixture.pin()))
        #expect(try fixture.open(restored).check(UnlockMethod.pin(VaultFixture.pin())).faults == [])
    }

    @Test func aFailedRestoreLeavesNoFile() throws {
        try fixture.createFilled(1)
        let timeless = VaultClock(now: { -1 }, wait: { _ in })
        let error = vaultError {
            _ = try Vault.restore(
                VaultImage(contentsOf: fixture.path), to: fixture.folder + "/restored.db",
                method: UnlockMethod.pin(VaultFixture.pin()), clock: timeless)
        }
        #expect(error == .machine(.timeOutOfRange))
        #expect(fixture.names() == ["vault.db"])
    }

    /// SQLite would use it as a journal of the vault, and delete it.
    @Test(arguments: ["vault.db-journal", "vault.db-wal", "other-shm"])
    func refusesNamesThatSQLiteUses(_ name: String) throws {
        try fixture.createFilled(1)
        let path = fixture.folder + "/" + name
        #expect(vaultError { _ = try fixture.unlock().backup(to: path) } == .file(.reservedName))
        #expect(vaultError { try fixture.create(path) } == .file(.reservedName))
        let image = try VaultImage(contentsOf: fixture.path)
        #expect(
            vaultError {
                _ = try Vault.restore(image, to: path, method: UnlockMethod.pin(VaultFixture.pin()))
            }
                == .file(.reservedName))
        #expect(fixture.names() == ["vault.db"])
    }
}

/// Records the waits, at a constant time.
private final class Waits: @unchecked Sendable {
    var time: Int64 = 0
    var all: [Int64] = []
    var count: Int { all.count }
    func append(_ seconds: Int64) {
        all.append(seconds)
        time += seconds
    }
}
