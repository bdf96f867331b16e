import Keys
import SecureMemory
import Testing

@testable import KeyVault

/// The audit log of a vault file. An attacker with the file but without the PIN edits it: each edit
/// is reported with the number of its record.
struct AuditLogTests {
    let fixture: VaultFixture
    init() throws {
        fixture = try VaultFixture()
        // Records 1 to 4: the new vault, and three keys.
        try fixture.createFilled(3)
    }

    private func name(_ number: UInt8) throws -> EntryName { try VaultFixture.name(number) }

    private func events() throws -> [AuditEvent] {
        var events: [AuditEvent] = []
        try fixture.unlock().log { record in
            #expect(record.sequence == Int64(events.count + 1))
            events.append(record.event)
        }
        return events
    }

    private func faults() throws -> [AuditFault] {
        var faults: [AuditFault] = []
        _ = try fixture.unlock().verifyLog { faults.append($0) }
        return faults
    }

    /// Checks the faults that are reported after an edit. No record after the first fault is
    /// returned, and later records do not hide the edit.
    private func expect(
        _ expected: [AuditFault], after sql: String, sourceLocation: SourceLocation = #_sourceLocation
    )
        throws
    {
        let whole = try VaultFixture.bytes(of: fixture.path)
        try fixture.tamper(sql)
        #expect(try faults() == expected, "\(sql)", sourceLocation: sourceLocation)
        var given: [Int64] = []
        let error = vaultError { try fixture.unlock().log { given.append($0.sequence) } }
        #expect(
            error == expected.first.map { .integrity(.audit($0)) }, "\(sql)", sourceLocation: sourceLocation)
        #expect(given == Array(1..<Int64(given.count + 1)), sourceLocation: sourceLocation)
        let (batched, batchError) = try inBatches(of: 2)
        #expect(batchError == error, "\(sql)", sourceLocation: sourceLocation)
        #expect(given.starts(with: batched), sourceLocation: sourceLocation)
        try fixture.unlock().insert(VaultFixture.key(100), label: nil, createdAt: 1)
        let later = try faults()
        #expect(!later.isEmpty, sourceLocation: sourceLocation)
        for case .changed(let sequence) in expected {
            #expect(later.contains(.changed(sequence: sequence)), sourceLocation: sourceLocation)
        }
        try VaultFixture.write(whole, to: fixture.path)
    }

    /// The numbers of the records before the first fault, and the fault.
    private func inBatches(of count: Int) throws -> ([Int64], VaultError?) {
        let vault = try fixture.unlock()
        var numbers: [Int64] = []
        var batch: AuditBatch?
        do throws(VaultError) {
            while let next = try vault.records(after: batch, atMost: count) {
                numbers += next.records.map(\.sequence)
                batch = next
            }
        } catch { return (numbers, error) }
        return (numbers, nil)
    }

    @Test(arguments: 1...6) func readsInBatches(count: Int) throws {
        let (numbers, error) = try inBatches(of: count)
        #expect(numbers == [1, 2, 3, 4])
        #expect(error == nil)
    }

    @Test func recordsEveryOperation() throws {
        let vault = try fixture.unlock()
        try vault.insert(VaultFixture.key(4), label: nil, createdAt: 5, origin: .imported)
        try VaultFixture.change(vault) { transaction in
            try transaction.rename(VaultFixture.publicKey(4), to: Label("four"))
        }
        try VaultFixture.change(vault) { transaction in
            try transaction.remove(VaultFixture.publicKey(4), neverBackedUp: true)
        }
        let four = try name(4)
        #expect(
            try events() == [
                .made, .created(key: name(1)), .created(key: name(2)), .created(key: name(3)),
                .imported(key: four),
                .renamed(key: four, from: nil, to: Label("four")), .removed(key: four),
            ])
        #expect(try vault.verifyLog { Issue.record("\($0)") } == 7)
    }

    @Test func doesNotRecordFailures() throws {
        let vault = try fixture.unlock()
        #expect(throws: VaultError.input(.keyExists)) {
            try vault.insert(VaultFixture.key(1), label: nil, createdAt: 5)
        }
        #expect(throws: VaultError.input(.neverBackedUp(.privateKey(.k1)))) {
            try VaultFixture.change(vault) { transaction in
                try transaction.record(.exported(key: name(1)))
                try transaction.remove(VaultFixture.publicKey(1))
            }
        }
        #expect(try events().count == 4)
    }

    /// An event that could not be read back is refused, and its transaction with it.
    @Test func refusesToRecordUnreadableEvents() throws {
        let vault = try fixture.unlock()
        #expect(throws: VaultError.integrity(.damaged(.row(.audit)))) {
            try VaultFixture.change(vault) { transaction in
                try transaction.insert(VaultFixture.key(9), label: nil, createdAt: 1)
                try transaction.record(.backedUp(generation: -1))
            }
        }
        #expect(try vault.entries().count == 3)
    }

    @Test func edited() throws {
        try expect(
            [.changed(sequence: 2)],
            after: "UPDATE audit SET body = (SELECT body FROM audit WHERE sequence = 3) WHERE sequence = 2")
        try expect([.changed(sequence: 3)], after: "UPDATE audit SET mac = zeroblob(32) WHERE sequence = 3")
        try expect([.changed(sequence: 4)], after: "UPDATE audit SET body = x'' WHERE sequence = 4")
        try expect([.changed(sequence: 4)], after: "UPDATE audit SET mac = x'00' WHERE sequence = 4")
        try expect(
            [.changed(sequence: 1), .changed(sequence: 2)],
            after: "UPDATE audit SET body = x'01' WHERE sequence < 3")
    }

    @Test func dropped() throws {
        try expect([.missing(sequence: 1)], after: "DELETE FROM audit WHERE sequence = 1")
        try expect([.missing(sequence: 3)], after: "DELETE FROM audit WHERE sequence = 3")
        try expect(
            [.missing(sequence: 2), .missing(sequence: 3)],
            after: "DELETE FROM audit WHERE sequence IN (2, 3)")
    }

    /// The manifest contains the number of records. A record that is written after the cut turns
    /// the missing ones into a gap.
    @Test func cut() throws {
        try expect([.cut(last: 3, expected: 4)], after: "DELETE FROM audit WHERE sequence = 4")
        try expect([.cut(last: 0, expected: 4)], after: "DELETE FROM audit")
        try fixture.tamper("DELETE FROM audit WHERE sequence > 2")
        try fixture.unlock().insert(VaultFixture.key(9), label: nil, createdAt: 1)
        #expect(try faults() == [.missing(sequence: 3), .missing(sequence: 4)])
    }

    @Test func reordered() throws {
        try expect(
            [.changed(sequence: 2), .changed(sequence: 3), .changed(sequence: 4)],
            after: """
                CREATE TEMP TABLE held AS SELECT * FROM audit WHERE sequence IN (2, 3);
                UPDATE audit SET (body, mac) = (SELECT body, mac FROM held WHERE sequence = 3) WHERE sequence = 2;
                UPDATE audit SET (body, mac) = (SELECT body, mac FROM held WHERE sequence = 2) WHERE sequence = 3;
                """)
    }

    @Test func added() throws {
        try expect(
            [.extra(sequence: 7)],
            after: "INSERT INTO audit SELECT 7, body, mac FROM audit WHERE sequence = 4")
        try expect(
            [.extra(sequence: -3)],
            after: "INSERT INTO audit SELECT -3, body, mac FROM audit WHERE sequence = 4")
    }

    /// The manifest covers the row of the head. Without the key, the log can't be set back to an
    /// earlier end.
    @Test(arguments: [
        "DELETE FROM audit_head",
        "UPDATE audit_head SET sequence = 3, mac = (SELECT mac FROM audit WHERE sequence = 3)",
        "INSERT INTO audit_head SELECT 2, sequence, mac FROM audit_head",
    ])
    func anotherHead(sql: String) throws {
        try fixture.tamper("DELETE FROM audit WHERE sequence = 4; " + sql)
        let expected: [VaultError?] = [
            .integrity(.manifestMismatch(.bucket(.audit, 0))), .integrity(.damaged(.row(.audit))),
        ]
        #expect(expected.contains(vaultError { _ = try faults() }))
        #expect(
            expected.contains(
                vaultError { try fixture.unlock().log { _ in Issue.record("a record was returned") } }))
    }

    /// The complete log of another vault that the same PIN opens.
    @Test func graftedFromAnotherVault() throws {
        let other = try VaultFixture()
        try other.createFilled(3)
        try fixture.tamper(
            "ATTACH '\(other.path)' AS other; DELETE FROM audit; INSERT INTO audit SELECT * FROM other.audit")
        #expect(try faults() == (1...4).map { .changed(sequence: $0) })
    }

    /// A new master key rewrites no record. Each record is verified with the key that it was
    /// written under.
    @Test func rekeyed() throws {
        let before = try events()
        try rekey()
        try fixture.unlock().insert(VaultFixture.key(4), label: nil, createdAt: 1)
        try rekey()
        #expect(try faults().isEmpty)
        let after = try events()
        #expect(after.starts(with: before))
        #expect(after.filter { $0 == .rekeyed }.count == 2)
        try expect([.changed(sequence: 2)], after: "UPDATE audit SET body = x'01' WHERE sequence = 2")
        try expect([.changed(sequence: 6)], after: "UPDATE audit SET body = x'01' WHERE sequence = 6")
    }

    private func rekey() throws {
        let secret = try VaultFixture.secret()
        try fixture.change { transaction in try transaction.rekey(under: secret) }
    }

    /// A view that leaves no record lends keys, and changes nothing.
    @Test func withoutRecord() throws {
        let vault = try fixture.unlock()
        let (key, whole) = (try VaultFixture.publicKey(2), try VaultFixture.bytes(of: fixture.path))
        let lent = try vault.withoutRecord { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.record(.exported(key: EntryName(key)))
            return try transaction.withKey(key) { key throws(VaultError) in key.withScalar { $0[byte: 31] } }
        }
        #expect(lent == 2)
        #expect(throws: VaultError.machine(.readOnly)) {
            try vault.withoutRecord { (transaction: inout VaultTransaction) throws(VaultError) in
                _ = try transaction.rename(key, to: nil)
            }
        }
        #expect(try VaultFixture.bytes(of: fixture.path) == whole)
    }

    /// The status of a key without a PIN, and the verified status.
    @Test func status() throws {
        let status = try fixture.unlock().status(of: "key 2")
        #expect(status.entry.name == (try name(2)))
        #expect(!status.isBackedUp)
        #expect(try fixture.open().unverifiedStatus(of: name(2).text) == status)
        #expect(try fixture.open().unverifiedStatus(of: "nobody") == nil)
        #expect(throws: VaultError.input(.noSuchKey)) { try fixture.unlock().status(of: "nobody") }
        try fixture.tamper("UPDATE entries SET created_at = 1 WHERE name = '\(try name(2))'")
        #expect(try fixture.open().unverifiedStatus(of: name(2).text)?.entry.createdAt == 1)
        let bucket = try VaultTable.entries.bucket(of: name(2).text)
        #expect(throws: VaultError.integrity(.manifestMismatch(.bucket(.entries, bucket)))) {
            try fixture.unlock().status(of: name(2).text)
        }
    }

    /// A busy vault's records of several years are read and verified in one run.
    @Test func longLog() throws {
        let vault = try fixture.unlock()
        try vault.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            for number in 0..<20_000 { try transaction.record(.backedUp(generation: Int64(number))) }
        }
        #expect(try vault.verifyLog { Issue.record("\($0)") } == 20_004)
        try fixture.tamper("UPDATE audit SET body = zeroblob(18) WHERE sequence % 1000 = 0")
        #expect(
            try faults() == stride(from: 1_000, through: 20_000, by: 1_000).map { .changed(sequence: $0) })
    }
}
