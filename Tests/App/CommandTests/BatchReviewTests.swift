import JSON
import KeyVault
import Shell
import Signing
import Testing
import Transactions

@testable import App

struct BatchReviewTests {
    /// The sums of a batch have a limit: a batch with more is refused, with the line.
    @Test func aBatchWithTooManySumsIsRefused() throws {
        let batch = SigningBatch(
            chain: try ChainID("eos"), abis: ContractABIs(), keys: [], own: nil, consent: ScriptConsent())
        let history = SigningBatch.History(payments: PaymentLedger(), policies: .empty)
        var review = BatchReview(BatchSummary(limit: 2))
        for (line, memo) in ["a", "b", "a", "c"].enumerated() {
            let text = try SampleReview.transaction([SampleReview.transfer("bob", "1.0000 EOS", memo: memo)])
                .json
                .text()
            func add() throws(CommandError) {
                try review.add(
                    Result { try batch.request(reading: Array(text.utf8), history: history) }, line: line + 1,
                    now: 0)
            }
            guard memo == "c" else {
                try add()
                continue
            }
            let error = #expect(throws: CommandError.self) { try add() }
            let words = Words(for: try #require(error))
            #expect(words.code.name == "too-large")
            #expect(
                words.message.hasPrefix(
                    "line 4: the file has more than 1,000,000 different pairs of recipient"))
            #expect(words.hint == "split the file, and sign each part")
        }
        #expect(review.lineCount == 4)
    }
}
