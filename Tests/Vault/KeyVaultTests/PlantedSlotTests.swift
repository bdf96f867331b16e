import Codecs
import Glibc
import SecureMemory
import Testing

@testable import KeyVault

/// Slots that an attacker planted in bytes that the vault does not use, against a rescue, a check
/// and a backup.
struct PlantedSlotTests {
    let fixture: VaultFixture
    private var copy: String { fixture.folder + "/copy.db" }

    init() throws { fixture = try VaultFixture() }

    enum Place: CaseIterable { case freePages, gap, end }

    /// Slots that open with no PIN, each with its checksum, as in a row.
    private static func forged(_ count: Int) -> [[UInt8]] {
        (0..<count).map { index in
            var slot = Slot(
                kind: .pin, derivation: .argon2id(passes: 1, memory: 8_192),
                vaultID: [UInt8](repeating: 7, count: VaultFormat.vaultIDCount), createdAt: VaultFixture.time,
                salt: [UInt8](repeating: 1, count: Sodium.saltCount), details: [])
            slot.commitment =
                [UInt8](repeating: 2, count: Sodium.digestCount - 8) + UInt64(index).littleEndianBytes
            return slot.body + Slot.checksum(slot.body, number: 0)
        }
    }

    /// The slots in pages, 20 in each.
    private static func pages(_ slots: [[UInt8]]) -> [[UInt8]] {
        stride(from: 0, to: slots.count, by: 20).map { start in
            let content = slots[start..<min(start + 20, slots.count)].flatMap(\.self)
            return content + [UInt8](repeating: 0, count: 4_096 - content.count)
        }
    }

    /// Makes a vault with two keys and enough room, and plants the slots in it.
    private func plant(_ count: Int, in place: Place) throws {
        try fixture.createFilled(2)
        let slots = Self.forged(count)
        switch place {
        case .end:
            try VaultFixture.write(
                VaultFixture.bytes(of: fixture.path) + Self.pages(slots).flatMap(\.self), to: fixture.path)
        case .freePages:
            let pages = Self.pages(slots)
            // SQLite itself makes the free pages.
            try fixture.tamper(
                "CREATE TABLE room (value BLOB); INSERT INTO room VALUES (zeroblob(\(4_090 * (pages.count + 3)))); "
                    + "DROP TABLE room")
            let trunk: Int = try VaultFixture.bytes(of: fixture.path).bigEndian(at: 32)
            let list = try VaultFixture.bytes(of: fixture.path)[((trunk - 1) * 4_096)..<(trunk * 4_096)]
            for (index, page) in pages.enumerated() {
                let free: Int = Array(list).bigEndian(at: 8 + 4 * index)
                try fixture.patch((free - 1) * 4_096, page)
            }
        case .gap:
            // The page of `slots` has one row, and is otherwise unused.
            let start = (try fixture.rootPage("slots") - 1) * 4_096
            try fixture.patch(start + 200, slots.prefix(18).flatMap(\.self))
        }
    }

    @Test(arguments: Place.allCases)
    func theRightPINOpens(place: Place) throws {
        try plant(16, in: place)
        var tries = 0
        let report = try Vault.rescue(
            fixture.path, to: fixture.folder + "/rescued.db", with: UnlockMethod.pin(VaultFixture.pin()),
            clock: VaultFixture.clock, progress: { _, _ in tries += 1 })
        #expect(report.isComplete && report.rescued.count == 2)
        #expect(tries == 0)
    }

    /// The tables of the slots are damaged, and the only intact copy comes after 1,000 others.
    @Test(arguments: [16, 1_000])
    func theRightPINOpensTheLastSlot(count: Int) throws {
        try fixture.createFilled(2)
        let pages = try ["slots", "slot_copies"].map { (try fixture.rootPage($0) - 1) * 4_096 }
        let old = Array(try VaultFixture.bytes(of: fixture.path)[pages[0]..<(pages[0] + 4_096)])
        for page in pages { try fixture.patch(page, [UInt8](repeating: 0, count: 4_096)) }
        let planted = Self.pages(Self.forged(count)).flatMap(\.self)
        try VaultFixture.write(VaultFixture.bytes(of: fixture.path) + planted + old, to: fixture.path)
        var seen: [[Int]] = []
        let report = try Vault.rescue(
            fixture.path, to: fixture.folder + "/rescued.db", with: UnlockMethod.pin(VaultFixture.pin()),
            clock: VaultFixture.clock, progress: { seen.append([$0, $1]) })
        #expect(report.rescued.count == 2)
        #expect(seen == (0...count).map { [$0, count + 1] })
    }

    @Test(arguments: [(16, Place.freePages), (16, .gap), (1_000, .end), (1_000, .freePages)])
    func aWrongPINIsReportedAfterAllTries(count: Int, place: Place) throws {
        try plant(count, in: place)
        var last: [Int] = []
        let error = vaultError {
            _ = try Vault.rescue(
                fixture.path, to: fixture.folder + "/rescued.db",
                with: UnlockMethod.pin(VaultFixture.pin("wrong one")),
                clock: VaultFixture.clock, progress: { last = [$0, $1] })
        }
        #expect(error == .input(.wrongUnlockMethod(.pin, damagedSlots: [])))
        #expect(last == [count - 1, count])
        #expect(fixture.names() == ["vault.db"])
    }

    /// Equal slots are tried once.
    @Test func equalSlotsAreTriedOnce() throws {
        try fixture.createFilled(1)
        let planted = Self.pages(Self.forged(5)).flatMap(\.self)
        try VaultFixture.write(
            VaultFixture.bytes(of: fixture.path) + planted + planted + planted, to: fixture.path)
        var last: [Int] = []
        #expect(
            vaultError {
                _ = try Vault.rescue(
                    fixture.path, to: fixture.folder + "/rescued.db",
                    with: UnlockMethod.pin(VaultFixture.pin("wrong one")), clock: VaultFixture.clock,
                    progress: { last = [$0, $1] })
            } == .input(.wrongUnlockMethod(.pin, damagedSlots: [])))
        #expect(last == [4, 5])
    }

    /// A planted slot that requests more than is allowed was not tried, so the PIN may be right.
    @Test func aSlotThatIsNotTriedIsReported() throws {
        try fixture.createFilled(1)
        var slot = try Slot(body: Array(#require(Self.forged(1).first).prefix(162)))
        slot = Slot(
            kind: .pin, derivation: .argon2id(passes: 65, memory: 8_192), vaultID: slot.vaultID,
            createdAt: slot.createdAt, salt: slot.salt, details: [])
        try VaultFixture.write(
            VaultFixture.bytes(of: fixture.path) + slot.body + Slot.checksum(slot.body, number: 0),
            to: fixture.path)
        #expect(
            vaultError { _ = try fixture.rescue(pin: "wrong one") }
                == .input(.kdfCost(.passes(65, allowed: 1...64))))
        #expect(try fixture.rescue().rescued.count == 1)
    }

    // MARK: check and backup

    private func contains(_ path: String, _ slots: [[UInt8]]) throws -> Bool {
        let bytes = try VaultFixture.bytes(of: path)
        return slots.contains { !bytes.indices(of: $0).isEmpty }
    }

    @Test(arguments: [(1, Place.freePages), (16, .freePages), (1_000, .freePages), (1, .gap), (16, .gap)])
    func checkReportsAndABackupOmitsThem(count: Int, place: Place) throws {
        try plant(count, in: place)
        let some = Array(Self.forged(count).prefix(2))
        #expect(try contains(fixture.path, some))
        let report = try fixture.open().check(UnlockMethod.pin(VaultFixture.pin()))
        #expect(report.faults == [.unusedRows(count)])
        #expect(report.unusedRowCount == count)
        // A backup that another program made with `cp` has them, and verification reports it.
        #expect(
            try VaultImage(contentsOf: fixture.path).check(UnlockMethod.pin(VaultFixture.pin())).faults
                == [.unusedRows(count)])
        let backup = try fixture.unlock().backup(to: copy)
        #expect(backup.unusedRowCount == count && backup.counts.keys == 2)
        #expect(try !contains(copy, some))
        let copied = try VaultImage(contentsOf: copy).check(UnlockMethod.pin(VaultFixture.pin()))
        #expect(copied.faults.isEmpty && copied.unusedRowCount == 0)
        let restored = fixture.folder + "/restored.db"
        _ = try Vault.restore(
            VaultImage(contentsOf: fixture.path), to: restored, method: UnlockMethod.pin(VaultFixture.pin()),
            clock: VaultFixture.clock)
        #expect(try !contains(restored, some))
        #expect(try VaultFixture.lend(2, of: fixture.unlock(restored)) == 2)
    }

    /// Bytes after the end of the database refuse the vault.
    @Test func bytesAfterTheEndAreRefused() throws {
        try plant(16, in: .end)
        let count = Int64(try VaultFixture.bytes(of: fixture.path).count)
        let fault = VaultError.integrity(.damaged(.length(expected: count - 4_096, found: count)))
        #expect(vaultError { _ = try fixture.open() } == fault)
        #expect(
            vaultError {
                _ = try VaultImage(contentsOf: fixture.path).check(UnlockMethod.pin(VaultFixture.pin()))
            }
                == fault)
    }

    /// An entry in a free page is reported; a vault that was used for long has no fault.
    @Test func aVaultInUseHasNoPlantedRows() throws {
        try fixture.create()
        let vault = try fixture.unlock()
        for number in UInt8(1)...120 { try vault.insert(VaultFixture.key(number), label: nil, createdAt: 0) }
        try fixture.change { transaction in
            for number in UInt8(1)...60 {
                try transaction.rename(VaultFixture.publicKey(2 * number), to: Label("a \(number)"))
            }
        }
        let report = try fixture.open().check(UnlockMethod.pin(VaultFixture.pin()))
        #expect(report.faults.isEmpty && report.counts.keys == 120)
        let backup = try fixture.unlock().backup(to: copy)
        #expect(backup.unusedRowCount == 0)
        let copied = try VaultImage(contentsOf: copy).check(UnlockMethod.pin(VaultFixture.pin()))
        #expect(copied.faults.isEmpty && copied.unusedRowCount == 0)
    }
}

extension [UInt8] {
    /// The offsets at which the bytes occur.
    fileprivate func indices(of part: [UInt8]) -> [Int] {
        guard let first = part.first, count >= part.count else { return [] }
        return (0...(count - part.count)).filter { start in
            self[start] == first && self[start..<(start + part.count)].elementsEqual(part)
        }
    }
}
