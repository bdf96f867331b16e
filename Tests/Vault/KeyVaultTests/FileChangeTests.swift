import Glibc
import TestSupport
import Testing

@testable import KeyVault

/// What a long-lived process does after another process changed the file of its vault.
struct FileChangeTests {
    private let fixture: VaultFixture

    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(2)
    }

    private func generation() throws -> Int64 { try Manifest(in: fixture.open().connection).generation }

    private static func mustLock(_ change: FileChange) -> VaultError? {
        if case .mustLock(let error) = change { error } else { nil }
    }

    // MARK: - the unlocked vault

    @Test func otherChangesKeepTheVaultUnlocked() throws {
        let vault = try fixture.unlock()
        let before = try generation()
        #expect(try vault.fileChange() == .none(generation: before))
        let other = try fixture.unlock()
        try other.insert(VaultFixture.key(7), label: Label("new"), createdAt: VaultFixture.time)
        #expect(try vault.fileChange() == .none(generation: before + 1))
        try VaultFixture.change(other) { transaction in
            try transaction.rename(VaultFixture.name(1), to: Label("renamed"))
            try transaction.addSlot(VaultFixture.secret("battery staple"))
        }
        #expect(try vault.fileChange() == .none(generation: before + 2))
        #expect(try VaultFixture.lend(7, of: vault) == 7)
    }

    @Test func anotherMasterKeyOrSlotLocks() throws {
        let changes: [(inout VaultTransaction) throws -> Void] = [
            { try $0.rekey(under: VaultFixture.secret()) },
            { try $0.replaceOpenedSlot(by: VaultFixture.secret("battery staple")) },
        ]
        for change in changes {
            let vault = try fixture.unlock()
            try fixture.change(change)
            #expect(try Self.mustLock(vault.fileChange()) == .input(.slotChanged))
        }
    }

    /// Another process removed the slot that opened the vault.
    @Test func aRemovedSlotLocks() throws {
        try fixture.change { transaction in try transaction.addSlot(VaultFixture.secret("battery staple")) }
        let vault = try fixture.unlock()
        try fixture.change(by: "battery staple") { transaction in try transaction.removeSlot(0) }
        #expect(try Self.mustLock(vault.fileChange()) == .input(.slotChanged))
    }

    @Test func anEditedFileLocks() throws {
        let vault = try fixture.unlock()
        try fixture.tamper("UPDATE vault SET generation = generation + 1")
        #expect(try Self.mustLock(vault.fileChange()) == .integrity(.manifestMismatch(.root)))
    }

    @Test func anOlderCopyLocks() throws {
        let vault = try fixture.unlock()
        let before = try generation()
        let old = try VaultFixture.bytes(of: fixture.path)
        try vault.insert(VaultFixture.key(7), label: nil, createdAt: VaultFixture.time)
        try fixture.patch(0, old)
        let error = VaultError.integrity(
            .rolledBack(found: UInt64(before), seen: UInt64(before) + 1))
        #expect(try Self.mustLock(vault.fileChange()) == error)
    }

    @Test func anotherFileUnderTheNameLocks() throws {
        let vault = try fixture.unlock()
        let copy = try fixture.copy("copy.db")
        #expect(unsafe rename(copy, fixture.path) == 0)
        #expect(try Self.mustLock(vault.fileChange()) == .file(.replacedWhileOpening))
    }

    /// An error that proves nothing does not lock.
    @Test func aBusyFileIsTriedAgain() throws {
        let vault = try fixture.unlock()
        try vault.vault.setBusyTimeout(0)
        let other = try fixture.open()
        try other.connection.run("BEGIN EXCLUSIVE")
        #expect(vaultError { _ = try vault.fileChange() } == .machine(.busy))
        try other.connection.run("ROLLBACK")
        #expect(try Self.mustLock(vault.fileChange()) == nil)
        vault.custody.lock()
        #expect(vaultError { _ = try vault.fileChange() } == .input(.locked))
    }

    // MARK: - reviews

    @Test func reviewStateFollowsWhatReviewsRead() throws {
        let vault = try fixture.open()
        var state = try vault.unverifiedReviewState()
        #expect(try vault.unverifiedReviewState() == state)
        let changes: [(inout VaultTransaction) throws -> Void] = [
            { try $0.insert(VaultFixture.key(7), label: nil, createdAt: VaultFixture.time) },
            { try $0.rename(VaultFixture.name(1), to: Label("renamed")) },
            { try $0.remove(VaultFixture.name(2), neverBackedUp: true) },
            { try $0.set("name", to: [1]) },
        ]
        for (index, change) in changes.enumerated() {
            try fixture.change(change)
            let changed = try vault.unverifiedReviewState()
            #expect(changed != state, "\(index)")
            state = changed
        }
        // A record and a signature change nothing that reviews cache.
        let before = try generation()
        try fixture.change { transaction in try transaction.record(.exported(key: VaultFixture.name(1))) }
        #expect(try generation() == before + 1)
        #expect(try vault.unverifiedReviewState() == state)
    }
}
