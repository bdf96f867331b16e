import Testing

@testable import KeyVault

/// The payment history in memory is the one that single signatures write.
struct PaymentLedgerTests {
    private let fixture: VaultFixture

    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(2)
    }

    private static func subject(_ account: String, actions: Int) throws -> PaymentHistory.Subject {
        let contract = try PinnedABITests.contract("eosio.token", PinnedABITests.chain)
        let hash = (0..<32).map { UInt8(truncatingIfNeeded: actions >> (8 * min($0, 3))) }
        let recipient = try #require(PaymentHistory.Recipient(contract: contract, account: account))
        return try #require(
            PaymentHistory.Subject(chain: PinnedABITests.chain, actions: hash, recipients: [recipient]))
    }

    private static func signature(_ number: Int) throws -> PaymentHistory.Signature {
        PaymentHistory.Signature(
            key: EntryName(try VaultFixture.publicKey(1)),
            transaction: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 32), expiration: 1_800_000_000)
    }

    /// Signs `numbers` in one transaction with the history in memory.
    private func sign(
        _ numbers: Range<Int>, in vault: borrowing UnlockedVault, after ledger: PaymentLedger?
    ) throws -> PaymentLedger {
        try vault.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.holdHistory(ledger)
            for number in numbers {
                do {
                    try transaction.rememberSignature(
                        Self.signature(number), of: Self.subject("bob", actions: number % 7))
                } catch let error as VaultError { throw error } catch { throw .machine(.sqlite(code: 0)) }
            }
            return try transaction.releaseHistory()
        }
    }

    private func rows() throws -> [String] {
        var rows: [String] = []
        try fixture.open().connection.query("SELECT name FROM counters ORDER BY bucket, name") { row in
            rows.append(row.text(0) ?? "")
        }
        return rows
    }

    @Test func writesWhatSingleSignaturesWrite() throws {
        let vault = try fixture.unlock()
        var ledger = try sign(0..<20, in: vault, after: nil)
        ledger = try sign(20..<40, in: vault, after: ledger)
        let batch = try rows()
        #expect(batch.count == 8)
        for number in 0..<7 {
            let subject = try Self.subject("bob", actions: number)
            let found = try vault.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
                try transaction.verifiedHistory(of: subject)
            }
            #expect(found == ledger.history(of: subject))
            let expected = try (0..<40).filter { $0 % 7 == number }.map(Self.signature)
            #expect(found.signatures == expected && found.lastPayments.count == 1)
            #expect(try fixture.open().unverifiedLedger().history(of: subject) == found)
        }
    }

    /// Subjects whose rows of their actions are in one bucket, and that pay nobody.
    private static func subjects(inBucket bucket: Int, count: Int) throws -> [PaymentHistory.Subject] {
        var subjects: [PaymentHistory.Subject] = []
        var number = 0
        while subjects.count < count {
            number += 1
            let hash = (0..<32).map { UInt8(truncatingIfNeeded: $0 < 4 ? number >> (8 * $0) : 0) }
            let name = HistoryRow.name(ofActions: hash, PinnedABITests.chain)
            guard VaultTable.counters.bucket(of: name) == bucket else { continue }
            subjects.append(
                try #require(PaymentHistory.Subject(chain: PinnedABITests.chain, actions: hash, recipients: [])))
        }
        return subjects
    }

    /// The names of the rows of a vault that signs each part in one transaction, with the history
    /// in memory or without it.
    private func kept(
        _ parts: [[PaymentHistory.Subject]], _ file: VaultFixture, inMemory: Bool
    ) throws -> (names: Set<String>, ledger: PaymentLedger?) {
        let vault = try file.unlock()
        let signature = try Self.signature(1)
        var ledger: PaymentLedger?
        for part in parts {
            let known = ledger
            ledger = try vault.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
                if inMemory { try transaction.holdHistory(known) }
                for subject in part { try transaction.rememberSignature(signature, of: subject) }
                return inMemory ? try transaction.releaseHistory() : nil
            }
        }
        var names: Set<String> = []
        try file.open().connection.query("SELECT name FROM counters") { row in names.insert(row.text(0) ?? "") }
        #expect(try file.open().check(UnlockMethod.pin(VaultFixture.pin())).faults.isEmpty)
        return (names, ledger)
    }

    /// A bucket beyond its limit loses its oldest rows: the same rows from the memory, from the
    /// file, and in a vault that keeps no history in memory.
    @Test func aFullBucketLosesItsOldestRows() throws {
        let limit = HistoryRow.maximumCountInBucket
        #expect(limit == 390)
        let all = try Self.subjects(inBucket: 3, count: limit + 30)
        let (first, second) = (Array(all[..<200]), Array(all[200..<limit]))
        // The third part replaces ten rows, which are then the newest, and adds 30.
        let third = Array(all[190..<200]) + Array(all[limit...])
        let batch = try kept([first, second, third], fixture, inMemory: true)
        let other = try VaultFixture()
        try other.createFilled(2)
        #expect(try kept([first, second, third], other, inMemory: false).names == batch.names)
        #expect(batch.names.count == limit)
        #expect(Set((second + third).map(\.actionsName)).isSubset(of: batch.names))
        // Of the rows of the first part, which have the same age, the first names are removed.
        let removed = first.dropLast(10).map(\.actionsName).sorted().prefix(30)
        #expect(batch.names.isDisjoint(with: removed))
        let ledger = try #require(batch.ledger)
        let inFile = try fixture.open().unverifiedLedger()
        for subject in all {
            let isKept = batch.names.contains(subject.actionsName)
            #expect(ledger.history(of: subject).signatures.count == (isKept ? 1 : 0))
            #expect(inFile.history(of: subject) == ledger.history(of: subject))
        }
    }

    /// One transaction that adds more rows than a bucket keeps: the rows that it removes again are
    /// written neither to the file nor kept in memory.
    @Test func aPartMayExceedTheLimitAlone() throws {
        let limit = HistoryRow.maximumCountInBucket
        let all = try Self.subjects(inBucket: 3, count: limit + 60)
        let parts = [Array(all[..<40]), Array(all[40...])]
        let batch = try kept(parts, fixture, inMemory: true)
        let expected = parts[1].map(\.actionsName).sorted().suffix(limit)
        #expect(batch.names == Set(expected))
        let ledger = try #require(batch.ledger)
        let inMemory = all.filter { !ledger.history(of: $0).signatures.isEmpty }
        #expect(Set(inMemory.map(\.actionsName)) == batch.names)
    }

    /// Rows that another program wrote are refused, and a transaction of another process between
    /// two parts is read again.
    @Test func isVerified() throws {
        let vault = try fixture.unlock()
        let ledger = try sign(0..<3, in: vault, after: nil)
        let other = try Self.subject("carol", actions: 100)
        let signature = try Self.signature(9)
        try fixture.change { try $0.rememberSignature(signature, of: other) }
        let next = try sign(3..<6, in: vault, after: ledger)
        #expect(next.history(of: other).signatures == [signature])
        #expect(ledger.history(of: other).signatures.isEmpty)
        try fixture.open().connection.run("DELETE FROM counters WHERE name LIKE 'paid:%carol'")
        #expect(throws: VaultError.self) { _ = try sign(6..<7, in: vault, after: nil) }
    }
}
