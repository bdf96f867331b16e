import JSON
import Keys
import Policy
import TestSupport
import Testing
import Transactions

@testable import KeyVault
@testable import Signing

/// Many transactions that are signed in one transaction of the vault.
struct SigningBatchTests {
    let signing: SigningRequestTests
    let alice: ChosenKey

    init() throws {
        signing = try SigningRequestTests()
        alice = try signing.add(SigningRequestTests.alice)
    }

    private func open() throws -> Vault { try Vault.open(signing.folder.path + "/vault.db") }

    private func batch(_ keys: [ChosenKey], allowing allowances: [Allowance] = []) throws -> SigningBatch {
        try SigningBatch(
            chain: ChainID("eos"), abis: ContractABIs(), keys: keys, own: OwnKeys(keys.map(\.description)),
            consent: ScriptConsent(allowances))
    }

    /// The transfer of alice to bob, with this reference block.
    private func transfer(block: Int = 1000) throws -> [UInt8] {
        let json = String(decoding: try repositoryFile("Vectors/examples/transfer.json"), as: UTF8.self)
        return Array(json.replacing("\"ref_block_num\": 1000", with: "\"ref_block_num\": \(block)").utf8)
    }

    /// Signs the transactions as one part.
    private func sign(
        _ texts: [[UInt8]], _ batch: SigningBatch, history: SigningBatch.History<PaymentLedger>
    ) throws -> [Result<SignedTransaction, any Error>] {
        let requests = try texts.map { try batch.request(reading: $0, history: history) }
        var results: [Result<SignedTransaction, any Error>] = []
        _ = try batch.signPart(with: signing.unlock(), after: nil) { sign throws(SigningError) in
            for request in requests {
                _ = try sign(.success(request)) { results.append($0.map(\.transaction)) }
            }
        }
        return results
    }

    private func records() throws -> [AuditEvent] {
        var events: [AuditEvent] = []
        try signing.unlock().log { record in if case .signed = record.event { events.append(record.event) } }
        return events
    }

    @Test func signsAsCleosDidAndRecordsEachSignature() throws {
        let result = try sign([transfer(), transfer()], batch([alice, alice]), history: .empty)
        for signed in result {
            #expect(try signed.get().signatures.map(\.text) == [SigningRequestTests.signature])
        }
        #expect(try records().count == 2)
        let again = try batch([alice]).request(
            reading: Array(result[0].get().json.text().utf8), history: .empty)
        #expect(again.isComplete)
    }

    /// The second transaction has the actions of the first one, which its review did not show. It
    /// is refused alone.
    @Test func changedHistoryRefusesOneTransaction() throws {
        let texts = try [transfer(), transfer(block: 1001), transfer()]
        let result = try sign(texts, batch([alice]), history: .empty)
        #expect(throws: SigningError.historyChangedSinceReview) { try result[1].get() }
        #expect(try result[0].get().id == result[2].get().id)
        #expect(try records().count == 2)
    }

    /// The review of a transaction shows what the batch signs before it.
    @Test func reviewShowsEarlierTransactions() throws {
        let batch = try batch([alice])
        var history = SigningBatch.History(payments: try open().unverifiedLedger(), policies: .empty)
        var summary = BatchSummary()
        for (line, block) in [1000, 1001, 1001].enumerated() {
            let request = try batch.request(reading: transfer(block: block), history: history)
            let isAdded = summary.add(request, line: line + 1, now: 0)
            #expect(isAdded)
            request.add(to: &history, at: 0)
        }
        let total = try #require(summary.running.summary.totals.first)
        #expect(total.isFirst && total.count == 3 && summary.signableCount == 3)
        let repeated = try #require(summary.warnings.first { $0.code == .signedBefore })
        #expect(repeated.line == 2 && repeated.count == 2)
    }

    @Test func refusesWhatChangedSinceTheReview() throws {
        let other = ChosenKey(KeyDescription(alice.publicKey, label: "other"), choice: .publicKey)
        #expect(throws: SigningError.changedSinceReview(name: alice.publicKey.text)) {
            _ = try sign([transfer()], batch([other]), history: .empty)
        }
        let only = ChosenKey(alice.description, choice: .only)
        _ = try signing.add(SigningRequestTests.bob)
        #expect(throws: SigningError.keyAddedMeanwhile) {
            _ = try sign([transfer()], batch([only]), history: .empty)
        }
        #expect(try records().isEmpty)
    }
}

extension SigningBatch.History<PaymentLedger> {
    static var empty: Self { Self(payments: PaymentLedger(), policies: .empty) }
}
