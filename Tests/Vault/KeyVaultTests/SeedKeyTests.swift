import Codecs
import Keys
import SecureMemory
import Seeds
import Testing

@testable import KeyVault

/// Keys that are derived from a seed of the vault: their order, and what keeps them.
struct SeedKeyTests {
    private let fixture: VaultFixture
    private let vector: SeedVector
    private let seed: EntryName
    private var copy: String { fixture.folder + "/copy.db" }
    private var restored: String { fixture.folder + "/restored.db" }

    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(1)
        vector = try SeedVector.words()[4]
        seed = try fixture.insert(vector)
    }

    /// What `derive` returns for the key at an index that the vector has: 0, 1, 2 or 7.
    private func expected(_ index: Int) throws -> String {
        let path = "m/44'/194'/0'/0/\(index)"
        return try "\(path) \(#require(vector.keys[path]))"
    }

    private func name(_ index: Int) throws -> EntryName {
        try EntryName(PublicKey(#require(vector.keys["m/44'/194'/0'/0/\(index)"])))
    }

    private func path(_ index: Int) throws -> DerivationPath {
        try DerivationPath("m/44'/194'/0'/0/\(index)")
    }

    private func refusal(_ body: (inout VaultTransaction) throws -> Void) -> VaultError? {
        vaultError { try fixture.change(body) }
    }

    private func add(_ paths: [DerivationPath]) throws -> [VaultTransaction.FoundKey] {
        var found: [VaultTransaction.FoundKey] = []
        try fixture.change {
            found = try $0.addKeys(of: seed, at: paths, createdAt: VaultFixture.time)
        }
        return found
    }

    // MARK: the next key

    @Test(arguments: try SeedVector.words())
    func keysAreThoseOfOtherPrograms(_ vector: SeedVector) throws {
        let fixture = try VaultFixture()
        try fixture.create()
        let name = try fixture.insert(vector)
        for index in 0...7 {
            let made = try fixture.derive(name)
            let path = "m/44'/194'/0'/0/\(index)"
            #expect(made.hasPrefix(path + " "))
            if let key = vector.keys[path] { #expect(made == "\(path) \(key)") }
        }
        #expect(try fixture.next(of: name) == 8)
    }

    /// The private key that the vault lends is the one of the name.
    @Test func aDerivedKeySigns() throws {
        try fixture.derive(seed, label: "savings")
        let vault = try fixture.unlock()
        let entry = try vault.status(of: "savings").entry
        #expect(try entry.name == name(0) && entry.isKey && entry.kind == .privateKey(.k1))
        let digest = SigningDigest(sha256: [1])
        let key = try PublicKey(vector.firstKey)
        let signature = try vault.withKey(key) { key throws(VaultError) in
            do { return try key.sign(digest).signature } catch { throw .integrity(.entryDamaged(.key)) }
        }
        #expect(try signature.recover(digest) == key)
        #expect(try VaultFixture.events(of: vault).last == .created(key: entry.name))
    }

    /// An index is never used twice: not after its key was removed, and not after the vault was
    /// opened again.
    @Test func indicesAreNotUsedTwice() throws {
        #expect(try fixture.derive(seed) == expected(0))
        #expect(try fixture.derive(seed) == expected(1))
        try fixture.change { try $0.remove(name(1)) }
        #expect(try fixture.derive(seed) == expected(2))
        for _ in 3...6 { try fixture.derive(seed) }
        try fixture.change { transaction in
            try transaction.remove(name(0))
            try transaction.remove(name(2))
        }
        #expect(try fixture.derive(seed) == expected(7))
        #expect(try fixture.next(of: seed) == 8)
    }

    /// Several keys in one transaction; an error takes all of them back, and the index.
    @Test func anErrorTakesTheIndexBack() throws {
        let time = VaultFixture.time
        let failed = refusal { transaction in
            _ = try transaction.deriveKey(from: seed, label: nil, createdAt: time)
            _ = try transaction.deriveKey(from: seed, label: Label("key 1"), createdAt: time)
        }
        #expect(failed == .input(.labelExists))
        #expect(try fixture.next(of: seed) == 0 && fixture.unlock().entries().count == 2)
        #expect(
            refusal { _ = try $0.deriveKey(from: seed, label: Label("Key 1"), createdAt: time) }
                == .input(.labelAlike))
        #expect(
            refusal { _ = try $0.deriveKey(from: seed, label: nil, createdAt: -1) }
                == .machine(.timeOutOfRange)
        )
        try fixture.change { transaction in
            _ = try transaction.deriveKey(from: seed, label: nil, createdAt: time)
            _ = try transaction.deriveKey(from: seed, label: nil, createdAt: time)
        }
        #expect(try fixture.next(of: seed) == 2)
        #expect(try fixture.derive(seed) == expected(2))
    }

    /// The key at index 1 was imported from another wallet before.
    @Test func skipsAKeyThatTheVaultHas() throws {
        try fixture.change { transaction in
            let keys = try StoredSeed.Form.words.keys(SecureBytes(copyingPublic: vector.secret))
            try transaction.insert(
                keys.key(at: path(1)), label: Label("old"), createdAt: 9, origin: .imported)
        }
        #expect(try fixture.derive(seed) == expected(0))
        #expect(try fixture.derive(seed) == expected(2))
        let old = try fixture.unlock().status(of: "old")
        #expect(try old.entry.name == name(1) && old.entry.origin == nil && !old.isBackedUp)
    }

    @Test func hasALastIndex() throws {
        let other = try SeedVector.words()[0]
        let name = try fixture.insert(other, next: 2_147_483_646, label: "used")
        #expect(try fixture.derive(name).hasPrefix("m/44'/194'/0'/0/2147483646 "))
        #expect(try fixture.derive(name).hasPrefix("m/44'/194'/0'/0/2147483647 "))
        #expect(try fixture.next(of: name) == 1 << 31)
        let before = try fixture.unlock().entries()
        #expect(vaultError { try fixture.derive(name) } == .input(.noIndexLeft))
        #expect(try fixture.unlock().entries() == before)
        let report = try fixture.open().check(UnlockMethod.pin(VaultFixture.pin()))
        #expect(report.faults.isEmpty)
    }

    // MARK: keys that were found

    @Test func addsKeysAtTheirPaths() throws {
        let slip48 = try DerivationPath("m/48'/4'/0'/0'/0'")
        let found = try add([path(2), path(0), slip48])
        #expect(try found.prefix(2).map(\.publicKey).map { EntryName($0) } == [name(2), name(0)])
        #expect(try found.map(\.path) == [path(2), path(0), slip48] && found.allSatisfy { !$0.isKnown })
        // The path of SLIP-48 has no index of the seed.
        #expect(try fixture.next(of: seed) == 3)
        let origins = try found.map {
            try fixture.unlock().status(of: $0.publicKey.text).entry.origin
        }
        #expect(origins == found.map { SeedOrigin(seed: seed, path: $0.path) })
        let events = try VaultFixture.events(of: fixture.unlock()).suffix(3)
        #expect(events.compactMap(\.key) == found.map { EntryName($0.publicKey) })
        #expect(try fixture.derive(seed).hasPrefix("m/44'/194'/0'/0/3 "))
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults.isEmpty)
    }

    /// A key that was imported alone gets the seed and the path, and keeps everything else.
    @Test func aKnownKeyGetsItsPath() throws {
        try fixture.change { transaction in
            let keys = try StoredSeed.Form.words.keys(SecureBytes(copyingPublic: vector.secret))
            try transaction.insert(
                keys.key(at: path(7)), label: Label("old"), createdAt: 9, origin: .imported)
        }
        let before = try fixture.row(name(7))
        let records = try VaultFixture.events(of: fixture.unlock())
        let found = try add([path(7), path(7)])
        #expect(found.map(\.isKnown) == [true, true])
        let entry = try fixture.unlock().status(of: "old").entry
        #expect(try entry.origin == SeedOrigin(seed: seed, path: path(7)) && entry.createdAt == 9)
        let after = try fixture.row(name(7))
        #expect(after.generation == before.generation && after.label == before.label)
        #expect(try VaultFixture.events(of: fixture.unlock()) == records)
        #expect(try fixture.next(of: seed) == 8)
        // An origin that is known does not change.
        let sealed = try fixture.row(name(7)).sealed
        _ = try add([path(7)])
        #expect(try fixture.row(name(7)).sealed == sealed)
    }

    @Test func addsNothingForNoPaths() throws {
        let before = try fixture.row(seed)
        #expect(try add([]).isEmpty)
        #expect(try fixture.row(seed) == before)
    }

    /// The index of the next key never becomes lower.
    @Test func anEarlierPathDoesNotLowerTheNextIndex() throws {
        _ = try add([path(7)])
        _ = try add([path(1)])
        #expect(try fixture.next(of: seed) == 8)
        _ = try add([.eos(2_147_483_647)])
        #expect(try fixture.next(of: seed) == 1 << 31)
        #expect(vaultError { try fixture.derive(seed) } == .input(.noIndexLeft))
    }

    // MARK: copies

    /// The words on paper restore a seed and its keys, so they can be removed without a backup. A
    /// key that was imported alone can't.
    @Test func isOnPaper() throws {
        try fixture.derive(seed, label: "savings")
        for text in ["family", "savings"] {
            let status = try fixture.unlock().status(of: text)
            #expect(status.isBackedUp && !status.isInBackup && !status.isOnlyHere && status.entry.isOnPaper)
            #expect(try fixture.open().unverifiedEntry(text)?.isOnPaper == true)
        }
        #expect(
            refusal { try $0.remove(VaultFixture.name(1)) } == .input(.neverBackedUp(.privateKey(.k1))))
        try fixture.change { transaction in
            try transaction.remove(seed)
            try transaction.remove(name(0))
        }
        #expect(try fixture.unlock().entries().map(\.name) == [VaultFixture.name(1)])
    }

    /// The index of the next key changes the row, not the backups that have the seed.
    @Test func staysInABackup() throws {
        try fixture.derive(seed)
        let backup = try fixture.unlock().backup(to: copy)
        #expect(backup.counts.keys == 2 && backup.counts.seeds == 1)
        try fixture.derive(seed, label: "new")
        for (text, isInBackup) in [("family", true), (vector.firstKey, true), ("new", false)] {
            let status = try fixture.unlock().status(of: text)
            #expect(status.isInBackup == isInBackup && status.isBackedUp, "\(text)")
        }
        _ = try Vault.restore(
            VaultImage(contentsOf: copy), to: restored, method: UnlockMethod.pin(VaultFixture.pin()),
            clock: VaultFixture.clock)
        // The restored vault has not seen the second key, and derives the same one.
        #expect(try fixture.next(of: seed, in: restored) == 1)
        #expect(try fixture.secret(of: seed, in: restored) == vector.secret)
        #expect(try fixture.derive(seed, in: restored) == expected(1))
    }

    @Test func isRenamed() throws {
        try fixture.derive(seed)
        try fixture.change { transaction in
            try transaction.rename(seed, to: Label("house"))
            try transaction.rename(name(0), to: Label("savings"))
        }
        let key = try fixture.unlock().status(of: "savings").entry
        #expect(try key.origin == SeedOrigin(seed: seed, path: path(0)))
        #expect(try fixture.unlock().status(of: "house").entry.name == seed)
        #expect(try fixture.derive(seed) == expected(1))
        #expect(try fixture.unlock().status(of: "house").entry.seed?.next == 2)
    }

    @Test func staysUnderANewMasterKey() throws {
        try fixture.derive(seed)
        let slot = try VaultFixture.secret("battery staple")
        try fixture.change { try $0.rekey(under: slot) }
        #expect(try fixture.secret(of: seed, by: "battery staple") == vector.secret)
        let method = UnlockMethod.pin(try VaultFixture.pin("battery staple"))
        #expect(try fixture.open().check(method).faults.isEmpty)
        var next: EntryDescription?
        try fixture.change(by: "battery staple") { transaction in
            next = try transaction.deriveKey(from: seed, label: nil, createdAt: 0)
        }
        #expect(try next?.name == name(1))
    }

    @Test(arguments: [false, true])
    func isRescued(withoutManifest: Bool) throws {
        try fixture.derive(seed, label: "savings")
        if withoutManifest { try fixture.tamper("UPDATE vault SET root = zeroblob(32)") }
        let report = try fixture.rescue()
        #expect(report.losses == [] && report.rescued.count == 3)
        let path = fixture.folder + "/rescued.db"
        #expect(try fixture.next(of: seed, in: path) == 1)
        #expect(try fixture.secret(of: seed, in: path) == vector.secret)
        let savings = try fixture.unlock(path).status(of: "savings").entry
        #expect(try savings.origin == SeedOrigin(seed: seed, path: self.path(0)))
        #expect(try fixture.derive(seed, in: path) == expected(1))
    }

    /// A key has its own secret: it signs when the entry of its seed is gone.
    @Test func outlivesItsSeed() throws {
        try fixture.derive(seed)
        try fixture.change { try $0.remove(seed) }
        let key = try PublicKey(vector.firstKey)
        let scalar = try fixture.unlock().withKey(key) { key throws(VaultError) in
            key.withScalar { $0.byteCount }
        }
        #expect(scalar == 32)
        // The seed comes back from paper, and its next key is the one after the known one.
        try fixture.insert(vector)
        #expect(try fixture.derive(seed) == expected(1))
    }

    // MARK: damage

    /// Each byte of the details of a seed and of a derived key is sealed.
    @Test func findsEachDamagedByteOfTheDetails() throws {
        try fixture.derive(seed)
        for name in try [seed, name(0)] {
            let details = try fixture.row(name).details
            for index in details.indices {
                var changed = details
                changed[index] ^= 1
                try fixture.tamper(Self.update(changed, of: name))
                #expect(vaultError { _ = try fixture.unlock().status(of: name.text) } != nil, "byte \(index)")
                let report = try fixture.open().check(UnlockMethod.pin(VaultFixture.pin()))
                #expect(
                    report.faults.contains(.key(name: name, .seal))
                        && report.faults.contains(.rows(.entries)),
                    "byte \(index): \(report.faults)")
                _ = try fixture.open().unverifiedEntries()
            }
            try fixture.tamper(Self.update(details, of: name))
        }
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults.isEmpty)
    }

    private static func update(_ details: [UInt8], of name: EntryName) -> String {
        "UPDATE entries SET details = x'\(Hex.encode(details))' WHERE name = '\(name.text)'"
    }

    @Test func aRescueLosesADamagedSeed() throws {
        try fixture.derive(seed)
        var details = try fixture.row(seed).details
        details[9] ^= 1
        try fixture.tamper(Self.update(details, of: seed))
        let report = try fixture.rescue()
        #expect(report.losses == [.init(name: seed, reason: .seal)] && report.rescued.count == 2)
        let path = fixture.folder + "/rescued.db"
        #expect(try fixture.unlock(path).entries().count == 2)
    }

    /// Rows with a seal that opens, which only another writer with the keys of the vault can make.
    @Test(
        arguments: [
            ([2, 0, 0, 0, 0], .seal), ([0, 1, 0, 0, 0x80], .seal), ([], .seal), ([1, 0, 0, 0, 0], .key),
        ] as [([UInt8], EntryFault)])
    func aCheckFindsASealedSeedThatNoWriterMakes(_ details: [UInt8], _ fault: EntryFault) throws {
        let other = try SeedVector.words()[0]
        let name = try #require(EntryName("seed:" + other.firstKey))
        try fixture.change { transaction in
            var row = EntryRow(
                name: name, kind: .seed, label: nil, createdAt: 9, generation: transaction.nextGeneration,
                details: EntryRow.unsealed(details))
            let secret = try SecureBytes(copyingPublic: other.secret)
            try secret.withBytes {
                try row.seal($0, transaction.sealContext, generation: transaction.nextGeneration)
            }
            try transaction.plant(row)
        }
        let report = try fixture.open().check(UnlockMethod.pin(VaultFixture.pin()))
        #expect(report.faults == [.key(name: name, fault)])
        #expect(vaultError { _ = try fixture.secret(of: name) } == .integrity(.entryDamaged(fault)))
        #expect(vaultError { try fixture.derive(name) } == .integrity(.entryDamaged(fault)))
    }

    /// A reader that opens the seal derives the first key, so the name of another seed is found.
    @Test func aCheckFindsTheNameOfAnotherSeed() throws {
        let name = try EntryName(seed: VaultFixture.publicKey(5))
        #expect(
            refusal {
                try $0.insert(
                    SecureBytes(copyingPublic: vector.secret), name, .seed, details: [0, 0, 0, 0, 0],
                    label: nil,
                    createdAt: 9)
            } == .integrity(.entryDamaged(.key)))
    }
}
