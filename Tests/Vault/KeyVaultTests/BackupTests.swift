import Files
import Glibc
import Keys
import SecureMemory
import Testing

@testable import KeyVault

/// A copy that is verified before it counts as a backup, and a vault restored from one.
struct BackupTests {
    let fixture: VaultFixture
    private var copy: String { fixture.folder + "/copy.db" }
    private var restored: String { fixture.folder + "/restored.db" }

    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(3)
    }

    private func backUp() throws -> BackupDescription { try fixture.unlock().backup(to: copy) }

    private func restore(
        _ path: String? = nil, to target: String? = nil, witness: Witness? = nil, accepting: Bool = false
    ) throws -> BackupDescription {
        try Vault.restore(
            VaultImage(contentsOf: path ?? copy), to: target ?? restored,
            method: UnlockMethod.pin(VaultFixture.pin()),
            witness: witness,
            acceptRollback: accepting, clock: VaultFixture.clock)
    }

    private func isBackedUp(_ number: UInt8, in path: String? = nil) throws -> Bool {
        var result = false
        try VaultFixture.change(fixture.unlock(path)) { transaction in
            result = try transaction.isBackedUp(VaultFixture.publicKey(number))
        }
        return result
    }

    @Test func containsTheKeysOfItsTime() throws {
        let before = try VaultFixture.bytes(of: fixture.path)
        #expect(try !isBackedUp(1))
        let backup = try backUp()
        #expect(backup.generation == 4 && backup.counts.keys == 3 && backup.size == before.count)
        #expect(try VaultFixture.bytes(of: copy) == before)
        #expect(try fixture.unlock().entries().count == 3)
        for number in UInt8(1)...3 { #expect(try isBackedUp(number)) }
        try fixture.unlock().insert(VaultFixture.key(9), label: nil, createdAt: 0)
        #expect(try !isBackedUp(9))
        #expect(try isBackedUp(1))
        #expect(try VaultFixture.events(of: fixture.unlock()).contains(.backedUp(generation: 4)))
        #expect(fixture.names() == ["copy.db", "vault.db"])
    }

    /// Before the unlock from the file, and after it from verified rows. A key of no vault has no
    /// status.
    @Test func eachKeyHasItsBackup() throws {
        func statuses() throws -> [[Bool?]] {
            try ([1, 9] as [UInt8]).map { number in
                let key = try VaultFixture.publicKey(number).text
                let verified = try? fixture.unlock().status(of: key)
                return [try fixture.open().unverifiedStatus(of: key)?.isBackedUp, verified?.isBackedUp]
            }
        }
        #expect(try statuses() == [[false, false], [nil, nil]])
        _ = try backUp()
        #expect(try statuses() == [[true, true], [nil, nil]])
        try fixture.unlock().insert(VaultFixture.key(9), label: nil, createdAt: 0)
        #expect(try statuses() == [[true, true], [false, false]])
        // An attacker can change the record of the backup. Only the unverified answer accepts it.
        try fixture.tamper(
            "UPDATE settings SET value = x'01ff00000000000000ff00000000000000' WHERE name = 'backup'")
        #expect(try statuses() == [[true, nil], [true, nil]])
    }

    @Test func overwritesNothing() throws {
        try VaultFixture.write([1, 2, 3], to: copy)
        #expect(vaultError { _ = try backUp() } == .file(.alreadyExists))
        #expect(try VaultFixture.bytes(of: copy) == [1, 2, 3])
        #expect(try !isBackedUp(1))
        try VaultFixture.write([1], to: restored)
        #expect(vaultError { _ = try restore(fixture.path) } == .file(.alreadyExists))
        #expect(try VaultFixture.bytes(of: restored) == [1])
    }

    @Test func refusesToBackUpAFaultyVault() throws {
        try fixture.tamper("UPDATE slot_copies SET checksum = x'00'")
        #expect(vaultError { _ = try backUp() } == .integrity(.faulty(count: 1)))
        #expect(fixture.names() == ["vault.db"])
        #expect(try !isBackedUp(1))
    }

    @Test func removesAFileThatReadsBackDifferently() throws {
        let location = try VaultLocation(copy)
        let made = try location.createFile([1, 2, 3])
        try location.readBack([1, 2, 3], of: made)
        try VaultFixture.write([1, 2, 4], to: copy)
        #expect(vaultError { try location.readBack([1, 2, 3], of: made) } == .file(.readBackDiffers))
        #expect(fixture.names() == ["vault.db"])
    }

    @Test func isConsistentWhileOthersWrite() throws {
        let writer = try fixture.unlock()
        try writer.vault.connection.run("BEGIN IMMEDIATE")
        try writer.vault.connection.run("UPDATE entries SET label = NULL")
        // The writer's lock does not block readers before it commits. Recording the backup must
        // wait for the lock, and the copy stays.
        #expect(vaultError { _ = try backUp() } == .file(.backupNotRecorded(.machine(.busy))))
        try writer.vault.connection.run("ROLLBACK")
        #expect(try restore().counts.keys == 3)
    }

    /// Another process adds a key between the reading of the vault and the writing of the copy.
    @Test func isOneStateWhileOthersCommit() throws {
        let before = try VaultFixture.bytes(of: fixture.path)
        var commits = 0
        let backup = try fixture.unlock().backup(to: copy) { _, _ in
            guard commits == 0 else { return }
            commits += 1
            do { try fixture.unlock().insert(VaultFixture.key(9), label: nil, createdAt: 0) } catch {
                Issue.record(error)
            }
        }
        #expect(commits == 1)
        #expect(
            backup
                == BackupDescription(
                    generation: 4, counts: EntryCounts(Array(repeating: .privateKey(.k1), count: 3)),
                    size: before.count, slots: [.pin]))
        #expect(try VaultFixture.bytes(of: copy) == before)
        #expect(try VaultFixture.lend(9, of: fixture.unlock()) == 9)
        // The copy lacks the new key, and the vault records that.
        for number in UInt8(1)...3 { #expect(try isBackedUp(number)) }
        #expect(try !isBackedUp(9))
        #expect(try restore().counts.keys == 3)
    }

    @Test(arguments: [0o400, 0o644, 0o777] as [mode_t])
    func restoresWithAnyMode(_ mode: mode_t) throws {
        _ = try backUp()
        fixture.setMode(mode, of: copy)
        let made = try restore()
        #expect(made.counts.keys == 3 && made.generation == 4)
        let vault = try fixture.unlock(restored)
        for number in UInt8(1)...3 {
            #expect(try VaultFixture.lend(number, of: vault) == number)
            #expect(try isBackedUp(number, in: restored))
        }
        #expect(try VaultFixture.events(of: vault).last == .restored(generation: 4))
    }

    @Test func restoresThroughALinkButNoOtherFileType() throws {
        _ = try backUp()
        let link = fixture.folder + "/link.db"
        #expect(unsafe symlink(copy, link) == 0)
        #expect(try restore(link).counts.keys == 3)
        #expect(vaultError { _ = try restore(fixture.folder) } == .file(.notARegularFile(.vault, .directory)))
        #expect(vaultError { _ = try restore("/dev/zero") } == .file(.notARegularFile(.vault, .other)))
        #expect(vaultError { _ = try restore(fixture.folder + "/none.db") } == .file(.noSuchFile))
        let pipe = fixture.folder + "/pipe"
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        #expect(vaultError { _ = try restore(pipe) } == .file(.notARegularFile(.vault, .other)))
    }

    @Test func refusesToRestoreAFaultyBackup() throws {
        _ = try backUp()
        let whole = try VaultFixture.bytes(of: copy)
        func expect(_ bytes: [UInt8], _ error: VaultError, _ what: String) throws {
            try VaultFixture.write(bytes, to: copy)
            #expect(vaultError { _ = try restore() } == error, "\(what)")
            #expect(!fixture.names().contains("restored.db"), "\(what)")
        }
        try expect([], .file(.notAVault(.empty)), "nothing")
        try expect([UInt8](repeating: 7, count: 9_000), .file(.notAVault(.notSQLite)), "noise")
        try expect(Array(whole.dropLast(4_096)), .integrity(.damaged(.pages)), "cut")
        let sealed = try fixture.open(fixture.path).connection.blob(
            "SELECT sealed FROM entries WHERE label = 'key 2'")
        let place = try #require(whole.indices.first { whole[$0...].starts(with: sealed) })
        var flipped = whole
        flipped[place] ^= 1
        try expect(flipped, .integrity(.faulty(count: 2)), "a flipped bit")
        try VaultFixture.write(whole, to: copy)
        // A failed unlock does not change a file that its owner may not write.
        unsafe chmod(copy, 0o400)
        #expect(
            vaultError {
                _ = try Vault.restore(
                    VaultImage(contentsOf: copy), to: restored,
                    method: UnlockMethod.pin(VaultFixture.pin("wrong one")))
            } == .input(.wrongUnlockMethod(.pin, damagedSlots: [])))
        #expect(!fixture.names().contains("restored.db"))
        #expect(try VaultFixture.bytes(of: copy) == whole)
    }

    /// A file and the journal of a change that a crash interrupted: the file alone has half of the
    /// change.
    @Test func refusesAnUnfinishedChange() throws {
        _ = try backUp()
        let writer = try fixture.open(copy)
        try writer.connection.run("PRAGMA cache_size = 1")
        try writer.connection.run("BEGIN IMMEDIATE")
        for _ in 0..<50 {
            try writer.connection.run("INSERT INTO audit (body, mac) VALUES (zeroblob(20000), x'')")
        }
        let crashed = fixture.folder + "/crashed.db"
        try VaultFixture.write(VaultFixture.bytes(of: copy), to: crashed)
        try VaultFixture.write(VaultFixture.bytes(of: copy + "-journal"), to: crashed + "-journal")
        try writer.connection.run("ROLLBACK")
        #expect(vaultError { _ = try restore(crashed) } == .file(.unfinishedChange))
    }

    @Test func reportsAnOlderBackup() throws {
        let state = try VaultFixture()
        let witness = Witness(folder: state.folder)
        _ = try backUp()
        let vault = try Vault.open(fixture.path, witness: witness, clock: VaultFixture.clock).unlock(
            VaultFixture.pin())
        try vault.insert(VaultFixture.key(9), label: nil, createdAt: 0)
        #expect(
            vaultError { _ = try restore(witness: witness) } == .integrity(.rolledBack(found: 4, seen: 6)))
        #expect(!fixture.names().contains("restored.db"))
        // The last backup made on this machine can be restored, and the report counts the changes
        // that it lacks. An earlier backup is refused.
        let last = fixture.folder + "/last.db"
        #expect(try vault.backup(to: last).generation == 6)
        try vault.insert(VaultFixture.key(10), label: nil, createdAt: 0)
        #expect(
            vaultError { _ = try restore(witness: witness) } == .integrity(.rolledBack(found: 4, seen: 8)))
        let made = try restore(last, to: fixture.folder + "/second.db", witness: witness)
        #expect(made.counts.keys == 4 && made.laterChanges == 1)
        #expect(try restore(witness: witness, accepting: true).counts.keys == 3)
        let again = try Vault.open(restored, witness: witness, clock: VaultFixture.clock).unlock(
            VaultFixture.pin())
        #expect(try again.entries().count == 3)
    }

    @Test func aFullDiskLeavesNoBackup() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            let fixture = try VaultFixture()
            try fixture.createFilled(2)
            let vault = try fixture.unlock()
            var room = rlimit(rlim_cur: 50_000, rlim_max: rlim_t.max)
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &room)
            let error = vaultError { _ = try vault.backup(to: fixture.folder + "/copy.db") }
            room.rlim_cur = rlim_t.max
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &room)
            guard error == .machine(.diskFull), fixture.names() == ["vault.db"] else { exit(2) }
            exit(0)
        }
    }
}
