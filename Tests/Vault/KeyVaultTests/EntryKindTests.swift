import Keys
import SecureMemory
import Testing

@testable import KeyVault

/// A kind of entry that is not a key: a secret of 1 to 64 bytes, whose name and details follow from
/// it. Everything that a vault does with keys must work with it.
private struct TestPayload: EntryPayload {
    static let kind = EntryKind.other(200)
    static let text = [UInt8]("a secret that is no key".utf8)

    let secretCounts = 1...64
    let maximumDetailCount = 2

    static func name(of secret: borrowing SecureBytes) -> EntryName? {
        EntryName(
            "test:\(secret.withBytes { bytes in (0..<bytes.byteCount).reduce(0) { $0 + Int(bytes[byte: $1]) } })"
        )
    }

    static func details(of secret: borrowing SecureBytes) -> [UInt8] { [UInt8(secret.count), 0xff] }

    func check(_ secret: RawSpan, of entry: EntryDescription) throws(VaultError) {
        let secret = try Sodium.guarded(copying: secret)
        guard Self.name(of: secret) == entry.name, Self.details(of: secret) == entry.details else {
            throw .integrity(.entryDamaged(.key))
        }
    }

    func facts(of entry: EntryDescription) -> [EntryFact] {
        [
            EntryFact(field: "name", value: entry.name.text, title: "test entry"),
            EntryFact(field: "size", value: "\(entry.details[0])", title: nil),
        ]
    }
}

struct EntryKindTests {
    let fixture: VaultFixture
    private var copy: String { fixture.folder + "/copy.db" }

    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(2)
    }

    private static func secret(_ text: [UInt8] = TestPayload.text) throws -> SecureBytes {
        try SecureBytes(copyingPublic: text)
    }

    private static func name() throws -> EntryName {
        let secret = try secret()
        let name = TestPayload.name(of: secret)
        return try #require(name)
    }

    /// Runs a test with the kind defined.
    private func withKind<Result>(_ body: () throws -> Result) rethrows -> Result {
        try EntryKind.$testOnlyKind.withValue((200, TestPayload()), operation: body)
    }

    private func insert(label: String? = "device") throws {
        try VaultFixture.change(fixture.unlock()) { transaction in
            try transaction.insert(
                Self.secret(), Self.name(), TestPayload.kind, details: TestPayload.details(of: Self.secret()),
                label: label.map { try Label($0) }, createdAt: 9)
        }
    }

    /// The secret in the vault at a path.
    private func opened(in path: String? = nil, by pin: String = "correct horse") throws -> [UInt8] {
        var opened: [UInt8] = []
        try VaultFixture.change(fixture.open(path).unlock(VaultFixture.pin(pin))) { transaction in
            let row = try transaction.row(named: Self.name())
            opened = try row.open(transaction.sealContext).withBytes { bytes in
                (0..<bytes.byteCount).map { bytes[byte: $0] }
            }
        }
        return opened
    }

    @Test func isListedAndDescribed() throws {
        try withKind {
            try insert()
            let entry = try #require(try fixture.unlock().entries().first { $0.kind == TestPayload.kind })
            #expect(try entry.name == Self.name() && entry.label?.text == "device" && !entry.isKey)
            #expect(entry.facts.map(\.value) == [entry.name.text, "23"])
            #expect(try fixture.open().unverifiedEntries().contains(entry))
            for text in ["device", entry.name.text] {
                #expect(try fixture.open().unverifiedEntry(text) == entry)
                let status = try fixture.unlock().status(of: text)
                #expect(status.entry == entry && !status.isBackedUp)
            }
            #expect(try opened() == TestPayload.text)
        }
    }

    /// If `keyCount` counted all entries, `sign` would not find the only key of a vault.
    @Test func isNotCountedAsAKey() throws {
        try withKind {
            try insert()
            try VaultFixture.change(fixture.unlock()) { transaction in
                #expect(transaction.entryCount == 3)
                let count = try transaction.keyCount()
                #expect(count == 2)
            }
            let report = try fixture.open().check(UnlockMethod.pin(VaultFixture.pin()))
            #expect(report.faults.isEmpty && report.counts.keys == 2 && report.entryCount == 3)
        }
    }

    @Test func lendsNoKey() throws {
        try withKind {
            try insert()
            let error = vaultError {
                try VaultFixture.change(fixture.unlock()) { transaction in
                    try transaction.withKey(transaction.entry("device")) { _ throws(VaultError) in }
                }
            }
            #expect(error == .input(.unsupportedKind(200)))
        }
    }

    @Test func isRenamedAndRemovedWithRecords() throws {
        try withKind {
            try insert()
            let name = try Self.name()
            try VaultFixture.change(fixture.unlock()) { transaction in
                try transaction.rename(name, to: Label("other"))
            }
            #expect(try fixture.unlock().status(of: "other").entry.name == name)
            #expect(try opened() == TestPayload.text)
            #expect(
                vaultError {
                    try VaultFixture.change(fixture.unlock()) { transaction in try transaction.remove(name) }
                } == .input(.neverBackedUp(.other(200))))
            _ = try fixture.unlock().backup(to: copy)
            try VaultFixture.change(fixture.unlock()) { transaction in try transaction.remove(name) }
            #expect(try fixture.unlock().entries().map(\.isKey) == [true, true])
            let events = try VaultFixture.events(of: fixture.unlock()).filter { $0.key == name }
            #expect(
                try events == [
                    .created(key: name), .renamed(key: name, from: Label("device"), to: Label("other")),
                    .removed(key: name),
                ])
        }
    }

    @Test func isBackedUpAndRestored() throws {
        try withKind {
            try insert()
            let backup = try fixture.unlock().backup(to: copy)
            #expect(backup.counts.keys == 2)
            #expect(try fixture.unlock().status(of: "device").isBackedUp)
            let restored = fixture.folder + "/restored.db"
            _ = try Vault.restore(
                VaultImage(contentsOf: copy), to: restored, method: UnlockMethod.pin(VaultFixture.pin()),
                clock: VaultFixture.clock)
            #expect(try opened(in: restored) == TestPayload.text)
        }
    }

    @Test func isSealedAgainUnderANewMasterKey() throws {
        try withKind {
            try insert()
            let secret = try VaultFixture.secret("battery staple")
            try VaultFixture.change(fixture.unlock()) { transaction in try transaction.rekey(under: secret) }
            #expect(try opened(by: "battery staple") == TestPayload.text)
        }
    }

    /// The manifest confirms the entry; without the manifest, its seal verifies.
    @Test(arguments: [false, true])
    func isRescued(withoutManifest: Bool) throws {
        try withKind {
            try insert()
            if withoutManifest { try fixture.tamper("UPDATE vault SET root = zeroblob(32)") }
            let report = try fixture.rescue()
            #expect(report.isComplete == !withoutManifest)
            #expect(Set(report.rescued) == Set(try fixture.open().unverifiedEntries()))
            #expect(try opened(in: fixture.folder + "/rescued.db") == TestPayload.text)
        }
    }

    @Test func refusesASecretOfAnotherName() throws {
        try withKind {
            let other = try #require(EntryName("test:1"))
            let error = vaultError {
                try VaultFixture.change(fixture.unlock()) { transaction in
                    try transaction.insert(Self.secret(), other, TestPayload.kind, label: nil, createdAt: 9)
                }
            }
            #expect(error == .integrity(.entryDamaged(.key)))
            #expect(try fixture.unlock().entries().count == 2)
        }
    }

    /// The seal opens, but the self-check of the kind finds that the secret is not the entry's.
    @Test func aCheckFindsASecretOfAnotherName() throws {
        try withKind {
            let other = try Self.name()
            try VaultFixture.change(fixture.unlock()) { transaction in
                let wrong = try Self.secret([1, 2])
                var row = EntryRow(
                    name: other, kind: TestPayload.kind, label: nil, createdAt: 9,
                    generation: transaction.nextGeneration)
                try wrong.withBytes {
                    try row.seal($0, transaction.sealContext, generation: transaction.nextGeneration)
                }
                try transaction.plant(row)
            }
            let report = try fixture.open().check(UnlockMethod.pin(VaultFixture.pin()))
            #expect(report.faults == [.key(name: other, .key)])
            let rescued = try fixture.rescue()
            #expect(rescued.losses == [.init(name: other, reason: .key)])
        }
    }

    /// A program without the kind lists, renames and keeps the entry, and opens nothing.
    @Test func aProgramWithoutTheKindKeepsIt() throws {
        try withKind { try insert() }
        let entry = try #require(try fixture.unlock().entries().first { !$0.isKey })
        #expect(entry.facts.map(\.field) == ["name", "kind"])
        try VaultFixture.change(fixture.unlock()) { transaction in
            let count = try transaction.keyCount()
            #expect(count == 2)
            try transaction.rename(entry.name, to: Label("kept"))
        }
        let slot = try VaultFixture.secret("battery staple")
        try VaultFixture.change(fixture.unlock()) { transaction in try transaction.rekey(under: slot) }
        let report = try fixture.rescue(pin: "battery staple")
        #expect(report.losses == [] && report.isComplete && report.unsupported == UnsupportedRows(entries: 1))
        for path in [fixture.path, fixture.folder + "/rescued.db"] {
            let secret = try withKind { try opened(in: path, by: "battery staple") }
            #expect(secret == TestPayload.text)
        }
    }
}

extension VaultTransaction {
    /// Adds a row without its self-check.
    mutating func plant(_ row: EntryRow) throws(VaultError) {
        try write { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.buckets.add(row)
            transaction.buckets.manifest.entryCount += 1
        }
    }
}
