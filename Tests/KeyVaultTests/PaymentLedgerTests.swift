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

    /// A bucket keeps its newest rows, in the file and in memory.
    @Test func fullBucketsLoseTheirOldestRows() throws {
        let subjects = try (0..<6_000).map { try Self.subject("bob", actions: $0) }
        let vault = try fixture.unlock()
        let signature = try Self.signature(1)
        var ledger: PaymentLedger?
        for part in [subjects[..<3_000], subjects[3_000...]] {
            let limited = part.filter { VaultTable.counters.bucket(of: $0.actionsName) < 4 }
            ledger = try vault.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
                try transaction.holdHistory(ledger)
                for subject in limited { try transaction.rememberSignature(signature, of: subject) }
                return try transaction.releaseHistory()
            }
        }
        let kept = try #require(ledger)
        let inFile = try fixture.open().unverifiedLedger()
        #expect(subjects.allSatisfy { kept.history(of: $0) == inFile.history(of: $0) })
        #expect(try rows().count > 50)
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
