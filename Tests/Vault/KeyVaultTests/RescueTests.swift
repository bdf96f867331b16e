import Files
import Glibc
import Keys
import SecureMemory
import TestSupport
import Testing

@testable import KeyVault

/// A rescue of a damaged vault recovers every key whose row is intact, whatever else is damaged.
struct RescueTests {
    let fixture: VaultFixture
    let rescued: String
    init() throws {
        fixture = try VaultFixture()
        rescued = fixture.folder + "/rescued.db"
    }

    /// Rescues the vault and removes the new vault again.
    /// - Returns: the report, and the numbers of the keys that the new vault lends.
    private func rescue(_ numbers: ClosedRange<UInt8>, path: String? = nil) throws -> (
        report: RescueReport, lent: [UInt8]
    ) {
        let report = try fixture.rescue(path)
        guard !report.rescued.isEmpty else {
            #expect(access(rescued, F_OK) != 0)
            return (report, [])
        }
        defer { unlink(rescued) }
        let vault = try fixture.unlock(rescued)
        #expect(try vault.entries() == report.rescued)
        let names = Set(report.rescued.map(\.name))
        let keys = try numbers.map { (number: $0, key: try VaultFixture.publicKey($0)) }.filter {
            names.contains(EntryName($0.key))
        }
        let lent = try vault.transaction { transaction throws(VaultError) in
            var lent: [UInt8] = []
            for (number, key) in keys {
                let scalar = try transaction.withKey(key) { key throws(VaultError) in
                    key.withScalar { $0[byte: 31] }
                }
                if scalar == number { lent.append(number) }
            }
            return lent
        }
        #expect(lent.count == report.rescued.count)
        return (report, lent)
    }

    @Test func soundVault() throws {
        try fixture.createFilled(3)
        try fixture.unlock().insert(VaultFixture.key(9, .r1), label: nil, createdAt: VaultFixture.time + 9)
        let entries = try fixture.unlock().entries()
        let before = try VaultFixture.bytes(of: fixture.path)
        let report = try fixture.rescue()
        #expect(report == RescueReport(rescued: entries, entryCount: 4, isVerified: true))
        #expect(report.isComplete)
        #expect(try fixture.unlock(rescued).entries() == entries)
        #expect(try VaultFixture.bytes(of: fixture.path) == before)
        #expect(fixture.names() == ["rescued.db", "vault.db"])
        // The new vault has another master key and another id: nothing of the old vault opens in
        // it.
        let ids = try [rescued, fixture.path].map {
            try fixture.unlock($0).transaction { transaction throws(VaultError) in
                transaction.manifest.vaultID
            }
        }
        #expect(ids[0] != ids[1])
    }

    /// Damages each page in turn. Only the keys on that page are lost. The report names them if
    /// their names are also elsewhere in the file.
    @Test(arguments: [0x00, 0xff] as [UInt8])
    func onePageLost(filler: UInt8) throws {
        let numbers: ClosedRange<UInt8> = 1...40
        try fixture.createFilled(numbers.upperBound)
        let whole = try VaultFixture.bytes(of: fixture.path)
        let sealed = try fixture.sealed()
        let names = Dictionary(uniqueKeysWithValues: try numbers.map { (try VaultFixture.name($0).text, $0) })
        var (pagesWithKeys, unverified, unconfirmed) = (0, 0, 0)
        // The digests of a table continue in two overflow pages. A lost table without rows costs
        // nothing.
        let digestPages = try fixture.digestPages().count + 2
        for page in 0..<(whole.count / 4_096) {
            let range = page * 4_096..<(page + 1) * 4_096
            let gone = Set(sealed.filter { whole[range].contains($0.value) }.compactMap { names[$0.key] })
            if !gone.isEmpty { pagesWithKeys += 1 }
            var damaged = whole
            damaged.replaceSubrange(range, with: [UInt8](repeating: filler, count: 4_096))
            try VaultFixture.write(damaged, to: fixture.path)
            let (report, lent) = try rescue(numbers)
            #expect(Set(lent) == Set(numbers).subtracting(gone), "page \(page)")
            // Each key has a label, and the label's row contains its name.
            #expect(
                Set(report.losses.compactMap { $0.name.flatMap { names[$0.text] } }) == gone, "page \(page)")
            // Without the digests nothing is proved.
            #expect(
                report.isComplete == (gone.isEmpty && report.isVerified && report.unconfirmed.isEmpty),
                "page \(page)")
            if !report.isVerified { unverified += 1 }
            if gone.isEmpty, !report.unconfirmed.isEmpty { unconfirmed += 1 }
        }
        #expect(pagesWithKeys > 2)
        // The only page above those of the keys.
        #expect(unconfirmed <= 1)
        #expect(unverified <= digestPages, "\(unverified) pages of \(digestPages)")
    }

    /// Only the pages of the keys and one page of the slots are left: no header, no schema, no
    /// interior page.
    @Test func withoutAnyTree() throws {
        try fixture.createFilled(60)
        let whole = try VaultFixture.bytes(of: fixture.path)
        let sealed = try fixture.sealed()
        var damaged: [UInt8] = []
        for page in stride(from: 0, to: whole.count, by: 4_096) {
            let content = whole[page..<(page + 4_096)]
            if sealed.values.contains(where: { content.contains($0) }) { damaged += content }
        }
        #expect(vaultError { _ = try rescue(damaged) } == .input(.noSlot(.pin, others: [])))
        // Moved by some bytes, so that nothing is aligned.
        damaged = Array("lost+found".utf8) + damaged
        let page = try fixture.rootPage("slot_copies")
        damaged += whole[(page - 1) * 4_096..<page * 4_096]
        let report = try rescue(damaged)
        #expect(report.rescued.count == 60)
        #expect(report.losses.isEmpty)
        #expect(report.entryCount == nil)
        #expect(!report.isComplete)
    }

    private func rescue(_ bytes: [UInt8]) throws -> RescueReport {
        let path = fixture.folder + "/piece"
        try VaultFixture.write(bytes, to: path)
        defer { unlink(rescued) }
        return try fixture.rescue(path)
    }

    @Test func rowsThatDoNotOpenAreNamed() throws {
        try fixture.createFilled(3)
        let names = try (UInt8(1)...3).map { try VaultFixture.name($0) }
        let cases: [(String, [RescueReport.Loss])] = [
            ("sealed = zeroblob(48)", [.init(name: names[1], reason: .seal)]),
            ("created_at = created_at + 1", [.init(name: names[1], reason: .seal)]),
            ("kind = 77", [.init(name: names[1], reason: .seal)]),
            ("kind = 300", [.init(name: names[1], reason: .malformed)]),
            ("created_at = -1", [.init(name: names[1], reason: .malformed)]),
            ("label = char(27)", [.init(name: names[1], reason: .malformed)]),
            (
                "name = char(27)",
                [.init(name: names[1], reason: .rowGone), .init(name: nil, reason: .malformed)]
            ),
            ("name = 'EOSx'", [.init(name: names[1], reason: .rowGone)]),
            // The columns no longer have the types and lengths of an entry.
            ("nonce = x''", [.init(name: names[1], reason: .rowGone)]),
            ("details = zeroblob(8)", [.init(name: names[1], reason: .seal)]),
            ("details = zeroblob(82)", [.init(name: names[1], reason: .seal)]),
            ("details = zeroblob(83)", [.init(name: names[1], reason: .malformed)]),
            ("sealed = zeroblob(47)", [.init(name: names[1], reason: .malformed)]),
            ("sealed = zeroblob(1000000)", [.init(name: names[1], reason: .rowGone)]),
            ("details = zeroblob(5000)", [.init(name: names[1], reason: .rowGone)]),
        ]
        let whole = try VaultFixture.bytes(of: fixture.path)
        for (change, losses) in cases {
            try fixture.tamper("UPDATE entries SET \(change) WHERE name = '\(names[1])'")
            let (report, lent) = try rescue(1...3)
            #expect(lent == [1, 3], "\(change)")
            #expect(Set(report.losses) == Set(losses), "\(change)")
            #expect(report.losses.count == losses.count, "\(change)")
            #expect(!report.isComplete)
            try VaultFixture.write(whole, to: fixture.path)
        }
        // The bucket follows from the name. The digests do not cover such a row, so it may be an
        // older one.
        try fixture.tamper("UPDATE entries SET bucket = 999 WHERE name = '\(names[1])'")
        let (moved, lent) = try rescue(1...3)
        #expect(lent == [1, 2, 3] && moved.losses.isEmpty)
        #expect(moved.unconfirmed == [names[1]] && !moved.isComplete)
    }

    @Test func countsAKeyThatNothingNames() throws {
        try fixture.create()
        for number: UInt8 in 1...3 {
            try fixture.unlock().insert(VaultFixture.key(number), label: nil, createdAt: 0)
        }
        try fixture.tamper(
            "PRAGMA secure_delete = 1; DELETE FROM entries WHERE name = '\(try VaultFixture.name(2))'")
        let (report, lent) = try rescue(1...3)
        #expect(lent == [1, 3])
        #expect(report.losses.isEmpty)
        #expect(report.namelessCount == 1)
        #expect(!report.isComplete)
    }

    @Test func leavesOutAnEntryOfAnotherVault() throws {
        try fixture.createFilled(2)
        let other = fixture.folder + "/other.db"
        try fixture.create(other)
        try fixture.unlock(other).insert(VaultFixture.key(9), label: nil, createdAt: 0)
        try fixture.tamper("ATTACH '\(other)' AS other; INSERT INTO entries SELECT * FROM other.entries")
        let (report, lent) = try rescue(1...9)
        #expect(lent == [1, 2])
        // The digests prove that the vault has no such key.
        #expect(report.isComplete && report.leftOut.isEmpty)
        for page in try fixture.digestPages() {
            try fixture.patch(page * 4_096, [UInt8](repeating: 0, count: 4_096))
        }
        #expect(try rescue(1...9).report.losses == [.init(name: try VaultFixture.name(9), reason: .seal)])
    }

    // MARK: the journal

    /// A journal next to the file, with the page of entries from another history of the vault.
    private func plantJournal(damaging: Bool = false) throws {
        try fixture.createFilled(1)
        let other = try fixture.copy("other.db")
        try fixture.unlock().insert(VaultFixture.key(5), label: Label("mine"), createdAt: 0)
        try fixture.unlock().insert(VaultFixture.key(7), label: Label("same"), createdAt: 2)
        try fixture.unlock(other).insert(VaultFixture.key(5), label: Label("theirs"), createdAt: 0)
        try fixture.unlock(other).insert(VaultFixture.key(6), label: Label("same"), createdAt: 1)
        let page = try fixture.rootPage("entries")
        let old = try VaultFixture.bytes(of: other)[(page - 1) * 4_096..<page * 4_096]
        let damaged = damaging ? try fixture.digestPages() : []
        for page in damaged { try fixture.patch(page * 4_096, [UInt8](repeating: 0, count: 4_096)) }
        try VaultFixture.write(VaultFixture.journal([(page, Array(old))]), to: fixture.path + "-journal")
    }

    /// If the digests are damaged, rows that only the journal contains are rescued. If its rows and
    /// the file's disagree, no label is taken.
    @Test func usesTheJournalOfADamagedVault() throws {
        try plantJournal(damaging: true)
        let report = try fixture.rescue()
        #expect(try report.rescued.map(\.name) == [5, 6, 7, 1].map { try VaultFixture.name($0) })
        #expect(report.rescued.map { $0.label?.text } == [nil, nil, nil, "key 1"])
        #expect(report.droppedLabels.map(\.reason) == [.rowsDisagree, .ofSeveralKeys, .ofSeveralKeys])
        #expect(report.excessCount == 1 && !report.isVerified && !report.isComplete)
        #expect(try fixture.unlock(rescued).entries() == report.rescued)
    }

    /// A journal that restores no verified state decides nothing.
    @Test func ignoresAJournalWithoutAVerifiedState() throws {
        try plantJournal()
        let report = try fixture.rescue()
        #expect(try report.rescued.map(\.name) == [5, 7, 1].map { try VaultFixture.name($0) })
        #expect(report.rescued.map { $0.label?.text } == ["mine", "same", "key 1"])
        #expect(report.droppedLabels.isEmpty)
        #expect(try report.leftOut == [VaultFixture.name(6)])
        #expect(report.isComplete)
    }

    /// An interrupted change of the master key: rows of both keys, and the old slot only in the
    /// journal.
    @Test func betweenTwoMasterKeys() throws {
        try fixture.createFilled(3)
        let old = try VaultFixture.bytes(of: fixture.path)
        try fixture.change { try $0.rekey(under: VaultFixture.secret()) }
        let (slots, entries) = (try fixture.rootPage("slots"), try fixture.rootPage("entries"))
        try fixture.unlock().insert(VaultFixture.key(4), label: nil, createdAt: 0)
        try VaultFixture.write(
            VaultFixture.journal([slots, entries].map { ($0, Array(old[($0 - 1) * 4_096..<$0 * 4_096])) }),
            to: fixture.path + "-journal")
        #expect(try fixture.rescue().rescued.count == 4)
    }

    @Test func theNewVaultRecordsTheRescue() throws {
        try fixture.createFilled(2)
        _ = try fixture.rescue()
        let events = try VaultFixture.events(of: fixture.unlock(rescued))
        #expect(events == [.made, .rescued(count: 2)])
    }

    // MARK: refusals

    @Test func refusals() throws {
        try fixture.createFilled(2)
        #expect(
            vaultError { _ = try fixture.rescue(pin: "another pin") }
                == .input(.wrongUnlockMethod(.pin, damagedSlots: [])))
        #expect(access(rescued, F_OK) != 0)
        #expect(vaultError { _ = try fixture.rescue(fixture.folder + "/missing") } == .file(.noSuchFile))
        #expect(vaultError { _ = try fixture.rescue("") } == .file(.invalidPath))
        #expect(
            vaultError { _ = try fixture.rescue(fixture.folder) }
                == .file(.notARegularFile(.vault, .directory)))
        mkfifo(fixture.folder + "/fifo", 0o600)
        #expect(
            vaultError { _ = try fixture.rescue(fixture.folder + "/fifo") }
                == .file(.notARegularFile(.vault, .other)))
        try VaultFixture.write([], to: fixture.folder + "/empty")
        #expect(vaultError { _ = try fixture.rescue(fixture.folder + "/empty") } == .file(.notAVault(.empty)))
        try VaultFixture.write([UInt8](repeating: 7, count: 100_000), to: fixture.folder + "/other")
        #expect(
            vaultError { _ = try fixture.rescue(fixture.folder + "/other") }
                == .input(.noSlot(.pin, others: [])))
        try VaultFixture.write([1], to: rescued)
        #expect(vaultError { _ = try fixture.rescue() } == .file(.alreadyExists))
        #expect(try VaultFixture.bytes(of: rescued) == [1])
    }

    @Test func anyModeAndThroughALink() throws {
        try fixture.createFilled(2)
        fixture.setMode(0o444)
        symlink(fixture.path, fixture.folder + "/link")
        #expect(try rescue(1...2, path: fixture.folder + "/link").report.isComplete)
        #expect(fixture.names() == ["link", "vault.db"])
    }
}
