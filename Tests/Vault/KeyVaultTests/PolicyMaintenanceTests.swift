import Glibc
import SecureMemory
import Signing
import Testing

@testable import KeyVault

/// Restore, rescue and check cover policies and what keys used of their limits.
struct PolicyMaintenanceTests {
    private let fixture: VaultFixture
    private let state: VaultFixture
    private let keys: [EntryName]
    private let use = PolicyUseTests.uses([1, 2, 3])
    private var copy: String { fixture.folder + "/copy.db" }
    private var restored: String { fixture.folder + "/restored.db" }
    private var rescued: String { fixture.folder + "/rescued.db" }
    private var witness: Witness { Witness(folder: state.folder) }

    /// A vault with three keys, of which the first one has a policy of its own and a use.
    init() throws {
        fixture = try StoredPolicyTests.fixture { try [StoredPolicyTests.policy($0)] }
        state = try VaultFixture()
        keys = try (1...3).map { try StoredPolicyTests.key($0) }
        try add(use, of: keys[0])
    }

    private func add(_ uses: PolicyUses, of key: EntryName) throws {
        try fixture.change { transaction in try transaction.store(uses.parts, PolicyUseTests.times, of: key) }
    }

    /// The uses with a restore.
    private func expectRestored(_ number: Int, _ parts: [PolicyUses.Part]) throws {
        let uses = try uses(number, in: restored)
        #expect(
            uses.parts == parts && uses.times?.restored != nil && uses.times?.restored == uses.times?.last)
    }

    private func set(_ subject: StoredPolicy.Subject, pin: String) throws {
        let policy = try StoredPolicyTests.policy(fixture, subject, pin: pin)
        try fixture.change { transaction in try transaction.set(policy, isLooser: false) }
    }

    private func uses(_ number: Int, in path: String) throws -> PolicyUses {
        try fixture.unlock(path).withoutRecord { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.policyUses(of: keys[number - 1])
        }
    }

    /// The verified policies and faults of a vault.
    private func policies(_ path: String) throws -> [StoredPolicy] {
        #expect(try fixture.open(path).check(UnlockMethod.pin(VaultFixture.pin())).faults == [])
        return try fixture.unlock(path).policies()
    }

    // MARK: restore

    private func restore(
        second: String? = nil, clock: VaultClock = VaultFixture.clock, dryRun: Bool = false
    ) throws -> BackupDescription {
        let image = try VaultImage(contentsOf: copy)
        let method = UnlockMethod.pin(try VaultFixture.pin())
        let second = try second.map { UnlockMethod.pin(try VaultFixture.pin($0)) }
        return dryRun
            ? try Vault.verifyRestorable(image, method: method, second: second, clock: clock)
            : try Vault.restore(image, to: restored, method: method, second: second, clock: clock)
    }

    @Test func aRestoreUsesUpTheLimits() throws {
        _ = try fixture.unlock().backup(to: copy)
        let planned = try restore(dryRun: true)
        #expect(planned.usedUp?.keyCount == 1 && !fixture.names().contains("restored.db"))
        let start = VaultFixture.clock.now()
        let backup = try restore()
        let time = try #require(backup.usedUp?.time)
        #expect(backup.usedUp?.keyCount == 1 && time >= start)
        let after = try uses(1, in: restored)
        // The report may be a second later.
        let last = try #require(after.times).last
        #expect(after.parts == use.parts && after.times == PolicyUses.Times(last: last, restored: last))
        #expect(start...time ~= last && time <= VaultFixture.clock.now())
        #expect(try uses(2, in: restored) == PolicyUses())
        #expect(try policies(restored) == policies(fixture.path))
        #expect(try VaultFixture.lend(1, of: fixture.unlock(restored)) == 1)
        #expect(
            try VaultFixture.events(of: fixture.unlock(restored)).last
                == .restored(generation: backup.generation))
    }

    /// The file has no state without the restore: it is written with it.
    @Test func theFirstFileHasTheRestore() throws {
        _ = try fixture.unlock().backup(to: copy)
        let backup = try restore()
        let image = try fixture.open(restored)
        // One change for the uses, and one for the record of the restore.
        #expect(
            try image.read { () throws(VaultError) in try Manifest(in: image.connection) }.generation
                == backup.generation + 2)
    }

    /// A policy for all keys also limits a key that was removed, if it has uses.
    @Test func aRestoreUsesUpTheLimitsOfAllKeys() throws {
        try set(.allKeys, pin: "a third passphrase")
        try add(use, of: keys[1])
        let proof = try StoredPolicyTests.proof(fixture, "a third passphrase")
        try fixture.change { transaction in try transaction.remove(keys[1], neverBackedUp: true, proof: proof)
        }
        _ = try fixture.unlock().backup(to: copy)
        #expect(try restore().usedUp?.keyCount == 3)
        for number in 1...3 { try expectRestored(number, number == 3 ? [] : use.parts) }
    }

    @Test func theSecondMethodKeepsTheLimits() throws {
        try set(.allKeys, pin: "a third passphrase")
        _ = try fixture.unlock().backup(to: copy)
        #expect(
            vaultError { _ = try restore(second: "correct horse") }
                == .input(.wrongUnlockMethod(.pin, damagedSlots: [])))
        #expect(
            vaultError { _ = try restore(second: "correct horse", dryRun: true) }
                == .input(.wrongUnlockMethod(.pin, damagedSlots: [])))
        #expect(!fixture.names().contains("restored.db"))
        // The tries are counted in the backup, which only the user can write.
        let counter = try fixture.open(copy)
        #expect(
            try counter.read { () throws(VaultError) in try FailedUnlocks(in: counter.connection) }?.count
                == 2)
        // It is the method of one policy: the other one's keys are limited.
        #expect(try restore(second: StoredPolicyTests.policyPIN).usedUp?.keyCount == 2)
        #expect(try uses(1, in: restored) == use)
        for number in 2...3 { try expectRestored(number, []) }
        unlink(restored)
        #expect(try restore(second: "a third passphrase").usedUp?.keyCount == 1)
        try expectRestored(1, use.parts)
        #expect(try uses(2, in: restored) == PolicyUses())
        unlink(restored)
        // Nothing is limited without a policy.
        let proof = try StoredPolicyTests.proof(fixture)
        try fixture.change { transaction in try transaction.removePolicy(of: .key(keys[0]), proof: proof) }
        unlink(copy)
        _ = try fixture.unlock().backup(to: copy)
        #expect(try restore(second: "a third passphrase").usedUp == nil)
        #expect(try uses(1, in: restored) == use)
    }

    /// A clock that was set back neither fails the restore nor frees an allowance.
    @Test func aRestoreIsNoEarlierThanTheLastUseAndRecord() throws {
        let last = try fixture.unlock().withoutRecord {
            (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.lastRecordTime()
        }
        let time = try #require(last)
        #expect(time > VaultFixture.time)
        _ = try fixture.unlock().backup(to: copy)
        _ = try restore(clock: VaultClock(now: { VaultFixture.time - 1_000_000 }, wait: { _ in }))
        #expect(
            try uses(1, in: restored)
                == PolicyUseTests.uses([1, 2, 3], times: PolicyUses.Times(last: time, restored: time)))
    }

    @Test func severalRestoresKeepOne() throws {
        _ = try fixture.unlock().backup(to: copy)
        for _ in 0..<3 {
            _ = try restore()
            unlink(copy)
            rename(restored, copy)
        }
        let after = try uses(1, in: copy)
        #expect(after.parts == use.parts && after.times?.restored != nil)
    }

    // MARK: rescue

    /// The witness has seen the state of the file.
    private func see() throws {
        _ = try Vault.open(fixture.path, witness: witness, clock: VaultFixture.clock).unlock(
            VaultFixture.pin())
    }

    @Test func aRescueTakesProvedPolicies() throws {
        try set(.allKeys, pin: "a third passphrase")
        // A row of more than one page.
        let all = PolicyUseTests.uses([1], [UInt8](repeating: 2, count: 200_000))
        try add(all, of: keys[2])
        try see()
        let report = try fixture.rescue(witness: witness)
        #expect(report.policies == [.allKeys, .key(keys[0])])
        #expect(report.isComplete && !report.lacksPolicies && report.lostUses.isEmpty && report.usedUp == nil)
        #expect(try policies(rescued) == policies(fixture.path))
        #expect(try uses(1, in: rescued) == use)
        #expect(try uses(3, in: rescued) == all)
        #expect(
            vaultError {
                try VaultFixture.change(fixture.unlock(rescued)) {
                    try $0.remove(keys[1], neverBackedUp: true)
                }
            }
                == .input(.secondMethodNeeded(.pin)))
        let proof = try fixture.unlock(rescued).proveSecond(
            UnlockMethod.pin(VaultFixture.pin("a third passphrase")), of: policies(rescued))
        try VaultFixture.change(fixture.unlock(rescued)) { transaction in
            try transaction.remove(keys[1], neverBackedUp: true, proof: proof)
        }
    }

    /// Nothing shows that the vault was not used after this copy.
    @Test func aRescueOfAnOlderCopyUsesUpTheLimits() throws {
        let report = try fixture.rescue()
        #expect(report.history == .unknown && report.isComplete && report.usedUp?.keyCount == 1)
        let after = try uses(1, in: rescued)
        #expect(after.parts == use.parts && after.times?.restored != nil)
        #expect(try uses(2, in: rescued) == PolicyUses())
    }

    @Test(arguments: [
        "DELETE FROM policies", "UPDATE policies SET value = substr(value, 1, length(value) - 1)",
        "INSERT INTO policies SELECT '*', value FROM policies UNION SELECT '+', value FROM policies",
    ])
    func aRescueLeavesOutChangedPolicies(sql: String) throws {
        try see()
        try fixture.tamper(sql)
        let report = try fixture.rescue(witness: witness)
        #expect(
            report.policies.isEmpty && report.lacksPolicies && !report.isComplete && report.rescued.count == 3
        )
        #expect(try policies(rescued) == [])
        // They count if the policy is set again.
        #expect(try uses(1, in: rescued) == use)
    }

    @Test(arguments: [
        "DELETE FROM counters", "UPDATE counters SET value = substr(value, 1, length(value) - 1)",
        "UPDATE counters SET name = replace(name, ':00000000', ':00000001')",
    ])
    func aRescueReportsLostUses(sql: String) throws {
        try see()
        try fixture.tamper(sql)
        let report = try fixture.rescue(witness: witness)
        #expect(report.policies == [.key(keys[0])] && !report.lacksPolicies && !report.isComplete)
        #expect(report.lostUses == [keys[0]] && report.usedUp?.keyCount == 1)
        let after = try uses(1, in: rescued)
        #expect(after.parts.isEmpty && after.times?.restored != nil)
    }

    /// Without a verified manifest, any vault may have had policies.
    @Test func aRescueWithoutAManifestReportsPolicies() throws {
        try fixture.tamper("UPDATE vault SET root = zeroblob(32)")
        let report = try fixture.rescue()
        #expect(
            report.policies.isEmpty && report.lacksPolicies && !report.isVerified && report.rescued.count == 3
        )
    }

    /// The digest of the other rows shows which one was added.
    @Test func aRescueLeavesOutAnAddedPolicy() throws {
        try see()
        let before = try policies(fixture.path)
        try fixture.tamper("INSERT INTO policies SELECT '*', value FROM policies")
        let report = try fixture.rescue(witness: witness)
        #expect(report.policies.count == 1 && report.isComplete)
        #expect(try policies(rescued) == before)
    }

    // MARK: check

    @Test func aCheckCountsPolicies() throws {
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).policyCount == 1)
        try set(.allKeys, pin: "a third passphrase")
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).policyCount == 2)
    }

    @Test(arguments: [
        ("DELETE FROM policies", VaultFault.rows(.policies)),
        ("UPDATE policies SET value = substr(value, 1, length(value) - 1)", .rows(.policies)),
        ("UPDATE policies SET value = x'07'", .rows(.policies)),
        ("DELETE FROM counters", .rows(.counters)), ("UPDATE counters SET value = x'01'", .rows(.counters)),
        ("UPDATE counters SET bucket = 256", .rows(.counters)),
    ])
    func aCheckFindsAChange(sql: String, fault: VaultFault) throws {
        try fixture.tamper(sql)
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults == [fault])
    }

    /// A row that the manifest covers, of a later version.
    @Test func aCheckFindsAnUnknownPolicy() throws {
        try fixture.change { transaction in
            let leaf = Manifest.Leaf(table: .policies, bucket: 0)
            try transaction.buckets.load(leaf)
            try transaction.write { (transaction: inout VaultTransaction) throws(VaultError) in
                let values: [SQLiteValue] = [.text("x"), .blob([2])]
                try transaction.connection.run("INSERT INTO policies VALUES (?1, ?2)", values)
                try transaction.add("x", leaf) { $0.append(row: values) }
            }
        }
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults == [.row(.policies)])
        #expect(
            vaultError { try fixture.change { try $0.expectRelease(of: keys[1], proof: nil) } }
                == .input(.policySet))
    }
}
