import Glibc
import Keys
import Testing

@testable import KeyVault

/// A process that makes many changes keeps its journal between them.
struct KeptJournalTests {
    private let fixture: VaultFixture
    private var journal: String { fixture.path + "-journal" }

    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(2)
    }

    private func unlock() throws -> UnlockedVault {
        let vault = try fixture.open()
        try vault.keepJournal(true)
        return try vault.unlock(VaultFixture.pin())
    }

    private static func insert(_ number: UInt8, _ vault: borrowing UnlockedVault) throws {
        try vault.insert(VaultFixture.key(number), label: nil, createdAt: VaultFixture.time)
    }

    @Test func otherProcessesUseTheVault() throws {
        let vault = try unlock()
        for number in UInt8(10)..<13 {
            try Self.insert(number, vault)
            #expect(fixture.names() == ["vault.db", "vault.db-journal"])
            #expect(try VaultFixture.bytes(of: journal).prefix(28).allSatisfy { $0 == 0 })
            #expect(try fixture.lend(number) == number)
            let report = try fixture.open().check(UnlockMethod.pin(VaultFixture.pin()))
            #expect(report.faults.isEmpty)
            // Another process removes the journal after its own change.
            try Self.insert(number + 100, fixture.unlock())
            #expect(fixture.names() == ["vault.db"])
        }
        try Self.insert(13, vault)
        #expect(fixture.names() == ["vault.db", "vault.db-journal"])
        try vault.vault.keepJournal(false)
        #expect(fixture.names() == ["vault.db"])
        try Self.insert(14, vault)
        #expect(fixture.names() == ["vault.db"])
        #expect(try fixture.unlock().entries().count == 10)
    }

    /// A process that was killed leaves the journal. The next one needs no playback.
    @Test func theJournalOfAProcessThatEndedIsIgnored() throws {
        try Self.insert(10, unlock())
        #expect(fixture.names() == ["vault.db", "vault.db-journal"])
        let before = try VaultFixture.bytes(of: fixture.path)
        #expect(try fixture.lend(10) == 10)
        #expect(try VaultFixture.bytes(of: fixture.path) == before)
        let copy = try fixture.copy("copy.db")
        try VaultFixture.write(VaultFixture.bytes(of: journal), to: copy + "-journal")
        #expect(try VaultFixture.lend(10, of: fixture.unlock(copy)) == 10)
        let report = try fixture.rescue()
        #expect(report.rescued.count == 3 && report.isVerified)
    }

    /// A writer was killed while it changed the file. Its journal begins where an earlier, longer
    /// one was.
    @Test func aCrashRollsBack() throws {
        let writer = try fixture.open()
        try writer.keepJournal(true)
        let unlocked = try writer.unlock(VaultFixture.pin())
        for number in UInt8(10)..<40 { try Self.insert(number, unlocked) }
        let crashed = fixture.folder + "/crashed.db"
        let expected = try fixture.unlock().entries()
        let connection = writer.connection
        try connection.run("PRAGMA cache_size = 1")
        try connection.run("BEGIN IMMEDIATE")
        try connection.run("UPDATE entries SET label = NULL")
        for _ in 0..<50 {
            try connection.run("INSERT INTO audit (body, mac) VALUES (zeroblob(20000), x'')")
        }
        try VaultFixture.write(VaultFixture.bytes(of: fixture.path), to: crashed)
        try VaultFixture.write(VaultFixture.bytes(of: journal), to: crashed + "-journal")
        try connection.run("ROLLBACK")
        #expect(try VaultFixture.bytes(of: crashed) != VaultFixture.bytes(of: fixture.path))
        #expect(try fixture.unlock(crashed).entries() == expected)
        #expect(try fixture.open(crashed).check(UnlockMethod.pin(VaultFixture.pin())).faults.isEmpty)
        #expect(try VaultFixture.lend(39, of: unlocked) == 39)
    }

    @Test func aFullDiskLeavesTheVaultUnchanged() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            let fixture = try VaultFixture()
            try fixture.createFilled(2)
            let vault = try fixture.unlock()
            try vault.vault.keepJournal(true)
            var refusals = 0
            for (index, limit) in [0, 100, 600, 4_096, 5_000, 9_000, 20_000, 1 << 20, 0].enumerated() {
                let before = try VaultFixture.bytes(of: fixture.path)
                var room = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t.max)
                unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &room)
                let error = vaultError { try Self.insert(UInt8(10 + index), vault) }
                room.rlim_cur = rlim_t.max
                unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &room)
                if let error {
                    refusals += 1
                    guard error == .machine(.diskFull) else { exit(3) }
                    guard try fixture.unlock().entries().count == (index < 8 ? 2 : 3) else { exit(4) }
                    guard try VaultFixture.bytes(of: fixture.path) == before else { exit(5) }
                } else {
                    guard try fixture.unlock().entries().count == 3 else { exit(6) }
                }
            }
            guard refusals == 8 else { exit(7) }
            exit(0)
        }
    }
}
