import ABICodec
import JSON
import Testing
import Transactions

@testable import Policy

struct PolicyDenialTests {
    /// The JSON of each reason.
    @Test(arguments: [
        (
            #""rules":[]"#,
            #"{"member":"/rules","path":"actions[0]","contract":"eosio.token","action":"transfer"}"#
        ),
        (
            #""transaction":{"max_expiration_seconds":1}"#,
            #"{"member":"/transaction/max_expiration_seconds","value":60,"maximum":1}"#
        ),
        (
            #""transaction":{"max_actions":1}"#,
            #"{"member":"/transaction/max_actions","value":2,"maximum":1}"#
        ),
        (
            #""transaction":{"hours":["mon 00:00-24:00"]}"#,
            #"{"member":"/transaction/hours","resets":"2026-12-07T00:00:00Z"}"#
        ),
        (
            #""transaction":{"cosigner":{"first":"\#(Sample.key)"}}"#,
            #"{"member":"/transaction/cosigner/first","required":"\#(Sample.key)"}"#
        ),
        (
            #""rules":[{"name":"r","contract":"eosio.token","action":"*","authorization":["bob@*"]}]"#,
            #"{"member":"/rules/0/authorization","rule":0,"name":"r","line":1,"path":"actions[0]","#
                + #""contract":"eosio.token","action":"transfer","value":"alice@active"}"#
        ),
        (
            #""rules":[{"contract":"eosio.token","action":"*","fields":{"/quantity":{"max":"0.0001 EOS"}}}]"#,
            #"{"member":"/rules/0/fields/~1quantity/max","rule":0,"line":1,"path":"actions[0]","#
                + #""contract":"eosio.token","action":"transfer","pointer":"/quantity","value":"2.0000 EOS","#
                + #""required":"0.0001 EOS"}"#
        ),
        (
            #""rules":[{"contract":"eosio.token","action":"*"}],"amounts":[{"contract":"eosio.token","#
                + #""action":"transfer","amount":"/fee","token":"4,EOS@eosio.token"}]"#,
            #"{"member":"/amounts/0/amount","amount":0,"line":1,"path":"actions[0]","contract":"eosio.token","#
                + #""action":"transfer","pointer":"/fee"}"#
        ),
        (
            #""rules":[{"contract":"eosio.token","action":"*"}],"limits":[{"name":"day","#
                + #""amount":"3.5000 EOS@eosio.token","per":"24h","each_recipient":true}]"#,
            #"{"member":"/limits/0/amount","limit":0,"name":"day","line":1,"token":"4,EOS@eosio.token","#
                + #""recipient":"bob","per":"24h","value":"3.0000 EOS","maximum":"3.5000 EOS","used":"1.0000 EOS","#
                + #""remaining":"2.5000 EOS","resets":"2026-12-02T00:05:37Z"}"#
        ),
        (
            #""rules":[{"contract":"eosio.token","action":"*"}],"limits":[{"count":0,"per":"transaction"}]"#,
            #"{"member":"/limits/0/count","limit":0,"line":1,"per":"transaction","value":"1","maximum":"0","#
                + #""used":"0","remaining":"0"}"#
        ),
    ])
    func json(members: String, expected: String) throws {
        let policy = try Sample.policy(members)
        let request = try Sample.request([
            Sample.transfer("2.0000 EOS"), Sample.transfer("1.0000 EOS"),
        ])
        let denial = try #require(try policy.denial(of: request, [Sample.entry(10_000, to: "bob")]))
        #expect(denial.json(of: policy).text() == expected)
    }

    @Test func jsonOfTheOtherReasons() throws {
        let policy = try Sample.policy("")
        func text(_ reason: PolicyDenial.Reason) -> String {
            PolicyDenial(reason: reason, part: .policy, member: "/m", action: nil).json(of: policy).text()
        }
        #expect(try text(.chain(ChainID("jungle4"))) == #"{"member":"/m","value":"jungle4"}"#)
        #expect(text(.roomFull(free: nil)) == #"{"member":"/m","maximum":100000}"#)
        let token = try #require(Token("3,EOS@eosio.token"))
        #expect(text(.otherPrecision(token)) == #"{"member":"/m","token":"3,EOS@eosio.token"}"#)
        #expect(text(.authorization(nil)) == #"{"member":"/m"}"#)
        for reason in [
            .identity, .noActions, .contextFree, .undecoded, .noRule, .unknownProposal, .givenABI,
            .unreadablePayment,
        ]
            as [PolicyDenial.Reason]
        {
            #expect(text(reason) == #"{"member":"/m"}"#)
        }
    }

    @Test(
        arguments: [
            (0, "0.0000 EOS"), (1, "0.0001 EOS"), (12_345, "1.2345 EOS"),
            (UInt128(UInt64.max) * 10_000, "18446744073709551615.0000 EOS"),
        ] as [(UInt128, String)])
    func amounts(amount: UInt128, text: String) throws {
        #expect(Token("4,EOS@eosio.token")?.text(of: amount) == text)
        #expect(Token("0,EOS@eosio.token")?.text(of: amount) == "\(amount) EOS")
    }
}
