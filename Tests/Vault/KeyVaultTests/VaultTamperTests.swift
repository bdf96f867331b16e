import Keys
import Testing

@testable import KeyVault

/// Edits by an attacker who has the file but no PIN. Each edit is refused where the row would be
/// used, and the error names the part that does not match.
struct VaultTamperTests {
    let fixture: VaultFixture
    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(3)
    }

    private func bucket(_ number: UInt8) throws -> Int {
        try VaultTable.entries.bucket(of: VaultFixture.name(number).text)
    }
    private func name(_ number: UInt8) throws -> EntryName { try VaultFixture.name(number) }

    private func lendError(_ number: UInt8) -> VaultError? {
        vaultError {
            let lent = try fixture.lend(number)
            #expect(lent == number)
        }
    }

    private func expectMismatch(_ number: UInt8, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let expected = VaultError.integrity(.manifestMismatch(.bucket(.entries, try bucket(number))))
        #expect(lendError(number) == expected, sourceLocation: sourceLocation)
        #expect(vaultError { _ = try fixture.unlock().entries() } != nil, sourceLocation: sourceLocation)
        // The edit stays detectable: no later writer authenticates it.
        let vault = try fixture.unlock()
        _ = try? vault.insert(VaultFixture.key(200), label: nil, createdAt: 0)
        #expect(lendError(number) == expected, sourceLocation: sourceLocation)
    }

    @Test func editedColumns() throws {
        for change in [
            "label = 'key X'", "label = NULL", "created_at = created_at + 1", "generation = generation - 1",
            "details = x'00'",
            "kind = 1", "nonce = zeroblob(24)", "sealed = zeroblob(48)", "sealed = x''", "kind = 77",
        ] {
            let whole = try VaultFixture.bytes(of: fixture.path)
            try fixture.tamper("UPDATE entries SET \(change) WHERE name = '\(try name(2))'")
            try expectMismatch(2)
            #expect(try lendError(1) == (bucket(1) == bucket(2) ? lendError(2) : nil))
            try VaultFixture.write(whole, to: fixture.path)
        }
    }

    @Test func malformedColumns() throws {
        for change in [
            "label = 'a' || char(27)", "label = char(8238)", "created_at = -1", "created_at = 1 << 60",
            "generation = -1", "kind = 256",
            "nonce = x'00'", "bucket = 700", "name = name || char(10)",
        ] {
            let whole = try VaultFixture.bytes(of: fixture.path)
            try fixture.tamper("UPDATE entries SET \(change) WHERE name = '\(try name(2))'")
            #expect(
                vaultError { _ = try fixture.open().unverifiedEntries() }
                    == .integrity(.damaged(.row(.entries))),
                "\(change)")
            #expect(lendError(2) != nil)
            #expect(vaultError { _ = try fixture.unlock().entries() } != nil)
            try VaultFixture.write(whole, to: fixture.path)
        }
    }

    @Test func swappedSecrets() throws {
        let (one, two) = (try name(1), try name(2))
        try fixture.tamper(
            """
            CREATE TEMP TABLE held AS SELECT name, nonce, sealed FROM entries;
            UPDATE entries SET (nonce, sealed) = (SELECT nonce, sealed FROM held WHERE name = '\(two)')
            WHERE name = '\(one)';
            UPDATE entries SET (nonce, sealed) = (SELECT nonce, sealed FROM held WHERE name = '\(one)')
            WHERE name = '\(two)';
            """)
        try expectMismatch(1)
        try expectMismatch(2)
    }

    @Test func swappedNames() throws {
        let (one, two) = (try name(1), try name(2))
        try fixture.tamper(
            """
            UPDATE entries SET name = 'x', bucket = 999 WHERE name = '\(one)';
            UPDATE entries SET name = '\(one)', bucket = \(try bucket(1)) WHERE name = '\(two)';
            UPDATE entries SET name = '\(two)', bucket = \(try bucket(2)) WHERE name = 'x';
            """)
        try expectMismatch(1)
        try expectMismatch(2)
    }

    @Test func graftedEntry() throws {
        let other = fixture.folder + "/other.db"
        try fixture.create(other)
        try fixture.unlock(other).insert(VaultFixture.key(9), label: nil, createdAt: 0)
        try fixture.tamper("ATTACH '\(other)' AS other; INSERT INTO entries SELECT * FROM other.entries")
        #expect(lendError(9) == .integrity(.manifestMismatch(.bucket(.entries, try bucket(9)))))
        // The manifest of the other vault does not match either.
        try fixture.tamper(
            "ATTACH '\(other)' AS other; DELETE FROM manifest; INSERT INTO manifest SELECT * FROM other.manifest"
        )
        #expect(vaultError { _ = try fixture.unlock() } == .integrity(.manifestMismatch(.root)))
        try fixture.tamper(
            "ATTACH '\(other)' AS other; DELETE FROM vault; INSERT INTO vault SELECT * FROM other.vault")
        #expect(vaultError { _ = try fixture.unlock() } == .integrity(.manifestMismatch(.root)))
    }

    @Test func deletedRow() throws {
        try fixture.tamper("DELETE FROM entries WHERE name = '\(try name(3))'")
        try expectMismatch(3)
    }

    @Test func deletedRowIsNotStoredAgain() throws {
        try fixture.tamper("DELETE FROM entries WHERE name = '\(try name(3))'")
        let vault = try fixture.unlock()
        #expect(
            vaultError { try vault.insert(VaultFixture.key(3), label: nil, createdAt: 0) }
                == .integrity(.manifestMismatch(.bucket(.entries, try bucket(3)))))
    }

    @Test func rolledBackRow() throws {
        // Two copies of one vault store the same key under different labels. Then the rows are
        // exchanged.
        let other = try fixture.copy("other.db")
        try fixture.unlock().insert(VaultFixture.key(5), label: Label("mine"), createdAt: 0)
        try fixture.unlock(other).insert(VaultFixture.key(5), label: Label("theirs"), createdAt: 0)
        try fixture.tamper(
            """
            ATTACH '\(other)' AS other;
            DELETE FROM entries WHERE label = 'mine';
            INSERT INTO entries SELECT * FROM other.entries WHERE label = 'theirs';
            """
        )
        try expectMismatch(5)
    }

    @Test func rolledBackVaultWhileUnlocked() throws {
        let old = try VaultFixture.bytes(of: fixture.path)
        let vault = try fixture.unlock()
        try vault.insert(VaultFixture.key(5), label: nil, createdAt: 0)
        // Written in place, so that the file keeps its identity.
        try VaultFixture.write(old, to: fixture.path)
        #expect(
            vaultError { _ = try vault.withKey(VaultFixture.publicKey(1)) { _ throws(VaultError) in } }
                == .integrity(.rolledBack(found: 4, seen: 5)))
    }

    @Test func editBetweenUnlockAndUse() throws {
        let vault = try fixture.unlock()
        try fixture.tamper("UPDATE entries SET label = 'key X' WHERE name = '\(try name(2))'")
        let expected = VaultError.integrity(.manifestMismatch(.bucket(.entries, try bucket(2))))
        #expect(
            vaultError { _ = try vault.withKey(VaultFixture.publicKey(2)) { _ throws(VaultError) in } }
                == expected)
        #expect(vaultError { _ = try vault.entries() } == expected)
        #expect(
            vaultError {
                _ = try vault.transaction { transaction throws(VaultError) in try transaction.entry("key 2") }
            } == expected)
    }

    @Test func editedManifestBetweenUnlockAndUse() throws {
        let vault = try fixture.unlock()
        try fixture.tamper("UPDATE vault SET generation = generation + 1")
        #expect(
            vaultError { _ = try VaultFixture.lend(1, of: vault) } == .integrity(.manifestMismatch(.root)))
        #expect(
            vaultError { try vault.insert(VaultFixture.key(7), label: nil, createdAt: 0) }
                == .integrity(.manifestMismatch(.root)))
        #expect(vaultError { _ = try vault.entries() } == .integrity(.manifestMismatch(.root)))
    }

    @Test func editedManifest() throws {
        for change in [
            "UPDATE vault SET generation = generation + 1", "UPDATE vault SET created_at = 0",
            "UPDATE vault SET vault_id = zeroblob(16)",
            "UPDATE vault SET root = zeroblob(32)", "UPDATE vault SET entry_count = 1",
            "UPDATE manifest SET leaves = zeroblob(8192) WHERE section = 3",
        ] {
            let whole = try VaultFixture.bytes(of: fixture.path)
            try fixture.tamper(change)
            #expect(
                vaultError { _ = try fixture.unlock() } == .integrity(.manifestMismatch(.root)), "\(change)")
            try VaultFixture.write(whole, to: fixture.path)
        }
        for change in [
            "DELETE FROM vault",
            "INSERT INTO vault SELECT 2, vault_id, created_at, generation, entry_count, root FROM vault",
            "UPDATE vault SET id = 2", "UPDATE vault SET root = x''", "UPDATE vault SET entry_count = -1",
        ] {
            let whole = try VaultFixture.bytes(of: fixture.path)
            try fixture.tamper(change)
            #expect(
                vaultError { _ = try fixture.unlock() } == .integrity(.damaged(.row(.vault))), "\(change)")
            try VaultFixture.write(whole, to: fixture.path)
        }
        for change in [
            "DELETE FROM manifest WHERE section = 8", "INSERT INTO manifest VALUES (0, x'')",
            "INSERT INTO manifest VALUES (10, x'')",
            "UPDATE manifest SET leaves = x'00'",
        ] {
            let whole = try VaultFixture.bytes(of: fixture.path)
            try fixture.tamper(change)
            #expect(
                vaultError { _ = try fixture.unlock() } == .integrity(.damaged(.row(.manifest))), "\(change)")
            try VaultFixture.write(whole, to: fixture.path)
        }
    }
}
