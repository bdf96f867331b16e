import CSQLite
import Glibc
import HTTPSigning
import Keys
import SecureMemory
import Synchronization
import Testing

@testable import KeyVault

/// An attacker writes to the file during a change, between two readings of the same rows. Only the
/// rows of the verified reading may be authenticated.
struct DoubleReadTests {
    let fixture: VaultFixture

    init() throws { fixture = try VaultFixture() }

    /// Counts the statements that read some tables, and writes pages into the file right before one
    /// of them. Before that, SQLite's cache is written out and emptied, as it is when a header
    /// suggests a cache of one page.
    private final class Edit {
        private let handle: OpaquePointer
        private let path: String
        private let tables: Set<String>
        private let place: Int
        private let pages: [Int: [UInt8]]
        private(set) var readings = 0
        /// Whether the pages were written.
        private(set) var isDone = false
        /// Whether the pages in the file were different before.
        private(set) var isChange = false

        /// - Parameter place: the number of the reading, from 1; 0 for no edit.
        init(
            _ vault: Vault, path: String, reading tables: Set<String>, before place: Int,
            pages: [Int: [UInt8]]
        ) throws {
            handle = try #require(Mirror(reflecting: vault.connection).descendant("handle") as? OpaquePointer)
            (self.path, self.tables, self.place, self.pages) = (path, tables, place, pages)
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
            let words = statement.split(separator: " ").map(String.init)
            guard words.first == "SELECT",
                zip(words, words.dropFirst()).contains(where: { $0 == "FROM" && tables.contains($1) })
            else {
                return
            }
            readings += 1
            if readings == place { write() }
        }

        private func write() {
            unsafe sqlite3_db_cacheflush(handle)
            unsafe sqlite3_db_release_memory(handle)
            // Closing this second descriptor drops SQLite's locks. No other process needs them
            // here.
            let file = unsafe open(path, O_RDWR)
            isDone = true
            for (number, content) in pages {
                var before = content
                let offset = (number - 1) * content.count
                isDone = unsafe pread(file, &before, before.count, offset) == content.count && isDone
                isDone = unsafe pwrite(file, content, content.count, offset) == content.count && isDone
                if before != content { isChange = true }
            }
            close(file)
        }

        /// The result of a change that an edit interrupts.
        var outcome: Outcome { Outcome(readings: readings, isDone: isDone, isChange: isChange) }
    }

    private struct Outcome {
        let readings: Int
        let isDone: Bool
        let isChange: Bool
    }

    /// Counts the readings of a change without an edit, then runs it with an edit before each one.
    /// - Parameter attempt: receives the number of the reading, 0 for no edit.
    private func editEachReading(_ attempt: (Int) throws -> Outcome) throws {
        let clean = try attempt(0)
        #expect(clean.readings > 0)
        var changes = 0
        for place in 0..<clean.readings {
            let edited = try attempt(place + 1)
            #expect(edited.isDone, "no reading \(place + 1)")
            changes += edited.isChange ? 1 : 0
        }
        #expect(changes > 0)
        #expect(try !attempt(clean.readings + 1).isDone)
    }

    private func page(_ number: Int, of bytes: [UInt8]) -> [UInt8] {
        Array(bytes[(number - 1) * 4_096..<number * 4_096])
    }

    /// An older copy of the settings, put in before any one of their readings, is refused by the
    /// rekey or by a later reader.
    @Test func aRekeyAuthenticatesNoEdit() throws {
        try editEachReading { place in
            let fixture = try VaultFixture()
            try fixture.createFilled(1)
            _ = try fixture.unlock().backup(to: fixture.folder + "/first.db")
            let number = try fixture.rootPage("settings")
            let old = page(number, of: try VaultFixture.bytes(of: fixture.path))
            try fixture.unlock().insert(VaultFixture.key(2), label: nil, createdAt: 0)
            _ = try fixture.unlock().backup(to: fixture.folder + "/second.db")
            let mark = try fixture.unlock().withoutRecord { transaction throws(VaultError) in
                try transaction.buckets.lastBackup()
            }
            let vault = try fixture.unlock()
            let way = try VaultFixture.secret()
            let edit = try Edit(
                vault.vault, path: fixture.path, reading: ["settings"], before: place, pages: [number: old])
            let error = vaultError {
                try VaultFixture.change(vault) { transaction in try transaction.rekey(under: way) }
            }
            let outcome = edit.outcome
            #expect(outcome.isDone || error == nil)
            let after = try? fixture.unlock().withoutRecord { transaction throws(VaultError) in
                try transaction.buckets.lastBackup()
            }
            #expect(
                error != nil || after == nil || after == mark,
                "reading \(place): the older mark is authenticated")
            return outcome
        }
    }

    /// A slot that was removed, put back right before any reading of the slots.
    @Test func aRemovedSlotIsNotAuthenticated() throws {
        try editEachReading { place in
            let fixture = try VaultFixture()
            try fixture.createFilled(1)
            try fixture.change { transaction in try transaction.addSlot(VaultFixture.secret("the second one"))
            }
            let whole = try VaultFixture.bytes(of: fixture.path)
            let numbers = try [fixture.rootPage("slots"), fixture.rootPage("slot_copies")]
            let vault = try fixture.unlock()
            let edit = try Edit(
                vault.vault, path: fixture.path, reading: ["slots", "slot_copies"], before: place,
                pages: Dictionary(uniqueKeysWithValues: numbers.map { ($0, page($0, of: whole)) }))
            let error = vaultError {
                try VaultFixture.change(vault) { transaction in try transaction.removeSlot(1) }
            }
            let outcome = edit.outcome
            #expect(outcome.isDone || error == nil)
            guard error == nil else { return outcome }
            let second = vaultError { _ = try fixture.open().unlock(VaultFixture.pin("the second one")) }
            #expect(second != nil, "reading \(place): the removed slot opens the vault")
            return outcome
        }
    }

    /// An entry that was verified is opened without another reading of its bucket, as long as no
    /// entry was written. Then it is verified again.
    @Test func aVerifiedEntryIsReadOnce() throws {
        try fixture.createFilled(2)
        let vault = try fixture.unlock()
        let name = try VaultFixture.name(1)
        let count = try Edit(vault.vault, path: fixture.path, reading: ["entries"], before: 0, pages: [:])
        try VaultFixture.change(vault) { transaction in
            let entry = try transaction.entry(named: name)
            #expect(count.readings == 1)
            let scalar = try transaction.withKey(entry) { key throws(VaultError) in
                key.withScalar { $0[byte: 31] }
            }
            #expect(scalar == 1 && count.readings == 1)
            try transaction.record(.exported(key: name))
            try transaction.withKey(entry) { _ throws(VaultError) in }
            #expect(count.readings == 1)
            try transaction.rename(VaultFixture.name(2), to: nil)
            let before = count.readings
            try transaction.withKey(entry) { _ throws(VaultError) in }
            #expect(count.readings == before + 1)
        }
    }

    /// A request decrypts its secret once and verifies the bucket of its entry once.
    @Test func aRequestReadsItsEntryOnce() throws {
        try fixture.createFilled(1)
        var name: EntryName?
        try fixture.change { transaction in
            name = try transaction.insert(
                Credential(profile: SigningProfile(name: "bitbank"), keyID: KeyID("key-1")),
                secret: SecureBytes(copyingPublic: [7]), label: Label("exchange"), createdAt: 9
            ).name
        }
        let credential = try #require(name)
        let vault = try fixture.unlock()
        let count = try Edit(vault.vault, path: fixture.path, reading: ["entries"], before: 0, pages: [:])
        let opened = Atomic(0)
        try EntryRow.$testOnlyOpening.withValue({ opened.add(1, ordering: .relaxed) }) {
            try VaultFixture.change(vault) { transaction in
                let entry = try transaction.entry(named: credential)
                _ = try transaction.takeNonce(of: entry, clock: 8)
                let secret = try transaction.withSecret(of: entry) { secret throws(VaultError) in
                    secret.withBytes { $0[byte: 0] }
                }
                #expect(secret == 7)
                try transaction.record(.exported(key: credential))
            }
        }
        #expect(count.readings == 1 && opened.load(ordering: .relaxed) == 1)
        #expect(try fixture.open().unverifiedEntry("exchange")?.lastNonce == 8)
    }

    /// A verified entry does not outlive the state in which it was verified: not a removal in the
    /// same transaction, and not one in another.
    @Test func aVerifiedEntryOfAnEarlierStateIsVerifiedAgain() throws {
        try fixture.createFilled(2)
        let name = try VaultFixture.name(1)
        var kept: VaultTransaction.VerifiedEntry?
        try fixture.change { transaction in kept = try transaction.entry(named: name) }
        let entry = try #require(kept)
        let error = vaultError {
            try fixture.change { transaction in
                let current = try transaction.entry(named: name)
                try transaction.remove(name, neverBackedUp: true)
                try transaction.withKey(current) { _ throws(VaultError) in }
            }
        }
        #expect(error == .input(.noSuchKey))
        try fixture.change { transaction in try transaction.remove(name, neverBackedUp: true) }
        #expect(
            vaultError {
                try fixture.change { transaction in try transaction.withKey(entry) { _ throws(VaultError) in }
                }
            } == .input(.noSuchKey))
    }

    /// A key of a transaction that was undone is not lent by another one that wrote as much.
    @Test func aVerifiedEntryOfAnUndoneTransactionIsVerifiedAgain() throws {
        try fixture.createFilled(1)
        let name = try VaultFixture.name(9)
        var kept: VaultTransaction.VerifiedEntry?
        let undone = vaultError {
            try fixture.change { transaction in
                try transaction.insert(VaultFixture.key(9), label: nil, createdAt: 1)
                kept = try transaction.entry(named: name)
                throw VaultError.machine(.busy)
            }
        }
        #expect(undone == .machine(.busy))
        let entry = try #require(kept)
        for count in 0...4 {
            let error = vaultError {
                try fixture.change { transaction in
                    for _ in 0..<count { try transaction.record(.backedUp(generation: 1)) }
                    try transaction.withKey(entry) { _ throws(VaultError) in }
                }
            }
            #expect(error == .input(.noSuchKey))
        }
    }

    /// A change continues with the pages that it verified: the header can't request a cache of one
    /// page.
    @Test func ignoresTheCacheSizeInTheHeader() throws {
        try fixture.createFilled(1)
        let whole = try VaultFixture.bytes(of: fixture.path)
        for offset in 48...51 {
            try VaultFixture.write(whole, to: fixture.path)
            try fixture.patch(offset, [1])
            #expect(vaultError { _ = try fixture.open() } == .integrity(.damaged(.header(offset: offset))))
        }
        try VaultFixture.write(whole, to: fixture.path)
        #expect(try fixture.open().connection.integer("PRAGMA cache_size") == -2_000)
    }
}
