import Testing

@testable import KeyVault

/// A snapshot of a locked vault: everything that is read in it is of one state.
struct SnapshotTests {
    private struct Stopped: Error {}

    private let fixture: VaultFixture

    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(1)
    }

    private func record(in vault: borrowing UnlockedVault) -> VaultError? {
        do throws(VaultError) {
            try vault.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
                try transaction.record(.backedUp(generation: 7))
            }
            return nil
        } catch { return error }
    }

    @Test func isOfOneState() throws {
        let vault = try fixture.open()
        let other = try Vault.open(fixture.path, busyTimeout: 0).unlock(VaultFixture.pin())
        let entries = try vault.snapshot {
            let entries = try vault.unverifiedEntries()
            let failure = record(in: other)
            #expect(failure == .machine(.busy))
            #expect(try vault.unverifiedEntries() == entries)
            return entries
        }
        #expect(entries.count == 1)
        let failure = record(in: other)
        #expect(failure == nil)
    }

    /// A step that fails does not leave the file locked.
    @Test func endsAfterAnError() throws {
        let vault = try fixture.open()
        #expect(throws: Stopped.self) { try vault.snapshot { () throws -> Void in throw Stopped() } }
        let other = try Vault.open(fixture.path, busyTimeout: 0).unlock(VaultFixture.pin())
        let failure = record(in: other)
        #expect(failure == nil)
        #expect(try vault.unverifiedEntries().count == 1)
    }

    /// Nothing is written in a snapshot.
    @Test func allowsNoChange() throws {
        let unlocked = try fixture.unlock()
        let failure = try unlocked.vault.snapshot { record(in: unlocked) }
        #expect(failure != nil)
        let later = record(in: unlocked)
        #expect(later == nil)
    }
}
