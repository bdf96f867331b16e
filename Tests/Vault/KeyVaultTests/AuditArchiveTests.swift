import Codecs
import Files
import Signing
import Testing

@testable import KeyVault

/// Records of the audit log are moved to archives, and stay provable.
struct AuditArchiveTests {
    let fixture: VaultFixture
    private var path: String { fixture.folder + "/one.archive" }
    private var other: String { fixture.folder + "/two.archive" }

    init() throws {
        fixture = try VaultFixture()
        // Records 1 to 4: the new vault, and three keys.
        try fixture.createFilled(3)
    }

    @discardableResult
    private func archive(to path: String? = nil, of vault: String? = nil) throws -> AuditArchive {
        try fixture.unlock(vault).archiveLog(to: NewFile(path ?? self.path, holding: .publicData))
    }

    private func insert(_ number: UInt8) throws {
        try fixture.unlock().insert(VaultFixture.key(number), label: nil, createdAt: 1)
    }

    private func rekey() throws {
        let secret = try VaultFixture.secret()
        try fixture.change { transaction in try transaction.rekey(under: secret) }
    }

    private func report(_ paths: [String], vault: String? = nil) throws -> ArchiveReport {
        try fixture.unlock(vault).verify(paths.map { path throws(VaultError) in try AuditArchive(path) })
    }

    private func events(of archive: AuditArchive) throws -> [AuditEvent] {
        let vault = try fixture.unlock()
        var reader = try vault.reader(of: archive)
        var events: [AuditEvent] = []
        while let records = try reader.next() { events += records.map(\.event) }
        return events
    }

    // MARK: moving

    @Test func movesTheRecords() throws {
        let before = try VaultFixture.events(of: fixture.unlock())
        let archive = try archive()
        #expect(archive.first == 1 && archive.last == 4)
        #expect(try events(of: archive) == before)
        let moved = AuditEvent.archived(first: 1, last: 4, hash: archive.hash)
        var sequences: [Int64] = []
        try fixture.unlock().log { sequences.append($0.sequence) }
        #expect(sequences == [5])
        #expect(try VaultFixture.events(of: fixture.unlock()) == [moved])
        #expect(try fixture.unlock().verifyLog { Issue.record("\($0)") } == 1)
        #expect(try FileStatus(of: path).mode & 0o777 == 0o600)
        #expect(fixture.names() == ["one.archive", "vault.db"])

        let check = try fixture.open().check(UnlockMethod.pin(VaultFixture.pin()))
        #expect(check.faults.isEmpty && check.recordCount == 1)
        #expect(check.archives.map(\.last) == [4] && check.archives.map(\.hash) == [archive.hash])
        #expect(try report([path]).isOK)
        for number in UInt8(1)...3 { #expect(try fixture.lend(number) == number) }
    }

    /// A record states who requested it, also in an archive. Failed unlocks that are recorded first
    /// have no requester.
    @Test func keepsRequesters() throws {
        func fail() { _ = try? fixture.open().unlock(VaultFixture.pin("wrong horse")) }
        fail()
        let requester = try #require(Requester(uid: 1000, program: "cleos"))
        let vault = try fixture.unlock()
        fail()
        vault.vault.requester = requester
        try vault.insert(VaultFixture.key(9), label: nil, createdAt: 1)
        vault.vault.requester = nil
        try vault.insert(VaultFixture.key(10), label: nil, createdAt: 1)
        var records: [AuditRecord] = []
        try fixture.unlock().log { records.append($0) }
        let requested = records.filter { $0.requester != nil }
        let name = EntryName(try VaultFixture.publicKey(9))
        #expect(requested.map(\.event.key) == [name] && requested.allSatisfy { $0.requester == requester })
        #expect(
            records.count { if case .failedUnlocks = $0.event { $0.requester == nil } else { false } } == 2)
        #expect(try fixture.unlock().verifyLog { Issue.record("\($0)") } == records.count)

        let archive = try archive()
        let unlocked = try fixture.unlock()
        var reader = try unlocked.reader(of: archive)
        var archived: [AuditRecord] = []
        while let part = try reader.next() { archived += part }
        #expect(archived == records)
    }

    /// The hash is BLAKE2b-256 of the first 128 bytes, as `head -c 128 FILE | b2sum -l 256` prints.
    @Test func theHashIsThatOfTheHeader() throws {
        let archive = try archive()
        let bytes = try VaultFixture.bytes(of: path)
        #expect(archive.hash == Sodium.hash(Array(bytes[..<128])))
        #expect(try fixture.unlock().archives().map(\.hash) == [archive.hash])
    }

    @Test func continuesTheChain() throws {
        try archive()
        #expect(throws: ArchiveFailure.vault(.input(.nothingToArchive))) { try archive(to: other) }
        #expect(fixture.names() == ["one.archive", "vault.db"])
        try insert(10)
        let second = try archive(to: other)
        #expect(second.first == 5 && second.last == 6)
        // The first record of an archive names the archive before it.
        guard case .archived(first: 1, last: 4, _)? = try events(of: second).first else {
            Issue.record("the record of the first archive is missing")
            return
        }
        #expect(try fixture.unlock().archives().map(\.first) == [1, 5])
        // In any order, and one of them twice.
        #expect(try report([other, path]).isOK)
        #expect(try report([path, other, path]).isOK)
        #expect(try report([path]).missing.map(\.first) == [5])
        #expect(try report([other]).missing.map(\.first) == [1])
        let ordered = try AuditArchive.consecutive([AuditArchive(other), AuditArchive(path)])
        #expect(ordered.map(\.first) == [1, 5])
    }

    /// A part of an archive has 64 KiB; the records of one are read at once.
    @Test func manyRecords() throws {
        let vault = try fixture.unlock()
        try vault.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            for number in 0..<20_000 { try transaction.record(.backedUp(generation: Int64(number))) }
        }
        let (size, used) = (try VaultFixture.bytes(of: fixture.path).count, try fixture.open().space.used)
        let archive = try archive()
        #expect(archive.last == 20_004)
        #expect(try events(of: archive).count == 20_004)
        #expect(try fixture.open().space.used < used / 4)
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults.isEmpty)
        // The pages are used again.
        try vault.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            for number in 0..<19_000 { try transaction.record(.backedUp(generation: Int64(number))) }
        }
        #expect(try VaultFixture.bytes(of: fixture.path).count <= size)
        try tamperWithParts()
    }

    /// Each edit of the parts is refused, with the last record before it.
    private func tamperWithParts() throws {
        let whole = try VaultFixture.bytes(of: path)
        var starts = [128]
        while let start = starts.last, start < whole.count {
            starts.append(start + 5 + whole[start + 1..<start + 5].reversed().reduce(0) { $0 << 8 | Int($1) })
        }
        try #require(starts.count > 5 && starts.last == whole.count)
        let parts = zip(starts, starts.dropFirst()).map { Array(whole[$0..<$1]) }
        func intact(_ parts: [[UInt8]]) throws -> Int64? {
            try VaultFixture.write(Array(whole[..<128]) + Array(parts.joined()), to: path)
            guard case .damaged(let last)? = try report([path]).files.first?.fault else {
                Issue.record("an edited archive is accepted")
                return nil
            }
            return last
        }
        #expect(try intact([parts[1], parts[0]] + parts[2...]) == nil)
        let first = try #require(try intact([parts[0]] + parts[2...]))
        #expect(try intact([parts[0], parts[2], parts[1]] + parts[3...]) == first)
        #expect(try intact([parts[0], parts[0]] + parts[1...]) == first)
        #expect(try intact(Array(parts.prefix(1))) == first)
        #expect(try intact(parts.dropLast()) == intact(Array(parts.dropLast()) + [parts[0]]))
        #expect(try intact(parts + [[0]]) == 20_004)
        var last = parts[parts.count - 1]
        last[0] = 0
        #expect(try intact(parts.dropLast() + [last]) == intact(parts.dropLast()))
        try VaultFixture.write(whole, to: path)
        #expect(try report([path]).isOK)
    }

    // MARK: refusals

    /// An edit of a field of the header, and its error.
    struct Edit: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let offset: Int
        let bytes: [UInt8]
        let error: VaultError

        static let damaged = VaultError.integrity(.archiveDamaged(intactUpTo: nil))

        init(_ field: String, _ offset: Int, _ bytes: [UInt8], _ error: VaultError = damaged) {
            (testDescription, self.offset, self.bytes, self.error) = (field, offset, bytes, error)
        }
    }

    static let edits = [
        Edit("domain", 0, [0x45], .input(.notAnArchive)),
        Edit("end of the domain", 15, [0x32], .input(.notAnArchive)),
        Edit("vault id", 16, [UInt8](repeating: 7, count: 16), .input(.archiveOfOtherVault)),
        Edit("number before", 32, [1]),
        Edit("negative number before", 39, [0x80], .input(.notAnArchive)),
        Edit("last number", 40, [5]),
        Edit("higher last number", 46, [1]),
        Edit("last number not after the one before", 40, [0], .input(.notAnArchive)),
        Edit("greatest last number", 40, [UInt8](repeating: 0xff, count: 7) + [0x7f], .input(.notAnArchive)),
        Edit("mac before", 48, [1]), Edit("last mac", 80, [UInt8](repeating: 0, count: 32)),
        Edit("salt", 112, [UInt8](repeating: 0, count: 16)),
        Edit("not the last part", 128, [0]), Edit("neither", 128, [2]),
        Edit("length", 129, [1, 0, 0, 0]), Edit("no length", 129, [0, 0, 0, 0]),
        Edit("greatest length", 129, [0xff, 0xff, 0xff, 0xff]),
        Edit("more than the file has", 129, [0, 0, 0, 1]),
        Edit("sealed bytes", 133, [0, 0, 0, 0]),
    ]

    @Test(arguments: edits) func refuses(_ edit: Edit) throws {
        try archive()
        var bytes = try VaultFixture.bytes(of: path)
        bytes.replaceSubrange(edit.offset..<edit.offset + edit.bytes.count, with: edit.bytes)
        try VaultFixture.write(bytes, to: path)
        #expect(vaultError { try fixture.unlock().verify(AuditArchive(path)) } == edit.error)
    }

    @Test func refusesEachByte() throws {
        try archive()
        let whole = try VaultFixture.bytes(of: path)
        let vault = try fixture.unlock()
        func error() -> VaultError? { vaultError { try vault.verify(AuditArchive(path)) } }
        for index in whole.indices {
            var bytes = whole
            bytes[index] ^= 0x10
            try VaultFixture.write(bytes, to: path)
            #expect(error() != nil, "byte \(index)")
            try VaultFixture.write(Array(whole[..<index]), to: path)
            #expect(error() == (index < 128 ? .input(.notAnArchive) : Edit.damaged), "cut to \(index) bytes")
        }
        try VaultFixture.write(whole + [0], to: path)
        #expect(error() == .integrity(.archiveDamaged(intactUpTo: 4)))
        try VaultFixture.write(whole, to: path)
        #expect(error() == nil)
    }

    @Test func refusesOtherFiles() throws {
        for file in [fixture.path, fixture.folder, "/dev/null"] {
            #expect(vaultError { _ = try AuditArchive(file) } == .input(.notAnArchive))
        }
        #expect(vaultError { _ = try AuditArchive(path) } == .file(.noSuchFile))
    }

    /// The file is replaced by another archive of the vault after its header was read.
    @Test func refusesAReplacedFile() throws {
        let first = try archive()
        try insert(10)
        try archive(to: other)
        try VaultFixture.write(VaultFixture.bytes(of: other), to: path)
        #expect(vaultError { try fixture.unlock().verify(first) } == Edit.damaged)
    }

    @Test func ofAnotherVault() throws {
        let stranger = fixture.folder + "/stranger.db"
        try fixture.createFilled(3, path: stranger)
        try archive(of: stranger)
        let report = try report([path])
        #expect(report.files.map(\.fault) == [.ofOtherVault] && !report.isOK)
        // With the vault's id, nothing opens.
        try archive(to: other)
        var bytes = try VaultFixture.bytes(of: path)
        bytes.replaceSubrange(16..<32, with: try VaultFixture.bytes(of: other)[16..<32])
        try VaultFixture.write(bytes, to: path)
        #expect(try self.report([path]).files.map(\.fault) == [.damaged(intactUpTo: nil)])
    }

    @Test func notConsecutive() throws {
        try archive()
        try insert(10)
        try archive(to: other)
        try insert(11)
        let third = try archive(to: fixture.folder + "/three.archive")
        #expect(
            vaultError { _ = try AuditArchive.consecutive([third, AuditArchive(path)]) }
                == .input(.archivesNotConsecutive(last: 4, next: third.first)))
        #expect(
            vaultError { _ = try AuditArchive.consecutive([AuditArchive(path), AuditArchive(path)]) }
                == .input(.archivesNotConsecutive(last: 4, next: 1)))
    }

    @Test func overwritesNothing() throws {
        #expect(throws: FileError.exists) { try archive(to: fixture.path) }
        let file = try NewFile(path, holding: .publicData)
        try VaultFixture.write([1, 2, 3], to: path)
        let before = try VaultFixture.bytes(of: fixture.path)
        #expect(throws: ArchiveFailure.file(.file(.alreadyExists))) {
            try fixture.unlock().archiveLog(to: file)
        }
        #expect(try VaultFixture.bytes(of: path) == [1, 2, 3])
        #expect(try VaultFixture.bytes(of: fixture.path) == before)
    }

    @Test(arguments: [
        "UPDATE audit SET body = x'01' WHERE sequence = 2", "DELETE FROM audit WHERE sequence = 4",
        "INSERT INTO audit SELECT 9, body, mac FROM audit WHERE sequence = 4",
    ])
    func refusesAChangedLog(_ sql: String) throws {
        try fixture.tamper(sql)
        let before = try VaultFixture.bytes(of: fixture.path)
        do {
            try archive()
            Issue.record("a changed log is archived")
        } catch ArchiveFailure.vault(.integrity(.audit)) {}
        #expect(try VaultFixture.bytes(of: fixture.path) == before)
        #expect(fixture.names() == ["vault.db"])
    }

    /// Without the key, nobody makes the vault forget its archives.
    @Test(arguments: [
        "DELETE FROM settings WHERE name = 'log-archives'",
        "UPDATE settings SET value = zeroblob(100) WHERE name = 'log-archives'",
    ])
    func theListOfArchivesIsAuthenticated(_ sql: String) throws {
        try archive()
        try fixture.tamper(sql)
        #expect(
            vaultError { _ = try fixture.unlock().archives() }
                == .integrity(.manifestMismatch(.bucket(.settings, 0))))
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults == [.rows(.settings)])
    }

    /// A full vault has no room for the record of earlier failed unlocks.
    @Test func ofAFullVault() throws {
        let vault = try fixture.unlock()
        try vault.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            for number in 0..<2_000 { try transaction.record(.backedUp(generation: Int64(number))) }
        }
        #expect(throws: VaultError.input(.wrongUnlockMethod(.pin, damagedSlots: []))) {
            _ = try fixture.open().unlock(VaultFixture.pin("a wrong passphrase"))
        }
        let full = try fixture.open()
        let pages = try #require(try full.connection.integer("PRAGMA page_count"))
        try full.connection.run("PRAGMA max_page_count = \(pages)")
        let unlocked = try full.unlock(VaultFixture.pin())
        var refusals = 0
        for _ in 0..<200 where vaultError({ try record(in: unlocked) }) == .machine(.diskFull) {
            refusals += 1
        }
        #expect(refusals > 0)
        _ = try unlocked.archiveLog(to: NewFile(path, holding: .publicData))
        try record(in: unlocked)
        #expect(try report([path]).isOK)
    }

    private func record(in vault: borrowing UnlockedVault) throws(VaultError) {
        try vault.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.record(.backedUp(generation: 1))
        }
    }

    // MARK: the setting

    @Test func refusesMalformedSettings() throws {
        let head = AuditHead(sequence: 4, mac: [UInt8](repeating: 1, count: 32))
        let hash = [UInt8](repeating: 2, count: 32)
        let valid = ArchivedLog(nil, addingUpTo: head, time: 7, hash: hash)
        let bytes = valid.setting
        #expect(try ArchivedLog(setting: bytes) == valid)
        #expect(bytes == [1, 1, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0] + hash + head.mac)
        let broken: [[UInt8]] = [
            [], [2] + bytes.dropFirst(), bytes + [0], bytes.dropLast(), [1, 0, 0, 0, 0] + head.mac,
            [1, 2, 0, 0, 0] + bytes.dropFirst(5), [1, 0xff, 0xff, 0xff, 0xff] + bytes.dropFirst(5),
            bytes.prefix(5) + [0] + bytes.dropFirst(6), bytes.prefix(12) + [0x80] + bytes.dropFirst(13),
            bytes.prefix(5) + [UInt8](repeating: 0xff, count: 7) + [0x7f] + bytes.dropFirst(13),
            bytes.prefix(20) + [0x80] + bytes.dropFirst(21),
        ]
        for setting in broken {
            #expect(
                vaultError { _ = try ArchivedLog(setting: setting) } == .integrity(.damaged(.row(.settings))))
        }
    }
}
