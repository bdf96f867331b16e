import ABICodec
import Keys
import Testing
import Transactions

@testable import Policy

/// Each condition with a request that it allows, one that it denies, and one at the boundary.
struct EvaluationTests {
    private static let transfers = #""rules":[{"contract":"eosio.token","action":"transfer"}]"#

    private static func policy(transaction: String) throws -> KeyPolicy {
        try Sample.policy(#""transaction":{\#(transaction)},\#(transfers)"#)
    }

    private static func denied(
        _ reason: PolicyDenial.Reason, _ member: String, _ part: PolicyDenial.Part = .policy
    ) -> PolicyDenial {
        PolicyDenial(reason: reason, part: part, member: member, action: nil)
    }

    private static func denied(
        _ reason: PolicyDenial.Reason, _ member: String, _ part: PolicyDenial.Part = .policy,
        at path: String = "actions[0]", _ contract: String = "eosio.token", _ action: String = "transfer"
    ) throws -> PolicyDenial {
        PolicyDenial(
            reason: reason, part: part, member: member,
            action: PolicyDenial.DeniedAction(
                path: path, contract: try Name(contract), action: try Name(action)))
    }

    // MARK: - the transaction

    @Test func chains() throws {
        let policy = try Sample.policy(Self.transfers)
        let action = try Sample.transfer("1.0000 EOS")
        #expect(try policy.allowance(of: Sample.request([action])).rules == [0])
        #expect(
            try policy.denial(of: Sample.request([action], chain: "jungle4"))
                == Self.denied(.chain(ChainID("jungle4")), "/chains"))
    }

    @Test func nothingIsAllowedByDefault() throws {
        let policy = try Sample.policy("")
        #expect(try policy.denial(of: Sample.request([])) == Self.denied(.noActions, "/rules"))
        #expect(
            try policy.denial(of: Sample.request([Sample.transfer("1.0000 EOS")]))
                == (try Self.denied(.noRule, "/rules", at: "actions[0]")))
    }

    @Test func identity() throws {
        let request = try Sample.request([], isIdentity: true)
        #expect(try Sample.policy("").denial(of: request) == Self.denied(.identity, "/identity"))
        let allowing = try Sample.policy(
            #""identity":"allow","transaction":{"max_actions":1,"max_expiration_seconds":1,"confirm":"always"},"#
                + #""limits":[{"count":9,"per":"1h"}]"#)
        let allowance = try allowing.allowance(of: request, last: Sample.now - 90_001)
        #expect(allowance.confirmations == [.always, .clockStep(seconds: 90_001)])
        #expect(allowance.rules.isEmpty && allowance.entries.isEmpty)
    }

    @Test func expiration() throws {
        let policy = try Self.policy(transaction: #""max_expiration_seconds":60"#)
        let action = try Sample.transfer("1.0000 EOS")
        for seconds in [0, 59, 60] as [UInt32] {
            #expect(try policy.denial(of: Sample.request([action], expiresIn: seconds)) == nil)
        }
        let request = try Sample.request([action], expiresIn: 61)
        #expect(
            policy.denial(of: request)
                == Self.denied(.expiration(seconds: 61, limit: 60), "/transaction/max_expiration_seconds"))
        // The clock counts, and a later record does not lengthen the time.
        #expect(policy.denial(of: request, last: Sample.now + 1) == policy.denial(of: request))
        #expect(policy.denial(of: request, clock: Sample.now + 1) == nil)
        #expect(policy.denial(of: request, last: Sample.now - 1) != nil)
    }

    @Test func actionCount() throws {
        let policy = try Sample.policy(
            #""transaction":{"max_actions":3},"rules":[{"contract":"eosio.wrap","action":"exec"},"#
                + #"{"contract":"eosio.token","action":"*"}]"#)
        let transfer = try Sample.transfer("1.0000 EOS")
        func wrap(_ count: Int) throws -> RequestedAction {
            try Sample.action(
                "eosio.wrap", "exec", [], inner: .transaction(Array(repeating: transfer, count: count)))
        }
        #expect(try policy.allowance(of: Sample.request([wrap(1), transfer])).rules == [0, 1, 1])
        #expect(
            try policy.denial(of: Sample.request([wrap(2), transfer]))
                == Self.denied(.actionCount(4, limit: 3), "/transaction/max_actions"))
    }

    @Test(
        arguments: [
            // Seconds after Tuesday, 00:00.
            ("tue 00:00-00:01", 0, true, 0), ("tue 00:00-00:01", 59, true, 0),
            ("tue 00:00-00:01", 60, false, 604_800),
            ("tue 00:00-24:00", 86_399, true, 0), ("tue 00:00-24:00", 86_400, false, 604_800),
            ("mon-fri 08:00-18:00", 28_799, false, 28_800), ("mon-fri 08:00-18:00", 28_800, true, 0),
            ("mon-fri 08:00-18:00", 64_799, true, 0), ("mon-fri 08:00-18:00", 64_800, false, 86_400 + 28_800),
            ("sat-mon 12:00-13:00", 0, false, 4 * 86_400 + 43_200),
            ("sat-mon 12:00-13:00", 5 * 86_400 + 43_200, true, 0),
            ("wed 00:00-24:00", 86_399, false, 86_400), ("wed 00:00-24:00", 86_400, true, 0),
        ] as [(String, UInt32, Bool, UInt32)])
    func hours(hours: String, seconds: UInt32, isAllowed: Bool, next: UInt32) throws {
        let policy = try Self.policy(transaction: #""hours":["\#(hours)"]"#)
        let denial = try policy.denial(
            of: Sample.request([Sample.transfer("1.0000 EOS")]), clock: Sample.now + seconds)
        #expect(
            denial == (isAllowed ? nil : Self.denied(.hours(next: Sample.now + next), "/transaction/hours")))
    }

    /// Both the clock and the later one of the clock and the last record are in the hours.
    @Test(
        arguments: [
            // Seconds after Tuesday, 00:00.
            (3_600, 7_200, nil), (7_200, 3_600, nil), (0, 3_600, 3_600), (3_600, 14_400, 86_400 + 3_600),
            (0, 14_400, 86_400 + 3_600), (14_400, 3_600, 86_400 + 3_600), (14_399, 0, nil),
        ] as [(UInt32, UInt32, UInt32?)])
    func hoursOfTheClockAndTheLastRecord(clock: UInt32, last: UInt32, next: UInt32?) throws {
        let policy = try Self.policy(transaction: #""hours":["tue-wed 01:00-04:00"]"#)
        let denial = try policy.denial(
            of: Sample.request([Sample.transfer("1.0000 EOS")]), clock: Sample.now + clock,
            last: Sample.now + last)
        #expect(denial == next.map { Self.denied(.hours(next: Sample.now + $0), "/transaction/hours") })
    }

    @Test func hoursAtTheEndOfTime() throws {
        let policy = try Self.policy(transaction: #""hours":["mon 00:00-00:01"]"#)
        let denial = try policy.denial(of: Sample.request([Sample.transfer("1.0000 EOS")]), clock: .max)
        #expect(denial == Self.denied(.hours(next: nil), "/transaction/hours"))
    }

    @Test func cosigner() throws {
        let policy = try Self.policy(transaction: #""cosigner":{"first":"\#(Sample.key)"}"#)
        let action = try Sample.transfer("1.0000 EOS")
        let denial = Self.denied(.cosigner(try PublicKey(Sample.key)), "/transaction/cosigner/first")
        #expect(try policy.denial(of: Sample.request([action], signers: [Sample.key])) == nil)
        #expect(try policy.denial(of: Sample.request([action])) == denial)
        #expect(try policy.denial(of: Sample.request([action], signers: [Sample.otherKey])) == denial)
    }

    /// A warning that the policy refuses denies the request, also with consent.
    @Test func refusedWarnings() throws {
        let policy = try Sample.policy(#""refuse":["outlier","signed-before"],\#(Self.transfers)"#)
        var request = try Sample.request([Sample.transfer("1.0000 EOS")])
        #expect(policy.denial(of: request) == nil)
        request.warnings = ["expired"]
        #expect(policy.denial(of: request) == nil)
        request.warnings = ["expired", "signed-before"]
        #expect(policy.denial(of: request) == Self.denied(.warnings(["signed-before"]), "/refuse"))
    }

    @Test func confirmations() throws {
        let action = try Sample.transfer("1.0000 EOS")
        let request = try Sample.request([action])
        let policy = try Sample.policy(Self.transfers)
        #expect(try policy.allowance(of: request).confirmations.isEmpty)
        #expect(
            try Self.policy(transaction: #""confirm":"always""#).allowance(of: request).confirmations == [
                .always
            ])
        #expect(try policy.allowance(of: request, last: Sample.now - 90_001).confirmations.isEmpty)
    }

    /// Only a policy that a wrong clock loosens needs a confirmation of a step.
    @Test(arguments: [
        (#""limits":[{"count":9,"per":"30d"}]"#, true),
        (#""transaction":{"hours":["mon-sun 00:00-24:00"]}"#, true),
        (#""limits":[{"count":9,"per":"transaction"}]"#, false), (#""transaction":{"max_actions":1}"#, false),
    ])
    func stepsOfTheClock(conditions: String, isConfirmed: Bool) throws {
        let request = try Sample.request([Sample.transfer("1.0000 EOS")])
        let policy = try Sample.policy("\(Self.transfers),\(conditions)")
        #expect(try policy.allowance(of: request, last: Sample.now - 90_000).confirmations.isEmpty)
        #expect(
            try policy.allowance(of: request, last: Sample.now - 90_001).confirmations
                == (isConfirmed ? [.clockStep(seconds: 90_001)] : []))
        #expect(try policy.allowance(of: request, last: Sample.now + 90_001).confirmations.isEmpty)
    }

    @Test func contextFreeActions() throws {
        let free = try Sample.action("eosio.token", "transfer", by: [], [], isContextFree: true)
        let rules = #""rules":[{"contract":"eosio.token","action":"*"}]"#
        #expect(
            try Sample.policy(rules).denial(of: Sample.request([free]))
                == (try Self.denied(
                    .contextFree, "/transaction/context_free_actions", at: "context_free_actions[0]")))
        let allowing = try Sample.policy(#""transaction":{"context_free_actions":"rules"},"# + rules)
        #expect(try allowing.allowance(of: Sample.request([free])).rules == [0])
        let authorized = try Sample.policy(
            #""transaction":{"context_free_actions":"rules"},"rules":[{"contract":"eosio.token","action":"*","#
                + #""authorization":["*@*"]}]"#)
        #expect(
            try authorized.denial(of: Sample.request([free]))
                == (try Self.denied(
                    .authorization(nil), "/rules/0/authorization", .rule(0), at: "context_free_actions[0]")))
    }

    // MARK: - rules

    @Test func undecodedDataIsDenied() throws {
        let transfer = try Sample.transfer("1.0000 EOS")
        let blind = RequestedAction(action: transfer.action, value: nil)
        #expect(
            try Sample.policy(Self.transfers).denial(of: Sample.request([transfer, blind]))
                == (try Self.denied(.undecoded, "/rules", at: "actions[1]")))
    }

    private static let blindRule =
        #"{"contract":"dex","action":"swap","authorization":["alice@active"],"#
        + #""blind":"allow"}"#

    private func swap(_ contract: String = "dex", _ actor: String = "alice", _ action: String = "swap") throws
        -> RequestedAction
    {
        let action = try Sample.action(contract, action, by: [actor + "@active"], []).action
        return RequestedAction(action: action, value: nil)
    }

    @Test func undecodedDataNeedsABlindRule() throws {
        let policy = try Sample.policy(#""rules":[{"contract":"dex","action":"*"},\#(Self.blindRule)]"#)
        #expect(try policy.allowance(of: Sample.request([swap()])).rules == [1])
        #expect(
            try policy.denial(of: Sample.request([swap("dex", "bob")]))
                == (try Self.denied(
                    .authorization(Sample.level("bob@active")),
                    "/rules/1/authorization", .rule(1), "dex", "swap")))
        for other in [try swap("dex", "alice", "other"), try swap("other")] {
            #expect(
                try policy.denial(of: Sample.request([other]))
                    == (try Self.denied(
                        .undecoded, "/rules", .policy, other.action.account.text, other.action.name.text)))
        }
        let approval = RequestedAction(action: try swap().action, value: nil, inner: .unknownProposal)
        #expect(
            try policy.denial(of: Sample.request([approval]))
                == (try Self.denied(.undecoded, "/rules", .policy, "dex", "swap")))
    }

    /// Data that can't be decoded is denied if something must count what it pays.
    @Test(arguments: [
        (#""limits":[{"amount":"1 A@other","per":"24h"}]"#, nil),
        (#""limits":[{"count":1,"per":"24h"}]"#, nil),
        (#""limits":[{"amount":"1 A@dex","per":"24h"}]"#, "/limits/0/amount"),
        (
            #""amounts":[{"contract":"dex","action":"swap","amount":"/x","token":"0,A@other"}]"#,
            "/amounts/0/amount"
        ),
    ])
    func undecodedDataIsDeniedIfItMustBeCounted(members: String, member: String?) throws {
        let policy = try Sample.policy(
            #""rules":[{"contract":"dex","action":"swap","blind":"allow"}],\#(members)"#)
        let request = try Sample.request([swap()])
        if let member {
            #expect(policy.denial(of: request)?.member == member)
        } else {
            #expect(try policy.allowance(of: request).rules == [0])
        }
    }

    @Test(arguments: [
        ("eosio.token", "transfer", "eosio.token", "transfer", true),
        ("eosio.token", "*", "eosio.token", "issue", true),
        ("eosio.token", "transfer", "eosio.token", "issue", false),
        ("eosio.token", "transfer", "other", "transfer", false),
        ("eosio", "*", "eosio", "buyrambytes", false),
        ("core.vaulta", "*", "core.vaulta", "buyrambytes", false),
        ("other", "*", "other", "buyrambytes", true),
        ("eosio", "buyrambytes", "eosio", "buyrambytes", true),
    ])
    func contractAndAction(
        contract: String, action: String, requested: String, name: String, isAllowed: Bool
    ) throws {
        let policy = try Sample.policy(#""rules":[{"contract":"\#(contract)","action":"\#(action)"}]"#)
        let denial = try policy.denial(of: Sample.request([Sample.action(requested, name, [])]))
        #expect(
            denial
                == (isAllowed ? nil : try Self.denied(.noRule, "/rules", at: "actions[0]", requested, name)))
    }

    @Test(
        arguments: [
            (nil, ["alice@active"], nil), (nil, ["alice@owner"], "alice@owner"),
            (nil, ["alice@active", "bob@owner"], "bob@owner"), (["alice@active"], ["alice@active"], nil),
            (["alice@active"], ["alice@pay"], "alice@pay"), (["alice@active"], ["bob@active"], "bob@active"),
            (["alice@*"], ["alice@pay"], nil), (["alice@*"], ["alice@owner"], "alice@owner"),
            (["alice@owner"], ["alice@owner"], nil), (["*@owner"], ["bob@owner"], nil),
            (["*@active"], ["bob@active", "alice@active"], nil), (["*@active"], ["bob@pay"], "bob@pay"),
            (["*@*"], ["bob@owner"], "bob@owner"),
            (["alice@active", "bob@pay"], ["bob@pay", "alice@active"], nil),
            (["alice@active"], ["alice@active", "bob@active"], "bob@active"),
        ] as [([String]?, [String], String?)])
    func authorization(patterns: [String]?, levels: [String], refused: String?) throws {
        let list = patterns.map { #","authorization":["\#($0.joined(separator: "\",\""))"]"# } ?? ""
        let policy = try Sample.policy(#""rules":[{"contract":"eosio.token","action":"transfer"\#(list)}]"#)
        let denial = try policy.denial(of: Sample.request([Sample.transfer("1.0000 EOS", by: levels)]))
        let expected = try refused.map {
            try Self.denied(
                .authorization(Sample.level($0)), "/rules/0" + (patterns == nil ? "" : "/authorization"),
                .rule(0),
                at: "actions[0]")
        }
        #expect(denial == expected)
    }

    @Test(
        arguments: [
            (#""/to":{"equals":"bob"}"#, nil, nil), (#""/to":{"equals":"bo"}"#, "equals", "bob"),
            (#""/to":{"one_of":["a","bob"]}"#, nil, nil),
            (#""/to":{"one_of":["a","bob1"]}"#, "one_of", "bob"),
            (#""/memo":{"prefix":"inv"}"#, nil, nil), (#""/memo":{"prefix":"Inv"}"#, "prefix", "invoice 7"),
            (#""/memo":{"prefix":"invoice 7"}"#, nil, nil),
            (#""/memo":{"prefix":"invoice 77"}"#, "prefix", "invoice 7"),
            (#""/memo":{"pattern":"invoice [0-9]+"}"#, nil, nil),
            (#""/memo":{"pattern":"invoice"}"#, "pattern", "invoice 7"),
            (#""/quantity":{"max":"1.0000 EOS"}"#, nil, nil),
            (#""/quantity":{"max":"0.9999 EOS"}"#, "max", "1.0000 EOS"),
            (#""/quantity":{"min":"1.0000 EOS"}"#, nil, nil),
            (#""/quantity":{"min":"1.0001 EOS"}"#, "min", "1.0000 EOS"),
            (#""/quantity":{"max":"2.000 EOS"}"#, "max", "1.0000 EOS"),
            (#""/quantity":{"max":"2.0000 A"}"#, "max", "1.0000 EOS"),
            (#""/quantity":{"max":20000}"#, "max", "1.0000 EOS"), (#""/count":{"max":7}"#, nil, nil),
            (#""/count":{"max":6}"#, "max", "7"), (#""/count":{"min":7,"max":7}"#, nil, nil),
            (#""/count":{"min":8}"#, "min", "7"),
            (#""/count":{"equals":7}"#, nil, nil), (#""/count":{"equals":"7"}"#, nil, nil),
            (#""/flag":{"equals":true}"#, nil, nil),
            (#""/flag":{"equals":"false"}"#, "equals", "true"), (#""/hash":{"equals":"00ff"}"#, nil, nil),
            (#""/list":{"prefix":"b"}"#, "prefix", "carol"), (#""/list/0":{"equals":"bob"}"#, nil, nil),
            (#""/list/1":{"equals":"carol"}"#, nil, nil), (#""/list/2":{"equals":"carol"}"#, "equals", nil),
            (#""/list/00":{"equals":"bob"}"#, "equals", nil), (#""/list/-":{"equals":"bob"}"#, "equals", nil),
            (#""/none":{"equals":"x"}"#, nil, nil), (#""/variant/0":{"equals":"kind"}"#, nil, nil),
            (#""/variant/1":{"equals":"5"}"#, nil, nil), (#""/variant/2":{"equals":"5"}"#, "equals", nil),
            (#""/variant":{"equals":"kind"}"#, "equals", "5"),
            (#""/absent":{"pattern":"*"}"#, "pattern", nil),
            (#""/missing":{"pattern":"*"}"#, "pattern", nil), (#""":{"pattern":"*"}"#, "pattern", nil),
            (#""/to/0":{"pattern":"*"}"#, "pattern", nil), (#""/inner":{"pattern":"*"}"#, "pattern", nil),
            (#""/inner/a~1b~0":{"equals":"é"}"#, nil, nil),
            (#""/inner/a~1b~0":{"equals":"e\u0301"}"#, "equals", "é"),
            (#""/to":{"equals":"bob","prefix":"c","max":1}"#, "prefix", "bob"),
        ] as [(String, String?, String?)])
    func fields(fields: String, test: String?, value: String?) throws {
        let policy = try Sample.policy(#""rules":[{"contract":"a","action":"b","fields":{\#(fields)}}]"#)
        let inner = TypedValue.fields([TypedField(name: "a/b~", value: .text("é"))])
        let action = try Sample.action(
            "a", "b",
            [
                ("to", .name(Name("bob"))), ("memo", .text("invoice 7")),
                ("quantity", .asset(Asset("1.0000 EOS"))),
                ("count", .unquoted("7")), ("flag", .unquoted("true")), ("hash", .bytes([0, 255])),
                ("list", .list([.name(Name("bob")), .name(Name("carol"))])), ("none", .list([])),
                ("variant", .alternative(type: "kind", .plain("5"))), ("absent", .absent), ("inner", inner),
            ])
        let denial = try policy.denial(of: Sample.request([action]))
        #expect((denial == nil) == (test == nil))
        guard let test else { return }
        let pointer = fields.split(separator: "\"")[0] == ":{" ? "" : String(fields.split(separator: "\"")[0])
        let escaped = pointer.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
            .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
        #expect(denial?.member == "/rules/0/fields/\(escaped)/\(test)")
        guard case .field(let failed, let failedTest, let text) = denial?.reason else {
            Issue.record("\(String(describing: denial))")
            return
        }
        #expect(failed.text == pointer)
        #expect(failedTest.name == test)
        #expect(text == value)
    }

    @Test func theNearestRuleIsNamed() throws {
        let policy = try Sample.policy(
            """
            "rules":[
            {"contract":"eosio.token","action":"transfer","authorization":["bob@active"]},
            {"contract":"eosio.token","action":"transfer","fields":{"/to":{"equals":"bob"},"/memo":{"equals":"x"}}},
            {"contract":"eosio.token","action":"*","fields":{"/from":{"equals":"alice"},"/memo":{"equals":"y"}}},
            {"contract":"eosio.token","action":"transfer","fields":{"/to":{"equals":"carol"}}}
            ]
            """)
        func member(to: String, memo: String) throws -> String? {
            try policy.denial(of: Sample.request([Sample.transfer("1.0000 EOS", to: to, memo: memo)]))?.member
        }
        #expect(try member(to: "bob", memo: "z") == "/rules/1/fields/~1memo/equals")
        #expect(try member(to: "dave", memo: "z") == "/rules/2/fields/~1memo/equals")
        #expect(try member(to: "carol", memo: "z") == nil)
        #expect(
            try policy.allowance(of: Sample.request([Sample.transfer("1.0000 EOS", memo: "y")])).rules == [2])
    }

    @Test func givenABIs() throws {
        let transfer = try Sample.transfer("1.0000 EOS")
        let request = try Sample.request([
            RequestedAction(action: transfer.action, value: transfer.value, hasGivenABI: true)
        ])
        #expect(
            try Sample.policy(Self.transfers).denial(of: request)
                == (try Self.denied(.givenABI, "/rules/0/given_abi", .rule(0), at: "actions[0]")))
        let allowing = try Sample.policy(
            #""rules":[{"contract":"eosio.token","action":"transfer","given_abi":"allow"}]"#)
        #expect(try allowing.allowance(of: request).rules == [0])
    }

    // MARK: - nested transactions

    @Test func nestedActionsAreJudgedAtEveryLevel() throws {
        let policy = try Sample.policy(
            #""rules":[{"contract":"eosio.msig","action":"*"},{"contract":"eosio.wrap","action":"exec"},"#
                + #"{"contract":"eosio.token","action":"transfer","fields":{"/to":{"equals":"bob"}}}]"#)
        func request(to: String) throws -> PolicyRequest {
            let transfers = try [Sample.transfer("1.0000 EOS"), Sample.transfer("1.0000 EOS", to: to)]
            let wrap = try Sample.action("eosio.wrap", "exec", [], inner: .transaction(transfers))
            return try Sample.request([
                Sample.transfer("1.0000 EOS"),
                Sample.action(
                    "eosio.msig", "propose", [], inner: .transaction([Sample.transfer("1.0000 EOS"), wrap])),
                Sample.transfer("1.0000 EOS", to: to),
            ])
        }
        #expect(try policy.allowance(of: request(to: "bob")).rules == [2, 0, 2, 1, 2, 2, 2])
        let denial = try #require(try policy.denial(of: request(to: "carol")))
        #expect(denial.action?.path == "actions[1].inner.actions[1].inner.actions[1]")
        #expect(denial.member == "/rules/2/fields/~1to/equals")
    }

    @Test func approvals() throws {
        let allowing = #"{"contract":"eosio.msig","action":"approve","unknown_proposal":"allow"}"#
        let denying = #"{"contract":"eosio.msig","action":"approve"}"#
        let unknown = try Sample.action("eosio.msig", "approve", [], inner: .unknownProposal)
        let known = try Sample.action(
            "eosio.msig", "approve", [], inner: .transaction([Sample.transfer("1.0000 EOS")]))
        let transfers = #"{"contract":"eosio.token","action":"transfer"}"#
        #expect(
            try Sample.policy(#""rules":[\#(denying)]"#).denial(of: Sample.request([unknown]))
                == (try Self.denied(
                    .unknownProposal, "/rules/0/unknown_proposal", .rule(0), at: "actions[0]", "eosio.msig",
                    "approve"))
        )
        #expect(
            try Sample.policy(#""rules":[\#(denying),\#(allowing)]"#).allowance(of: Sample.request([unknown]))
                .rules
                == [1])
        #expect(
            try Sample.policy(#""rules":[\#(allowing)]"#).denial(of: Sample.request([known]))?.action?.path
                == "actions[0].inner.actions[0]")
        #expect(
            try Sample.policy(#""rules":[\#(denying),\#(transfers)]"#).allowance(of: Sample.request([known]))
                .rules
                == [0, 1])
    }
}
