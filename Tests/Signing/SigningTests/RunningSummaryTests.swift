import ABICodec
import JSON
import Testing
import Transactions

@testable import Signing

/// What many transactions do is added up in limited memory.
struct RunningSummaryTests {
    private static func transfer(_ to: String, _ quantity: String = "1.0000 EOS") -> String {
        WarningTests.transfer(to, quantity)
    }

    private static func summary(_ reviews: [[String]], limit: Int) throws -> Summary? {
        var running = RunningSummary(limit: limit)
        for actions in reviews where !running.add(try WarningTests.review(actions)) { return nil }
        return running.summary
    }

    private static func texts(_ summary: Summary?) -> [String] {
        (summary?.totals ?? []).map {
            "\($0.amount) \($0.symbol.code) to \($0.recipient.text) \($0.memo) in \($0.count)"
        }
    }

    @Test func limitsAre1000000() { #expect(RunningSummary.maximumCount == 1_000_000) }

    /// A batch with more sums, changes or kinds of actions is refused. What is known has room.
    @Test func moreThanTheLimitIsRefused() throws {
        let payments = [
            [Self.transfer("bob"), Self.transfer("carol", "2.0000 EOS")], [Self.transfer("bob")],
        ]
        #expect(
            try Self.texts(Self.summary(payments, limit: 2)) == [
                "20000 EOS to bob  in 2", "20000 EOS to carol  in 1",
            ])
        #expect(try Self.summary(payments + [[Self.transfer("dave")]], limit: 2) == nil)
        #expect(try Self.texts(Self.summary(payments + [[Self.transfer("dave")]], limit: 3)).count == 3)
        let changes = ["ann", "ben", "ann"].map { name in
            [WarningTests.action("eosio", "setpriv", #"{"account":"\#(name)","is_priv":1}"#)]
        }
        let summary = try Self.summary(changes, limit: 2)
        #expect(
            summary?.changes.map(\.account.text) == ["ann", "ben"] && summary?.changes.map(\.count) == [2, 1])
        #expect(try Self.summary(changes, limit: 1) == nil)
        let kinds = [
            Self.transfer("bob"),
            WarningTests.action("eosio.token", "close", #"{"owner":"a","symbol":"4,EOS"}"#),
        ]
        #expect(try Self.summary([kinds], limit: 2)?.kinds.map(\.action.text) == ["transfer", "close"])
        #expect(try Self.summary([kinds], limit: 1) == nil)
    }

    /// Payments to one recipient with other memos have sums of their own: an exchange finds its
    /// customer by the memo. Long memos that begin in the same way are not mixed up.
    @Test func eachMemoHasASum() throws {
        let long = String(repeating: "x", count: 100)
        let memos = ["", "1", "2", "1", long + "a", long + "b", long + "a", "\u{0}", "é"]
        let reviews = memos.map { memo in
            let text = JSONValue.string(memo).text()
            return [
                WarningTests.action(
                    "eosio.token", "transfer",
                    #"{"from":"alice","to":"bob","quantity":"1.0000 EOS","memo":\#(text)}"#)
            ]
        }
        let totals = try #require(try Self.summary(reviews, limit: 100)).totals
        #expect(totals.map(\.count) == [1, 2, 1, 2, 1, 1, 1])
        #expect(
            totals.map(\.memo).prefix(3) == ["", "1", "2"] && totals.suffix(2).map(\.memo) == ["\u{0}", "é"])
        #expect(totals.map(\.isMemoCut) == [false, false, false, true, true, false, false])
        #expect(totals[3].memo == String(repeating: "x", count: 32))
    }

    /// The sums are exact in any order of the payments.
    @Test func sumsAreExact() throws {
        var random = SystemRandomNumberGenerator()
        var (running, expected) = (RunningSummary(), [String: Int128]())
        let names = ["bob", "carol", "dave", "eve", "frank"]
        for _ in 0..<300 {
            let actions = (0..<8).map { _ in
                let (to, memo) = (names.randomElement(using: &random) ?? "", Int.random(in: 0..<20))
                let amount = Int.random(in: 1..<100_000)
                expected["\(to) \(memo)", default: 0] += Int128(amount)
                let text = "\(amount / 10_000).\(String(10_000 + amount % 10_000).dropFirst()) EOS"
                return WarningTests.action(
                    "eosio.token", "transfer",
                    #"{"from":"alice","to":"\#(to)","quantity":"\#(text)","memo":"\#(memo)"}"#)
            }
            let isAdded = running.add(try WarningTests.review(actions))
            #expect(isAdded)
        }
        let totals = running.summary.totals
        #expect(
            Dictionary(uniqueKeysWithValues: totals.map { ("\($0.recipient.text) \($0.memo)", $0.amount) })
                == expected)
        #expect(totals.reduce(0) { $0 + $1.count } == 2_400)
        let payments = running.summary.payments
        let sorted = payments.sortedPlaces.map { payments.amount(at: Int($0)) }
        #expect(sorted == sorted.sorted(by: >) && sorted.count == totals.count)
    }

    /// A review of one transaction has the same sums, without a limit.
    @Test func aReviewIsSummedUpInTheSameWay() throws {
        let actions = [Self.transfer("bob"), Self.transfer("carol"), Self.transfer("bob")]
        let review = try WarningTests.review(actions)
        let summary = try #require(try Self.summary([actions], limit: 2))
        #expect(review.summary.totals == summary.totals && review.summary.kinds == summary.kinds)
        #expect(review.summary.actionCount == 3)
    }
}
