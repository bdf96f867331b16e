import Codecs
import SecureMemory
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

    /// 64 MiB, of which each policy takes 1 KiB more than its text.
    @Test func refusesTooManyBytesOfAllPolicies() throws {
        let fixture = try Self.fixture { try [Self.policy($0)] }
        let second = try #require(try Self.policies(of: fixture).first).secondMethod
        func policy(_ number: UInt8, count: Int) throws -> StoredPolicy {
            try StoredPolicy(
                .key(Self.key(number)), document: [UInt8](repeating: 0x20, count: count), secondMethod: second,
                setAt: VaultFixture.time)
        }
        // As `set` stores them, but without verifying all others each time: with the first one,
        // 63 policies of 1 MiB and a small one.
        let leaf = Manifest.Leaf(table: .policies, bucket: 0)
        let large = try (2...64).map { try policy($0, count: 1 << 20 - 1_024) }
        try fixture.change { transaction in
            try transaction.load(leaf)
            try transaction.write { (transaction: inout VaultTransaction) throws(VaultError) in
                for policy in large {
                    try transaction.add(policy)
                }
            }
        }
        let room = 1 << 20 - 2 * 1_024 - Self.document.count
        #expect(
            vaultError { try fixture.change { try $0.set(policy(65, count: room + 1), isLooser: false) } }
                == .input(.policiesTooLarge(maximum: 64 << 20)))
        try fixture.change { try $0.set(policy(65, count: room), isLooser: false) }
        #expect(try fixture.open().unverifiedPolicies().count == 65)
        // Another program wrote one more.
        let name = try Self.key(66).text
        try fixture.open().connection.run("INSERT INTO policies SELECT '\(name)', value FROM policies LIMIT 1")
        #expect(vaultError { _ = try fixture.open().unverifiedPolicies() } == .integrity(.damaged(.row(.policies))))
    }

    // MARK: the second method

    /// An ABI decides what a policy judges.
    @Test func pinnedABIsNeedTheSecondMethod() throws {
        let fixture = try Self.fixture { try [Self.policy($0), Self.policy($0, .allKeys, pin: "a third passphrase")] }
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
        #expect(
            vaultError { try fixture.change { try $0.remove(key, neverBackedUp: true) } }
                == .input(.secondMethodNeeded(.pin)))
        #expect(try fixture.lend(1) == 1)
        let use = PolicyUse(time: VaultFixture.time, .signature([1]))
        let proof = try Self.proof(fixture)
        try fixture.change { transaction in
            try transaction.add([use], of: key, keepingFrom: 0)
            try transaction.remove(key, neverBackedUp: true, proof: proof)
        }
        #expect(try Self.policies(of: fixture).map(\.subject) == [.key(key)])
        #expect(try PolicyUseTests.uses(of: key, in: fixture) == [use])
        try fixture.unlock().insert(VaultFixture.key(1), label: nil, createdAt: VaultFixture.time, origin: .imported)
        #expect(try Self.policies(of: fixture).map(\.subject) == [.key(key)])
        #expect(try PolicyUseTests.uses(of: key, in: fixture) == [use])
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

    /// A policy that was replaced does not return, and the current one is used in its place.
    @Test func refusesAnEarlierRow() throws {
        let fixture = try Self.fixture { try [Self.policy($0)] }
        let old = try #require(Self.policies(of: fixture).first)
        let row = try fixture.open().connection.blob("SELECT value FROM policies")
        let stricter = try StoredPolicy(
            old.subject, document: Array("stricter".utf8), secondMethod: old.secondMethod, setAt: VaultFixture.time)
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
        for _ in 0..<3 { try fixture.unlock().countPolicyRefusals(1) }
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
        PolicyUse(time: time, .signature(ArraySlice(repeating: UInt8(truncatingIfNeeded: time), count: count)))
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
        // A restore is no signature.
        let restored = PolicyUse(time: 10_000, .restored)
        try fixture.change { transaction in try transaction.add([restored], of: key, keepingFrom: 0) }
        #expect(try Self.uses(of: key, in: fixture) == all + [restored])
        // Rows with old uses only are removed.
        try fixture.change { transaction in try transaction.add([Self.use(20_000)], of: key, keepingFrom: 5_000) }
        let left = try Self.uses(of: key, in: fixture)
        #expect(left.count < 5_300 && left.contains { $0.time == 5_000 } && left.last?.time == 20_000)
    }

    /// Old uses in the first row do not count: 10,000 uses of the windows fit.
    @Test func oldUsesMakeRoom() throws {
        let all = (0..<Int64(PolicyUse.maximumCount)).map { Self.use($0) }
        let (fixture, key) = try Self.filled(all)
        let next = (10_000..<Int64(10_010)).map { Self.use($0) }
        // The first row has more than ten uses.
        try fixture.change { transaction in try transaction.add(next, of: key, keepingFrom: 10) }
        #expect(try Self.uses(of: key, in: fixture) == Array((all + next).dropFirst(10)))
        #expect(
            vaultError { try fixture.change { try $0.add([Self.use(10_010)], of: key, keepingFrom: 10) } }
                == .input(.policyUsesFull(maximum: 10_000)))
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults == [])
    }

    /// The only row is written again without old uses, also if all of them are old.
    @Test func theOnlyRowLosesOldUses() throws {
        let (fixture, key) = try Self.filled((0..<20).map { Self.use($0) })
        let next = (20..<Int64(10_020)).map { Self.use($0) }
        try fixture.change { transaction in try transaction.add(next, of: key, keepingFrom: 20) }
        #expect(try Self.uses(of: key, in: fixture) == next)
    }

    /// One restore is kept: the windows of an earlier one end no later.
    @Test func aLaterRestoreReplacesAnEarlierOne() throws {
        var uses = (0..<Int64(400)).map { Self.use($0) }
        let (fixture, key) = try Self.filled(uses + [PolicyUse(time: 400, .restored)])
        uses += (401..<Int64(600)).map { Self.use($0) }
        let last = PolicyUse(time: 700, .restored)
        try fixture.change { transaction in
            try transaction.add(Array(uses.dropFirst(400)), of: key, keepingFrom: 0)
            for time: Int64 in 650..<700 {
                try transaction.add([PolicyUse(time: time, .restored)], of: key, keepingFrom: 0)
            }
            try transaction.add([last], of: key, keepingFrom: 0)
        }
        #expect(try Self.uses(of: key, in: fixture) == uses + [last])
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults == [])
    }

    /// A file must not control how many uses are held: no writer makes more than 10,000.
    @Test func tooManyUsesAreDamage() throws {
        let (fixture, key) = try Self.filled([Self.use(0)])
        func add(_ numbers: Range<UInt32>) throws {
            try fixture.change { transaction in
                try transaction.write { (transaction: inout VaultTransaction) throws(VaultError) in
                    for number in numbers {
                        var row = PolicyUseRow(key, number: number)
                        while row.append(Self.use(0, 1)) {}
                        try transaction.add(row, to: PolicyUseRow.leaf(of: key))
                    }
                }
            }
        }
        // 744 uses fit into a row.
        try add(1..<27)
        #expect(try Self.uses(of: key, in: fixture).count == 1 + 26 * 744)
        try add(27..<28)
        let damaged = VaultError.integrity(.damaged(.row(.counters)))
        #expect(vaultError { _ = try Self.uses(of: key, in: fixture) } == damaged)
        #expect(vaultError { _ = try fixture.open().unverifiedUses(of: key) } == damaged)
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults == [.row(.counters)])
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

    /// Earlier uses, and those of another key, are not accepted.
    @Test func refusesOtherRows() throws {
        let (fixture, key) = try Self.filled((0..<5).map { Self.use($0) })
        let other = try EntryName(VaultFixture.publicKey(2))
        try fixture.change { transaction in try transaction.add([Self.use(7)], of: other, keepingFrom: 0) }
        func value(of key: EntryName) throws -> [UInt8] {
            try fixture.open().connection.blob("SELECT value FROM counters WHERE name = 'used:\(key):00000000'")
        }
        let before = try value(of: key)
        try fixture.change { transaction in try transaction.add([Self.use(8)], of: key, keepingFrom: 0) }
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
                try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults == [.rows(.counters)], "\(sql)")
        }
        try refuses(["UPDATE counters SET value = x'\(Hex.encode(before))' WHERE name = 'used:\(key):00000000'"], key)
        let values = try [other, key].map { try value(of: $0) }
        try refuses(
            zip([key, other], values).map {
                "UPDATE counters SET value = x'\(Hex.encode($1))' WHERE name = 'used:\($0):00000000'"
            },
            key, other)
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
