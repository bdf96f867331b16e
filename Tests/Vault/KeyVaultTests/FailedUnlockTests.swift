import Glibc
import SecureMemory
import Synchronization
import Testing

@testable import KeyVault

/// A clock that a test sets, and that records the waits.
private final class TestClock: Sendable {
    private let time = Mutex<Int64>(1_000_000)
    private let waits = Mutex<[Int64]>([])

    var clock: VaultClock {
        VaultClock(
            now: { self.time.withLock { $0 } },
            wait: { seconds in
                self.waits.withLock { $0.append(seconds) }
                self.time.withLock { $0 += seconds }
            })
    }

    func move(_ seconds: Int64) { time.withLock { $0 += seconds } }

    func takeWaits() -> [Int64] {
        waits.withLock { waits in
            defer { waits = [] }
            return waits
        }
    }
}

/// Wrong PINs are counted in the file, and delay the next try.
struct FailedUnlockTests {
    let fixture: VaultFixture
    private let clock = TestClock()

    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(1)
    }

    private func attempt(_ pin: String) throws -> VaultError? {
        let vault = try Vault.open(fixture.path, clock: clock.clock)
        return vaultError { _ = try vault.unlock(VaultFixture.pin(pin)) }
    }

    private func row() throws -> [Int64?] {
        let connection = try fixture.open().connection
        return try ["count", "first_at", "last_at"].map {
            try connection.integer("SELECT \($0) FROM failed_unlocks")
        }
    }

    /// A process that must not wait gets the delay. Nothing is tried and nothing is counted.
    @Test func theDelayIsReported() throws {
        let vault = try Vault.open(fixture.path, clock: .withoutWaits)
        #expect(try vault.unlockDelay() == 0)
        let wrong = VaultError.input(.wrongUnlockMethod(.pin, damagedSlots: []))
        #expect(vaultError { _ = try vault.unlock(VaultFixture.pin("wrong one")) } == wrong)
        vault.clock = VaultClock(now: { 0 }, wait: VaultClock.withoutWaits.wait)
        #expect(try vault.unlockDelay() == 1)
        let before = try row()
        for pin in ["wrong one", "correct horse"] {
            #expect(
                vaultError { _ = try vault.unlock(VaultFixture.pin(pin)) }
                    == .input(.unlockDelayed(seconds: 1)))
        }
        #expect(try row() == before)
        let later = VaultClock.system.now() + 60
        vault.clock = VaultClock(now: { later }, wait: VaultClock.withoutWaits.wait)
        #expect(try VaultFixture.lend(1, of: vault.unlock(VaultFixture.pin())) == 1)
    }

    @Test func theDelayDoubles() throws {
        for _ in 0..<8 {
            #expect(try attempt("wrong one") == .input(.wrongUnlockMethod(.pin, damagedSlots: [])))
        }
        #expect(clock.takeWaits() == [1, 2, 4, 8, 16, 30, 30])
        #expect(try row() == [8, 1_000_000, 1_000_091])
        // The time that has already passed is subtracted from the delay.
        clock.move(29)
        #expect(try attempt("wrong one") != nil)
        #expect(clock.takeWaits() == [1])
        clock.move(30)
        #expect(try attempt("correct horse") == nil)
        #expect(clock.takeWaits() == [])
        #expect(try attempt("correct horse") == nil)
        #expect(clock.takeWaits() == [])
    }

    @Test func oneRecordReportsAllFailures() throws {
        for _ in 0..<3 { _ = try attempt("wrong one") }
        #expect(try attempt("correct horse") == nil)
        #expect(try row() == [nil, nil, nil])
        let events = try VaultFixture.events(of: fixture.unlock())
        #expect(events.last == .failedUnlocks(count: 3, first: 1_000_000, last: 1_000_003))
    }

    @Test func aClockSetBackDelaysNoLongerThanTheFullDelay() throws {
        _ = try attempt("wrong one")
        clock.move(-5_000)
        _ = try attempt("wrong one")
        #expect(clock.takeWaits() == [1])
    }

    /// Anyone who can write the file can write this row. Whatever it contains, no delay is longer
    /// than half a minute.
    @Test(arguments: [
        "(1, 9223372036854775807, 0, 253402300799)", "(1, 0, 0, 0)", "(1, -1, 5, 5)",
        "(1, 3, -9223372036854775808, 9223372036854775807)",
        "(7, 40, 0, 0)", "(1, 40, 253402300799, 0)",
    ])
    func aForgedRowHarmsNobody(_ row: String) throws {
        try fixture.tamper("INSERT INTO failed_unlocks VALUES \(row)")
        #expect(try attempt("wrong one") == .input(.wrongUnlockMethod(.pin, damagedSlots: [])))
        #expect(try attempt("correct horse") == nil)
        #expect(clock.takeWaits().allSatisfy { $0 <= 30 })
        #expect(try fixture.lend(1) == 1)
    }

    @Test func aReadOnlyVaultStillReportsAWrongPIN() throws {
        let location = try VaultLocation(fixture.path)
        let before = try VaultFixture.bytes(of: fixture.path)
        let vault = try Vault(location, readOnly: true, busyTimeout: 0, clock: clock.clock)
        #expect(
            vaultError { _ = try vault.unlock(VaultFixture.pin("wrong one")) }
                == .input(.wrongUnlockMethod(.pin, damagedSlots: [])))
        #expect(try VaultFixture.bytes(of: fixture.path) == before)
        // Also while another process holds the lock.
        let holder = try fixture.open()
        try holder.connection.run("BEGIN IMMEDIATE")
        let other = try Vault.open(fixture.path, busyTimeout: 10, clock: clock.clock)
        #expect(
            vaultError { _ = try other.unlock(VaultFixture.pin("wrong one")) }
                == .input(.wrongUnlockMethod(.pin, damagedSlots: [])))
        try holder.connection.run("ROLLBACK")
    }

    /// The correct PIN waits because of the wrong ones before it. After it, nothing waits.
    @Test func theCorrectPINWaitsToo() throws {
        for _ in 0..<3 { _ = try attempt("wrong one") }
        _ = clock.takeWaits()
        #expect(try attempt("correct horse") == nil)
        #expect(clock.takeWaits() == [4])
        #expect(try attempt("wrong one") != nil)
        #expect(clock.takeWaits() == [])
    }

    /// No lock is held during the delay, so another process can use the vault meanwhile.
    @Test func otherProcessesAreNotDelayed() throws {
        for _ in 0..<6 { _ = try attempt("wrong one") }
        let path = fixture.path
        let entered = Mutex(0)
        let waiting = VaultClock(
            now: { 1_000_000 },
            wait: { _ in
                guard let other = try? Vault.open(path, busyTimeout: 0),
                    (try? other.connection.run("BEGIN EXCLUSIVE")) != nil
                else {
                    return
                }
                entered.withLock { $0 += 1 }
            })
        _ = try Vault.open(path, clock: waiting).unlock(VaultFixture.pin())
        #expect(entered.withLock { $0 } == 1)
    }

    /// The delay applies even if the vault can't be written. The next process that can write
    /// records the failures.
    @Test func aReadOnlyVaultKeepsTheCount() throws {
        for _ in 0..<2 { _ = try attempt("wrong one") }
        _ = clock.takeWaits()
        let before = try VaultFixture.bytes(of: fixture.path)
        let vault = try Vault(VaultLocation(fixture.path), readOnly: true, busyTimeout: 0, clock: clock.clock)
        #expect(try vault.unlock(VaultFixture.pin()).entries().count == 1)
        #expect(clock.takeWaits() == [2])
        #expect(try VaultFixture.bytes(of: fixture.path) == before)
        #expect(
            try VaultFixture.events(of: fixture.unlock()).last
                == .failedUnlocks(count: 2, first: 1_000_000, last: 1_000_001))
    }

    /// Each series of failures is one record. An attacker who can write the file can remove the
    /// counter, and nothing else changes.
    @Test func recordsEachSeriesOfFailures() throws {
        _ = try attempt("wrong one")
        #expect(try attempt("correct horse") == nil)
        clock.move(500)
        _ = try attempt("wrong one")
        #expect(try attempt("correct horse") == nil)
        _ = try attempt("wrong one")
        try fixture.tamper("DELETE FROM failed_unlocks")
        #expect(try attempt("correct horse") == nil)
        let recorded = try VaultFixture.events(of: fixture.unlock()).suffix(2)
        #expect(
            recorded == [
                .failedUnlocks(count: 1, first: 1_000_000, last: 1_000_000),
                .failedUnlocks(count: 1, first: 1_000_501, last: 1_000_501),
            ])
    }

    @Test func aMissingSlotKindIsNotCounted() throws {
        let vault = try Vault.open(fixture.path, clock: clock.clock)
        #expect(
            vaultError { _ = try vault.unlock(UnlockMethod.recovery(.random())) }
                == .input(.noSlot(.recovery, others: [.pin])))
        #expect(try row() == [nil, nil, nil])
    }

    // MARK: restore and rescue

    private func restore(_ pin: String) throws -> VaultError? {
        let image = try VaultImage(contentsOf: fixture.path)
        return vaultError {
            _ = try Vault.restore(
                image, to: other, method: UnlockMethod.pin(VaultFixture.pin(pin)), acceptRollback: true,
                clock: clock.clock)
        }
    }

    private func rescue(_ pin: String) throws -> VaultError? {
        vaultError {
            _ = try Vault.rescue(
                fixture.path, to: other, with: UnlockMethod.pin(VaultFixture.pin(pin)), clock: clock.clock)
        }
    }

    private var other: String { fixture.folder + "/other.db" }

    /// A user can't try PINs faster through these commands.
    @Test func restoreAndRescueCountAndWait() throws {
        let wrong = VaultError.input(.wrongUnlockMethod(.pin, damagedSlots: []))
        #expect(try restore("wrong one") == wrong)
        #expect(try rescue("wrong one") == wrong)
        #expect(try attempt("wrong one") == wrong)
        #expect(try rescue("wrong one") == wrong)
        #expect(clock.takeWaits() == [1, 2, 4])
        #expect(try row() == [4, 1_000_000, 1_000_007])
        // The correct PIN waits too, and removes its own try from the count.
        #expect(try rescue("correct horse") == nil)
        unsafe unlink(other)
        #expect(try row() == [4, 1_000_000, 1_000_007])
        clock.move(1)
        #expect(try restore("correct horse") == nil)
        #expect(clock.takeWaits().first == 8)
        // The restored vault records the failures.
        let events = try VaultFixture.events(
            of: Vault.open(other, clock: clock.clock).unlock(VaultFixture.pin()))
        #expect(events.contains(.failedUnlocks(count: 4, first: 1_000_000, last: 1_000_007)))
    }

    /// A damaged vault is never written, because `rescue` may be the last reader of the file.
    @Test(arguments: ["mode", "read-only", "folder", "hard link", "journal", "page"])
    func neverWritesToADamagedVault(_ fault: String) throws {
        let path = fixture.path
        switch fault {
        case "mode": unsafe chmod(path, 0o644)
        case "read-only": unsafe chmod(path, 0o400)
        case "folder": unsafe chmod(fixture.folder, 0o720)
        case "hard link": unsafe link(path, fixture.folder + "/second.db")
        case "journal": try VaultFixture.write([0xd9, 0xd5, 0x05, 0xf9], to: path + "-journal")
        default:
            // In the schema, the root page of the counter's table is another table's page.
            let connection = try fixture.open().connection
            let root = try #require(
                try connection.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'policies'"))
            try fixture.tamper(
                "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = \(root) WHERE name = 'failed_unlocks'"
            )
        }
        #expect(!Vault.mayCountTries(on: path) || fault == "page")
        let before = try VaultFixture.bytes(of: path)
        let names = fixture.names()
        unsafe chmod(fixture.folder, fault == "folder" ? 0o720 : 0o700)
        let output = try VaultFixture()
        let rescued = vaultError {
            _ = try Vault.rescue(
                path, to: output.folder + "/new.db", with: UnlockMethod.pin(VaultFixture.pin("wrong one")),
                clock: clock.clock)
        }
        #expect(rescued == .input(.wrongUnlockMethod(.pin, damagedSlots: [])))
        #expect(try VaultFixture.bytes(of: path) == before)
        #expect(fixture.names() == names)
        unsafe chmod(fixture.folder, 0o700)
    }
}
