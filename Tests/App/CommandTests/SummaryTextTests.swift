import ABICodec
import Codecs
import JSON
import Keys
import Shell
import Testing
import Transactions

@testable import App
@testable import KeyVault
@testable import Signing

/// The summary says what is not in its lists.
struct SummaryTextTests {
    private static func summary(_ actions: [String], limit: Int) throws -> Summary {
        var running = RunningSummary(limit: limit)
        let isAdded = running.add(
            try Review(of: SampleReview.transaction(actions), chain: ChainID("eos"), abis: ContractABIs()))
        #expect(isAdded)
        return running.summary
    }

    private static func rows(_ actions: [String], limit: Int) throws -> [String] {
        try SummaryText(summary: summary(actions, limit: limit), chain: ChainID("eos"), width: 80).rows
    }

    private static let transfers = ["bob", "carol", "dave", "eve"].map {
        SampleReview.transfer($0, "1.0000 EOS")
    }

    /// A recipient with several memos has a row for each: an exchange finds its customer by it.
    @Test func showsMemosThatDiffer() throws {
        let payments = (1...19).map { _ in SampleReview.transfer("binancecleos", "1.0000 EOS", memo: "123456")
        }
        let other = [SampleReview.transfer("binancecleos", "1.0000 EOS", memo: "666666")]
        #expect(
            try Self.rows(payments + other, limit: 9) == [
                "SUMMARY      20 actions: 20 eosio.token::transfer",
                "  alice pays 20.0000 EOS to binancecleos with 2 different memos:",
                "       19.0000 EOS to binancecleos memo \"123456\" in 19 payments (95.00 %)",
                "       1.0000 EOS to binancecleos memo \"666666\" (5.00 %)",
            ])
        #expect(
            try Self.rows(payments, limit: 9)
                == ["SUMMARY      20 actions    alice pays 19.0000 EOS to binancecleos in 19 payments"]
                .map { $0.replacing("20 actions", with: "19 actions") })
        #expect(
            try Self.rows(payments + Self.transfers, limit: 9)[2].contains(
                "19.0000 EOS to binancecleos in 19"))
    }

    /// Decimals do not decide which token is listed first.
    @Test func listsTheGreatestAmountsFirst() throws {
        let transfers = [
            SampleReview.transfer("bob", "2.00000000 SPAM"), SampleReview.transfer("carol", "7.0 GOLD"),
            SampleReview.transfer("dave", "1.0000 EOS"),
        ]
        #expect(
            try Self.rows(transfers, limit: 100).dropFirst() == [
                "  alice pays 1.0000 EOS to dave", "  alice pays 7.0 GOLD@eosio.token to carol",
                "  alice pays 2.00000000 SPAM@eosio.token to bob",
            ])
    }

    /// No token is known on a chain that is not built in, so each is shown with its contract.
    @Test func namesTheContractOnUnknownChains() throws {
        func rows(_ chain: String?) throws -> [String] {
            let summary = try Self.summary([SampleReview.transfer("bob", "1.0000 EOS")], limit: 9)
            return try SummaryText(summary: summary, chain: chain.map { try ChainID($0) }, width: 80).rows
        }
        #expect(
            try rows(String(repeating: "5", count: 64)).joined().contains(" 1.0000 EOS@eosio.token to bob"))
        #expect(try rows("eos").joined().contains(" 1.0000 EOS to bob"))
        #expect(try rows(nil).joined().contains(" 1.0000 EOS to bob"))
    }

    // MARK: - what is shown first

    private static func text(_ actions: [String], maximumRows: Int = 20) throws -> SummaryText {
        try SummaryText(
            summary: summary(actions, limit: 1_000), chain: ChainID("eos"), width: 80,
            maximumRows: maximumRows)
    }

    /// An account for a number below 676.
    private static func account(_ number: Int) -> String {
        "payer" + [number / 26, number % 26].map { String(UnicodeScalar(UInt8(97 + $0))) }.joined()
    }

    private static func ram(_ receiver: String, _ bytes: Int) -> String {
        SampleReview.action(
            "eosio", "buyrambytes", #"{"payer":"alice","receiver":"\#(receiver)","bytes":\#(bytes)}"#)
    }

    /// What runs with the transaction comes before what is only proposed.
    @Test func proposalsComeLast() throws {
        let inner =
            (1...5).map { SampleReview.transfer("bob", "900\($0).0000 EOS", from: "payer\($0)") } + [
                Self.ram("eve", 9)
            ]
        let data = try inner.map { action in
            let packed = try SampleReview.transaction([action]).transaction.actions[0]
            let from = packed.authorization[0].actor.text
            return SampleReview.action(
                packed.account.text, packed.name.text, "\"\(Hex.encode(packed.data))\"",
                by: ["\(from)@active"])
        }
        let proposal = SampleReview.action(
            "eosio.msig", "propose",
            """
            {"proposer":"alice","proposal_name":"decoy","requested":[],"trx":{\(SampleReview.header),\
            "max_net_usage_words":0,"max_cpu_usage_ms":0,"delay_sec":0,"context_free_actions":[],\
            "actions":[\(data.joined(separator: ","))],"transaction_extensions":[]}}
            """)
        let rows = try Self.text([
            proposal, SampleReview.transfer("mallory", "1.0000 EOS"), Self.ram("dave", 7),
        ]).rows
        let starts = rows.dropFirst().map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
        #expect(
            starts == [
                "alice pays 1.0000", "alice proposes decoy,", "if approved: payer5", "if approved: payer4",
                "if approved: payer3", "alice buys 9", "if approved: payer2", "if approved: payer1",
            ], "\(rows.joined(separator: "\n"))")
    }

    /// Each kind of change has a row before payments have a fourth, and each payer and token has a
    /// row before any payer has details.
    @Test func changesComeBeforeTheFourthPayment() throws {
        let payments = (1...12).flatMap { payer in
            ["bob", "carol", "dave"].map {
                SampleReview.transfer($0, "\(100 + payer).0000 EOS", from: "\(Self.account(payer))")
            }
        }
        let text = try Self.text(
            payments + [Self.ram("mallory", 4_000_000), Self.ram("bob", 5), Self.ram("carol", 6)])
        #expect(text.cut == nil && text.rows.count == 15)
        #expect(
            text.rows[4] == "  alice buys 4,000,000 bytes of RAM for mallory and 2 more, 11 bytes, at most 6")
        #expect(text.rows[1] == "  payeram pays 336.0000 EOS to 3 accounts, 112.0000 EOS to bob")
    }

    /// One row states everything that a payer does with a token.
    @Test func aPayerAndATokenHaveOneRow() throws {
        let stake =
            #"{"from":"alice","receiver":"bob","stake_net_quantity":"2.0000 EOS","#
            + #""stake_cpu_quantity":"0.0000 EOS","transfer":false}"#
        let rent =
            #"{"from":"alice","receiver":"mallory","loan_payment":"9.0000 EOS","loan_fund":"0.0000 EOS"}"#
        let rows = try Self.text(
            [
                SampleReview.action("eosio", "delegatebw", stake),
                SampleReview.transfer("carol", "3.0000 EOS"),
                SampleReview.action("eosio", "rentcpu", rent),
            ]).rows
        #expect(
            rows.suffix(2) == [
                "  alice spends 9.0000 EOS at eosio for mallory, pays 3.0000 EOS to carol, stakes",
                "      2.0000 EOS for bob",
            ])
    }

    /// Accounts that get CPU are not memos of one of them.
    @Test func beneficiariesAreCounted() throws {
        let actions = [("bob", 10), ("mallory", 9), ("carol", 9)].map { receiver, amount in
            SampleReview.action(
                "eosio", "rentcpu",
                #"{"from":"alice","receiver":"\#(receiver)","loan_payment":"\#(amount).0000 EOS","#
                    + #""loan_fund":"0.0000 EOS"}"#)
        }
        let rows = try Self.text(actions).rows
        #expect(rows.joined().contains("alice spends 28.0000 EOS at eosio for 3 names"), "\(rows)")
        #expect(
            rows.joined().contains("9.0000 EOS to eosio for mallory") && !rows.joined().contains("memo"),
            "\(rows)")
    }

    /// A payer for which the key signed before comes before greater payments of others.
    @Test func knownPayersComeFirst() throws {
        let payments =
            (0..<30).map { SampleReview.transfer("bob", "900.0000 EOS", from: Self.account($0)) }
            + [SampleReview.transfer("mallory", "1.0000 EOS")]
        var review = try Review(
            of: SampleReview.transaction(payments), chain: ChainID("eos"), abis: ContractABIs())
        let text = SummaryText(review: review, own: nil, width: 80)
        #expect(!text.rows.joined().contains("mallory"))
        review.history = PaymentHistory()
        let key = try PublicKey(SampleReview.key)
        review.history?.payers = [try PaymentHistory.Payer(key: key, account: Name("alice"))]
        let known = SummaryText(review: review, own: nil, width: 80)
        #expect(known.rows[1] == "  alice pays 1.0000 EOS to mallory (first time)")
    }

    /// A known token comes before any number of unknown ones.
    @Test func knownTokensComeFirst() throws {
        let junk = (0..<9).map {
            SampleReview.transfer(
                "bob", "9000000.0000 JUNK\(["A", "B", "C", "D", "E", "F", "G", "H", "I"][$0])")
        }
        let rows = try Self.text(junk + [SampleReview.transfer("mallory", "1.0000 EOS")]).rows
        #expect(rows[1] == "  alice pays 1.0000 EOS to mallory" && rows.count == 11)
    }

    /// Recipients that have no row are stated with their number, sum and greatest amount.
    @Test func otherRecipientsAreSummedUp() throws {
        let rows = try Self.text(
            (1...9).map { SampleReview.transfer("\(Self.account($0))", "\($0).0000 EOS") }
        ).rows
        #expect(rows.last == "       21.0000 EOS to 6 others, at most 6.0000 EOS")
    }

    /// What has no room is counted, and the question needs the number of the actions.
    @Test func whatIsCutIsCounted() throws {
        let payments = (10..<60).map {
            SampleReview.transfer("bob", "1.0000 EOS", from: "\(Self.account($0))")
        }
        let text = try Self.text(payments, maximumRows: 8)
        #expect(text.rows.count == 8 && text.rows.last == "  and 44 more lines: see the actions above")
        #expect(text.cut == SummaryText.Cut(payments: 44, changes: 0))
        let review = try SampleReview.text(payments)
        #expect(review.tail.contains { $0.hasPrefix("WARNING summary-cut: the summary has no room for") })
        #expect(review.cut != nil)
        let accounts = (10..<60).map {
            SampleReview.action("eosio", "setpriv", #"{"account":"\#(Self.account($0))","is_priv":1}"#)
        }
        #expect(try Self.text(accounts).cut == nil)
        #expect(
            try Self.text(accounts).rows == [
                "SUMMARY      50 actions    payerak: privileges changed; and 49 more"
            ])
    }

    /// No text of a label looks like the program's.
    @Test func quotesInLabelsAreEscaped() {
        #expect(Printable.label(#"cold", in this vault, "x\"#) == #""cold\", in this vault, \"x\\""#)
        #expect(Printable.label("cold one") == #""cold one""#)
    }
}
