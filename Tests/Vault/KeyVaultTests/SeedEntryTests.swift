import Codecs
import Keys
import SecureMemory
import Seeds
import Testing

@testable import KeyVault

/// Entries of the kind `seed`, and the keys that are derived from them (VaultFormat.md, "Seeds").
struct SeedEntryTests {
    private let fixture: VaultFixture
    private let vector: SeedVector
    private var copy: String { fixture.folder + "/copy.db" }

    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(1)
        vector = try SeedVector.words()[4]
    }

    private func check(_ path: String? = nil, pin: String = "correct horse") throws -> CheckReport {
        try fixture.open(path).check(UnlockMethod.pin(VaultFixture.pin(pin)))
    }

    private func refusal(_ body: (inout VaultTransaction) throws -> Void) -> VaultError? {
        vaultError { try fixture.change(body) }
    }

    // MARK: the entry

    @Test(arguments: try SeedVector.all())
    func hasTheNameOfItsFirstKey(_ vector: SeedVector) throws {
        let name = try fixture.insert(vector)
        #expect(name.text == "seed:" + vector.firstKey && name.firstKeyOfSeed?.text != nil)
        #expect(name.publicKey == nil)
        #expect(try fixture.secret(of: name) == vector.secret)
        let entry = try fixture.unlock().status(of: "family").entry
        #expect(entry.name == name && !entry.isKey && entry.kind == .seed && entry.kind.number == 17)
        #expect(entry.seed == StoredSeed(form: vector.form) && entry.origin == nil)
        #expect(
            entry.facts.map(\.value) == [
                name.text, name.firstKeyOfSeed?.text, vector.form == .words ? "words" : "master-secret",
                "m/44'/194'/0'/0/0",
            ])
        #expect(try fixture.open().unverifiedEntry(name.text) == entry)
        #expect(try fixture.unlock().entries().contains(entry))
        let report = try check()
        #expect(report.faults.isEmpty && report.counts.keys == 1 && report.counts.seeds == 1)
        #expect(report.entryCount == 2)
        #expect(try VaultFixture.events(of: fixture.unlock()).last == .imported(key: name))
    }

    /// The bytes of VaultFormat.md, "Seeds", written by hand.
    @Test func theRowHasTheBytesOfTheFormat() throws {
        let name = try fixture.insert(vector, next: 0x0102_0304, origin: .created)
        let row = try fixture.row(name)
        let generation = try fixture.unlock().status(of: "family")
        #expect(generation.entry.name == name)
        #expect(row.kind.number == 17 && row.label?.text == "family" && row.generation == 3)
        #expect(row.details == [3, 0, 0, 0, 0, 0, 0, 0] + [0] + [4, 3, 2, 1])
        #expect(row.sealed.count == 32 + 16)
        #expect(
            try fixture.open().connection.blob("SELECT details FROM entries WHERE kind = 17") == row.details)
        let master = try fixture.insert(SeedVector.masterSecret(), label: "shares")
        #expect(try fixture.row(master).ownDetails == [1, 0, 0, 0, 0])
    }

    @Test func theRowOfADerivedKeyHasTheBytesOfTheFormat() throws {
        let seed = try fixture.insert(vector)
        try fixture.change { transaction in
            let path = try DerivationPath("m/44'/194'/0'/0/7")
            _ = try transaction.addKeys(of: seed, at: [path], createdAt: VaultFixture.time)
        }
        let text = try #require(vector.keys["m/44'/194'/0'/0/7"])
        let key = try PublicKey(text)
        let row = try fixture.row(EntryName(key))
        let first = try PublicKey(vector.firstKey).body
        let path: [UInt8] = [44, 0, 0, 0x80, 194, 0, 0, 0x80, 0, 0, 0, 0x80, 0, 0, 0, 0, 7, 0, 0, 0]
        #expect(row.kind.number == 0 && first.count == 33)
        #expect(row.details == [4, 0, 0, 0, 0, 0, 0, 0] + first + path)
        #expect(try fixture.row(seed).ownDetails == [0, 8, 0, 0, 0])
        let origin = try #require(row.description.origin)
        #expect(origin.seed == seed && origin.path.text == "m/44'/194'/0'/0/7")
        #expect(row.description.facts.suffix(2).map(\.value) == [seed.text, "m/44'/194'/0'/0/7"])
    }

    @Test(arguments: [
        [] as [UInt8], [0], [0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0], [255, 0, 0, 0, 0],
        [0, 1, 0, 0, 0x80], [0, 255, 255, 255, 255],
    ])
    func refusesOtherDetails(_ details: [UInt8]) { #expect(StoredSeed(details: details) == nil) }

    @Test func readsItsDetails() {
        for seed in [StoredSeed(form: .words), StoredSeed(form: .masterSecret, next: 1 << 31)] {
            #expect(StoredSeed(details: seed.details) == seed)
        }
    }

    /// 33 bytes of a point on the curve, and 1 to 10 levels.
    @Test func refusesOtherOrigins() throws {
        let point = try VaultFixture.publicKey(1).body
        let levels = [UInt8](repeating: 1, count: 40)
        for count in 0...75 {
            let isRight = [37, 41, 45, 49, 53, 57, 61, 65, 69, 73].contains(count)
            let details = Array((point + levels + [1, 1]).prefix(count))
            #expect((SeedOrigin(details: details) != nil) == isRight, "\(count) bytes")
            if let origin = SeedOrigin(details: details) { #expect(origin.details == details) }
        }
        #expect(SeedOrigin(details: [5] + point.dropFirst() + levels) == nil)
        #expect(SeedOrigin(details: [UInt8](repeating: 0, count: 33) + levels) == nil)
        #expect(SeedOrigin(details: point + levels + [1, 1, 1, 1]) == nil)
    }

    // MARK: refused

    @Test func refusesASecretOfAnotherForm() throws {
        func insert(_ form: StoredSeed.Form, _ count: Int) throws {
            try fixture.change { transaction in
                try transaction.insert(
                    StoredSeed(form: form), secret: SecureBytes(randomCount: count), label: Label("family"),
                    createdAt: VaultFixture.time, origin: .imported)
            }
        }
        for (form, counts) in [
            (StoredSeed.Form.words, [15, 17, 18, 31, 33, 36, 64]), (.masterSecret, [1, 15, 65, 96]),
        ] {
            for count in counts {
                let error = vaultError { try insert(form, count) }
                #expect(error == .integrity(.entryDamaged(.key)), "\(form) of \(count) bytes")
            }
        }
        #expect(try fixture.unlock().entries().count == 1)
        try insert(.masterSecret, 17)
    }

    /// The same words, read from paper or joined from shares, are the same entry.
    @Test func theSameSeedIsOneEntry() throws {
        let name = try fixture.insert(vector, next: 5)
        #expect(vaultError { try fixture.insert(vector, label: "again") } == .input(.keyExists))
        #expect(vaultError { try fixture.insert(vector) } == .input(.keyExists))
        let other = try SeedVector.words()[0]
        #expect(vaultError { try fixture.insert(other) } == .input(.labelExists))
        #expect(vaultError { try fixture.insert(other, label: "Family") } == .input(.labelAlike))
        #expect(try fixture.next(of: name) == 5)
    }

    @Test func lendsNoKey() throws {
        let name = try fixture.insert(vector)
        let error = refusal { transaction in
            try transaction.withKey(transaction.entry(named: name)) { _ throws(VaultError) in }
        }
        #expect(error == .input(.notAKey))
    }

    @Test func aKeyIsNoSeed() throws {
        let seed = try fixture.insert(vector)
        try fixture.derive(seed)
        for name in try [VaultFixture.name(1), EntryName(PublicKey(vector.firstKey))] {
            let time = VaultFixture.time
            #expect(
                refusal { _ = try $0.deriveKey(from: name, label: nil, createdAt: time) }
                    == .input(.notASeed))
            #expect(refusal { _ = try $0.addKeys(of: name, at: [], createdAt: time) } == .input(.notASeed))
            #expect(
                refusal { try $0.withSeed($0.entry(named: name)) { _, _ throws(VaultError) in } }
                    == .input(.notASeed))
        }
        let absent = try EntryName(seed: VaultFixture.publicKey(9))
        #expect(
            refusal { _ = try $0.deriveKey(from: absent, label: nil, createdAt: 0) } == .input(.noSuchKey))
    }

    @Test func isReadOnlyInAView() throws {
        let name = try fixture.insert(vector)
        let error = vaultError {
            try fixture.unlock().withoutRecord { transaction throws(VaultError) in
                _ = try transaction.deriveKey(from: name, label: nil, createdAt: 0)
            }
        }
        #expect(error == .machine(.readOnly))
        #expect(try fixture.next(of: name) == 0)
    }

    // MARK: policies

    /// A seed gives all its keys away, so each policy holds it, also the policy of a single key.
    @Test func leavesOnlyWithTheSecondMethodOfEachPolicy() throws {
        let name = try fixture.insert(vector)
        try fixture.derive(name)
        let key = try EntryName(PublicKey(vector.firstKey))
        let first = try StoredPolicyTests.policy(fixture)
        try fixture.change { try $0.expectRelease(of: name, proof: nil) }
        try fixture.change { try $0.set(first, isLooser: false) }
        #expect(first.subject.holds(name) && !first.subject.holds(key))
        let needed = VaultError.input(.secondMethodNeeded(.pin))
        #expect(refusal { try $0.expectRelease(of: name, proof: nil) } == needed)
        #expect(refusal { try $0.remove(name) } == needed)
        try fixture.change { try $0.expectRelease(of: key, proof: nil) }
        var proof = try StoredPolicyTests.proof(fixture)
        try fixture.change { try $0.expectRelease(of: name, proof: proof) }
        let second = try StoredPolicyTests.policy(fixture, .key(key), pin: "a third passphrase")
        try fixture.change { try $0.set(second, isLooser: false) }
        #expect(refusal { try $0.expectRelease(of: name, proof: proof) } == needed)
        try proof.add(StoredPolicyTests.proof(fixture, "a third passphrase"))
        try fixture.change { try $0.expectRelease(of: name, proof: proof) }
        #expect(StoredPolicy.Subject.allKeys.holds(name) && StoredPolicy.Subject.allKeys.holds(key))
        #expect(StoredPolicy.Subject(rowName: name.text) == nil)
        try fixture.change { try $0.remove(name, proof: proof) }
        #expect(vaultError { _ = try fixture.unlock().status(of: "family") } == .input(.noSuchKey))
    }

    /// A policy does not hold a credential, or a key that it does not include.
    @Test func policiesHoldNothingElse() throws {
        let one = StoredPolicy.Subject.key(try VaultFixture.name(1))
        #expect(try one.holds(VaultFixture.name(1)) && !one.holds(VaultFixture.name(2)))
        let credential = try #require(EntryName("credential:0123456789abcdef"))
        #expect(!one.holds(credential) && !StoredPolicy.Subject.allKeys.holds(credential))
    }

    /// At the last index there is no next path, and no path of 2^31 is made.
    @Test(arguments: [true, false]) func aUsedUpSeedHasNoNextPath(isOnPaper: Bool) throws {
        let seed = StoredSeed(form: .words, isOnPaper: isOnPaper, next: 1 << 31)
        #expect(seed.nextPath == nil && StoredSeed(details: seed.details) == seed)
        let name = try EntryName(seed: VaultFixture.publicKey(5))
        let origin = SeedOrigin(seed: name, path: .eos(7), isOnPaper: isOnPaper)
        #expect(SeedOrigin(details: origin.details) == origin)
        #expect(origin.details.count == (isOnPaper ? 53 : 54))
    }
}
