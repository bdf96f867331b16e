import Glibc
import Keys
import SecureMemory
import Synchronization
import Testing

@testable import KeyVault

/// What this machine remembers of a vault makes it refuse an older copy.
struct WitnessTests {
    let fixture: VaultFixture
    let state: VaultFixture

    init() throws {
        fixture = try VaultFixture()
        state = try VaultFixture()
        try fixture.createFilled(2)
    }

    private func unlock(accepting: Bool = false) throws -> UnlockedVault {
        try Vault.open(
            fixture.path, witness: Witness(folder: state.folder), acceptRollback: accepting,
            clock: VaultFixture.clock
        )
        .unlock(VaultFixture.pin())
    }

    private func insert(_ number: UInt8) throws {
        try unlock().insert(VaultFixture.key(number), label: nil, createdAt: 0)
    }

    @Test func refusesAnOlderCopy() throws {
        try insert(10)
        let old = try VaultFixture.bytes(of: fixture.path)
        try insert(11)
        #expect(state.names().count == 1 && state.names().first?.utf8.count == 32)
        let new = try VaultFixture.bytes(of: fixture.path)
        try VaultFixture.write(old, to: fixture.path)
        #expect(vaultError { _ = try unlock() } == .integrity(.rolledBack(found: 4, seen: 5)))
        // The newer copy is still accepted.
        try VaultFixture.write(new, to: fixture.path)
        #expect(try VaultFixture.lend(11, of: unlock()) == 11)
        // After the rollback is accepted once, the older copy is the current vault.
        try VaultFixture.write(old, to: fixture.path)
        _ = try unlock(accepting: true)
        #expect(try VaultFixture.lend(10, of: unlock()) == 10)
    }

    /// A process that makes many changes writes the witness between them, or when it ends.
    @Test func isWrittenLater() throws {
        try insert(10)
        let path = try state.folder + "/" + #require(state.names().first)
        func generation() throws -> Int64? {
            Witness.Seen(text: try VaultFixture.bytes(of: path))?.generation
        }
        var vault: UnlockedVault? = try unlock()
        vault?.vault.defersWitness = true
        try vault?.insert(VaultFixture.key(11), label: nil, createdAt: 0)
        try vault?.insert(VaultFixture.key(12), label: nil, createdAt: 0)
        #expect(try generation() == 4)
        vault?.vault.writeWitness(after: 1_000)
        #expect(try generation() == 4)
        vault?.vault.writeWitness()
        #expect(try generation() == 6)
        // The clock is set back.
        let clock = try #require(vault?.vault.clock)
        try vault?.insert(VaultFixture.key(13), label: nil, createdAt: 0)
        vault?.vault.clock = VaultClock(now: { clock.now() - 3_600 }, wait: clock.wait)
        vault?.vault.writeWitness(after: 1_000)
        #expect(try generation() == 7)
        try vault?.insert(VaultFixture.key(14), label: nil, createdAt: 0)
        vault?.vault.clock = VaultClock(now: { clock.now() - 7_200 }, wait: clock.wait)
        vault = nil
        #expect(try generation() == 8)
    }

    /// A check that accepts an older copy records it in the witness, like every other command.
    @Test func aCheckThatAcceptsAnOlderCopyRemembersIt() throws {
        try insert(10)
        let old = try VaultFixture.bytes(of: fixture.path)
        try insert(11)
        try VaultFixture.write(old, to: fixture.path)
        func check(accepting: Bool) throws -> CheckReport {
            try Vault.open(
                fixture.path, witness: Witness(folder: state.folder), acceptRollback: accepting,
                clock: VaultFixture.clock
            )
            .check(UnlockMethod.pin(VaultFixture.pin()))
        }
        #expect(vaultError { _ = try check(accepting: false) } == .integrity(.rolledBack(found: 4, seen: 5)))
        #expect(try check(accepting: true).faults == [])
        #expect(try check(accepting: false).faults == [])
        #expect(try VaultFixture.lend(10, of: unlock()) == 10)
    }

    /// An older copy that was changed since has the same generation but another history.
    @Test func refusesAForkedCopy() throws {
        let old = try VaultFixture.bytes(of: fixture.path)
        try insert(10)
        try VaultFixture.write(old, to: fixture.path)
        for number in UInt8(20)...23 {
            try fixture.unlock().insert(VaultFixture.key(number), label: nil, createdAt: 0)
        }
        #expect(vaultError { _ = try unlock() } == .integrity(.forked))
        _ = try unlock(accepting: true)
        #expect(try VaultFixture.lend(20, of: unlock()) == 20)
    }

    /// An edited record is reported with its number. It can't be excluded that the log is another
    /// history.
    @Test func namesAnEditedRecord() throws {
        try insert(10)
        try fixture.unlock().insert(VaultFixture.key(11), label: nil, createdAt: 0)
        try fixture.tamper("UPDATE audit SET body = zeroblob(10) WHERE sequence = 5")
        #expect(vaultError { _ = try unlock() } == .integrity(.audit(.changed(sequence: 5))))
        let vault = try Vault.open(
            fixture.path, witness: Witness(folder: state.folder), clock: VaultFixture.clock)
        #expect(
            try vault.check(UnlockMethod.pin(VaultFixture.pin())).faults == [.audit(.changed(sequence: 5))])
        let unlocked = try vault.unlock(UnlockMethod.pin(VaultFixture.pin()), comparing: false)
        #expect(vaultError { try unlocked.compareWithWitness() } == .integrity(.audit(.changed(sequence: 5))))
    }

    @Test func followsANewMasterKey() throws {
        try insert(10)
        let method = try VaultFixture.secret()
        try fixture.change { transaction in try transaction.rekey(under: method) }
        #expect(try VaultFixture.lend(10, of: unlock()) == 10)
    }

    @Test func readsItsOwnLine() throws {
        let mac = String(repeating: "0f", count: 32)
        let seen = Witness.Seen(
            generation: 9, head: AuditHead(sequence: 8, mac: [UInt8](repeating: 15, count: 32)), backup: 7,
            since: 6)
        #expect(seen.text == "eosvault-witness 1 9 8 \(mac) 7 6\n")
        #expect(Witness.Seen(text: Array(seen.text.utf8)) == seen)
        for text in [
            "eosvault-witness 1 9 8 \(mac) 7\n", "eosvault-witness 2 9 8 \(mac) 7 6\n",
            "eosvault-witness 1 9 8 \(mac) 7 -6\n", "eosvault-witness 1 9 8 \(mac) -7 6\n",
            "eosvault-witness 1 9 8 \(mac) 7 6", "eosvault-witness 0 9 8 \(mac) 7 6\n",
            "eosvault-witness 1 9 8 \(mac) 7 6 5\n",
        ] {
            #expect(Witness.Seen(text: Array(text.utf8)) == nil)
        }
    }

    /// If it were ignored, every older copy would be accepted.
    @Test func refusesAMalformedWitness() throws {
        try insert(10)
        let path = state.folder + "/" + (try #require(state.names().first))
        for text in [
            "", "eosvault-witness 3 9 9 00 0\n", "eosvault-witness 2 9 9 00 0 0\n",
            "eosvault-witness 1 99 1 zz 0 0\n",
            String(repeating: "x", count: 5_000),
        ] {
            try VaultFixture.write(Array(text.utf8), to: path)
            #expect(vaultError { _ = try unlock() } == .integrity(.witnessUnreadable))
        }
        _ = try unlock(accepting: true)
        #expect(try VaultFixture.bytes(of: path).starts(with: "eosvault-witness 1 4 4 ".utf8))
        _ = try unlock()
    }

    @Test func reportsAFolderThatCanNotBeCreated() throws {
        try VaultFixture.write([], to: state.folder + "/file")
        let failures = Mutex<[Int32?]>([])
        let witness = Witness(folder: state.folder + "/file/below") { failure in
            failures.withLock { $0.append(failure) }
        }
        let vault = try Vault.open(fixture.path, witness: witness, clock: VaultFixture.clock)
        #expect(try VaultFixture.lend(1, of: vault.unlock(VaultFixture.pin())) == 1)
        #expect(failures.withLock { $0 } == [ENOTDIR])
    }

    @Test func findsTheDefaultFolder() throws {
        #expect(try Witness.defaultFolder(stateHome: "/s", home: "/h") == "/s/eosvault")
        #expect(try Witness.defaultFolder(stateHome: "/s", home: "h") == "/s/eosvault")
        #expect(try Witness.defaultFolder(stateHome: "", home: "/h") == "/h/.local/state/eosvault")
        #expect(try Witness.defaultFolder(stateHome: nil, home: nil) == nil)
        #expect(try Witness.defaultFolder(stateHome: "", home: "") == nil)
    }

    /// A relative path would mean another folder in each working directory.
    @Test func refusesARelativeFolder() {
        #expect(
            vaultError { _ = try Witness.defaultFolder(stateHome: "s", home: "/h") }
                == .machine(.relativeFolder(.stateHome)))
        #expect(
            vaultError { _ = try Witness.defaultFolder(stateHome: nil, home: "h") }
                == .machine(.relativeFolder(.home)))
    }

    /// Anyone who can write the folder can delete what this machine remembers.
    @Test(arguments: [0o720, 0o702, 0o777]) func refusesAFolderThatOthersMayWrite(_ mode: UInt32) throws {
        try insert(10)
        unsafe chmod(state.folder, mode)
        #expect(vaultError { _ = try unlock() } == .file(.permissionsTooOpen(.stateFolder, mode: mode)))
        unsafe chmod(state.folder, 0o700)
        _ = try unlock()
    }

    @Test func followsALinkedFolder() throws {
        try insert(10)
        let link = fixture.folder + "/link"
        unsafe symlink(state.folder, link)
        defer { unsafe unlink(link) }
        let witness = Witness(folder: link)
        try witness.verifyFolder()
        unsafe chmod(state.folder, 0o722)
        #expect(
            vaultError { try witness.verifyFolder() } == .file(.permissionsTooOpen(.stateFolder, mode: 0o722))
        )
        unsafe chmod(state.folder, 0o700)
        // A link in place of the file is not followed.
        let path = state.folder + "/" + (try #require(state.names().first))
        unsafe rename(path, state.folder + "/moved")
        unsafe symlink("moved", path)
        #expect(vaultError { _ = try unlock() } == .integrity(.witnessUnreadable))
    }

    @Test func refusesAFileThatOthersMayWrite() throws {
        try insert(10)
        let path = state.folder + "/" + (try #require(state.names().first))
        unsafe chmod(path, 0o620)
        #expect(vaultError { _ = try unlock() } == .integrity(.witnessUnreadable))
        unsafe chmod(path, 0o644)
        _ = try unlock()
    }

    @Test func refusesAFolderOfAnotherUser() throws {
        // The root folder belongs to root. As root, the test gives a folder to another user,
        // because no folder of another user exists on every machine.
        guard geteuid() != 0 else {
            #expect(unsafe chown(state.folder, 12_345, 12_345) == 0)
            #expect(
                vaultError { try Witness(folder: state.folder).verifyFolder() }
                    == .file(.notOwned(.stateFolder, owner: 12_345)))
            #expect(unsafe chown(state.folder, 0, 0) == 0)
            return
        }
        #expect(
            vaultError { try Witness(folder: "/").verifyFolder() } == .file(.notOwned(.stateFolder, owner: 0))
        )
    }
}
