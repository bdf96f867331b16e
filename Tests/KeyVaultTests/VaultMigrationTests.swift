import Keys
import SecureMemory
import TestSupport
import Testing

@testable import KeyVault

/// A vault that the program of format 1 wrote (Vectors/vault/README.md).
struct VaultMigrationTests {
    let fixture: VaultFixture
    private static let texts = [
        "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV",
        "EOS5p78kHbL33Rn3JWkTWRE2B9uz6gy4r1KbfAKLNQGE3ovMBS5bu",
        "EOS7krJyjdBTieurtDf38RBLmvq6iQcmgt7EjGZV4JFt4CQyumk8G",
    ]

    init() throws {
        fixture = try VaultFixture()
        try VaultFixture.write(repositoryFile("Vectors/vault/format-1.db"), to: fixture.path)
    }

    private func unlock() throws -> UnlockedVault { try fixture.open().unlock(VaultFixture.pin("a vault of format 1")) }

    private func expectKeys(_ vault: borrowing UnlockedVault) throws {
        for text in Self.texts {
            let key = try PublicKey(text)
            let lent = try vault.withoutRecord { (transaction: inout VaultTransaction) throws(VaultError) in
                try transaction.withKey(key) { key throws(VaultError) in key.publicKey }
            }
            #expect(lent == key)
        }
    }

    @Test func isReadWithoutMigrating() throws {
        let before = try VaultFixture.bytes(of: fixture.path)
        #expect(try Set(fixture.open().unverifiedEntries().map(\.name.text)) == Set(Self.texts))
        let vault = try unlock()
        let labels = try Dictionary(uniqueKeysWithValues: vault.entries().map { ($0.name.text, $0.label?.text) })
        #expect(labels == [Self.texts[0]: "key-1", Self.texts[1]: "key-2", Self.texts[2]: nil as String?])
        try expectKeys(vault)
        #expect(vault.vault.version == 1)
        #expect(try VaultFixture.bytes(of: fixture.path) == before)
    }

    @Test func migratesWithTheFirstChange() throws {
        try unlock().insert(VaultFixture.key(9), label: Label("new"), createdAt: 5)
        let vault = try unlock()
        #expect(vault.vault.version == 3)
        #expect(Array(try VaultFixture.bytes(of: fixture.path)[60..<64]) == [0, 0, 0, 3])
        #expect(try vault.entries().count == 4)
        try expectKeys(vault)
        #expect(try VaultFixture.lend(9, of: vault) == 9)
        let events = try VaultFixture.events(of: vault)
        #expect(events == [.migrated(from: 1), .created(key: try VaultFixture.name(9))])
    }

    @Test func staysFormat1WhenTheChangeFails() throws {
        let before = try VaultFixture.bytes(of: fixture.path)
        #expect(
            vaultError {
                try VaultFixture.change(unlock()) { _ in throw VaultError.input(.noSuchKey) }
            } == .input(.noSuchKey))
        #expect(try VaultFixture.bytes(of: fixture.path) == before)
    }

    /// Format 2 as it was first written must stay readable.
    @Test(arguments: ["a vault of format 2", "another way into it"])
    func readsTheFirstFormat2(_ pin: String) throws {
        try VaultFixture.write(repositoryFile("Vectors/vault/format-2-early.db"), to: fixture.path)
        let report = try fixture.open().check(UnlockMethod.pin(VaultFixture.pin(pin)))
        #expect(report.faults == [] && report.keyCount == 3 && report.recordCount == 7)
        let vault = try fixture.open().unlock(VaultFixture.pin(pin))
        try expectKeys(vault)
        try VaultFixture.change(vault) { transaction in
            for text in Self.texts {
                let key = try PublicKey(text)
                let isBackedUp = try transaction.isBackedUp(key)
                #expect(isBackedUp)
            }
        }
    }

    /// The root and each seal contain the version. A header with another version opens nothing.
    @Test func authenticatesTheHeadersVersion() throws {
        try fixture.patch(60, [0, 0, 0, 2])
        #expect(vaultError { _ = try unlock() } == .integrity(.manifestMismatch(.root)))
        let today = try VaultFixture()
        try today.createFilled(1)
        for version in UInt8(1)...2 {
            try today.patch(60, [0, 0, 0, version])
            #expect(vaultError { _ = try today.unlock() } == .integrity(.manifestMismatch(.root)))
        }
    }
}
