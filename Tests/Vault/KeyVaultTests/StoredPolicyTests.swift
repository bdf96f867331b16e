import Codecs
import SecureMemory
import Signing
import TestSupport
import Testing

@testable import KeyVault

/// Policies are rows under the manifest, like entries.
struct StoredPolicyTests {
    static let policyPIN = "another passphrase"
    static let document = Array(#"{"version":1,"rules":[]}"#.utf8)

    static func key(_ number: UInt8) throws -> EntryName { try EntryName(VaultFixture.publicKey(number)) }

    /// A policy of the first key, with a PIN of its own.
    static func policy(
        _ fixture: VaultFixture, _ subject: StoredPolicy.Subject? = nil, _ document: [UInt8] = document,
        pin: String = policyPIN
    ) throws -> StoredPolicy {
        let second = try SecondMethod.wrapping(
            VaultFixture.secret(pin), in: fixture.unlock(), createdAt: VaultFixture.time)
        return try StoredPolicy(
            subject ?? .key(key(1)), document: document, secondMethod: second, setAt: VaultFixture.time)
    }

    static func fixture(_ policies: (VaultFixture) throws -> [StoredPolicy]) throws -> VaultFixture {
        let fixture = try VaultFixture()
        try fixture.createFilled(3)
        for policy in try policies(fixture) {
            try fixture.change { transaction in try transaction.set(policy, isLooser: false) }
        }
        return fixture
    }

    static func policies(of fixture: VaultFixture) throws -> [StoredPolicy] {
        try fixture.unlock().withoutRecord { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.policies()
        }
    }

    static func proof(_ fixture: VaultFixture, _ pin: String = policyPIN) throws -> SecondUnlock {
        let vault = try fixture.unlock()
        return try vault.proveSecond(UnlockMethod.pin(VaultFixture.pin(pin)), of: policies(of: fixture))
    }

    // MARK: setting

    @Test func isStoredAndRecorded() throws {
        let fixture = try Self.fixture { try [Self.policy($0), Self.policy($0, .allKeys)] }
        let stored = try Self.policies(of: fixture)
        #expect(stored.map(\.subject) == [.allKeys, .key(try Self.key(1))])
        #expect(stored.map(\.document) == [Self.document, Self.document])
        #expect(stored.map(\.secondMethod.kind) == [.pin, .pin])
        #expect(try fixture.open().unverifiedPolicies() == stored)
        let events = try VaultFixture.events(of: fixture.unlock())
        #expect(
            events.suffix(2) == [
                .policySet(.key(try Self.key(1)), hash: stored[0].hash),
                .policySet(.allKeys, hash: stored[0].hash),
            ])
    }

    @Test func refusesOtherSizes() throws {
        let fixture = try Self.fixture { _ in [] }
        for count in [0, 1 << 20 + 1] {
            #expect(throws: VaultError.input(.tooLarge(.policy, maximum: 1 << 20))) {
                try Self.policy(fixture, nil, [UInt8](repeating: 0x20, count: count))
            }
        }
        #expect(throws: Never.self) {
            try Self.policy(fixture, nil, [UInt8](repeating: 0x20, count: 1 << 20))
        }
    }

    /// 64 MiB, of which each policy takes 1 KiB more than its text.
    @Test func refusesTooManyBytesOfAllPolicies() throws {
        let fixture = try Self.fixture { try [Self.policy($0)] }
        let second = try #require(try Self.policies(of: fixture).first).secondMethod
        func policy(_ number: UInt8, count: Int) throws -> StoredPolicy {
            try StoredPolicy(
                .key(Self.key(number)), document: [UInt8](repeating: 0x20, count: count),
                secondMethod: second,
                setAt: VaultFixture.time)
        }
        // As `set` stores them, but without verifying all others each time: with the first one,
        // 63 policies of 1 MiB and a small one.
        let leaf = Manifest.Leaf(table: .policies, bucket: 0)
        let large = try (2...64).map { try policy($0, count: 1 << 20 - 1_024) }
        try fixture.change { transaction in
            try transaction.buckets.load(leaf)
            try transaction.write { (transaction: inout VaultTransaction) throws(VaultError) in
                for policy in large {
                    try transaction.buckets.add(policy)
                }
            }
        }
        let room = 1 << 20 - 2 * 1_024 - Self.document.count
        #expect(
            vaultError { try fixture.change { try $0.set(policy(65, count: room + 1), isLooser: false) } }
                == .input(.tooLarge(.policies, maximum: 64 << 20)))
        try fixture.change { try $0.set(policy(65, count: room), isLooser: false) }
        #expect(try fixture.open().unverifiedPolicies().count == 65)
        // Another program wrote one more.
        let name = try Self.key(66).text
        try fixture.open().connection.run(
            "INSERT INTO policies SELECT '\(name)', value FROM policies LIMIT 1")
        #expect(
            vaultError { _ = try fixture.open().unverifiedPolicies() }
                == .integrity(.damaged(.row(.policies))))
    }

    // MARK: the second method

    /// An ABI decides what a policy judges.
    @Test func pinnedABIsNeedTheSecondMethod() throws {
        let fixture = try Self.fixture {
            try [Self.policy($0), Self.policy($0, .allKeys, pin: "a third passphrase")]
        }
        let abi = try PinnedABITests.abi()
        let needed = VaultError.input(.secondMethodNeeded(.pin))
        let one = try Self.proof(fixture)
        #expect(vaultError { try fixture.change { try $0.pin(abi) } } == needed)
        #expect(vaultError { try fixture.change { try $0.pin(abi, proof: one) } } == needed)
        var both = one
        try both.add(Self.proof(fixture, "a third passphrase"))
        try fixture.change { try $0.pin(abi, proof: both) }
        // The same bytes again change nothing.
        try fixture.change { try $0.pin(abi) }
        #expect(vaultError { try fixture.change { try $0.unpin(abi.contract, proof: one) } } == needed)
        try fixture.change { try $0.unpin(abi.contract, proof: both) }
        #expect(try fixture.open().unverifiedPinnedABIs().isEmpty)
    }

    @Test func aLooserPolicyNeedsTheSecondMethod() throws {
        let fixture = try Self.fixture { try [Self.policy($0)] }
        let old = try #require(Self.policies(of: fixture).first)
        let same = try StoredPolicy(
            old.subject, document: Array("stricter".utf8), secondMethod: old.secondMethod,
            setAt: VaultFixture.time)
        try fixture.change { transaction in try transaction.set(same, isLooser: false) }
        #expect(try Self.policies(of: fixture) == [same])
        #expect(
            vaultError { try fixture.change { try $0.set(old, isLooser: true) } }
                == .input(.secondMethodNeeded(.pin)))
        // Another second method is a loosening too.
        let other = try Self.policy(fixture, pin: "a third passphrase")
        #expect(
            vaultError { try fixture.change { try $0.set(other, isLooser: false) } }
                == .input(.secondMethodNeeded(.pin)))
        #expect(try Self.policies(of: fixture) == [same])
        let proof = try Self.proof(fixture)
        try fixture.change { transaction in try transaction.set(other, isLooser: true, proof: proof) }
        #expect(try Self.policies(of: fixture) == [other])
        // The proof was for the earlier second method.
        #expect(
            vaultError { try fixture.change { try $0.removePolicy(of: other.subject, proof: proof) } }
                == .input(.secondMethodNeeded(.pin)))
    }

    @Test func removalNeedsTheSecondMethod() throws {
        let fixture = try Self.fixture { try [Self.policy($0)] }
        let subject = StoredPolicy.Subject.key(try Self.key(1))
        #expect(
            vaultError { try fixture.change { try $0.removePolicy(of: subject, proof: nil) } }
                == .input(.secondMethodNeeded(.pin)))
        #expect(
            vaultError { try fixture.change { try $0.removePolicy(of: .allKeys, proof: nil) } }
                == .input(.noPolicy))
        let proof = try Self.proof(fixture)
        try fixture.change { transaction in try transaction.removePolicy(of: subject, proof: proof) }
        #expect(try Self.policies(of: fixture) == [])
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults == [])
    }

    @Test func aKeyWithAPolicyIsReleasedWithTheSecondMethod() throws {
        let fixture = try Self.fixture { try [Self.policy($0)] }
        let (first, second) = (try Self.key(1), try Self.key(2))
        try fixture.change { transaction in try transaction.expectRelease(of: second, proof: nil) }
        #expect(
            vaultError { try fixture.change { try $0.expectRelease(of: first, proof: nil) } }
                == .input(.secondMethodNeeded(.pin)))
        let proof = try Self.proof(fixture)
        try fixture.change { transaction in try transaction.expectRelease(of: first, proof: proof) }
        let all = try Self.policy(fixture, .allKeys, pin: "a third passphrase")
        try fixture.change { transaction in try transaction.set(all, isLooser: false) }
        for key in [first, second] {
            #expect(
                vaultError { try fixture.change { try $0.expectRelease(of: key, proof: proof) } }
                    == .input(.secondMethodNeeded(.pin)))
        }
    }

    /// Also after another key with the same name came back.
    @Test func thePolicyStaysWithThePublicKey() throws {
        let fixture = try Self.fixture { try [Self.policy($0)] }
        let key = try Self.key(1)
        #expect(
            vaultError { try fixture.change { try $0.remove(key, neverBackedUp: true) } }
                == .input(.secondMethodNeeded(.pin)))
        #expect(try fixture.lend(1) == 1)
        let use = PolicyUseTests.uses([1])
        let proof = try Self.proof(fixture)
        try fixture.change { transaction in
            try transaction.store(use.parts, PolicyUseTests.times, of: key)
            try transaction.remove(key, neverBackedUp: true, proof: proof)
        }
        #expect(try Self.policies(of: fixture).map(\.subject) == [.key(key)])
        #expect(try PolicyUseTests.uses(of: key, in: fixture) == use)
        try fixture.unlock().insert(
            VaultFixture.key(1), label: nil, createdAt: VaultFixture.time, origin: .imported)
        #expect(try Self.policies(of: fixture).map(\.subject) == [.key(key)])
        #expect(try PolicyUseTests.uses(of: key, in: fixture) == use)
        #expect(
            vaultError { try fixture.change { try $0.remove(key, neverBackedUp: true) } }
                == .input(.secondMethodNeeded(.pin)))
    }

    @Test func aWrongSecondMethodIsCounted() throws {
        let fixture = try Self.fixture { try [Self.policy($0)] }
        #expect(
            vaultError { _ = try Self.proof(fixture, "correct horse") }
                == .input(.wrongUnlockMethod(.pin, damagedSlots: [])))
        let vault = try fixture.open()
        let failures = try vault.read { () throws(VaultError) in try FailedUnlocks(in: vault.connection) }
        #expect(failures?.count == 1)
        _ = try Self.proof(fixture)
    }

    // MARK: attacks

    @Test(
        arguments: [
            "DELETE FROM policies WHERE name <> '*'",
            "UPDATE policies SET value = substr(value, 1, length(value) - 1)",
            "UPDATE policies SET name = '*2' WHERE name = '*'",
            "INSERT INTO policies (name, value) SELECT 'x', value FROM policies WHERE name = '*'",
        ])
    func refusesAChangedRow(_ sql: String) throws {
        let fixture = try Self.fixture { try [Self.policy($0), Self.policy($0, .allKeys)] }
        try fixture.tamper(sql)
        let error = vaultError { _ = try Self.policies(of: fixture) }
        #expect(
            error == .integrity(.manifestMismatch(.bucket(.policies, 0))) || error == .input(.policySet),
            "\(sql)")
    }

    @Test func refusesSwappedRows() throws {
        let fixture = try Self.fixture {
            try [Self.policy($0), Self.policy($0, .key(Self.key(2)), Array("another".utf8))]
        }
        let (first, second) = (try Self.key(1).text, try Self.key(2).text)
        try fixture.tamper("UPDATE policies SET name = 'x' WHERE name = '\(first)'")
        try fixture.tamper("UPDATE policies SET name = '\(first)' WHERE name = '\(second)'")
        try fixture.tamper("UPDATE policies SET name = '\(second)' WHERE name = 'x'")
        #expect(
            vaultError { _ = try Self.policies(of: fixture) }
                == .integrity(.manifestMismatch(.bucket(.policies, 0))))
    }

    /// A policy that was replaced does not return, and the current one is used in its place.
    @Test func refusesAnEarlierRow() throws {
        let fixture = try Self.fixture { try [Self.policy($0)] }
        let old = try #require(Self.policies(of: fixture).first)
        let row = try fixture.open().connection.blob("SELECT value FROM policies")
        let stricter = try StoredPolicy(
            old.subject, document: Array("stricter".utf8), secondMethod: old.secondMethod,
            setAt: VaultFixture.time)
        try fixture.change { transaction in try transaction.set(stricter, isLooser: false) }
        try fixture.tamper("UPDATE policies SET value = x'\(Hex.encode(row))'")
        #expect(try fixture.open().unverifiedPolicies() == [old])
        let mismatch = VaultError.integrity(.manifestMismatch(.bucket(.policies, 0)))
        #expect(vaultError { _ = try Self.policies(of: fixture) } == mismatch)
        let (key, proof) = (try Self.key(1), SecondUnlock())
        #expect(vaultError { try fixture.change { try $0.expectRelease(of: key, proof: proof) } } == mismatch)
        #expect(vaultError { try fixture.change { try $0.remove(key, neverBackedUp: true) } } == mismatch)
        #expect(vaultError { try fixture.change { try $0.set(old, isLooser: false) } } == mismatch)
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults == [.rows(.policies)])
    }

    // MARK: maintenance

    @Test func survivesANewMasterKeyAndABackup() throws {
        let fixture = try Self.fixture { try [Self.policy($0)] }
        let stored = try Self.policies(of: fixture)
        let use = PolicyUseTests.uses([1, 2, 3])
        try fixture.change { try $0.store(use.parts, PolicyUseTests.times, of: Self.key(1)) }
        try fixture.change { transaction in try transaction.rekey(under: VaultFixture.secret()) }
        #expect(try Self.policies(of: fixture) == stored)
        #expect(try PolicyUseTests.uses(of: Self.key(1), in: fixture) == use)
        let proof = try Self.proof(fixture)
        try fixture.change { transaction in
            try transaction.removePolicy(of: .key(Self.key(1)), proof: proof)
        }
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults == [])
    }

    // MARK: refusals

    @Test func refusalsAreRecordedWithTheNextChange() throws {
        let fixture = try Self.fixture { try [Self.policy($0)] }
        let before = try VaultFixture.events(of: fixture.unlock()).count
        let rule = try PolicyRefusals.Kind(key: Self.key(1), code: "policy-rule", part: "/rules/3")
        let hours = try PolicyRefusals.Kind(key: Self.key(2), code: "policy-hours", part: "/hours")
        for counts in [[rule: 1], [rule: 2, hours: 4], [:]] as [[PolicyRefusals.Kind: Int64]] {
            try fixture.unlock().countPolicyRefusals(counts)
        }
        try fixture.change { _ in }
        let events = try VaultFixture.events(of: fixture.unlock())
        #expect(events.count == before + 1)
        guard case .policyRefusals(let refusals) = events.last else {
            Issue.record("the last record is \(String(describing: events.last))")
            return
        }
        #expect(refusals.count == 7 && refusals.counts == [rule: 3, hours: 4])
        #expect(refusals.first <= refusals.last)
        #expect(try VaultFixture.events(of: fixture.unlock()).count == before + 1)
    }

    /// The setting can't grow: other kinds are only counted.
    @Test func kindsOfRefusalsAreLimited() throws {
        let fixture = try Self.fixture { try [Self.policy($0)] }
        let kinds = try (0..<70).map {
            try PolicyRefusals.Kind(key: Self.key(1), code: "policy-rule", part: "/rules/\($0)")
        }
        try fixture.unlock().countPolicyRefusals(Dictionary(uniqueKeysWithValues: kinds.map { ($0, 2) }))
        try fixture.change { _ in }
        guard case .policyRefusals(let refusals) = try VaultFixture.events(of: fixture.unlock()).last else {
            throw VaultError.input(.noPolicy)
        }
        #expect(refusals.count == 140 && refusals.counts.count == 64)
    }

    // MARK: the clock

    @Test func aCorrectedClockNeedsEverySecondMethod() throws {
        let fixture = try Self.fixture {
            try [Self.policy($0), Self.policy($0, .allKeys, pin: "a third passphrase")]
        }
        let needed = VaultError.input(.secondMethodNeeded(.pin))
        var proof = try Self.proof(fixture)
        #expect(
            vaultError { try fixture.change { try $0.recordClockCorrected(proof: SecondUnlock()) } } == needed
        )
        #expect(vaultError { try fixture.change { try $0.recordClockCorrected(proof: proof) } } == needed)
        try proof.add(Self.proof(fixture, "a third passphrase"))
        let before = try VaultFixture.events(of: fixture.unlock()).count
        try fixture.change { try $0.recordClockCorrected(proof: proof) }
        let events = try VaultFixture.events(of: fixture.unlock())
        guard case .clockCorrected(let last) = events.last else { throw VaultError.input(.noPolicy) }
        #expect(events.count == before + 1 && last > VaultFixture.time)
        let none = try Self.fixture { _ in [] }
        #expect(
            vaultError { try none.change { try $0.recordClockCorrected(proof: proof) } } == .input(.noPolicy))
    }
}

/// What a key used of its limits is in rows of one bucket.
struct PolicyUseTests {
    static let times = PolicyUses.Times(last: VaultFixture.time)

    static func uses(of key: EntryName, in fixture: VaultFixture) throws -> PolicyUses {
        try fixture.unlock().withoutRecord { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.policyUses(of: key)
        }
    }

    /// Parts with the numbers from 0.
    static func uses(_ contents: [UInt8]..., times: PolicyUses.Times = times) -> PolicyUses {
        var uses = PolicyUses()
        uses.parts = contents.enumerated().map { PolicyUses.Part(number: UInt32($0), content: $1) }
        uses.times = times
        return uses
    }

    private static func filled(_ uses: PolicyUses) throws -> (VaultFixture, EntryName) {
        let fixture = try VaultFixture()
        try fixture.createFilled(2)
        let key = try EntryName(VaultFixture.publicKey(1))
        try fixture.change { transaction in try transaction.store(uses.parts, times, of: key) }
        return (fixture, key)
    }

    private static let damaged = VaultError.integrity(.damaged(.row(.counters)))

    @Test func partsAreReplacedByNumber() throws {
        let (fixture, key) = try Self.filled(Self.uses([1], [2, 2], [3, 3, 3]))
        #expect(try Self.uses(of: key, in: fixture) == Self.uses([1], [2, 2], [3, 3, 3]))
        #expect(try fixture.open().unverifiedUses(of: key) == Self.uses([1], [2, 2], [3, 3, 3]))
        #expect(try Self.uses(of: EntryName(VaultFixture.publicKey(2)), in: fixture) == PolicyUses())
        func part(_ number: UInt32, _ content: [UInt8]) -> PolicyUses.Part {
            PolicyUses.Part(number: number, content: content)
        }
        // A part without content is removed.
        let later = PolicyUses.Times(last: VaultFixture.time + 5, restored: VaultFixture.time)
        try fixture.change { try $0.store([part(1, [9]), part(2, [])], later, of: key) }
        #expect(try Self.uses(of: key, in: fixture) == Self.uses([1], [9], times: later))
        try fixture.change { try $0.store([part(0, [8])], keeping: [], later, of: key) }
        #expect(try Self.uses(of: key, in: fixture) == Self.uses([8], times: later))
        // All in one bucket.
        let connection = try fixture.open().connection
        #expect(try connection.integer("SELECT count(*) FROM counters WHERE name LIKE 'used:%'") == 2)
        #expect(
            try connection.integer("SELECT count(DISTINCT bucket) FROM counters WHERE name LIKE 'used:%'")
                == 1)
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults == [])
    }

    /// A file must not control the memory.
    @Test func partsAreLimited() throws {
        let (fixture, key) = try Self.filled(Self.uses([1]))
        func store(_ count: Int, _ size: Int) throws {
            let parts = (0..<count).map {
                PolicyUses.Part(number: UInt32($0), content: [UInt8](repeating: 1, count: size))
            }
            try fixture.change { try $0.store(parts, Self.times, of: key) }
        }
        let full = VaultError.input(.tooLarge(.policyUses, maximum: 64 << 20))
        #expect(vaultError { try store(1, 4 << 20 + 1) } == full)
        #expect(vaultError { try store(17, 4 << 20) } == full)
        #expect(try Self.uses(of: key, in: fixture) == Self.uses([1]))
        try store(16, 4 << 20)
        #expect(try Self.uses(of: key, in: fixture).parts.count == 16)
        // Another program wrote one more.
        try fixture.change { transaction in
            try transaction.write { (transaction: inout VaultTransaction) throws(VaultError) in
                let row = PolicyUseRow(key, PolicyUses.Part(number: 16, content: [1]))
                try transaction.buckets.add(row, to: PolicyUseRow.leaf(of: key))
            }
        }
        #expect(vaultError { _ = try Self.uses(of: key, in: fixture) } == Self.damaged)
        #expect(vaultError { _ = try fixture.open().unverifiedUses(of: key) } == Self.damaged)
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults == [.row(.counters)])
    }

    /// Rows that the manifest covers, and no writer produces.
    @Test(arguments: [
        "UPDATE counters SET value = x'0201' WHERE name LIKE 'used:%00000000'",
        "UPDATE counters SET value = x'01' WHERE name LIKE 'used:%00000000'",
        "UPDATE counters SET value = x'01' WHERE name LIKE 'used:%ffffffff'",
        "UPDATE counters SET name = replace(name, ':00000001', ':0000000A') WHERE name LIKE 'used:%00000001'",
        "UPDATE counters SET name = replace(name, ':00000001', ':1') WHERE name LIKE 'used:%00000001'",
        "DELETE FROM counters WHERE name LIKE 'used:%ffffffff'",
    ])
    func unknownRowsAreDamage(sql: String) throws {
        let (fixture, key) = try Self.filled(Self.uses([1], [2]))
        try fixture.open().connection.run(sql)
        #expect(vaultError { _ = try fixture.open().unverifiedUses(of: key) } == Self.damaged)
    }

    @Test(
        arguments: [
            "DELETE FROM counters WHERE name LIKE 'used:%00000001'",
            "UPDATE counters SET value = substr(value, 1, 2) WHERE name LIKE 'used:%00000001'",
            "DELETE FROM counters WHERE name LIKE 'used:%'",
        ])
    func refusesAChangedRow(_ sql: String) throws {
        let (fixture, key) = try Self.filled(Self.uses([1], [2, 2]))
        try fixture.tamper(sql)
        let leaf = PolicyUseRow.leaf(of: key)
        #expect(
            vaultError { _ = try Self.uses(of: key, in: fixture) }
                == .integrity(.manifestMismatch(.bucket(.counters, leaf.bucket))), "\(sql)")
    }

    /// Earlier uses, and those of another key, are not accepted.
    @Test func refusesOtherRows() throws {
        let (fixture, key) = try Self.filled(Self.uses([1]))
        let other = try EntryName(VaultFixture.publicKey(2))
        try fixture.change { try $0.store(Self.uses([7]).parts, Self.times, of: other) }
        func value(of key: EntryName) throws -> [UInt8] {
            try fixture.open().connection.blob(
                "SELECT value FROM counters WHERE name = 'used:\(key):00000000'")
        }
        let before = try value(of: key)
        try fixture.change { try $0.store(Self.uses([8]).parts, Self.times, of: key) }
        let copy = try VaultFixture.bytes(of: fixture.path)
        func refuses(_ sql: [String], _ keys: EntryName...) throws {
            try VaultFixture.write(copy, to: fixture.path)
            for sql in sql { try fixture.tamper(sql) }
            for key in keys {
                let bucket = PolicyUseRow.leaf(of: key).bucket
                #expect(
                    vaultError { _ = try Self.uses(of: key, in: fixture) }
                        == .integrity(.manifestMismatch(.bucket(.counters, bucket))), "\(sql)")
            }
            #expect(
                try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults == [.rows(.counters)],
                "\(sql)")
        }
        try refuses(
            ["UPDATE counters SET value = x'\(Hex.encode(before))' WHERE name = 'used:\(key):00000000'"], key)
        let values = try [other, key].map { try value(of: $0) }
        try refuses(
            zip([key, other], values).map {
                "UPDATE counters SET value = x'\(Hex.encode($1))' WHERE name = 'used:\($0):00000000'"
            },
            key, other)
    }
}
