import SecureMemory
import TestSupport
import Testing

@testable import KeyVault

/// Policies are rows under the manifest, like entries.
struct StoredPolicyTests {
    private static let policyPIN = "another passphrase"
    private static let document = Array(#"{"version":1,"rules":[]}"#.utf8)

    private static func key(_ number: UInt8) throws -> EntryName { try EntryName(VaultFixture.publicKey(number)) }

    /// A policy of the first key, with a PIN of its own.
    private static func policy(
        _ fixture: VaultFixture, _ subject: StoredPolicy.Subject? = nil, _ document: [UInt8] = document,
        pin: String = policyPIN
    ) throws -> StoredPolicy {
        let second = try SecondMethod.wrapping(
            VaultFixture.secret(pin), in: fixture.unlock(), createdAt: VaultFixture.time)
        return try StoredPolicy(
            subject ?? .key(key(1)), document: document, secondMethod: second, setAt: VaultFixture.time)
    }

    private static func fixture(_ policies: (VaultFixture) throws -> [StoredPolicy]) throws -> VaultFixture {
        let fixture = try VaultFixture()
        try fixture.createFilled(3)
        for policy in try policies(fixture) {
            try fixture.change { transaction in try transaction.set(policy, isLooser: false) }
        }
        return fixture
    }

    private static func policies(of fixture: VaultFixture) throws -> [StoredPolicy] {
        try fixture.unlock().withoutRecord { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.policies()
        }
    }

    private static func proof(_ fixture: VaultFixture, _ pin: String = policyPIN) throws -> SecondUnlock {
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
            events.suffix(3) == [
                .migrated(from: 3), .policySet(.key(try Self.key(1)), hash: stored[0].hash),
                .policySet(.allKeys, hash: stored[0].hash),
            ])
    }

    /// A program that knows no policies must not sign with the vault.
    @Test func theFirstPolicyRaisesTheFormatVersion() throws {
        let fixture = try Self.fixture { _ in [] }
        #expect(try VaultHeader.verify(Array(VaultFixture.bytes(of: fixture.path).prefix(108))) == 3)
        let policy = try Self.policy(fixture)
        try fixture.change { transaction in try transaction.set(policy, isLooser: false) }
        let header = Array(try VaultFixture.bytes(of: fixture.path).prefix(108))
        #expect(try VaultHeader.verify(header) == 4)
        #expect(
            vaultError { try VaultHeader.verify(header, newest: 3) } == .file(.newerVersion(found: 4, supported: 3)))
        for number: UInt8 in 1...3 { #expect(try fixture.lend(number) == number) }
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults == [])
    }

    @Test func refusesOtherSizes() throws {
        let fixture = try Self.fixture { _ in [] }
        for count in [0, 1 << 20 + 1] {
            #expect(throws: VaultError.input(.policySize(maximum: 1 << 20))) {
                try Self.policy(fixture, nil, [UInt8](repeating: 0x20, count: count))
            }
        }
        #expect(throws: Never.self) { try Self.policy(fixture, nil, [UInt8](repeating: 0x20, count: 1 << 20)) }
    }

    // MARK: the second method

    @Test func aLooserPolicyNeedsTheSecondMethod() throws {
        let fixture = try Self.fixture { try [Self.policy($0)] }
        let old = try #require(Self.policies(of: fixture).first)
        let same = try StoredPolicy(
            old.subject, document: Array("stricter".utf8), secondMethod: old.secondMethod, setAt: VaultFixture.time)
        try fixture.change { transaction in try transaction.set(same, isLooser: false) }
        #expect(try Self.policies(of: fixture) == [same])
        #expect(
            vaultError { try fixture.change { try $0.set(old, isLooser: true) } } == .input(.secondMethodNeeded(.pin)))
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
            vaultError { try fixture.change { try $0.removePolicy(of: .allKeys, proof: nil) } } == .input(.noPolicy))
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
        try fixture.change { transaction in try transaction.remove(key, neverBackedUp: true) }
        #expect(try Self.policies(of: fixture).map(\.subject) == [.key(key)])
        try fixture.unlock().insert(VaultFixture.key(1), label: nil, createdAt: VaultFixture.time, origin: .imported)
        #expect(try Self.policies(of: fixture).map(\.subject) == [.key(key)])
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
            "DELETE FROM policies WHERE name <> '*'", "UPDATE policies SET value = substr(value, 1, length(value) - 1)",
            "UPDATE policies SET name = '*2' WHERE name = '*'",
            "INSERT INTO policies (name, value) SELECT 'x', value FROM policies WHERE name = '*'",
        ])
    func refusesAChangedRow(_ sql: String) throws {
        let fixture = try Self.fixture { try [Self.policy($0), Self.policy($0, .allKeys)] }
        try fixture.tamper(sql)
        let error = vaultError { _ = try Self.policies(of: fixture) }
        #expect(
            error == .integrity(.manifestMismatch(.bucket(.policies, 0))) || error == .input(.policySet), "\(sql)")
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
            vaultError { _ = try Self.policies(of: fixture) } == .integrity(.manifestMismatch(.bucket(.policies, 0))))
    }

    // MARK: maintenance

    @Test func survivesANewMasterKeyAndABackup() throws {
        let fixture = try Self.fixture { try [Self.policy($0)] }
        let stored = try Self.policies(of: fixture)
        let use = PolicyUse(time: VaultFixture.time, .signature([1, 2, 3]))
        try fixture.change { transaction in try transaction.add([use], of: Self.key(1), keepingFrom: 0) }
        try fixture.change { transaction in try transaction.rekey(under: VaultFixture.secret()) }
        #expect(try Self.policies(of: fixture) == stored)
        #expect(try PolicyUseTests.uses(of: Self.key(1), in: fixture) == [use])
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
        for _ in 0..<3 { try fixture.unlock().countPolicyRefusal() }
        try fixture.change { _ in }
        let events = try VaultFixture.events(of: fixture.unlock())
        #expect(events.count == before + 1)
        guard case .policyRefusals(3, let first, let last) = events.last else {
            Issue.record("the last record is \(String(describing: events.last))")
            return
        }
        #expect(first <= last)
        #expect(try VaultFixture.events(of: fixture.unlock()).count == before + 1)
    }
}

/// What a key used of its limits is in rows of one bucket.
struct PolicyUseTests {
    static func uses(of key: EntryName, in fixture: VaultFixture) throws -> [PolicyUse] {
        try fixture.unlock().withoutRecord { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.policyUses(of: key)
        }
    }

    private static func use(_ time: Int64, _ count: Int = 48) -> PolicyUse {
        PolicyUse(time: time, .signature([UInt8](repeating: UInt8(truncatingIfNeeded: time), count: count)))
    }

    private static func filled(_ uses: [PolicyUse]) throws -> (VaultFixture, EntryName) {
        let fixture = try VaultFixture()
        try fixture.createFilled(2)
        let key = try EntryName(VaultFixture.publicKey(1))
        try fixture.change { transaction in try transaction.add(uses, of: key, keepingFrom: 0) }
        return (fixture, key)
    }

    @Test func keepsTheirOrder() throws {
        var expected = (0..<500).map { Self.use($0 / 3) } + [PolicyUse(time: 400, .restored)]
        let (fixture, key) = try Self.filled(expected)
        #expect(try Self.uses(of: key, in: fixture) == expected)
        #expect(try fixture.open().unverifiedUses(of: key) == expected)
        for time: Int64 in 401...403 {
            try fixture.change { transaction in try transaction.add([Self.use(time)], of: key, keepingFrom: 0) }
            expected.append(Self.use(time))
        }
        #expect(try Self.uses(of: key, in: fixture) == expected)
        #expect(try Self.uses(of: EntryName(VaultFixture.publicKey(2)), in: fixture) == [])
        // Several rows, all in one bucket.
        let connection = try fixture.open().connection
        let rows = try connection.integer("SELECT count(*) FROM counters WHERE name LIKE 'used:%'") ?? 0
        #expect(rows > 2)
        #expect(try connection.integer("SELECT count(DISTINCT bucket) FROM counters WHERE name LIKE 'used:%'") == 1)
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults == [])
    }

    @Test func hasAtMostTenThousand() throws {
        let all = (0..<Int64(PolicyUse.maximumCount)).map { Self.use($0) }
        let (fixture, key) = try Self.filled(all)
        #expect(
            vaultError { try fixture.change { try $0.add([Self.use(20_000)], of: key, keepingFrom: 0) } }
                == .input(.policyUsesFull(maximum: 10_000)))
        #expect(try Self.uses(of: key, in: fixture).count == 10_000)
        // Rows with old uses only are removed.
        try fixture.change { transaction in try transaction.add([Self.use(20_000)], of: key, keepingFrom: 5_000) }
        let left = try Self.uses(of: key, in: fixture)
        #expect(left.count < 5_300 && left.contains { $0.time == 5_000 } && left.last?.time == 20_000)
    }

    @Test(
        arguments: [
            "DELETE FROM counters WHERE name LIKE 'used:%00000001'",
            "UPDATE counters SET value = substr(value, 1, 59) WHERE name LIKE 'used:%00000001'",
            "DELETE FROM counters WHERE name LIKE 'used:%'",
        ])
    func refusesAChangedRow(_ sql: String) throws {
        let (fixture, key) = try Self.filled((0..<500).map { Self.use($0) })
        try fixture.tamper(sql)
        let error = vaultError { _ = try Self.uses(of: key, in: fixture) }
        let leaf = PolicyUseRow.leaf(of: key)
        #expect(
            error == .integrity(.manifestMismatch(.bucket(.counters, leaf.bucket)))
                || error == .integrity(.damaged(.row(.counters))), "\(sql)")
    }

    /// The payment history in the same bucket keeps its own limit.
    @Test func theHistoryOfTheBucketIsKept() throws {
        let (fixture, key) = try Self.filled((0..<500).map { Self.use($0) })
        let before = try Self.uses(of: key, in: fixture)
        let leaf = PolicyUseRow.leaf(of: key)
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults == [])
        #expect(before.count == 500 && leaf.table == .counters)
    }
}
