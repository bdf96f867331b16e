import Keys
import Testing

@testable import KeyVault

/// Values that depend on more than one row: labels, and the number of entries.
struct VaultLabelTests {
    let fixture: VaultFixture
    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(3)
    }

    private func name(_ number: UInt8) throws -> EntryName { try VaultFixture.name(number) }

    private func lookUp(_ text: String) throws -> EntryDescription {
        try fixture.unlock().transaction { transaction throws(VaultError) in
            try transaction.entry(text).description
        }
    }

    private func mismatch(_ label: String) -> VaultError {
        .integrity(.manifestMismatch(.bucket(.labels, VaultTable.labels.bucket(of: label))))
    }

    @Test(arguments: [
        "DELETE FROM labels", "DELETE FROM labels WHERE label = 'key 2'",
        "UPDATE labels SET label = 'x' WHERE label = 'key 2'",
    ])
    func aHiddenLabelIsNotMissing(_ change: String) throws {
        try fixture.tamper(change)
        #expect(vaultError { _ = try lookUp("key 2") } == mismatch("key 2"))
        #expect(vaultError { _ = try fixture.unlock().entries() } != nil)
    }

    @Test(arguments: [
        "DELETE FROM labels", "DELETE FROM labels WHERE label = 'key 2'",
        "UPDATE labels SET label = 'x' WHERE label = 'key 2'",
    ])
    func aHiddenLabelIsNotGivenAgain(_ change: String) throws {
        try fixture.tamper(change)
        let vault = try fixture.unlock()
        #expect(
            vaultError { try vault.insert(VaultFixture.key(7), label: Label("key 2"), createdAt: 0) }
                == mismatch("key 2"))
        #expect(try fixture.open().unverifiedEntries().count == 3)
    }

    @Test func refusesALabelOfAnotherKey() throws {
        try fixture.tamper("UPDATE labels SET name = '\(name(1))' WHERE label = 'key 2'")
        #expect(
            vaultError { _ = try fixture.open().unverifiedEntry("key 2") }
                == .integrity(.damaged(.row(.labels))))
        #expect(vaultError { _ = try lookUp("key 2") } == mismatch("key 2"))
        // Both tables in the file agree, and the verified vault still refuses.
        try fixture.tamper(
            """
            DELETE FROM labels WHERE label = 'key 1';
            UPDATE entries SET label = 'key 2' WHERE name = '\(name(1))';
            UPDATE entries SET label = NULL WHERE name = '\(name(2))'
            """)
        #expect(try fixture.open().unverifiedEntry("key 2")?.name == name(1))
        #expect(vaultError { _ = try lookUp("key 2") } == mismatch("key 2"))
    }

    @Test(arguments: [
        "name = 'EOS1'", "label = 'key 9'", "bucket = (bucket + 1) % 256", "name = 'EOS' || char(10)",
        "bucket = 700",
    ])
    func editedRows(_ change: String) throws {
        try fixture.tamper("UPDATE labels SET \(change) WHERE label = 'key 2'")
        #expect(vaultError { _ = try lookUp("key 2") } == mismatch("key 2"))
        #expect(vaultError { _ = try fixture.unlock().entries() } != nil)
        #expect(try fixture.lend(2) == 2)
    }

    /// Rows that only someone with the keys could write: the manifest matches, but the two tables
    /// disagree.
    @Test(arguments: ["DELETE FROM labels", "UPDATE labels SET name = 'EOS1'", "UPDATE labels SET name = ?1"])
    func tablesThatDisagreeAreDamage(_ change: String) throws {
        let vault = try fixture.unlock()
        let connection = vault.vault.connection
        var manifest = try Manifest(in: connection)
        try connection.run(
            change + " WHERE label = 'key 2'", change.contains("?") ? [.text(name(3).text)] : [])
        let leaf = Manifest.Leaf(of: "key 2", in: .labels)
        manifest[leaf] = try leaf.digest(in: connection, vault.opened.keys)
        manifest.root = try manifest.computedRoot(vault.opened.keys)
        try manifest.write([.labels], in: connection)
        #expect(vaultError { _ = try vault.entries() } == .integrity(.damaged(.row(.labels))))
        #expect(
            vaultError { _ = try lookUp("key 2") }
                == (change.hasPrefix("DELETE") ? .input(.noSuchKey) : .integrity(.damaged(.row(.labels)))))
    }

    @Test func findsEntriesOfTheSameTransaction() throws {
        let vault = try fixture.unlock()
        let key = try VaultFixture.key(7)
        let label = try Label("new")
        let found = try vault.transaction { transaction throws(VaultError) in
            let entry = try transaction.insert(key, label: label, createdAt: 5)
            return try [
                transaction.entry("new").description, transaction.entry(named: entry.name).description, entry,
            ]
        }
        #expect(Set(found).count == 1)
        let other = try VaultFixture.key(8)
        #expect(
            vaultError {
                try vault.transaction { transaction throws(VaultError) in
                    _ = try transaction.insert(other, label: label, createdAt: 5)
                }
            } == .input(.labelExists))
    }

    // MARK: the number of entries

    private func count() throws -> Int64 {
        try fixture.unlock().transaction { transaction throws(VaultError) in transaction.entryCount }
    }

    @Test func countsEntries() throws {
        #expect(try count() == 3)
        let vault = try fixture.unlock()
        try vault.insert(VaultFixture.key(7), label: nil, createdAt: 0)
        #expect(try count() == 4)
        _ = vaultError { try vault.insert(VaultFixture.key(7), label: nil, createdAt: 0) }
        #expect(try count() == 4)
        try vault.insert(VaultFixture.key(8), label: Label("eight"), createdAt: 0)
        #expect(try count() == 5)
        #expect(try vault.entries().count == 5)
    }

    @Test func removedRowsStillCount() throws {
        try fixture.tamper(
            "DELETE FROM entries WHERE name != '\(name(2))'; DELETE FROM labels WHERE label != 'key 2'")
        #expect(try fixture.open().unverifiedEntries().count == 1)
        #expect(try count() == 3)
        #expect(try lookUp(name(2).text).label?.text == "key 2")
        try fixture.tamper("UPDATE vault SET entry_count = 1")
        #expect(vaultError { _ = try count() } == .integrity(.manifestMismatch(.root)))
    }
}
