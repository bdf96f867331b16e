import ABICodec
import Testing
import Transactions

@testable import Signing

/// What many transactions do is added up in limited memory.
struct RunningSummaryTests {
    private static func transfer(_ to: String, _ quantity: String = "1.0000 EOS") -> String {
        WarningTests.transfer(to, quantity)
    }

    private static func summary(_ reviews: [[String]], limit: Int) throws -> Summary {
        var running = RunningSummary(limit: limit)
        for actions in reviews { running.add(try WarningTests.review(actions)) }
        return running.summary
    }

    private static func texts(_ summary: Summary) -> [String] {
        summary.totals.map { "\($0.amount) \($0.symbol.code) to \($0.recipient?.text ?? "others") in \($0.count)" }
    }

    @Test func limitsAre1000000() { #expect(RunningSummary.maximumCount == 1_000_000) }

    /// The sum of a token stays exact beyond the limit, and a listed recipient stays listed.
    @Test func recipientsBeyondTheLimitAreAddedUp() throws {
        let reviews = [
            [Self.transfer("bob"), Self.transfer("carol", "2.0000 EOS")],
            [Self.transfer("dave", "3.0000 EOS"), Self.transfer("eve", "5.0000 EOS"), Self.transfer("bob")],
            [Self.transfer("dave", "3.0000 EOS")],
        ]
        let limited = try Self.summary(reviews, limit: 2)
        #expect(
            Self.texts(limited) == ["110000 EOS to others in 3", "20000 EOS to bob in 2", "20000 EOS to carol in 1"])
        #expect(limited.omittedCount == 0 && limited.actionCount == 6)
        let whole = try Self.summary(reviews, limit: RunningSummary.maximumCount)
        #expect(whole.totals.count == 4 && whole.omittedCount == 0)
        #expect(whole.totals.reduce(0) { $0 + $1.amount } == limited.totals.reduce(0) { $0 + $1.amount })
    }

    /// Payments of further payers and tokens, changes and kinds of actions are counted where even
    /// their sums have no room.
    @Test func whatHasNoRoomIsCounted() throws {
        let payers = ["alice", "bob", "carol", "dave", "eve", "frank"].map { payer in
            WarningTests.action(
                "eosio.token", "transfer",
                #"{"from":"\#(payer)","to":"grace","quantity":"1.0000 EOS","memo":""}"#, by: ["\(payer)@active"])
        }
        let payments = try Self.summary([payers], limit: 2)
        #expect(payments.totals.count == 4 && payments.omittedCount == 2)
        #expect(payments.totals.map(\.payer.text) == ["alice", "bob", "carol", "dave"])
        let created = ["ann", "ben", "cat", "ann"].map { name in
            WarningTests.action("eosio", "setpriv", #"{"account":"\#(name)","is_priv":1}"#)
        }
        let changes = try Self.summary([created], limit: 2)
        #expect(changes.changes.map(\.account.text) == ["ann", "ben"] && changes.omittedCount == 1)
        let kinds = try Self.summary(
            [
                [
                    Self.transfer("bob"),
                    WarningTests.action("eosio.token", "close", #"{"owner":"a","symbol":"4,EOS"}"#),
                    WarningTests.action("eosio", "setpriv", #"{"account":"ann","is_priv":1}"#),
                ]
            ], limit: 2)
        #expect(kinds.kinds.map(\.action.text) == ["transfer", "close"])
        #expect(kinds.actionCount == 3 && kinds.omittedCount == 1)
    }

    /// A review of one transaction has the same limits.
    @Test func aReviewIsSummedUpInTheSameWay() throws {
        let actions = [Self.transfer("bob"), Self.transfer("carol"), Self.transfer("bob")]
        let review = try WarningTests.review(actions)
        let summary = try Self.summary([actions], limit: RunningSummary.maximumCount)
        #expect(review.summary.totals == summary.totals && review.summary.kinds == summary.kinds)
        #expect(review.summary.omittedCount == 0 && review.summary.actionCount == 3)
    }
}
