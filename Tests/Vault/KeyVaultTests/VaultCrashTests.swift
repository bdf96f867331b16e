import CSQLite
import Glibc
import Keys
import Testing

@testable import KeyVault

/// Crashes, full disks and bad disks: no acknowledged change is lost, and the vault opens.
struct VaultCrashTests {
    let fixture: VaultFixture
    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(2)
    }

    private var crashed: String { fixture.folder + "/crashed.db" }

    /// `crashed.db` is the vault of a writer that was killed during a write, with its journal next
    /// to it.
    private func crash() throws {
        let writer = try fixture.open()
        try writer.connection.run("PRAGMA cache_size = 1")
        try writer.connection.run("BEGIN IMMEDIATE")
        try writer.connection.run("UPDATE entries SET label = NULL")
        // More pages than the cache has. SQLite writes changed pages into the file before the end
        // of the transaction.
        for _ in 0..<50 {
            try writer.connection.run("INSERT INTO audit (body, mac) VALUES (zeroblob(20000), x'')")
        }
        try VaultFixture.write(VaultFixture.bytes(of: fixture.path), to: crashed)
        try VaultFixture.write(VaultFixture.bytes(of: fixture.path + "-journal"), to: crashed + "-journal")
        try writer.connection.run("ROLLBACK")
    }

    /// The journal of a killed writer is played back, and the vault is as before the change.
    @Test func rollsBackAfterACrash() throws {
        let before = try VaultFixture.bytes(of: fixture.path)
        try crash()
        #expect(try VaultFixture.bytes(of: crashed) != before)
        try expectPlayedBack(before.count)
    }

    private func expectPlayedBack(_ length: Int) throws {
        #expect(try VaultFixture.lend(1, of: fixture.unlock(crashed)) == 1)
        #expect(try fixture.unlock(crashed).entries() == fixture.unlock().entries())
        // Pages on the list of free pages may differ.
        #expect(try VaultFixture.bytes(of: crashed).count == length)
        #expect(fixture.names() == ["crashed.db", "vault.db"])
    }

    /// A half-written first page, with zeros or other bytes: its old content is in the journal.
    @Test(arguments: [100, 512, 2_048, 4_096], [0, 0xff, 0x21, 0x53] as [UInt8])
    func rollsBackATornFirstPage(_ count: Int, _ byte: UInt8) throws {
        let length = try VaultFixture.bytes(of: fixture.path).count
        try crash()
        var torn = try VaultFixture.bytes(of: crashed)
        torn.replaceSubrange(0..<count, with: [UInt8](repeating: byte, count: count))
        try VaultFixture.write(torn, to: crashed)
        try expectPlayedBack(length)
    }

    /// A crash before the journal was synced: SQLite has not changed the vault yet. The journal may
    /// end anywhere, its number of records may be 0, and a sector of it may be missing.
    @Test func aTornJournalLeavesTheVault() throws {
        let before = try VaultFixture.bytes(of: fixture.path)
        try crash()
        let journal = try VaultFixture.bytes(of: crashed + "-journal")
        var torn = [0, 1, 8, 16, 27, 28, 100, 511, 512, 516, 2_000, 5_000, journal.count - 1].map {
            Array(journal.prefix($0))
        }
        for range in [8..<12, 512..<1_024, 1_024..<1_536] {
            var other = journal
            other.replaceSubrange(range, with: [UInt8](repeating: 0, count: range.count))
            torn.append(other)
            torn.append(Array(other.prefix(3_000)))
        }
        for journal in torn {
            try VaultFixture.write(before, to: crashed)
            try VaultFixture.write(journal, to: crashed + "-journal")
            #expect(try VaultFixture.lend(1, of: fixture.unlock(crashed)) == 1, "\(journal.count)")
            #expect(try fixture.open(crashed).check(UnlockMethod.pin(VaultFixture.pin())).faults.isEmpty)
            #expect(try VaultFixture.bytes(of: crashed).count == before.count)
        }
    }

    /// A header whose first sector is half written has no valid size: nothing is played back.
    @Test func aHalfWrittenHeaderChangesNothing() throws {
        let before = try VaultFixture.bytes(of: fixture.path)
        try crash()
        var journal = try VaultFixture.bytes(of: crashed + "-journal")
        for count in [20, 16, 12] {
            journal.replaceSubrange(28 - count..<28, with: [UInt8](repeating: 0, count: count))
            try VaultFixture.write(before, to: crashed)
            try VaultFixture.write(journal, to: crashed + "-journal")
            #expect(vaultError { _ = try fixture.open(crashed) } == .file(.strayJournal))
            #expect(try VaultFixture.bytes(of: crashed) == before)
            #expect(try VaultFixture.bytes(of: crashed + "-journal") == journal)
        }
    }

    @Test func refusesATornFirstPageWithoutItsJournal() throws {
        try crash()
        var torn = try VaultFixture.bytes(of: crashed)
        torn.replaceSubrange(16..<100, with: [UInt8](repeating: 0, count: 84))
        let journal = try VaultFixture.bytes(of: crashed + "-journal")
        // No journal, an empty one, a finished one, and a file that is not a journal.
        for journal in [
            nil, [], [UInt8](repeating: 0, count: journal.count), [UInt8](repeating: 7, count: 600),
        ] {
            try VaultFixture.write(torn, to: crashed)
            unsafe unlink(crashed + "-journal")
            if let journal { try VaultFixture.write(journal, to: crashed + "-journal") }
            #expect(vaultError { _ = try fixture.open(crashed) } == .file(.notAVault(.applicationID(0))))
        }
    }

    @Test func anEmptyFileKeepsItsJournal() throws {
        try crash()
        try VaultFixture.write([], to: crashed)
        #expect(vaultError { _ = try fixture.open(crashed) } == .file(.notAVault(.empty)))
        #expect(fixture.names() == ["crashed.db", "crashed.db-journal", "vault.db"])
    }

    @Test func aFullDiskLeavesTheVaultUnchanged() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            let fixture = try VaultFixture()
            try fixture.createFilled(2)
            var refusals = 0
            // Room for nothing, for a part of the journal, for the whole journal, and for
            // everything.
            for limit in [0, 100, 600, 4_096, 5_000, 9_000, 20_000, 40_000, 1 << 20] {
                let before = try VaultFixture.bytes(of: fixture.path)
                let count = try fixture.unlock().entries().count
                let vault = try fixture.unlock()
                let key = try PrivateKey.generate(.k1)
                var room = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t.max)
                unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &room)
                let error = vaultError { try vault.insert(key, label: nil, createdAt: 0) }
                room.rlim_cur = rlim_t.max
                unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &room)
                let after = try fixture.unlock().entries().count
                guard fixture.names() == ["vault.db"] else { exit(2) }
                if let error {
                    refusals += 1
                    guard error == .machine(.diskFull) else { exit(3) }
                    guard after == count, try VaultFixture.bytes(of: fixture.path) == before else { exit(4) }
                } else {
                    guard after == count + 1 else { exit(5) }
                }
            }
            guard refusals >= 5 else { exit(6) }
            var room = rlimit(rlim_cur: 5_000, rlim_max: rlim_t.max)
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &room)
            guard vaultError({ try fixture.create(fixture.folder + "/new.db") }) == .machine(.diskFull) else {
                exit(7)
            }
            guard fixture.names() == ["vault.db"] else { exit(8) }
            exit(0)
        }
    }

    @Test func aFailedWriteFailsTheTransaction() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            let fixture = try VaultFixture()
            try fixture.createFilled(2)
            let before = try VaultFixture.bytes(of: fixture.path)
            let vault = try fixture.unlock()
            try vault.vault.connection.run("PRAGMA cache_size = 1")
            var failures = 0
            let error = vaultError {
                try vault.transaction { transaction throws(VaultError) in
                    var room = rlimit(rlim_cur: 600, rlim_max: rlim_t.max)
                    unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &room)
                    for number in UInt8(10)...200 {
                        do throws(VaultError) {
                            let key: PrivateKey
                            do { key = try VaultFixture.key(number) } catch { throw .input(.pinEmpty) }
                            try transaction.insert(key, label: nil, createdAt: 0)
                        } catch {
                            failures += 1
                        }
                    }
                    room.rlim_cur = rlim_t.max
                    unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &room)
                }
            }
            guard failures > 0 else { exit(2) }
            guard error == .machine(.diskFull) else { exit(3) }
            guard try fixture.unlock().entries().count == 2,
                try VaultFixture.bytes(of: fixture.path) == before
            else {
                exit(4)
            }
            exit(0)
        }
    }

    // MARK: a bad disk, by SQLite's system calls

    private static func replace(_ name: String, with function: sqlite3_syscall_ptr?) {
        let vfs = unsafe sqlite3_vfs_find("unix")
        _ = unsafe vfs?.pointee.xSetSystemCall(vfs, name, function)
    }

    /// The journal is deleted and the change is made, but the folder can't be synced.
    @Test func reportsAnUncertainCommit() async {
        await #expect(processExitsWith: .success) {
            let fixture = try VaultFixture()
            try fixture.createFilled(2)
            let vault = try fixture.unlock()
            // A descriptor that fsync refuses.
            let openDirectory: @convention(c) (UnsafePointer<CChar>?, UnsafeMutablePointer<CInt>?) -> CInt = {
                _, descriptor in
                unsafe descriptor?.pointee = open("/dev/null", O_RDONLY | O_CLOEXEC)
                return 0
            }
            Self.replace(
                "openDirectory", with: unsafe unsafeBitCast(openDirectory, to: sqlite3_syscall_ptr.self))
            guard
                vaultError({ try vault.insert(VaultFixture.key(7), label: nil, createdAt: 0) })
                    == .machine(.commitUncertain)
            else { exit(2) }
            // A transaction without changes can't be uncertain.
            guard try VaultFixture.lend(1, of: vault) == 1 else { exit(3) }
            Self.replace("openDirectory", with: nil)
            guard try fixture.lend(7) == 7, try VaultFixture.lend(7, of: vault) == 7 else { exit(4) }
            try vault.insert(VaultFixture.key(8), label: nil, createdAt: 0)
            guard try vault.entries().count == 4 else { exit(5) }
            exit(0)
        }
    }

    /// The only page on which SQLite's reads fail. It is set once, before any thread reads it.
    nonisolated(unsafe) private static var badOffset: off_t = -1

    @Test func survivesAnUnreadableSector() async {
        await #expect(processExitsWith: .success) {
            let fixture = try VaultFixture()
            try fixture.createFilled(2)
            let pages = try ["slots", "slot_copies", "entries"].map { name in
                try fixture.open().connection.integer(
                    "SELECT rootpage FROM sqlite_schema WHERE name = ?1", [.text(name)])
            }
            let positioned: @convention(c) (CInt, UnsafeMutableRawPointer?, Int, off_t) -> Int = {
                descriptor, bytes, count, offset in
                guard unsafe offset != Self.badOffset else {
                    errno = EIO
                    return -1
                }
                return unsafe pread(descriptor, bytes, count, offset)
            }
            let plain: @convention(c) (CInt, UnsafeMutableRawPointer?, Int) -> Int = {
                descriptor, bytes, count in
                guard unsafe lseek(descriptor, 0, SEEK_CUR) != Self.badOffset else {
                    errno = EIO
                    return -1
                }
                return unsafe read(descriptor, bytes, count)
            }
            let vfs = unsafe sqlite3_vfs_find("unix")
            for name in ["pread", "pread64"] where unsafe vfs?.pointee.xGetSystemCall(vfs, name) != nil {
                Self.replace(name, with: unsafe unsafeBitCast(positioned, to: sqlite3_syscall_ptr.self))
            }
            Self.replace("read", with: unsafe unsafeBitCast(plain, to: sqlite3_syscall_ptr.self))
            for (index, page) in pages.enumerated() {
                unsafe Self.badOffset = off_t((page ?? 1) - 1) * 4_096
                let error = vaultError {
                    let lent = try fixture.lend(1)
                    guard lent == 1 else { exit(2) }
                }
                // The slots have a second copy; the entries have none.
                guard error == (index < 2 ? nil : .integrity(.damaged(.pages))) else {
                    exit(Int32(10 + index))
                }
            }
            exit(0)
        }
    }
}
