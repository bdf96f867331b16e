import TestSupport
import Testing

@testable import KeyVault

/// Journals that an attacker put next to the vault: SQLite would play them back.
struct VaultJournalTests {
    let fixture: VaultFixture
    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(2)
    }

    static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

    /// A journal with one record that replaces page 1.
    func journal(
        pages: [UInt8] = [0, 0, 0, 25], pageSize: [UInt8] = [0, 0, 0x10, 0], firstPage: [UInt8],
        tail: [UInt8] = []
    ) -> [UInt8] {
        var bytes = Self.magic + [0, 0, 0, 1, 0, 0, 0, 0] + pages + [0, 0, 2, 0] + pageSize
        bytes += [UInt8](repeating: 0, count: 512 - bytes.count)
        // The checksum is the sum of the nonce and every 200th byte from the end, as the journal's
        // reader computes it.
        var sum: UInt32 = 0
        for index in stride(from: firstPage.count - 200, to: 0, by: -200) { sum &+= UInt32(firstPage[index]) }
        return bytes + [0, 0, 0, 1] + firstPage
            + (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * $0)) } + tail
    }

    func plant(_ journal: [UInt8], nextTo name: String = "vault.db") throws {
        try VaultFixture.write(journal, to: fixture.folder + "/\(name)-journal")
    }

    @Test func refusesJournalsThatItNeverWrites() throws {
        let page = Array(try VaultFixture.bytes(of: fixture.path).prefix(4_096))
        let before = try VaultFixture.bytes(of: fixture.path)
        let bad = [
            journal(pages: [0, 0, 0, 0], firstPage: page),
            journal(pages: [0xff, 0xff, 0xff, 0], firstPage: page),
            // SQLite would cut the file to less than the smallest vault has.
            journal(pages: [0, 0, 0, 1], firstPage: page), journal(pages: [0, 0, 0, 21], firstPage: page),
            // The same, without a record to play back.
            Array(journal(pages: [0, 0, 0, 1], firstPage: page).prefix(512)),
            Array(journal(pages: [0, 0, 0, 1], firstPage: page).prefix(28)),
            journal(pageSize: [0, 0, 2, 0], firstPage: page),
            // the name of a super-journal, which SQLite would delete: page number, name, length,
            // checksum, magic
            journal(
                firstPage: page,
                tail: [0, 4, 0, 1] + Array("/tmp/x".utf8) + [0, 0, 0, 6, 0, 0, 0, 0] + Self.magic),
        ]
        for journal in bad {
            try plant(journal)
            #expect(vaultError { _ = try fixture.open() } == .file(.strayJournal))
            #expect(try VaultFixture.bytes(of: fixture.path) == before)
            #expect(try VaultFixture.bytes(of: fixture.path + "-journal") == journal)
        }
    }

    @Test func theSmallestVaultHasTheMinimumSize() throws {
        let empty = fixture.folder + "/empty.db"
        try fixture.create(empty)
        #expect(try VaultFixture.bytes(of: empty).count == 4_096 * Int(VaultFormat.minimumPageCount))
    }

    /// The journal of the smallest vault is played back.
    @Test func playsBackAJournalOfTheSmallestVault() throws {
        let empty = fixture.folder + "/empty.db"
        try fixture.create(empty)
        let whole = try VaultFixture.bytes(of: empty)
        try plant(journal(firstPage: Array(whole.prefix(4_096))), nextTo: "empty.db")
        #expect(try fixture.unlock(empty).entries().isEmpty)
        #expect(try VaultFixture.bytes(of: empty) == whole)
        #expect(fixture.names() == ["empty.db", "vault.db"])
    }

    /// A playback that restores another header: a vault of a newer version, or no vault.
    @Test func checksTheHeaderAgainAfterAPlayback() throws {
        var page = Array(try VaultFixture.bytes(of: fixture.path).prefix(4_096))
        page[63] = 2
        let pages = UInt8(try VaultFixture.bytes(of: fixture.path).count / 4_096)
        try plant(journal(pages: [0, 0, 0, pages], firstPage: page))
        #expect(vaultError { _ = try fixture.open() } == .file(.newerVersion(found: 2, supported: 1)))
    }

    /// A file that is not a vault keeps its content and its journal.
    @Test func leavesOtherFilesUnchanged() throws {
        let text = [UInt8](repeating: 0x61, count: 90)
        try VaultFixture.write(text, to: fixture.folder + "/notes.db")
        let page = [UInt8](repeating: 0x62, count: 4_096)
        // A journal of a vault has more pages than this file.
        let cases: [([UInt8], VaultError)] = [
            (journal(firstPage: page), .file(.strayJournal)),
            (Array("words".utf8), .file(.notAVault(.notSQLite))),
        ]
        for (journal, error) in cases {
            try plant(journal, nextTo: "notes.db")
            #expect(vaultError { _ = try fixture.open(fixture.folder + "/notes.db") } == error)
            #expect(try VaultFixture.bytes(of: fixture.folder + "/notes.db") == text)
            #expect(try VaultFixture.bytes(of: fixture.folder + "/notes.db-journal") == journal)
        }
    }
}
