import Codecs
import Testing

@testable import KeyVault

/// What was paid and signed before is in rows under the manifest, written with each signature.
struct PaymentHistoryTests {
    private let fixture: VaultFixture
    private static let chain = PinnedABITests.chain

    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(2)
    }

    private static func recipient(_ account: String, _ chain: [UInt8] = chain) throws -> PaymentHistory.Recipient {
        try #require(
            PaymentHistory.Recipient(contract: PinnedABITests.contract("eosio.token", chain), account: account))
    }

    private static func subject(
        _ accounts: [String], actions: UInt8 = 1, _ chain: [UInt8] = chain
    ) throws -> PaymentHistory.Subject {
        let recipients = Set(try accounts.map { try recipient($0, chain) })
        return try #require(
            PaymentHistory.Subject(
                chain: chain, actions: [UInt8](repeating: actions, count: 32), recipients: recipients))
    }

    private static func signature(_ transaction: UInt8, key: UInt8 = 1) throws -> PaymentHistory.Signature {
        PaymentHistory.Signature(
            key: EntryName(try VaultFixture.publicKey(key)), transaction: [UInt8](repeating: transaction, count: 32),
            expiration: 1_800_000_000)
    }

    private func remember(_ signature: PaymentHistory.Signature, _ subject: PaymentHistory.Subject) throws {
        try fixture.change { try $0.rememberSignature(signature, of: subject) }
    }

    private func verified(_ subject: PaymentHistory.Subject) throws -> PaymentHistory {
        try fixture.unlock().withoutRecord { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.verifiedHistory(of: subject)
        }
    }

    private func rowCount() throws -> Int64? {
        try fixture.open().connection.integer("SELECT count(bucket) FROM counters")
    }

    // MARK: the row

    /// The bytes that VaultFormat.md defines, made with Python: `b'\x01' + pack('<qq', 9, time)`,
    /// and `b'\x01' + pack('<q', 9) + b'\x01\x35' + key + bytes([0xbb] * 32) + pack('<I', 1.8e9)`.
    @Test func encodesAsTheFormatDefines() throws {
        let hex = String(repeating: "aa", count: 32)
        let bob = try Self.recipient("bob")
        let payment = HistoryRow(
            content: .payment(bob, at: VaultFixture.time), generation: 9, name: HistoryRow.name(of: bob))
        #expect(payment.name == "paid:\(hex):eosio.token:bob")
        #expect(Hex.encode(payment.value) == "01" + "0900000000000000" + "00f1536500000000")
        let key = try AuditRecordTests.key()
        let signature = PaymentHistory.Signature(
            key: key, transaction: [UInt8](repeating: 0xbb, count: 32), expiration: 1_800_000_000)
        let actions = [UInt8](repeating: 0xcc, count: 32)
        let row = HistoryRow(
            content: .signatures(chain: Self.chain, actions: actions, [signature]), generation: 9,
            name: HistoryRow.name(ofActions: actions, Self.chain))
        #expect(row.name == "signed:\(hex):" + String(repeating: "cc", count: 32))
        #expect(
            Hex.encode(row.value)
                == "01" + "0900000000000000" + "01" + "35" + Hex.encode(Array(key.text.utf8))
                + String(repeating: "bb", count: 32) + "00d2496b")
        for row in [payment, row] {
            #expect(try HistoryRow.read(name: row.name, value: row.value) == row)
            for count in row.value.indices {
                #expect(throws: VaultError.integrity(.damaged(.row(.counters)))) {
                    try HistoryRow.read(name: row.name, value: Array(row.value[..<count]))
                }
            }
            #expect(throws: VaultError.integrity(.damaged(.row(.counters)))) {
                try HistoryRow.read(name: row.name, value: row.value + [0])
            }
        }
    }

    @Test func refusesImpossibleSubjects() throws {
        let contract = try PinnedABITests.contract()
        for account in ["", "BOB", "bob.", "bob:x"] {
            #expect(PaymentHistory.Recipient(contract: contract, account: account) == nil)
        }
        let foreign = Set([try Self.recipient("bob", PinnedABITests.otherChain)])
        let hash = [UInt8](repeating: 0, count: 32)
        #expect(PaymentHistory.Subject(chain: Self.chain, actions: hash, recipients: foreign) == nil)
        #expect(PaymentHistory.Subject(chain: Self.chain, actions: Array(hash.dropLast()), recipients: []) == nil)
        #expect(PaymentHistory.Subject(chain: [], actions: hash, recipients: []) == nil)
    }

    // MARK: changes

    @Test func remembersRecipientsAndSignatures() throws {
        let subject = try Self.subject(["alice", "bob"])
        #expect(try verified(subject) == PaymentHistory())
        try remember(Self.signature(7), subject)
        let now = try verified(subject)
        #expect(Set(now.lastPayments.keys) == subject.recipients)
        #expect(try now.signatures == [Self.signature(7)])
        #expect(try fixture.open().unverifiedHistory(of: subject) == now)
        // Other actions, another chain, another recipient
        let other = try verified(Self.subject(["bob", "carol"], actions: 2))
        #expect(try Set(other.lastPayments.keys) == [Self.recipient("bob")] && other.signatures.isEmpty)
        #expect(try verified(Self.subject(["bob"], PinnedABITests.otherChain)) == PaymentHistory())
        // A second variant of the same actions, and the same signature again
        try remember(Self.signature(8), subject)
        try remember(Self.signature(8, key: 2), subject)
        try remember(Self.signature(7), subject)
        #expect(
            try verified(subject).signatures == [Self.signature(8), Self.signature(8, key: 2), Self.signature(7)])
        #expect(try rowCount() == 3)
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults.isEmpty)
    }

    @Test func keepsTheNewestSignatures() throws {
        let subject = try Self.subject([])
        for number in 0..<20 { try remember(Self.signature(UInt8(number)), subject) }
        let kept = try verified(subject).signatures
        #expect(try kept == (4..<20).map { try Self.signature(UInt8($0)) })
    }

    /// A bucket keeps its newest rows. The time of the clock does not matter.
    @Test func dropsTheOldestRowsOfABucket() throws {
        let bucket = VaultTable.counters.bucket(of: HistoryRow.name(of: try Self.recipient("bob")))
        let digits = Array("12345abcdefghijklmnopqrstuvwxyz")
        var names: [String] = []
        var number = 0
        while names.count < HistoryRow.maximumCountInBucket + 2 {
            var (name, rest) = ("", number)
            for _ in 0..<5 { (name, rest) = (name + String(digits[rest % 31]), rest / 31) }
            number += 1
            let recipient = try Self.recipient(name)
            if VaultTable.counters.bucket(of: HistoryRow.name(of: recipient)) == bucket { names.append(name) }
        }
        let actions = (0..<255).first { number in
            let hash = [UInt8](repeating: UInt8(number), count: 32)
            return VaultTable.counters.bucket(of: HistoryRow.name(ofActions: hash, Self.chain)) != bucket
        }
        let number32 = UInt8(try #require(actions))
        // The two oldest, then one fewer than the limit in one transaction, then one more.
        try remember(Self.signature(1), Self.subject([names[0]], actions: number32))
        try remember(Self.signature(2), Self.subject([names[1]], actions: number32))
        try remember(Self.signature(3), Self.subject(Array(names[2..<390]), actions: number32))
        #expect(try verified(Self.subject(names)).lastPayments.count == 390)
        try remember(Self.signature(4), Self.subject([names[390]], actions: number32))
        let kept = try verified(Self.subject(names)).lastPayments
        #expect(try kept.count == 390 && kept[Self.recipient(names[0])] == nil)
        // A payment makes a row new again.
        try remember(Self.signature(5), Self.subject([names[1]], actions: number32))
        try remember(Self.signature(6), Self.subject([names[391]], actions: number32))
        let last = try verified(Self.subject(names)).lastPayments
        #expect(try last.count == 390 && last[Self.recipient(names[1])] != nil)
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults.isEmpty)
    }

    @Test func aReadOnlyTransactionWritesNothing() throws {
        let (signature, subject) = (try Self.signature(1), try Self.subject(["bob"]))
        try fixture.unlock().withoutRecord { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.rememberSignature(signature, of: subject)
        }
        #expect(try rowCount() == 0)
    }

    /// Nothing is stored if the transaction of the vault fails.
    @Test func isPartOfItsTransaction() throws {
        let (signature, subject) = (try Self.signature(1), try Self.subject(["bob"]))
        #expect(throws: VaultError.input(.noSuchKey)) {
            try fixture.change { transaction in
                try transaction.rememberSignature(signature, of: subject)
                throw VaultError.input(.noSuchKey)
            }
        }
        #expect(try rowCount() == 0)
    }

    @Test func survivesANewMasterKey() throws {
        let subject = try Self.subject(["bob"])
        try remember(Self.signature(1), subject)
        let before = try verified(subject)
        let secret = try VaultFixture.secret()
        try fixture.change { try $0.rekey(under: secret) }
        #expect(try verified(subject) == before)
        try remember(Self.signature(2), subject)
    }

    // MARK: attacks

    @Test(arguments: [
        "DELETE FROM counters",
        "UPDATE counters SET value = x'0100000000000000000000000000000000' WHERE name LIKE 'paid%'",
    ])
    func findsAnotherProgramsChange(sql: String) throws {
        let subject = try Self.subject(["bob"])
        try remember(Self.signature(1), subject)
        try fixture.tamper(sql)
        #expect(try fixture.open().unverifiedHistory(of: subject).lastPayments[Self.recipient("bob")] ?? 0 == 0)
        let error = vaultError { _ = try verified(subject) }
        guard case .integrity(.manifestMismatch(.bucket(.counters, _))) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(throws: VaultError.self) { try remember(Self.signature(2), subject) }
    }

    /// A row of a later version in the same bucket is kept.
    @Test func keepsOtherRows() throws {
        let subject = try Self.subject(["bob"])
        let leaf = Manifest.Leaf(of: HistoryRow.name(of: try Self.recipient("bob")), in: .counters)
        try fixture.change { transaction in
            try transaction.load(leaf)
            try transaction.write { (transaction: inout VaultTransaction) throws(VaultError) in
                try transaction.connection.run(
                    "INSERT INTO counters VALUES (?1, 'limit', x'07')", [.integer(Int64(leaf.bucket))])
                transaction.add("limit", leaf) { encoder in
                    encoder.beginRow(columnCount: 3)
                    encoder.append(integer: Int64(leaf.bucket))
                    encoder.append(text: "limit".utf8)
                    encoder.append(blob: [7])
                }
            }
        }
        try remember(Self.signature(1), subject)
        #expect(try verified(subject).lastPayments.count == 1)
        #expect(try rowCount() == 3)
    }
}
