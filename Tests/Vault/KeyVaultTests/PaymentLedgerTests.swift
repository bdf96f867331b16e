import ABICodec
import Codecs
import Keys
import Signing
import Testing
import Transactions

@testable import KeyVault

/// The payment history in memory is the one that single signatures write.
struct PaymentLedgerTests {
    private let fixture: VaultFixture

    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(2)
    }

    private static func subject(_ account: String, actions: Int) throws -> PaymentHistory.Subject {
        let hash = (0..<32).map { UInt8(truncatingIfNeeded: actions >> (8 * min($0, 3))) }
        let recipient = try PaymentHistory.Recipient(contract: Name("eosio.token"), account: Name(account))
        return try PaymentHistory.Subject(
            chain: ChainID(Hex.encode(PinnedABITests.chain)), actions: hash, recipients: [recipient])
    }

    private static func signature(_ number: Int) throws -> PaymentHistory.Signature {
        PaymentHistory.Signature(
            key: try VaultFixture.publicKey(1),
            transaction: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 32),
            expiration: 1_800_000_000)
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
        #expect(batch.count == 8 || batch.count == 7)
        for number in 0..<7 {
            let subject = try Self.subject("bob", actions: number)
            let found = try vault.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
                try transaction.verifiedHistory(of: subject)
            }
            let expected = try (0..<40).filter { $0 % 7 == number }.map(Self.signature)
            #expect(found.signatures == expected && found.paid.count == 1)
            #expect(ledger.history(of: subject) == Self.shortened(found))
            #expect(try fixture.open().unverifiedLedger().history(of: subject) == Self.shortened(found))
        }
    }

    /// The history as a ledger has it: with the first halves of the transaction ids.
    private static func shortened(_ history: PaymentHistory) -> PaymentHistory {
        PaymentHistory(
            paid: history.paid,
            signatures: history.signatures.map {
                PaymentHistory.Signature(
                    key: $0.key, transaction: Array($0.transaction.prefix(16)), expiration: $0.expiration)
            })
    }

    /// A repeated signature adds nothing; the newest 16 of the same actions are found, and all of
    /// many subjects.
    @Test func findsEachSubject() throws {
        var ledger = PaymentLedger()
        for number in 0..<3_000 {
            try ledger.add(Self.signature(number), of: Self.subject("bob", actions: number), at: 1)
            try ledger.add(Self.signature(number), of: Self.subject("bob", actions: number), at: 2)
        }
        let changes = ledger.takeChanges()
        #expect(changes.values.reduce(0) { $0 + $1.count } == 3_001)
        for number in stride(from: 0, to: 3_000, by: 7) {
            let found = try ledger.history(of: Self.subject("carol", actions: number))
            #expect(found.signatures.count == 1 && found.paid.isEmpty)
            #expect(found.signatures[0].isFor(try Self.signature(number).transaction))
        }
        for number in 0..<20 {
            try ledger.add(Self.signature(100 + number), of: Self.subject("dave", actions: 1), at: 3)
        }
        let newest = try ledger.history(of: Self.subject("dave", actions: 1))
        #expect(newest.paid.count == 1)
        #expect(newest.signatures.map { $0.transaction[0] } == (104..<120).map { UInt8($0) })
        #expect(try ledger.history(of: Self.subject("erin", actions: 5_000)) == PaymentHistory())
    }

    /// More signatures than a row holds, in several transactions, are all in the file.
    @Test func writesSeveralRowsOfASequence() throws {
        let vault = try fixture.unlock()
        let subject = try Self.subject("bob", actions: 1)
        var ledger: PaymentLedger?
        for part in 0..<3 {
            let known = ledger
            ledger = try vault.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
                try transaction.holdHistory(known)
                for number in 0..<400 {
                    let key: PublicKey
                    do { key = try VaultFixture.publicKey(1) } catch { throw .machine(.sqlite(code: 0)) }
                    let id =
                        [UInt8(part), UInt8(number >> 8), UInt8(number & 255)]
                        + [UInt8](repeating: 0, count: 29)
                    try transaction.rememberSignature(
                        PaymentHistory.Signature(key: key, transaction: id, expiration: 1), of: subject)
                }
                return try transaction.releaseHistory()
            }
        }
        #expect(try rows().count == 4)
        #expect(try fixture.open().unverifiedLedger().storedCount == 1_200)
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults.isEmpty)
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
        #expect(next.history(of: other).signatures.first?.isFor(signature.transaction) == true)
        #expect(ledger.history(of: other).signatures.isEmpty)
        try fixture.open().connection.run("DELETE FROM counters WHERE name LIKE 'paid:%'")
        #expect(throws: VaultError.self) { _ = try sign(6..<7, in: vault, after: nil) }
    }
}
