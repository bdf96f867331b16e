import Files
import Testing

@testable import KeyVault

/// Archives of a vault that gets a new master key, is restored, is rescued, or is seen by several
/// machines.
struct ArchiveHistoryTests {
    let fixture: VaultFixture
    let state: VaultFixture
    private var path: String { fixture.folder + "/one.archive" }
    private var other: String { fixture.folder + "/two.archive" }
    private var copy: String { fixture.folder + "/copy.db" }
    private var restored: String { fixture.folder + "/restored.db" }

    init() throws {
        (fixture, state) = (try VaultFixture(), try VaultFixture())
        try fixture.createFilled(3)
    }

    private func unlock(accepting: Bool = false) throws -> UnlockedVault {
        try Vault.open(
            fixture.path, witness: Witness(folder: state.folder), acceptRollback: accepting,
            clock: VaultFixture.clock
        ).unlock(VaultFixture.pin())
    }

    private func archive(to path: String) throws {
        _ = try unlock().archiveLog(to: NewFile(path, holding: .publicData))
    }

    private func insert(_ number: UInt8) throws {
        try unlock().insert(VaultFixture.key(number), label: nil, createdAt: 1)
    }

    private func rekey() throws {
        let secret = try VaultFixture.secret()
        try VaultFixture.change(unlock()) { transaction in try transaction.rekey(under: secret) }
    }

    private func report(_ paths: [String], vault: String? = nil) throws -> ArchiveReport {
        try fixture.unlock(vault).verify(paths.map { path throws(VaultError) in try AuditArchive(path) })
    }

    private func restore(to target: String? = nil) throws {
        _ = try Vault.restore(
            VaultImage(contentsOf: copy), to: target ?? restored,
            method: UnlockMethod.pin(VaultFixture.pin()),
            acceptRollback: true, clock: VaultFixture.clock)
    }

    @Test func newMasterKeys() throws {
        try archive(to: path)
        try rekey()
        #expect(try report([path]).isOK)
        try insert(10)
        try archive(to: other)
        try rekey()
        try rekey()
        #expect(try report([path, other]).isOK)
        let check = try fixture.open().check(UnlockMethod.pin(VaultFixture.pin()))
        #expect(check.faults.isEmpty && check.archives.count == 2)
    }

    /// A vault that is restored from a backup of before the archive still has the records, and does
    /// not refer to the archive.
    @Test func anOlderBackup() throws {
        _ = try unlock().backup(to: copy)
        try insert(10)
        try archive(to: path)
        try restore()
        let report = try report([path], vault: restored)
        #expect(report.files.map(\.fault) == [.notReferredTo] && report.missing.isEmpty)
        #expect(try fixture.unlock(restored).verifyLog { Issue.record("\($0)") } == 5)
        // It makes an archive of its own.
        let own = try fixture.unlock(restored).archiveLog(to: NewFile(other, holding: .publicData))
        #expect(own.first == 1 && own.last == 5)
        #expect(try self.report([other], vault: restored).isOK)
        #expect(
            vaultError { _ = try AuditArchive.consecutive([AuditArchive(path), AuditArchive(other)]) }
                == .input(.archivesNotConsecutive(last: 5, next: 1)))
    }

    @Test func aBackupOfAfterTheArchive() throws {
        try archive(to: path)
        _ = try unlock().backup(to: copy)
        try restore()
        #expect(try report([path], vault: restored).isOK)
        #expect(try report([], vault: restored).missing.map(\.last) == [4])
    }

    /// A file in use keeps its length. A vault that is restored has only the pages that it uses.
    @Test func aRestoredVaultIsSmall() throws {
        let small = try VaultFixture.bytes(of: fixture.path).count
        let vault = try unlock()
        try vault.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            for number in 0..<20_000 { try transaction.record(.backedUp(generation: Int64(number))) }
        }
        try archive(to: path)
        _ = try unlock().backup(to: copy)
        let large = try VaultFixture.bytes(of: copy).count
        #expect(large > 10 * small)
        try restore()
        #expect(try VaultFixture.bytes(of: restored).count <= small + 8 * 4_096)
        let check = try fixture.open(restored).check(UnlockMethod.pin(VaultFixture.pin()))
        #expect(check.faults.isEmpty && check.counts.keys == 3 && check.archives.count == 1)
        #expect(try report([path], vault: restored).isOK)
        for number in UInt8(1)...3 {
            #expect(try VaultFixture.lend(number, of: fixture.unlock(restored)) == number)
        }
        // A rescue expects the tables in the order of the schema.
        let roots = try fixture.open(restored).connection
        var pages: [Int64] = []
        try roots.query("SELECT rootpage FROM sqlite_schema ORDER BY rowid") { row throws(VaultError) in
            pages.append(row.integer(0) ?? 0)
        }
        #expect(pages == Array(2...Int64(VaultTable.all.count + 1)))
        // A change of the backup is refused before that.
        try fixture.tamper("UPDATE entries SET created_at = 9", path: copy)
        #expect(vaultError { try restore(to: fixture.folder + "/other.db") } == .integrity(.faulty(count: 4)))
    }

    /// The key of an archive of after `rekey` is in no earlier backup.
    @Test func aBackupOfBeforeTheMasterKey() throws {
        _ = try unlock().backup(to: copy)
        try rekey()
        try archive(to: path)
        try restore()
        #expect(try report([path], vault: restored).files.map(\.fault) == [.damaged(intactUpTo: nil)])
    }

    @Test func theWitnessSeesTheArchive() throws {
        try insert(10)
        let old = try VaultFixture.bytes(of: fixture.path)
        try archive(to: path)
        let new = try VaultFixture.bytes(of: fixture.path)
        try VaultFixture.write(old, to: fixture.path)
        #expect(vaultError { _ = try unlock() } == .integrity(.rolledBack(found: 5, seen: 6)))
        try VaultFixture.write(new, to: fixture.path)
        #expect(try unlock().archives().count == 1)
        try insert(11)
        #expect(try unlock().verifyLog { Issue.record("\($0)") } == 2)
    }

    /// A copy of before the archive that was changed since has another history.
    @Test func refusesAForkedCopy() throws {
        let old = try VaultFixture.bytes(of: fixture.path)
        try archive(to: path)
        try VaultFixture.write(old, to: fixture.path)
        for number in UInt8(20)...23 {
            try fixture.unlock().insert(VaultFixture.key(number), label: nil, createdAt: 0)
        }
        #expect(vaultError { _ = try unlock() } == .integrity(.forked))
        #expect(try fixture.rescue(witness: Witness(folder: state.folder)).history == .forked)
    }

    /// Another machine archived records that this one has not seen.
    @Test func aMachineThatSawAnArchivedRecord() throws {
        try insert(10)
        try fixture.unlock().insert(VaultFixture.key(11), label: nil, createdAt: 0)
        _ = try fixture.unlock().archiveLog(to: NewFile(path, holding: .publicData))
        #expect(try fixture.rescue(witness: Witness(folder: state.folder)).history == .newest)
        #expect(try unlock().archives().count == 1)
        try insert(12)
        #expect(try report([path]).isOK)
    }

    @Test func aRescueNamesTheArchives() throws {
        try archive(to: path)
        try insert(10)
        try archive(to: other)
        let report = try fixture.rescue(witness: Witness(folder: state.folder))
        #expect(report.archives == (try fixture.unlock().archives()))
        #expect(report.archives.map(\.last) == [4, 6] && report.isComplete && report.history == .newest)
        #expect(try fixture.unlock(fixture.folder + "/rescued.db").archives().isEmpty)
    }

    /// The list of archives continues in overflow pages.
    @Test func aRescueNamesManyArchives() throws {
        for number in 0..<400 {
            let vault = try unlock()
            try VaultFixture.change(vault) { transaction in try transaction.record(.backedUp(generation: 1)) }
            _ = try vault.archiveLog(to: NewFile(fixture.folder + "/\(number)", holding: .publicData))
        }
        #expect(try fixture.rescue(witness: Witness(folder: state.folder)).archives.count == 400)
    }
}
