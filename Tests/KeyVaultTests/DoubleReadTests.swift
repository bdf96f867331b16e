import CSQLite
import Curves
import Glibc
import SecureMemory
import Testing

@testable import KeyVault

/// An attacker writes to the file during a change, between two readings of the same rows. Only the
/// rows of the verified reading may be authenticated.
struct DoubleReadTests {
    let fixture: VaultFixture

    init() throws { fixture = try VaultFixture() }

    /// Writes pages into the file right before a statement reads it for the `count`th time.
    /// SQLite's cache is written out and emptied first, as if the header suggested a cache of one
    /// page.
    private final class Edit {
        let handle: OpaquePointer
        let path: String
        let sql: String
        var left: Int
        let pages: [Int: [UInt8]]
        var isDone = false

        init(_ vault: Vault, path: String, sql: String, before count: Int, pages: [Int: [UInt8]]) throws {
            handle = try #require(Mirror(reflecting: vault.connection).descendant("handle") as? OpaquePointer)
            (self.path, self.sql, self.pages, left) = (path, sql, pages, count)
            unsafe sqlite3_trace_v2(
                handle, UInt32(SQLITE_TRACE_STMT),
                { _, context, statement, _ in
                    guard let context, let statement else { return 0 }
                    let edit = unsafe Unmanaged<Edit>.fromOpaque(context).takeUnretainedValue()
                    edit.look(at: unsafe String(cString: sqlite3_sql(OpaquePointer(statement))))
                    return 0
                }, Unmanaged.passUnretained(self).toOpaque())
        }

        private func look(at statement: String) {
            guard statement == sql else { return }
            left -= 1
            guard left == 0 else { return }
            unsafe sqlite3_db_cacheflush(handle)
            unsafe sqlite3_db_release_memory(handle)
            // A second descriptor in this process: closing it drops SQLite's locks, which no other
            // process needs here.
            let file = unsafe open(path, O_WRONLY)
            for (number, content) in pages { unsafe pwrite(file, content, content.count, (number - 1) * 4_096) }
            close(file)
            isDone = true
        }
    }

    private func page(_ number: Int, of bytes: [UInt8]) -> [UInt8] {
        Array(bytes[(number - 1) * 4_096..<number * 4_096])
    }

    private static let settings = "SELECT name, value FROM settings ORDER BY name"
    private static let slots = "SELECT id, body, checksum FROM slots ORDER BY id"

    /// An older copy of the settings, inserted before any one of their readings. The rekey or a
    /// later reader refuses it.
    @Test(arguments: 1...6)
    func aRekeyAuthenticatesNoEdit(before count: Int) throws {
        try fixture.createFilled(1)
        _ = try fixture.unlock().backup(to: fixture.folder + "/first.db")
        let number = try fixture.rootPage("settings")
        let old = page(number, of: try VaultFixture.bytes(of: fixture.path))
        try fixture.unlock().insert(VaultFixture.key(2), label: nil, createdAt: 0)
        _ = try fixture.unlock().backup(to: fixture.folder + "/second.db")
        let mark = try fixture.unlock().view { transaction throws(VaultError) in try transaction.lastBackup() }
        let vault = try fixture.unlock()
        let method = try VaultFixture.secret()
        let edit = try Edit(vault.vault, path: fixture.path, sql: Self.settings, before: count, pages: [number: old])
        let error = vaultError {
            try VaultFixture.change(vault) { transaction in try transaction.rekey(under: method) }
        }
        withExtendedLifetime(edit) {}
        let after = try? fixture.unlock().view { transaction throws(VaultError) in try transaction.lastBackup() }
        #expect(error != nil || after == nil || after == mark, "the older mark is authenticated")
    }

    /// A removed slot, put back right before any reading of the slots.
    @Test(arguments: 1...16)
    func aRemovedSlotIsNotAuthenticated(before count: Int) throws {
        try fixture.createFilled(1)
        try fixture.change { transaction in try transaction.addSlot(VaultFixture.secret("the second one")) }
        let whole = try VaultFixture.bytes(of: fixture.path)
        let numbers = try [fixture.rootPage("slots"), fixture.rootPage("slot_copies")]
        let vault = try fixture.unlock()
        let edit = try Edit(
            vault.vault, path: fixture.path, sql: Self.slots, before: count,
            pages: Dictionary(uniqueKeysWithValues: numbers.map { ($0, page($0, of: whole)) }))
        let error = vaultError { try VaultFixture.change(vault) { transaction in try transaction.removeSlot(1) } }
        withExtendedLifetime(edit) {}
        guard error == nil else { return }
        let second = vaultError { _ = try fixture.open().unlock(VaultFixture.pin("the second one")) }
        #expect(second != nil, "the removed slot opens the vault")
    }

    /// A change continues with the pages that it verified: the header can't request a cache of one
    /// page.
    @Test func ignoresTheCacheSizeInTheHeader() throws {
        try fixture.createFilled(1)
        let whole = try VaultFixture.bytes(of: fixture.path)
        for offset in 48...51 {
            try VaultFixture.write(whole, to: fixture.path)
            try fixture.patch(offset, [1])
            #expect(vaultError { _ = try fixture.open() } == .damaged(.header(offset: offset)))
        }
        try VaultFixture.write(whole, to: fixture.path)
        #expect(try fixture.open().connection.integer("PRAGMA cache_size") == -2_000)
    }
}
