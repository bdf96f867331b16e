import ABICodec
import Codecs
import Keys
import Signing
import Testing
import Transactions

@testable import KeyVault

/// What was paid and signed before is in rows under the manifest, written with each signature.
struct PaymentHistoryTests {
    private let fixture: VaultFixture
    private static let chain = PinnedABITests.chain

    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(2)
    }

    private static func recipient(_ account: String) throws -> PaymentHistory.Recipient {
        try PaymentHistory.Recipient(contract: Name("eosio.token"), account: Name(account))
    }

    private static func subject(
        _ accounts: [String], actions: UInt8 = 1, _ chain: [UInt8] = chain
    ) throws -> PaymentHistory.Subject {
        try PaymentHistory.Subject(
            chain: ChainID(Hex.encode(chain)), actions: [UInt8](repeating: actions, count: 32),
            recipients: Set(accounts.map(recipient)))
    }

    private static func signature(_ transaction: UInt8, key: UInt8 = 1) throws -> PaymentHistory.Signature {
        PaymentHistory.Signature(
            key: try VaultFixture.publicKey(key), transaction: [UInt8](repeating: transaction, count: 32),
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

    /// The bytes that VaultFormat.md defines, made with Python: fingerprints are
    /// `blake2b(chain + b'eosio.token:bob', digest_size=32).digest()[:16]` and
    /// `blake2b(chain + bytes([0xcc] * 32), digest_size=32).digest()[:16]`.
    @Test func encodesAsTheFormatDefines() throws {
        let key = try #require(AuditRecordTests.key().publicKey)
        let signature = PaymentHistory.Signature(
            key: key, transaction: [UInt8](repeating: 0xbb, count: 32), expiration: 1_800_000_000)
        let subject = try Self.subject(["bob"], actions: 0xcc)
        let names = ["paid:78:00000000", "made:80:00000000"]
        let hex = [
            "01" + "786a829f9a90e2b314768cc02043bacf" + "00f15365",
            "01" + "01" + "35" + Hex.encode(Array(key.text.utf8)) + "80fe847bb3cc9f50125e578142d883b9"
                + "00f15365"
                + String(repeating: "bb", count: 32) + "00d2496b" + "00",
        ]
        let records = HistoryLookup(subject).records(of: signature, at: VaultFixture.time)
        #expect(records.count == 2)
        for (record, (name, hex)) in zip(records, zip(names, hex)) {
            var row = HistoryRow(record.sequence, number: 0)
            let isAppended = row.append(record)
            #expect(isAppended)
            #expect(row.rowName == name && Hex.encode(row.value) == hex)
            #expect(try HistoryRow.read(name: name, value: row.value) == row)
            for count in row.value.indices {
                #expect(throws: VaultError.integrity(.damaged(.row(.counters)))) {
                    try HistoryRow.read(name: name, value: Array(row.value[..<count]))
                }
            }
            for (name, value) in [
                (name, row.value + [0]), (name.dropLast() + "g", row.value), (name + "0", row.value),
                (name.replacing(":7", with: ":6").replacing(":8", with: ":6"), row.value),
            ] {
                #expect(throws: VaultError.integrity(.damaged(.row(.counters)))) {
                    try HistoryRow.read(name: name, value: value)
                }
            }
        }
        #expect(try HistoryRow.read(name: "used:x", value: [1]) == nil)
    }

    // MARK: changes

    @Test func remembersRecipientsAndSignatures() throws {
        let subject = try Self.subject(["alice", "bob"])
        #expect(try verified(subject) == PaymentHistory())
        try remember(Self.signature(7), subject)
        let now = try verified(subject)
        #expect(now.paid == subject.recipients)
        #expect(try now.signatures == [Self.signature(7)])
        #expect(try fixture.open().unverifiedHistory(of: subject) == now)
        // Other actions, another chain, another recipient
        let other = try verified(Self.subject(["bob", "carol"], actions: 2))
        #expect(try other.paid == [Self.recipient("bob")] && other.signatures.isEmpty)
        #expect(try verified(Self.subject(["bob"], PinnedABITests.otherChain)) == PaymentHistory())
        // A second variant of the same actions, and the same signature again
        try remember(Self.signature(8), subject)
        try remember(Self.signature(8, key: 2), subject)
        try remember(Self.signature(7), subject)
        #expect(
            try verified(subject).signatures == [
                Self.signature(7), Self.signature(8), Self.signature(8, key: 2),
            ])
        #expect(try fixture.open().unverifiedLedger().storedCount == 3)
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults.isEmpty)
    }

    @Test func keepsTheNewestSignatures() throws {
        let subject = try Self.subject([])
        for number in 0..<20 { try remember(Self.signature(UInt8(number)), subject) }
        let kept = try verified(subject).signatures
        #expect(try kept == (4..<20).map { try Self.signature(UInt8($0)) })
    }

    /// The records of one sequence, with numbers as their transactions.
    private static func record(_ number: Int, at time: Int64) -> HistoryRow.Record {
        let bytes = [7] + (0..<15).map { UInt8(truncatingIfNeeded: $0 < 4 ? number >> (8 * $0) : 0) }
        return HistoryRow.Record(
            fingerprint: Fingerprint(bytes) ?? Fingerprint(of: []), time: UInt32(time), signature: nil)
    }

    /// A sequence loses its oldest rows if they are older than 30 days, beyond the rows that give a
    /// history of at least 1,000,000 records, or beyond 64 rows.
    @Test func keepsAMillionRecordsAndThirtyDays() throws {
        let day: Int64 = 86_400
        for kind in HistoryRow.Kind.allCases {
            // 256 sequences with a full row less than they keep: 1,000,000 records, with six
            // standard deviations of 62.5 records for the uneven sequences.
            #expect((kind.keptRowCount - 1) * kind.maximumCount > 1_000_000 / 256 + 6 * 63)
        }
        let paid = HistoryRow.Sequence(kind: .paid, byte: 7)
        let full = HistoryRow.Kind.paid.maximumCount
        var rows = HistoryRows(paid)
        try rows.add((0..<(8 * full + 1)).map { Self.record($0, at: $0 < 2 * full ? day : 20 * day) })
        #expect(rows.rows.map(\.records.count) == Array(repeating: full, count: 8) + [1])
        rows.removeOldest(at: 31 * day)
        #expect(rows.rows.count == 9 && rows.removed.isEmpty)
        rows.removeOldest(at: 31 * day + 1)
        #expect(rows.removed == ["paid:07:00000000", "paid:07:00000001"])
        #expect(rows.rows.first?.number == 2 && rows.written.count == 7)
        rows.removeOldest(at: 1_000 * day)
        #expect(rows.rows.count == HistoryRow.Kind.paid.keptRowCount)
        // Records that the sequence has are not added again.
        let count = rows.rows.reduce(0) { $0 + $1.records.count }
        try rows.add([Self.record(8 * full, at: day), Self.record(8 * full - 1, at: day)])
        #expect(rows.rows.reduce(0) { $0 + $1.records.count } == count)
        try rows.add((0..<(70 * full)).map { Self.record(1_000_000 + $0, at: 1_000 * day) })
        rows.removeOldest(at: 1_000 * day)
        #expect(rows.rows.count == HistoryRow.maximumRowCount)
    }

    /// The ledger states since when it has each signature.
    @Test func statesHowFarBackItReaches() throws {
        var ledger = PaymentLedger()
        #expect(ledger.completeSince == nil && ledger.storedCount == 0)
        for (byte, number, time) in [(UInt8(1), UInt32(0), Int64(5)), (2, 3, 70), (3, 1, 90), (3, 2, 200)] {
            var row = HistoryRow(HistoryRow.Sequence(kind: .signed, byte: byte), number: number)
            let fingerprint = try #require(Fingerprint([byte] + [UInt8](repeating: 0, count: 15)))
            let signature = try Self.signature(1)
            _ = row.append(
                HistoryRow.Record(fingerprint: fingerprint, time: UInt32(time), signature: signature))
            ledger.load(row)
        }
        #expect(ledger.completeSince == 90 && ledger.storedCount == 4)
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
        "DELETE FROM counters WHERE name LIKE 'paid%'",
    ])
    func findsAnotherProgramsChange(sql: String) throws {
        let subject = try Self.subject(["bob"])
        try remember(Self.signature(1), subject)
        try fixture.tamper(sql)
        #expect(try !fixture.open().unverifiedHistory(of: subject).paid.contains(Self.recipient("bob")))
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
        let leaf = HistoryRow.Sequence(kind: .paid, byte: 0x78).leaf
        try fixture.change { transaction in
            try transaction.buckets.load(leaf)
            try transaction.write { (transaction: inout VaultTransaction) throws(VaultError) in
                try transaction.connection.run(
                    "INSERT INTO counters VALUES (?1, 'limit', x'07')", [.integer(Int64(leaf.bucket))])
                try transaction.add("limit", leaf) { encoder in
                    encoder.beginRow(columnCount: 3)
                    encoder.append(integer: Int64(leaf.bucket))
                    encoder.append(text: "limit".utf8)
                    encoder.append(blob: [7])
                }
            }
        }
        try remember(Self.signature(1), subject)
        #expect(try verified(subject).paid.count == 1)
        #expect(try rowCount() == 3)
    }
}
