import ABICodec
import Codecs
import Keys
import Policy
import SecureMemory
import TestSupport
import Testing
import Transactions

@testable import KeyVault
@testable import Signing

/// What a vault remembers of its signatures: recipients that are paid for the first time, and
/// actions that were signed before.
struct HistoryTests {
    let signing: SigningRequestTests
    let alice: ChosenKey

    init() throws {
        signing = try SigningRequestTests()
        alice = try signing.add(SigningRequestTests.alice)
    }

    private func open() throws -> Vault { try Vault.open(signing.folder.path + "/vault.db") }

    private func lookedUp(_ review: Review) throws -> PaymentHistory? {
        try review.lookedUpSubject(signedBy: [alice.publicKey]).map { try open().unverifiedHistory(of: $0) }
    }

    /// The transfer of alice to bob, with changes in its JSON.
    private func review(_ changes: KeyValuePairs<String, String> = [:], chain: String = "eos") throws
        -> Review
    {
        var json = String(decoding: try repositoryFile("Vectors/examples/transfer.json"), as: UTF8.self)
        for (old, new) in changes {
            try #require(json.contains(old))
            json = json.replacing(old, with: new)
        }
        let transaction = try SignedTransaction(reading: Array(json.utf8), abis: ContractABIs())
        var review = try Review(of: transaction, chain: ChainID(chain), abis: ContractABIs())
        review.history = try lookedUp(review)
        return review
    }

    /// A recipient in a proposal is looked up. It is not recorded: the proposal may never run.
    @Test func recipientsInProposals() throws {
        func proposal() throws -> Review {
            let inner = try review().transaction.transaction
            let text = WarningTests.action(
                "eosio.msig", "propose",
                #"""
                {"proposer":"alice","proposal_name":"payroll","requested":[],"trx":{"expiration":\#
                "2026-11-22T16:03:58",\#
                "ref_block_num":1,"ref_block_prefix":1,"max_net_usage_words":0,"max_cpu_usage_ms":0,"delay_sec":0,\#
                "context_free_actions":[],"actions":[{"account":"eosio.token","name":"transfer","authorization":\#
                [{"actor":"alice","permission":"active"}],"data":"\#(Hex.encode(inner.actions[0].data))"}],\#
                "transaction_extensions":[]}}
                """#)
            var review = try WarningTests.review([text])
            review.history = try lookedUp(review)
            return review
        }
        #expect(try proposal().summary.totals.map(\.isFirst) == [true])
        _ = try sign(proposal())
        #expect(try proposal().summary.totals.map(\.isFirst) == [true])
        _ = try sign(review())
        #expect(try proposal().summary.totals.map(\.isFirst) == [false])
    }

    /// A payer for which the key signed before is known. Another key, chain or payer is not.
    @Test func payersAreRemembered() throws {
        #expect(try review().summary.knownPayers.isEmpty)
        _ = try sign(review())
        #expect(try review().summary.knownPayers == [Name("alice")])
        #expect(try review(Self.other).summary.knownPayers == [Name("alice")])
        #expect(try review(chain: "jungle4").summary.knownPayers.isEmpty)
        var other = try review()
        other.history = try other.lookedUpSubject(signedBy: [PublicKey(WarningTests.foreign)]).map {
            try open().unverifiedHistory(of: $0)
        }
        #expect(other.summary.knownPayers.isEmpty)
        other.history?.payers = [try PaymentHistory.Payer(key: alice.publicKey, account: Name("mallory"))]
        #expect(throws: SigningError.historyChangedSinceReview) { try sign(other) }
        // The payer of an earlier line of a batch is not known: its author would choose it.
        let batch = SigningBatch(
            chain: try ChainID("eos"), abis: ContractABIs(), keys: [alice], own: OwnKeys([]),
            consent: ScriptConsent())
        var history = SigningBatch.History(payments: try open().unverifiedLedger(), policies: .empty)
        let carol = Array(
            String(decoding: try repositoryFile("Vectors/examples/transfer.json"), as: UTF8.self)
                .replacing("alice", with: "carol").utf8)
        #expect(try batch.request(reading: carol, history: history).review.summary.knownPayers.isEmpty)
        try batch.request(reading: carol, history: history).add(to: &history, at: 0)
        #expect(try batch.request(reading: carol, history: history).review.summary.knownPayers.isEmpty)
    }

    private func sign(_ review: Review) throws -> SignedTransaction {
        try SigningRequest(review, keys: [alice]).authorize(.empty).sign(with: signing.unlock())
    }

    private func variants(_ review: Review, now: Int64 = 0) -> [Warning] {
        review.warnings(now: now).filter { $0.code == .signedBefore }
    }

    private static let other = ["\"ref_block_num\": 1000": "\"ref_block_num\": 1001"] as KeyValuePairs

    @Test func aSecondVariantIsADoublePayment() throws {
        let first = try review()
        #expect(variants(first).isEmpty)
        #expect(try first.isFirstTransfer(to: Name("bob"), by: Name("eosio.token")))
        _ = try sign(first)

        // The same transaction again is the same payment.
        let again = try review()
        #expect(variants(again).isEmpty)
        #expect(try !again.isFirstTransfer(to: Name("bob"), by: Name("eosio.token")))
        #expect(try again.isFirstTransfer(to: Name("bob"), by: Name("mytoken")))
        _ = try sign(again)

        let second = try review(Self.other)
        let expiration = first.transaction.transaction.expiration
        let warning = Warning.signedBefore(id: first.transaction.id, expiration: expiration)
        #expect(variants(second) == [warning])
        // Once the first one has expired, it can't run.
        #expect(variants(second, now: Int64(expiration.seconds)).isEmpty)
        // The same actions on another chain are other payments.
        #expect(try variants(review(Self.other, chain: "jungle4")).isEmpty)
        #expect(try review(chain: "jungle4").isFirstTransfer(to: Name("bob"), by: Name("eosio.token")))
        _ = try sign(second)
        #expect(try variants(review()).count == 1)
    }

    /// Another process signed the same actions after the review.
    @Test func refusesAReviewOfAnEarlierHistory() throws {
        let (first, second) = (try review(), try review(Self.other))
        _ = try sign(first)
        #expect(throws: SigningError.historyChangedSinceReview) { try sign(second) }
        // The same transaction again is the same payment, also with the earlier review.
        #expect(try sign(first).signatures.count == 1)
        #expect(try sign(review(Self.other)).signatures.count == 1)
    }

    /// A recipient that was shown as paid before was paid, or nothing is signed. The opposite only
    /// means that another process paid it meanwhile.
    @Test func recipientsThatWerePaidBeforeWere() throws {
        var shown = try review()
        let recipient = try #require(shown.historySubject(signedBy: [])?.recipients.first)
        shown.history?.paid.insert(recipient)
        #expect(throws: SigningError.historyChangedSinceReview) { try sign(shown) }
        let early = try review(Self.other)
        #expect(early.history?.paid.isEmpty == true)
        // Another payment to bob, with another memo.
        _ = try sign(review(["68656c6c6f": "6f74686572"]))
        #expect(try sign(early).signatures.count == 1)
    }

    /// An exchange for another account is a payment to it.
    @Test(arguments: [("bob", 1), ("alice", 0)])
    func exchangesForOthersCount(recipient: String, count: Int) throws {
        let data = #"{"from":"alice","to":"\#(recipient)","quantity":"1.0000 EOS","memo":""}"#
        var review = try WarningTests.review([WarningTests.action("core.vaulta", "swapto", data)])
        let subject = try #require(review.historySubject(signedBy: [alice.publicKey]))
        #expect(subject.recipients.count == count)
        review.history = try open().unverifiedHistory(of: subject)
        #expect(review.summary.totals.map(\.isFirst) == [count == 1])
    }

    /// Rows that another program removed from the file are missing in a verified bucket.
    @Test func findsRemovedRows() throws {
        _ = try sign(review())
        try open().connection.run("DELETE FROM counters")
        let second = try review(Self.other)
        #expect(variants(second).isEmpty)
        #expect(throws: SigningError.self) { try sign(second) }
    }

    /// Without a record nothing is remembered.
    @Test func remembersNothingWithoutARecord() throws {
        let request = try SigningRequest(review(), keys: [alice]).authorize(.empty)
        _ = try request.signWithoutRecord(with: signing.unlock())
        #expect(try variants(review(Self.other)).isEmpty)
        #expect(try review().isFirstTransfer(to: Name("bob"), by: Name("eosio.token")))
    }

    @Test func aReviewWithoutAChainHasNoSubject() throws {
        let review = try Review(of: review().transaction, chain: nil, abis: ContractABIs())
        #expect(review.historySubject(signedBy: []) == nil)
        #expect(try !review.isFirstTransfer(to: Name("bob"), by: Name("eosio.token")))
    }
}
