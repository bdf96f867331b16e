import Glibc
import Keys
import SecureMemory
import Testing

@testable import KeyVault

/// An attacker who can write the file and has older copies of it, against a rescue. Removed keys,
/// old labels and older copies must not be accepted as the latest state of the vault.
struct RescueAttackTests {
    let fixture: VaultFixture
    let state: VaultFixture
    private var witness: Witness { Witness(folder: state.folder) }

    init() throws {
        fixture = try VaultFixture()
        state = try VaultFixture()
    }

    private func page(of table: String, in path: String? = nil) throws -> [UInt8] {
        let number = try fixture.rootPage(table)
        return Array(try VaultFixture.bytes(of: path ?? fixture.path)[(number - 1) * 4_096..<number * 4_096])
    }

    private func damageDigests() throws {
        for page in try fixture.digestPages() {
            try fixture.patch(page * 4_096, [UInt8](repeating: 0, count: 4_096))
        }
    }

    private func labels(_ report: RescueReport) throws -> [String?] {
        let labels = Dictionary(uniqueKeysWithValues: report.rescued.map { ($0.name, $0.label?.text) })
        return try (UInt8(1)...2).map { labels[try VaultFixture.name($0)] ?? "missing" }
    }

    // MARK: labels

    enum Place: CaseIterable { case behind, journal }

    /// Keys 1 and 2 exchange their labels.
    private func swapLabels() throws {
        try fixture.change { transaction in
            try transaction.rename(VaultFixture.publicKey(1), to: nil)
            try transaction.rename(VaultFixture.publicKey(2), to: Label("key 1"))
            try transaction.rename(VaultFixture.publicKey(1), to: Label("key 2"))
        }
    }

    /// Two labels exchanged by renaming, and the page of the entries from before.
    private func swapLabels(leavingOldPage place: Place) throws {
        try fixture.createFilled(2)
        let old = try page(of: "entries")
        let number = try fixture.rootPage("entries")
        try swapLabels()
        switch place {
        case .behind: try VaultFixture.write(VaultFixture.bytes(of: fixture.path) + old, to: fixture.path)
        case .journal:
            try VaultFixture.write(VaultFixture.journal([(number, old)]), to: fixture.path + "-journal")
        }
    }

    /// A rescue warns of a policy, which the new vault lacks.
    @Test func aRescueReportsAPolicy() throws {
        try fixture.createFilled(2)
        #expect(try fixture.rescue().isComplete)
        unlink(fixture.folder + "/rescued.db")
        try VaultFixture.change(fixture.unlock()) { transaction in
            let leaf = Manifest.Leaf(table: .policies, bucket: 0)
            try transaction.buckets.load(leaf)
            try transaction.write { (transaction: inout VaultTransaction) throws(VaultError) in
                try transaction.connection.run("INSERT INTO policies VALUES ('limit', x'07')")
                try transaction.add("limit", leaf) { encoder in
                    encoder.beginRow(columnCount: 2)
                    encoder.append(text: "limit".utf8)
                    encoder.append(blob: [7])
                }
            }
        }
        let report = try fixture.rescue()
        #expect(
            report.lacksPolicies && report.policies.isEmpty && !report.isComplete && report.rescued.count == 2
        )
    }

    @Test(arguments: Place.allCases)
    func swappedLabelsStaySwapped(place: Place) throws {
        try swapLabels(leavingOldPage: place)
        let report = try fixture.rescue()
        #expect(try labels(report) == ["key 2", "key 1"])
        #expect(report.droppedLabels.isEmpty && report.isVerified && report.isComplete)
    }

    /// Without digests the rows disagree: no key gets the label, and that is reported.
    @Test(arguments: Place.allCases)
    func dropsLabelsOnWhichRowsDisagree(place: Place) throws {
        try swapLabels(leavingOldPage: place)
        try fixture.open(atPages: place, damaging: damageDigests)
        let report = try fixture.rescue()
        #expect(try labels(report) == [nil, nil])
        #expect(report.droppedLabels.map(\.reason) == [.rowsDisagree, .rowsDisagree])
        // The row that was sealed last is kept.
        #expect(report.droppedLabels.map { $0.entry.label?.text } == ["key 2", "key 1"])
        #expect(!report.isVerified && !report.isComplete)
    }

    /// An older row alone, in a bucket that the manifest does not decide. The verified table of
    /// labels decides about the label.
    @Test func anOldLabelDoesNotOverrideTheTableOfLabels() throws {
        try fixture.createFilled(2)
        let old = try fixture.copy("old.db")
        try swapLabels()
        try fixture.tamper(
            "ATTACH '\(old)' AS old; DELETE FROM entries; INSERT INTO entries SELECT * FROM old.entries")
        let report = try fixture.rescue()
        #expect(try labels(report) == [nil, nil])
        #expect(report.droppedLabels.map(\.reason) == [.notInTable, .notInTable])
        #expect(report.isVerified)
    }

    /// Older rows of the keys and of the table of labels, which agree with each other. The verified
    /// root covers neither.
    @Test func oldLabelsInBothTablesAreDropped() throws {
        try fixture.createFilled(2)
        let old = try fixture.copy("old.db")
        try swapLabels()
        for table in ["entries", "labels"] {
            try fixture.patch((fixture.rootPage(table) - 1) * 4_096, page(of: table, in: old))
        }
        let report = try fixture.rescue()
        #expect(try labels(report) == [nil, nil])
        #expect(report.droppedLabels.map(\.reason) == [.notProved, .notProved])
        #expect(report.isVerified && !report.isComplete)
        #expect(Set(report.unconfirmed) == Set(report.rescued.map(\.name)))
    }

    // MARK: removed keys

    private func removeKey2() throws -> String {
        try fixture.createFilled(3)
        let old = try fixture.copy("old.db")
        try fixture.change { transaction in
            try transaction.remove(VaultFixture.publicKey(2), neverBackedUp: true)
        }
        return old
    }

    private func plant(_ number: UInt8, from old: String) throws {
        let name = try VaultFixture.name(number)
        try fixture.tamper(
            "ATTACH '\(old)' AS old; INSERT INTO entries SELECT * FROM old.entries WHERE name = '\(name)'")
    }

    @Test func aPlantedRowOfARemovedKeyIsLeftOut() throws {
        try plant(2, from: removeKey2())
        let report = try fixture.rescue()
        #expect(try report.rescued.map(\.name) == [1, 3].map { try VaultFixture.name($0) })
        #expect(try report.leftOut == [VaultFixture.name(2)])
        #expect(report.isComplete && report.losses.isEmpty)
    }

    /// Makes a vault of key 1 and another key in the same bucket, and removes that other key.
    /// - Returns: the number of the removed key, and a copy of the vault that still has it.
    private func removeFromSharedBucket() throws -> (removed: UInt8, copy: String) {
        try fixture.create()
        let bucket = VaultTable.entries.bucket(of: try VaultFixture.name(1).text)
        let other = try #require(
            try (UInt8(2)...255).first {
                VaultTable.entries.bucket(of: try VaultFixture.name($0).text) == bucket
            })
        for number in [1, other] {
            try fixture.unlock().insert(VaultFixture.key(number), label: nil, createdAt: 0)
        }
        let copy = try fixture.copy("old.db")
        try fixture.change { transaction in
            try transaction.remove(VaultFixture.publicKey(other), neverBackedUp: true)
        }
        return (other, copy)
    }

    /// Also in a bucket that has other keys.
    @Test func aPlantedRowAmongOthersIsLeftOut() throws {
        let (other, old) = try removeFromSharedBucket()
        try plant(other, from: old)
        let report = try fixture.rescue()
        #expect(try report.rescued.map(\.name) == [VaultFixture.name(1)])
        #expect(try report.leftOut == [VaultFixture.name(other)])
        #expect(report.isComplete)
    }

    /// The count matches, but a key of the vault is missing.
    @Test func aRemovedKeyInPlaceOfAnotherIsNotReportedAsComplete() throws {
        let (other, old) = try removeFromSharedBucket()
        try fixture.tamper("DELETE FROM entries")
        try plant(other, from: old)
        let report = try fixture.rescue()
        #expect(report.isVerified && report.entryCount == 1 && report.rescued.count == 1)
        #expect(try report.unconfirmed == [VaultFixture.name(other)])
        #expect(!report.isComplete)
    }

    /// If the digests are damaged, a removed key can't be recognised. The result is never reported
    /// as complete, and the count is compared.
    @Test func aRemovedKeyOfADamagedVaultIsNotReportedAsComplete() throws {
        try plant(2, from: removeKey2())
        try damageDigests()
        let report = try fixture.rescue()
        #expect(report.rescued.count == 3)
        #expect(report.entryCount == 2 && report.excessCount == 1)
        #expect(!report.isComplete && !report.isVerified)
    }

    /// An edited count that matches changes nothing.
    @Test func anEditedCountProvesNothing() throws {
        try plant(2, from: removeKey2())
        try fixture.tamper("UPDATE vault SET entry_count = 3")
        let report = try fixture.rescue()
        #expect(report.rescued.count == 3 && report.excessCount == 0)
        #expect(!report.isComplete && !report.isVerified)
    }

    // MARK: an unfinished change

    private func pages(_ bytes: [UInt8]) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: 4_096).map { Array(bytes[$0..<($0 + 4_096)]) }
    }

    /// Leaves the journal that restores `before`, with all pages that differ, or with some of them.
    private func leaveJournal(restoring before: [UInt8], pages wanted: Set<Int>? = nil) throws {
        let (old, new) = (pages(before), pages(try VaultFixture.bytes(of: fixture.path)))
        let changed = old.indices.filter { old[$0] != new[$0] && wanted?.contains($0 + 1) ?? true }
        #expect(!changed.isEmpty)
        try VaultFixture.write(
            VaultFixture.journal(changed.map { ($0 + 1, old[$0]) }, initialCount: old.count),
            to: fixture.path + "-journal")
    }

    /// The power failed before the journal was removed, so the removal is not committed: the file
    /// alone is an intact vault without the key.
    @Test func anUnfinishedRemovalLosesNoKey() throws {
        try fixture.createFilled(3)
        let before = try VaultFixture.bytes(of: fixture.path)
        try fixture.change { transaction in
            try transaction.remove(VaultFixture.publicKey(2), neverBackedUp: true)
        }
        try leaveJournal(restoring: before)
        let report = try fixture.rescue()
        #expect(try report.rescued.map(\.name) == [1, 2, 3].map { try VaultFixture.name($0) })
        #expect(report.isComplete && report.leftOut.isEmpty && report.droppedLabels.isEmpty)
        // Opening the vault gives the same result.
        #expect(try fixture.unlock().entries().map(\.name) == report.rescued.map(\.name))
    }

    /// The power failed while the pages were written: the file alone has half of each state.
    @Test func aHalfWrittenChangeIsUndone() throws {
        try fixture.createFilled(3)
        let before = try VaultFixture.bytes(of: fixture.path)
        try fixture.change { transaction in
            try transaction.remove(VaultFixture.publicKey(2), neverBackedUp: true)
        }
        for number in try ["vault", "manifest"].map(fixture.rootPage) {
            try fixture.patch((number - 1) * 4_096, pages(before)[number - 1])
        }
        try leaveJournal(restoring: before)
        let report = try fixture.rescue()
        #expect(report.rescued.count == 3 && report.isComplete)
    }

    /// No unfinished change leaves a journal that undoes two changes: the removed key stays
    /// removed.
    @Test func aPlantedJournalDoesNotRestoreAnOlderState() throws {
        try fixture.createFilled(3)
        let before = try VaultFixture.bytes(of: fixture.path)
        try fixture.change { transaction in
            try transaction.remove(VaultFixture.publicKey(2), neverBackedUp: true)
        }
        try fixture.change { transaction in try transaction.rename(VaultFixture.publicKey(1), to: nil) }
        try leaveJournal(restoring: before)
        let report = try fixture.rescue()
        #expect(try report.rescued.map(\.name) == [1, 3].map { try VaultFixture.name($0) })
        #expect(try report.leftOut == [VaultFixture.name(2)])
        #expect(report.isComplete)
    }

    /// A journal of the page of entries alone, as it was before two labels were swapped.
    @Test func aPlantedPageDoesNotRestoreOldLabels() throws {
        try fixture.createFilled(2)
        let before = try VaultFixture.bytes(of: fixture.path)
        try swapLabels()
        try leaveJournal(restoring: before, pages: [try fixture.rootPage("entries")])
        let report = try fixture.rescue()
        #expect(try labels(report) == ["key 2", "key 1"])
        #expect(report.isComplete)
    }

    /// A journal of another vault that the same PIN opens.
    @Test func aJournalOfAnotherVaultIsNotUsed() throws {
        try fixture.createFilled(2)
        let names = try fixture.unlock().entries().map(\.name)
        let other = try VaultFixture()
        try other.create()
        for number in 10...15 as ClosedRange<UInt8> {
            try other.unlock().insert(VaultFixture.key(number), label: nil, createdAt: 0)
        }
        let pages = pages(try VaultFixture.bytes(of: other.path))
        try VaultFixture.write(
            VaultFixture.journal(pages.enumerated().map { ($0 + 1, $1) }, initialCount: pages.count),
            to: fixture.path + "-journal")
        let report = try fixture.rescue()
        #expect(report.rescued.map(\.name) == names)
        #expect(report.hasOtherVault && !report.isComplete)
    }

    /// A journal of a newer state that was abandoned when an older copy was restored.
    @Test func aJournalOfANewerStateIsNotUsed() throws {
        try fixture.createFilled(3)
        let before = try VaultFixture.bytes(of: fixture.path)
        for number in 1...3 as ClosedRange<UInt8> {
            try fixture.change { transaction in
                try transaction.remove(VaultFixture.publicKey(number), neverBackedUp: true)
            }
        }
        let later = try VaultFixture.bytes(of: fixture.path)
        try VaultFixture.write(before, to: fixture.path)
        try leaveJournal(restoring: later)
        let report = try fixture.rescue()
        #expect(report.rescued.count == 3 && report.isComplete)
    }

    /// The vault row is lost, and an older journal is next to the file. Later keys are not lost.
    @Test func keysNewerThanTheJournalAreKept() throws {
        try fixture.createFilled(3)
        let before = try VaultFixture.bytes(of: fixture.path)
        for number in 4...5 as ClosedRange<UInt8> {
            try fixture.unlock().insert(VaultFixture.key(number), label: nil, createdAt: 0)
        }
        try fixture.patch((fixture.rootPage("vault") - 1) * 4_096, [UInt8](repeating: 0, count: 4_096))
        try leaveJournal(restoring: before)
        let report = try fixture.rescue()
        #expect(report.rescued.count == 5 && !report.isComplete)
        #expect(try Set(report.unconfirmed) == Set((4...5).map { try VaultFixture.name($0) }))
    }

    /// Slots in a journal, which anyone can write, do not displace those of the file.
    @Test func slotsOfAJournalDoNotDisplaceThoseOfTheFile() throws {
        try fixture.createFilled(2)
        let body = try fixture.open().connection.blob("SELECT body FROM slots WHERE id = 0")
        let junk = (0..<80).flatMap { number in
            var changed = body
            changed[changed.count - 1] ^= UInt8(number + 1)
            return changed + Slot.checksum(changed, number: 0)
        }
        try VaultFixture.write(junk, to: fixture.path + "-journal")
        let report = try fixture.rescue()
        #expect(report.rescued.count == 2 && report.isComplete)
    }

    // MARK: older copies

    private func open() throws -> Vault {
        try Vault.open(fixture.path, witness: witness, clock: VaultFixture.clock)
    }

    @Test func anOlderCopyIsReported() throws {
        try fixture.createFilled(2)
        let old = try VaultFixture.bytes(of: fixture.path)
        try open().unlock(VaultFixture.pin()).insert(VaultFixture.key(9), label: nil, createdAt: 0)
        #expect(try fixture.rescue(witness: witness).history == .newest)
        unlink(fixture.folder + "/rescued.db")
        try VaultFixture.write(old, to: fixture.path)
        let report = try fixture.rescue(witness: witness)
        #expect(report.history == .older(found: 3, seen: 4) && !report.isComplete)
        #expect(report.rescued.count == 2)
        unlink(fixture.folder + "/rescued.db")
        // The vault's row is enough to report an older copy, but not to report the newest state.
        try damageDigests()
        #expect(try fixture.rescue(witness: witness).history == .older(found: 3, seen: 4))
        unlink(fixture.folder + "/rescued.db")
        try fixture.tamper("UPDATE vault SET generation = 99")
        #expect(try fixture.rescue(witness: witness).history == .notComparable)
    }

    @Test func anOlderCopyThatWasChangedSinceIsReported() throws {
        try fixture.createFilled(2)
        let old = try VaultFixture.bytes(of: fixture.path)
        try open().unlock(VaultFixture.pin()).insert(VaultFixture.key(9), label: nil, createdAt: 0)
        // Another process changed the vault after it was seen.
        for number in UInt8(10)...12 {
            try fixture.unlock().insert(VaultFixture.key(number), label: nil, createdAt: 0)
        }
        #expect(try fixture.rescue(witness: witness).history == .newest)
        unlink(fixture.folder + "/rescued.db")
        try VaultFixture.write(old, to: fixture.path)
        for number in UInt8(20)...23 {
            try fixture.unlock().insert(VaultFixture.key(number), label: nil, createdAt: 0)
        }
        #expect(try fixture.rescue(witness: witness).history == .forked)
    }

    /// The vault records a backup with a separate change. The backup does not become an older copy
    /// by this change.
    @Test func theLastBackupIsNotReportedAsOlder() throws {
        try fixture.createFilled(2)
        let copy = fixture.folder + "/copy.db"
        _ = try open().unlock(VaultFixture.pin()).backup(to: copy)
        #expect(try fixture.rescue(copy, witness: witness).history == .lastBackup)
        unlink(fixture.folder + "/rescued.db")
        try open().unlock(VaultFixture.pin()).insert(VaultFixture.key(9), label: nil, createdAt: 0)
        #expect(try fixture.rescue(copy, witness: witness).history == .older(found: 3, seen: 5))
    }

    @Test func rescuesWithAnUnreadableWitness() throws {
        try fixture.createFilled(1)
        #expect(try fixture.rescue(witness: witness).history == .unknown)
        unlink(fixture.folder + "/rescued.db")
        _ = try open().unlock(VaultFixture.pin())
        let name = try #require(state.names().first)
        try VaultFixture.write([1], to: state.folder + "/" + name)
        let report = try fixture.rescue(witness: witness)
        #expect(report.history == .notComparable && !report.isComplete)
    }

    // MARK: work

    /// A vault's pages, then crafted pages: at every eleventh byte begins the record of an entry
    /// whose seal is to be compared.
    private func crafted(pages: Int, _ pattern: [UInt8]) throws -> Rescue {
        try fixture.createFilled(1)
        var bytes = try VaultFixture.bytes(of: fixture.path)
        while bytes.count < pages * 4_096 { bytes += pattern }
        let path = fixture.folder + "/crafted.db"
        try VaultFixture.write(bytes, to: path)
        return try Rescue(DamagedVault(path), UnlockMethod.pin(VaultFixture.pin()))
    }

    /// The length of the header, then the types: 0, a text of one byte, K1, no label, 0, 0, details
    /// of 8 bytes, a nonce, a sealed key. The next record begins inside this record's details.
    private static let record: [UInt8] = [10, 8, 15, 8, 0, 8, 8, 28, 60, 108, UInt8(ascii: "A")]

    @Test func comparedSealsPerPageAreBounded() throws {
        let pages = 512
        let rescue = try crafted(pages: pages, Self.record)
        #expect(rescue.comparedSealCount > pages * 100)
        #expect(rescue.comparedSealCount <= (pages + 1) * (ScannedBytes.workPerPage + 3))
    }

    /// A sealed key has 48 bytes, and a row ends inside its page. Longer ones are not compared.
    @Test(arguments: [[0x81, 0x48], [0xa0, 0x0c], [0xff, 0xff, 0x0c]] as [[UInt8]])
    func longSealsAreNotCompared(type: [UInt8]) throws {
        let header: [UInt8] = [UInt8(9 + type.count), 8, 15, 8, 0, 8, 8, 28, 60]
        let rescue = try crafted(pages: 300, header + type + [UInt8(ascii: "A")])
        // The manifest proves the vault's own key, so no seal is compared for it.
        #expect(rescue.comparedSealCount == 0)
    }

    /// A leaf page with 2,000 cells that all point to one row. The rows of a page have no more
    /// bytes than the page.
    @Test func cellsThatOverlapAreBounded() throws {
        var page = [UInt8](repeating: 0, count: 4_096)
        page.replaceSubrange(0..<5, with: [10, 0, 0, 7, 208])
        for cell in 0..<2_000 { page.replaceSubrange((8 + 2 * cell)..<(10 + 2 * cell), with: [15, 200]) }
        // At 4,040: the length of a row, and the row with two columns of one byte.
        page.replaceSubrange(4_040..<4_046, with: [5, 3, 1, 1, 7, 9])
        let path = fixture.folder + "/cells"
        try VaultFixture.write([UInt8](repeating: 0, count: 4_096) + page, to: path)
        let pages = VaultPages(of: try DamagedVault(path))
        var tree = PageTree(of: pages)
        var count = 0
        tree.walk(2, of: pages, columnCount: 2) { row in count += row.bytes.count }
        #expect(count > 4_000 && count <= 4_096)
    }

    /// Trees whose pages refer to each other and to themselves: each page is read once.
    @Test func aTreeReadsEachPageOnce() throws {
        let count = 64
        var bytes: [UInt8] = []
        for page in 1...count {
            // An interior page over rows with keys. Each cell refers to a page and has a record
            // that continues in another page.
            var content = [UInt8](repeating: UInt8(truncatingIfNeeded: page * 7 % count + 1), count: 4_096)
            content.replaceSubrange(0..<5, with: [2, 0, 0, 0, 200])
            for word in stride(from: 8, to: 4_096, by: 4) {
                content.replaceSubrange(word..<(word + 3), with: [0, 0, 0])
            }
            bytes += content
        }
        let path = fixture.folder + "/trees"
        try VaultFixture.write(bytes, to: path)
        let pages = VaultPages(of: try DamagedVault(path))
        var tree = PageTree(of: pages)
        for root in 0...(count + 1) { tree.walk(root, of: pages, columnCount: 9) { _ in } }
        #expect(tree.readCount == count * 4_096)
    }
}

extension VaultFixture {
    /// Runs a step on the vault without the attacker's additions, which SQLite would refuse or play
    /// back.
    fileprivate func open(atPages place: RescueAttackTests.Place, damaging step: () throws -> Void) throws {
        switch place {
        case .behind:
            let whole = try Self.bytes(of: path)
            try Self.write(Array(whole.dropLast(4_096)), to: path)
            try step()
            try Self.write(Self.bytes(of: path) + whole.suffix(4_096), to: path)
        case .journal:
            let journal = try Self.bytes(of: path + "-journal")
            unlink(path + "-journal")
            try step()
            try Self.write(journal, to: path + "-journal")
        }
    }
}
