import Keys
import SecureMemory
import TestSupport
import Testing

@testable import KeyVault

/// The vault that version 0.1.0 wrote (Vectors/vault/README.md). Every later version opens, uses
/// and migrates it.
struct Format2Tests {
    let fixture: VaultFixture
    private static let imported = [
        "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV",
        "EOS5p78kHbL33Rn3JWkTWRE2B9uz6gy4r1KbfAKLNQGE3ovMBS5bu",
        "EOS7krJyjdBTieurtDf38RBLmvq6iQcmgt7EjGZV4JFt4CQyumk8G",
    ]
    private static let created = "EOS4yYX1NkMo1qVbVso7NhBYQkSjsmXA1CJQjhD1MadXt1dUCjFj2"
    private static let labels: [String: String?] = [
        imported[0]: "key-2", imported[1]: "key-1", imported[2]: nil, created: "after the backup",
    ]
    private static let phrase =
        "dry proud head copy double birth caution boring drastic prevent praise stick "
        + "eternal mass system pen actor sudden bounce pottery proud humble need field"

    init() throws {
        fixture = try VaultFixture()
        try VaultFixture.write(repositoryFile("Vectors/vault/format-2.db"), to: fixture.path)
    }

    enum Slot: CaseIterable { case pin, pinAndKeyFile, recovery }

    private func method(_ slot: Slot) throws -> UnlockMethod {
        switch slot {
        case .pin: .pin(try VaultFixture.pin("a vault of format 2"))
        case .pinAndKeyFile:
            .pinAndKeyFile(
                try VaultFixture.pin("another way into it"),
                try KeyFile(SecureBytes(copyingPublic: repositoryFile("Vectors/vault/format-2.key"))))
        case .recovery: .recovery(try RecoveryPhrase(words: SecureBytes(copyingPublic: Self.phrase.utf8)))
        }
    }

    private func unlock(_ slot: Slot = .pin, _ path: String? = nil) throws -> UnlockedVault {
        try fixture.open(path).unlock(method(slot))
    }

    private func expectAll(_ vault: borrowing UnlockedVault) throws {
        let labels = try Dictionary(uniqueKeysWithValues: vault.entries().map { ($0.name.text, $0.label?.text) })
        #expect(labels == Self.labels)
        for name in Self.labels.keys {
            let key = try PublicKey(name)
            let lent = try vault.withoutRecord { (transaction: inout VaultTransaction) throws(VaultError) in
                try transaction.withKey(key) { key throws(VaultError) in key.publicKey }
            }
            #expect(lent == key)
        }
    }

    @Test(arguments: Slot.allCases)
    func opensByEachSlotWithoutMigrating(slot: Slot) throws {
        let before = try VaultFixture.bytes(of: fixture.path)
        let report = try fixture.open().check(method(slot))
        #expect(report.faults == [] && report.keyCount == 4 && report.recordCount == 16 && report.generation == 16)
        let vault = try unlock(slot)
        #expect(vault.vault.version == 2)
        try expectAll(vault)
        #expect(try VaultFixture.bytes(of: fixture.path) == before)
    }

    @Test func signs() throws {
        let key = try PublicKey(Self.imported[1])
        let digest = try SigningDigest([UInt8](repeating: 7, count: 32))
        let signature = try unlock().transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.withKey(key) { key throws(VaultError) in
                do { return try key.sign(digest).signature } catch { throw .integrity(.entryDamaged(.key)) }
            }
        }
        #expect(try signature.recover(digest) == key)
    }

    /// The first change migrates everything to the current format, regardless of which slot opened
    /// the vault: keys, labels, slots, log and backup mark.
    @Test(arguments: Slot.allCases)
    func migratesWithTheFirstChange(slot: Slot) throws {
        try VaultFixture.change(unlock(slot)) { transaction in
            try transaction.record(.exported(key: EntryName(PublicKey(Self.created))))
        }
        #expect(Array(try VaultFixture.bytes(of: fixture.path)[60..<64]) == [0, 0, 0, 3])
        for other in Slot.allCases {
            let report = try fixture.open().check(method(other))
            #expect(report.faults == [] && report.keyCount == 4 && report.recordCount == 18)
        }
        let vault = try unlock(slot)
        #expect(vault.vault.version == 3)
        try expectAll(vault)
        var events: [AuditEvent] = []
        try vault.log { events.append($0.event) }
        #expect(try events.suffix(2) == [.migrated(from: 2), .exported(key: EntryName(PublicKey(Self.created)))])
        #expect(try vault.status(of: Self.imported[0]).isBackedUp)
        #expect(try !vault.status(of: Self.created).isBackedUp)
        // Every row has the generation of its last sealing.
        try vault.vault.connection.query("SELECT * FROM entries") { row throws(VaultError) in
            #expect(try EntryRow(row).sealing == 17)
        }
    }

    /// Version 0.1.0 supports format 2. It checks the version before anything that changed, and
    /// refuses.
    @Test func anOlderProgramRefusesTheNewFormat() throws {
        #expect(
            try VaultHeader.verify(Array(VaultFixture.bytes(of: fixture.path).prefix(VaultHeader.count)), newest: 2)
                == 2)
        try VaultFixture.change(unlock()) { transaction in try transaction.rename(PublicKey(Self.created), to: nil) }
        let header = Array(try VaultFixture.bytes(of: fixture.path).prefix(VaultHeader.count))
        #expect(
            vaultError { try VaultHeader.verify(header, newest: 2) } == .file(.newerVersion(found: 3, supported: 2)))
    }

    @Test func backsUpAndRestores() throws {
        let copy = fixture.folder + "/copy.db"
        let backup = try unlock().backup(to: copy)
        #expect(backup.keyCount == 4 && backup.isRecorded)
        // The backup has the format that the vault had. Recording the backup is the change that
        // migrates the vault.
        #expect(Array(try VaultFixture.bytes(of: copy)[60..<64]) == [0, 0, 0, 2])
        let restored = fixture.folder + "/restored.db"
        let made = try Vault.restore(
            VaultImage(contentsOf: copy), to: restored, method: method(.recovery), clock: VaultFixture.clock)
        #expect(made.keyCount == 4)
        for path in [fixture.path, restored] {
            let vault = try unlock(.pinAndKeyFile, path)
            #expect(vault.vault.version == 3)
            try expectAll(vault)
            #expect(try vault.status(of: Self.created).isBackedUp)
        }
    }

    @Test(arguments: Slot.allCases)
    func isRescued(slot: Slot) throws {
        let rescued = fixture.folder + "/rescued.db"
        let report = try Vault.rescue(fixture.path, to: rescued, with: method(slot), clock: VaultFixture.clock)
        #expect(report.isComplete && report.isVerified)
        #expect(Dictionary(uniqueKeysWithValues: report.rescued.map { ($0.name.text, $0.label?.text) }) == Self.labels)
        try expectAll(unlock(slot, rescued))
    }

    /// Rows of this format do not contain the generation of their sealing. They are also rescued
    /// without digests.
    @Test func isRescuedWithoutDigests() throws {
        for page in try fixture.digestPages() { try fixture.patch(page * 4_096, [UInt8](repeating: 0, count: 4_096)) }
        let report = try Vault.rescue(
            fixture.path, to: fixture.folder + "/rescued.db", with: method(.pin), clock: VaultFixture.clock)
        #expect(!report.isVerified && !report.isComplete)
        #expect(Dictionary(uniqueKeysWithValues: report.rescued.map { ($0.name.text, $0.label?.text) }) == Self.labels)
    }

    /// A new master key and a changed PIN migrate it like every other change.
    @Test func getsANewMasterKey() throws {
        try VaultFixture.change(unlock()) { transaction in
            try transaction.rekey(under: VaultFixture.secret("a vault of format 2"), droppingOtherSlots: true)
        }
        let vault = try unlock()
        try expectAll(vault)
        #expect(try fixture.open().check(method(.pin)).faults == [])
    }
}
