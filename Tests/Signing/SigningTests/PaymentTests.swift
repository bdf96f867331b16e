import ABICodec
import Policy
import Testing
import Transactions

@testable import Signing

/// What actions pay, and the warnings about it. The rules are those of the token contract and of
/// the system contracts.
struct PaymentTests {
    @Test(arguments: [
        // An honest payment has none.
        ("bob", "1.0000 EOS", "eosio.token", "eos", [String]()),
        ("bob", "1.0000 A", "core.vaulta", "eos", []),
        ("bob", "1.00000000 WAX", "eosio.token", "wax", []),
        // A token that the chain is not known for is not compared.
        ("bob", "1.00 GOLD", "eosio.token", "eos", []),
        ("bob", "1.000 EOS", "eosio.token", "eos", ["warning other-token"]),
        ("bob", "1.0000 A", "eosio.token", "eos", ["warning other-token"]),
        ("bob", "1.0000 WAX", "eosio.token", "wax", ["warning other-token"]),
        ("bob", "0.0000 EOS", "eosio.token", "eos", ["warning invalid-amount"]),
        ("bob", "-1.0000 EOS", "eosio.token", "eos", ["warning invalid-amount"]),
        ("eosio", "1.0000 EOS", "eosio.token", "eos", ["warning system-recipient"]),
        ("eosio.token", "1.0000 EOS", "eosio.token", "eos", ["warning system-recipient"]),
        ("core.vaulta", "1.0000 EOS", "eosio.token", "eos", ["note exchange"]),
        // core.vaulta exchanges only EOS and A, and only where it is the chain's contract.
        ("core.vaulta", "1.00 GOLD", "eosio.token", "eos", ["warning system-recipient"]),
        ("core.vaulta", "1.00000000 WAX", "eosio.token", "wax", ["warning system-recipient"]),
        ("bitfinexdepl", "1.0000 EOS", "eosio.token", "eos", ["warning look-alike-account"]),
        ("bitfinexdep1", "1.0000 EOS", "eosio.token", "eos", []),
        ("a1ice", "1.0000 EOS", "eosio.token", "eos", ["warning look-alike-account"]),
        ("", "1.0000 EOS", "eosio.token", "eos", ["warning empty-recipient"]),
    ])
    func transfers(to: String, quantity: String, contract: String, chain: String, expected: [String]) throws {
        let review = try WarningTests.review(
            [WarningTests.transfer(to, quantity, contract: contract)], chain: chain)
        #expect(WarningTests.codes(review) == expected)
    }

    /// A token contract refuses a negative amount, so it does not reduce what other lines pay.
    @Test func negativeAmountsAreNotSubtracted() throws {
        let amounts = ["1000000.0000 EOS", "-999999.0000 EOS", "-2.0000 EOS"]
        let reviews = try amounts.map { try WarningTests.review([WarningTests.transfer("mallory", $0)]) }
        var running = RunningSummary()
        for review in reviews { _ = running.add(review) }
        #expect(running.summary.totals.map(\.amount) == [10_000_000_000, -9_999_990_000 - 20_000])
        #expect(running.summary.totals.map(\.count) == [1, 2])
    }

    /// What actions of the system contracts spend is part of the summary.
    @Test(arguments: [
        (
            "eosio", "donatetorex", #"{"payer":"alice","quantity":"5.0000 EOS","memo":""}"#, "spend",
            "eosio.token",
            "eosio"
        ),
        (
            "eosio", "bidname", #"{"bidder":"alice","newname":"x","bid":"5.0000 EOS"}"#, "spend",
            "eosio.token", "eosio"
        ),
        (
            "eosio", "buyramself", #"{"account":"alice","quant":"5.0000 EOS"}"#, "spend", "eosio.token",
            "eosio"
        ),
        (
            "core.vaulta", "buyramself", #"{"payer":"alice","quant":"5.0000 A"}"#, "spend", "core.vaulta",
            "core.vaulta"
        ),
        (
            "core.vaulta", "swapto", #"{"from":"alice","to":"bob","quantity":"5.0000 EOS","memo":""}"#,
            "exchange",
            "eosio.token", "bob"
        ),
        (
            "core.vaulta", "swapto", #"{"from":"alice","to":"bob","quantity":"5.0000 A","memo":""}"#,
            "exchange",
            "core.vaulta", "bob"
        ),
    ])
    func spending(
        contract: String, name: String, data: String, kind: String, token: String, recipient: String
    ) throws {
        let total = try #require(
            try WarningTests.review([WarningTests.action(contract, name, data)]).summary.totals.first)
        #expect(total.kind.rawValue == kind && total.amount == 50_000 && total.payer.text == "alice")
        #expect(total.contract.text == token && total.recipient.text == recipient)
        let donated = name == "donatetorex" ? ["warning tokens-destroyed"] : []
        #expect(
            try WarningTests.codes(WarningTests.review([WarningTests.action(contract, name, data)]))
                == donated)
    }

    /// So is what comes back from the system contracts: the amounts are added.
    @Test(arguments: [
        (
            "eosio", "undelegatebw",
            #"{"from":"alice","receiver":"bob","unstake_net_quantity":"2.0000 EOS","#
                + #""unstake_cpu_quantity":"3.0000 EOS"}"#, "unstake", "eosio.token", "bob"
        ),
        (
            "core.vaulta", "unstaketorex",
            #"{"owner":"alice","receiver":"bob","from_net":"0.0000 A","from_cpu":"5.0000 A"}"#, "unstake",
            "core.vaulta",
            "bob"
        ),
        (
            "eosio", "withdraw", #"{"owner":"alice","amount":"5.0000 EOS"}"#, "withdraw", "eosio.token",
            "eosio"
        ),
        (
            "eosio", "defcpuloan", #"{"from":"alice","loan_num":1,"amount":"5.0000 EOS"}"#, "withdraw",
            "eosio.token",
            "eosio"
        ),
        ("eosio", "sellrex", #"{"from":"alice","rex":"5.0000 REX"}"#, "sell", "eosio", "eosio"),
    ])
    func returns(contract: String, name: String, data: String, kind: String, token: String, recipient: String)
        throws
    {
        let review = try WarningTests.review([WarningTests.action(contract, name, data)])
        let total = try #require(review.summary.totals.first)
        #expect(review.summary.totals.count == 1)
        #expect(total.kind.rawValue == kind && total.amount == 50_000 && total.payer.text == "alice")
        #expect(total.contract.text == token && total.recipient.text == recipient)
        #expect(WarningTests.codes(review) == [])
    }

    /// `issue` makes tokens for an account, `retire` destroys those of the issuer.
    @Test func supply() throws {
        func review(_ name: String, _ data: String, by levels: [String] = ["alice@active"]) throws -> Review {
            try WarningTests.review([WarningTests.action("eosio.token", name, data, by: levels)])
        }
        let issue = try review("issue", #"{"to":"bob","quantity":"5.0000 GOLD","memo":""}"#)
        let issued = try #require(issue.summary.totals.first)
        #expect(issued.kind == .issue && issued.payer.text == "eosio.token" && issued.recipient.text == "bob")
        #expect(issued.amount == 50_000 && WarningTests.codes(issue) == [])
        let retire = try review("retire", #"{"quantity":"5.0000 GOLD","memo":""}"#)
        let retired = try #require(retire.summary.totals.first)
        #expect(
            retired.kind == .retire && retired.payer.text == "alice"
                && retired.recipient.text == "eosio.token")
        #expect(retired.amount == 50_000 && WarningTests.codes(retire) == ["warning tokens-destroyed"])
        // Without an authorization, the owner of the tokens is unknown.
        let unauthorized = try review("retire", #"{"quantity":"5.0000 GOLD","memo":""}"#, by: [])
        #expect(unauthorized.summary.totals.isEmpty)
        #expect(WarningTests.codes(unauthorized) == ["warning no-authorization"])
    }

    /// Everyone can read a memo. The key is that of nodeos's config.ini, which is published.
    @Test(arguments: [
        ("5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3", true),
        ("my key: 5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3.", true),
        ("PVT_K1_2bfGi9rYsXQSXXTvJbDAPhHLQUojjaNLomdm3cEJ1XTzMqUt3V", true),
        ("EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV", false),
        ("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", false), ("invoice 5", false),
    ])
    func privateKeysInMemos(memo: String, isFound: Bool) throws {
        let transfer = WarningTests.action(
            "eosio.token", "transfer",
            #"{"from":"alice","to":"bob","quantity":"1.0000 EOS","memo":"\#(memo)"}"#)
        let review = try WarningTests.review([transfer])
        #expect(WarningTests.codes(review) == (isFound ? ["danger memo-private-key"] : []))
        let danger = Danger(code: .memoPrivateKey, subject: "alice")
        #expect(review.dangers(own: nil) == (isFound ? [danger] : []))
    }

    /// One payment of several is more than the others together.
    @Test func outliers() throws {
        let small = (1...9).map { WarningTests.transfer("bob\($0 % 5 + 1)", "1.0000 EOS") }
        #expect(try WarningTests.codes(WarningTests.review(small)) == [])
        #expect(
            try WarningTests.codes(
                WarningTests.review(small + [WarningTests.transfer("mallory", "9.0000 EOS")])) == [])
        let review = try WarningTests.review(small + [WarningTests.transfer("mallory", "9.0001 EOS")])
        #expect(WarningTests.codes(review) == ["warning outlier"])
        #expect(review.warnings(now: 0).last?.action?.place.index == 9)
        // Of two payments, one is always greater.
        #expect(
            try WarningTests.codes(
                WarningTests.review([small[0], WarningTests.transfer("mallory", "9.0000 EOS")]))
                == [])
    }
}
