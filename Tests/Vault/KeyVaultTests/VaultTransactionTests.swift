import CSQLite
import Glibc
import Keys
import SecureMemory
import TestSupport
import Testing

@testable import KeyVault

struct VaultTransactionTests {
    let fixture: VaultFixture
    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(2)
    }

    private enum CallerError: VaultFailure, Equatable {
        case vault(VaultError)
        case own
        init(vault error: VaultError) { self = .vault(error) }
    }

    // MARK: keys and labels

    @Test func refusesAKeyTwice() throws {
        let vault = try fixture.unlock()
        #expect(
            vaultError { try vault.insert(VaultFixture.key(1), label: nil, createdAt: 0) }
                == .input(.keyExists))
        #expect(
            vaultError {
                try vault.transaction { transaction throws(VaultError) in
                    try transaction.insert(Self.key(7), label: nil, createdAt: 0)
                    try transaction.insert(Self.key(7), label: nil, createdAt: 0)
                }
            } == .input(.keyExists))
        // The same number is a different key on the other curve.
        try vault.insert(VaultFixture.key(1, .r1), label: nil, createdAt: 0)
        #expect(try vault.entries().count == 3)
    }

    private static func key(_ number: UInt8) throws(VaultError) -> PrivateKey {
        do { return try VaultFixture.key(number) } catch { throw .input(.keyExists) }
    }

    @Test func refusesALabelTwice() throws {
        let vault = try fixture.unlock()
        #expect(
            vaultError { try vault.insert(VaultFixture.key(7), label: Label("key 1"), createdAt: 0) }
                == .input(.labelExists))
        try vault.insert(VaultFixture.key(7), label: Label("key 1 b"), createdAt: 0)
        #expect(try vault.entries().count == 3)
    }

    @Test(arguments: [-1, 253_402_300_800] as [Int64])
    func refusesATimeOutOfRange(_ time: Int64) throws {
        #expect(
            vaultError { try fixture.unlock().insert(VaultFixture.key(7), label: nil, createdAt: time) }
                == .machine(.timeOutOfRange))
    }

    @Test func findsByLabelAndByEveryFormOfTheKey() throws {
        let vault = try fixture.unlock()
        let key = try VaultFixture.publicKey(2)
        for text in ["key 2", key.text, key.canonicalText] {
            let entry = try vault.transaction { transaction throws(VaultError) in try transaction.entry(text)
            }
            #expect(entry.description.name == EntryName(key))
            #expect(try fixture.open().unverifiedEntry(text)?.name.text == key.text)
        }
        #expect(
            try vault.transaction { transaction throws(VaultError) in try transaction.entry(key) }.label?.text
                == "key 2")
        let missing = try VaultFixture.publicKey(99)
        for text in ["key 3", "", missing.text] {
            #expect(
                vaultError {
                    _ = try vault.transaction { transaction throws(VaultError) in try transaction.entry(text)
                    }
                } == .input(.noSuchKey))
            #expect(try fixture.open().unverifiedEntry(text) == nil)
        }
        #expect(
            vaultError { _ = try vault.withKey(missing) { _ throws(VaultError) in } } == .input(.noSuchKey))
    }

    // MARK: all or nothing

    @Test func undoesEverythingWhenItThrows() throws {
        let before = try VaultFixture.bytes(of: fixture.path)
        let vault = try fixture.unlock()
        #expect(throws: CallerError.own) {
            try vault.transaction { transaction throws(CallerError) in
                do throws(VaultError) { try transaction.insert(Self.key(7), label: nil, createdAt: 0) } catch
                {
                    throw .vault(error)
                }
                throw .own
            }
        }
        #expect(try VaultFixture.bytes(of: fixture.path) == before)
        #expect(fixture.names() == ["vault.db"])
        #expect(try VaultFixture.lend(1, of: vault) == 1)
    }

    @Test func carriesTheCallersError() throws {
        let vault = try fixture.unlock()
        let missing = try VaultFixture.publicKey(99)
        #expect(throws: CallerError.vault(.input(.noSuchKey))) {
            try vault.withKey(missing) { _ throws(CallerError) in }
        }
        let present = try VaultFixture.publicKey(1)
        #expect(throws: CallerError.own) {
            try vault.withKey(present) { _ throws(CallerError) in throw .own }
        }
    }

    @Test func usesAKeyOfTheSameTransaction() throws {
        let vault = try fixture.unlock()
        let publicKey = try VaultFixture.publicKey(7)
        let lent = try vault.transaction { transaction throws(VaultError) in
            try transaction.insert(Self.key(7), label: nil, createdAt: 0)
            return try transaction.withKey(publicKey) { key throws(VaultError) in
                key.withScalar { $0[byte: 31] }
            }
        }
        #expect(lent == 7)
        #expect(try fixture.lend(7) == 7)
    }

    @Test func countsGenerationsOnlyForChanges() throws {
        let vault = try fixture.unlock()
        let generation = { try fixture.open().connection.integer("SELECT generation FROM vault") }
        #expect(try generation() == 3)
        _ = try VaultFixture.lend(1, of: vault)
        #expect(try generation() == 3)
        try vault.insert(VaultFixture.key(7), label: nil, createdAt: 0)
        #expect(try generation() == 4)
    }

    @Test func storesManyInOneTransaction() throws {
        let vault = try fixture.unlock()
        try vault.transaction { transaction throws(VaultError) in
            for number in UInt8(10)...250 {
                try transaction.insert(Self.key(number), label: nil, createdAt: Int64(number))
            }
        }
        #expect(try vault.entries().count == 243)
        #expect(try fixture.lend(250) == 250)
    }

    // MARK: other processes

    @Test func reportsBusyWhileAnotherWrites() throws {
        let one = try fixture.unlock()
        let two = try fixture.open()
        try two.connection.run("BEGIN IMMEDIATE")
        #expect(
            vaultError { try one.insert(VaultFixture.key(7), label: nil, createdAt: 0) } == .machine(.busy))
        // A signature waits too; a list does not.
        #expect(vaultError { _ = try VaultFixture.lend(1, of: one) } == .machine(.busy))
        #expect(try fixture.open().unverifiedEntries().count == 2)
        try two.connection.run("ROLLBACK")
        try one.insert(VaultFixture.key(7), label: nil, createdAt: 0)
    }

    @Test func waitsForAnotherToFinish() throws {
        nonisolated(unsafe) let other = try Vault.open(fixture.path).connection
        try other.run("BEGIN IMMEDIATE")
        nonisolated(unsafe) var hasEnded = false
        let end = TestThread {
            usleep(150_000)
            hasEnded = (try? other.run("ROLLBACK")) != nil
        }
        // It waits as long as the other process takes.
        let waiting = try Vault.open(fixture.path, busyTimeout: SafetyLimit.milliseconds)
        try waiting.unlock(VaultFixture.pin()).insert(VaultFixture.key(7), label: nil, createdAt: 0)
        end.join()
        #expect(hasEnded)
        #expect(try fixture.lend(7) == 7)
    }

    @Test func seesChangesOfAnotherProcess() throws {
        let one = try fixture.unlock()
        let two = try fixture.unlock()
        try one.insert(VaultFixture.key(7), label: nil, createdAt: 0)
        #expect(try VaultFixture.lend(7, of: two) == 7)
        try two.insert(VaultFixture.key(8), label: nil, createdAt: 0)
        #expect(try VaultFixture.lend(8, of: one) == 8)
        #expect(
            vaultError { try one.insert(VaultFixture.key(8), label: nil, createdAt: 0) } == .input(.keyExists)
        )
    }

    @Test func aReadOnlyFileIsListedButNotUsed() throws {
        let vault = try Vault(VaultLocation(fixture.path), readOnly: true, busyTimeout: 200)
        #expect(try vault.unverifiedEntries().count == 2)
        let unlocked = try vault.unlock(VaultFixture.pin())
        #expect(try unlocked.entries().count == 2)
        #expect(vaultError { _ = try VaultFixture.lend(1, of: unlocked) } == .machine(.readOnly))
    }
}
