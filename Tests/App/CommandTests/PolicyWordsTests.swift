import ABICodec
import JSON
import KeyVault
import Keys
import Shell
import Signing
import Testing
import Transactions

@testable import App
@testable import Policy

/// The messages about policies.
struct PolicyWordsTests {
    private static func policy(_ members: String) throws -> KeyPolicy {
        try KeyPolicy(Array("{\"version\":1,\n\"chains\":[\"eos\"],\n\(members)}".utf8))
    }

    @Test(arguments: [
        ("{", "invalid-policy", "line 1, column 2: the JSON ends too early"),
        ("{ // no\n}", "invalid-policy", "line 1, column 3: a comment: JSON has no comments"),
        (
            #"{"version":7}"#, "invalid-policy",
            "line 1, column 12: `version` must be the number 1, and the file has `7`"
        ),
        (#"{"version":1}"#, "invalid-policy", "line 1, column 1: the member `chains` is missing"),
        (
            #"{"version":1,"chains":["eos"],"transaction":{"cosigner":{"last":1}}}"#, "invalid-policy",
            "line 1, column 58: unknown member `last`; the members here are first"
        ),
        (
            #"{"version":1,"chains":1}"#, "invalid-policy",
            "line 1, column 23: a number, where an array is required"
        ),
        (
            #"{"version":1,"chains":["eos"],"identity":"x"}"#, "invalid-policy",
            "line 1, column 42: the value is not `deny` or `allow`"
        ),
        (
            #"{"version":1,"chains":["eos"],"limits":[{"per":"1h"}]}"#, "invalid-policy",
            "line 1, column 41: exactly one of `amount` and `count` is required"
        ),
        (
            #"{"version":1,"chains":["eos"],"limits":[{"per":"1h","count":1,"each_recipient":true}]}"#,
            "invalid-policy",
            "line 1, column 80: `each_recipient` needs the member `token`"
        ),
    ])
    func errors(text: String, code: String, message: String) {
        do throws(PolicyError) {
            _ = try KeyPolicy(Array(text.utf8))
            Issue.record("the policy is read")
        } catch {
            #expect(error.words.code.name == code)
            #expect(error.words.message == message)
            #expect(!error.words.hint.isEmpty)
            #expect(ExitStatus(after: error.words.code) == .failed)
        }
    }

    @Test(
        arguments: [
            (.value(.empty), "the list or the object is empty"),
            (.value(.duplicate("a\n")), "`a\\u{a}` occurs twice"),
            (.value(.integer(1...9)), "the value is not an integer from 1 to 9"),
            (.value(.scalar), "a string, an integer, true or false is required"),
            (.value(.label), "a name has 1 to 64 printable characters"),
            (.value(.name), "the value is not a name of an account, an action or a permission"),
            (.value(.chain(.retired(use: "jungle4"))), "this testnet no longer exists"),
            (.value(.key(.empty)), "the text is empty"),
            (
                .value(.authorization),
                "an authorization is ACTOR@PERMISSION; each of the two parts may be `*`"
            ),
            (.value(.token), "a token is PRECISION,CODE@CONTRACT, such as 4,EOS@eosio.token"),
            (
                .value(.amount),
                "an amount is AMOUNT CODE@CONTRACT, such as 100.0000 EOS@eosio.token, and not negative"
            ),
            (.value(.bound), "the value is neither an integer nor an amount such as 100.0000 EOS"),
            (.value(.emptyRange), "no value is both at least `min` and at most `max`"),
            (
                .value(.pointer),
                "the text is not a JSON pointer (RFC 6901) such as /to, with at most 32 parts"
            ),
            (
                .value(.hours),
                "the text is not DAY HH:MM-HH:MM or DAY-DAY HH:MM-HH:MM, such as mon-fri 08:00-18:00"
            ),
            (
                .value(.hoursOrder),
                "the end is not after the start; hours past midnight are two entries, such as mon 22:00-24:00 and "
                    + "tue 00:00-06:00"
            ),
            (
                .value(.pattern(.tooLong(limit: 2), offset: 2)),
                "character 3 of the pattern: the pattern has more than 2 characters"
            ),
            (
                .value(.pattern(.escape, offset: 0)),
                "character 1 of the pattern: a backslash without a character after it"
            ),
            (.value(.pattern(.open, offset: 0)), "character 1 of the pattern: a `[` without `]`"),
            (
                .value(.pattern(.close, offset: 0)),
                "character 1 of the pattern: a `]` without `[`: write `\\]` for the character"
            ),
            (
                .value(.pattern(.emptyClass, offset: 0)),
                "character 1 of the pattern: a class without characters"
            ),
            (
                .value(.pattern(.range, offset: 0)),
                "character 1 of the pattern: a range whose first character is after its last one"
            ),
            (.tooLong(limit: 5), "the policy has more than 5 bytes"),
            (.tooMany(limit: 5), "the list has more than 5 elements"),
            (.expected(.boolean, found: .null), "null, where true or false is required"),
            (.expected(.string, found: .object), "an object, where a string is required"),
        ] as [(PolicyError.Reason, String)])
    func reasons(reason: PolicyError.Reason, text: String) {
        let words = PolicyError(reason: reason, place: TextPlace(line: 3, column: 4)).words
        #expect(words.message.hasPrefix("line 3, column 4: "))
        #expect(words.message.contains(text), "\(words.message)")
    }

    @Test(arguments: [
        (
            #""rules":[]"#, "policy-rule",
            "the policy denies actions[0] (eosio.token::transfer): no rule has this contract and action"
        ),
        (
            #""transaction":{"max_expiration_seconds":1}"#, "policy-expiration",
            "the policy denies the signature: the transaction expires in 60 seconds, and `max_expiration_seconds` is 1"
        ),
        (
            #""transaction":{"hours":["mon 00:00-24:00"]}"#, "policy-hours",
            "the policy denies the signature: `hours` does not include the time of the clock, or of the vault's last "
                + "record if it is later; the next hours begin at 2026-12-07T00:00:00Z"
        ),
        (
            #""rules":[{"name":"r","contract":"eosio.token","action":"*","authorization":["bob@*"]}]"#,
            "policy-rule",
            "rule `r` of the policy (line 3) denies actions[0] (eosio.token::transfer): `authorization` does not "
                + "include alice@active"
        ),
        (
            #""rules":[{"contract":"eosio.token","action":"*","fields":{"/quantity":{"max":"0.0001 EOS"}}}]"#,
            "policy-rule",
            "rule 1 of the policy (line 3) denies actions[0] (eosio.token::transfer): `/quantity` is `2.0000 EOS`, and "
                + "`max` is \"0.0001 EOS\""
        ),
        (
            #""rules":[{"contract":"eosio.token","action":"*"}],"amounts":[{"contract":"eosio.token","#
                + #""action":"transfer","amount":"/fee","token":"4,EOS@eosio.token"}]"#, "policy-rule",
            "amount 1 of the policy (line 3) denies actions[0] (eosio.token::transfer): the amount at `/fee` or its "
                + "recipient can't be read, or `amounts` has no entry for its token"
        ),
        (
            #""rules":[{"contract":"eosio.token","action":"*"}],"limits":[{"name":"day","#
                + #""amount":"2.5000 EOS@eosio.token","per":"24h","each_recipient":true}]"#, "policy-limit",
            "limit `day` of the policy (line 3) denies the signature: the transaction has 2.0000 EOS to bob; "
                + "the limit is 2.5000 EOS in 24h, of which 1.0000 EOS is used and 1.5000 EOS remains; this "
                + "limit allows it from 2026-12-02T00:05:37Z on"
        ),
        (
            #""rules":[{"contract":"eosio.token","action":"*"}],"limits":[{"count":0,"per":"1h"}]"#,
            "policy-limit",
            "limit 1 of the policy (line 3) denies the signature: the transaction counts as 1; the limit is 0 "
                + "in 1h, of which 0 are used and 0 remain; it is over the limit by itself"
        ),
        (
            #""rules":[{"contract":"eosio.token","action":"*"}],"limits":[{"count":0,"token":"4,EOS@eosio.token","#
                + #""per":"transaction"}]"#, "policy-limit",
            "limit 1 of the policy (line 3) denies the signature: the transaction has 1 payment of "
                + "4,EOS@eosio.token, and the limit is 0"
        ),
    ])
    func denials(members: String, code: String, message: String) throws {
        let policy = try Self.policy(members)
        let now: UInt32 = 1_796_083_200
        let level = PermissionLevel(actor: try Name("alice"), permission: try Name("active"))
        let action = RequestedAction(
            action: Action(
                account: try Name("eosio.token"), name: try Name("transfer"), authorization: [level], data: []
            ),
            value: .fields([
                TypedField(name: "from", value: .name(try Name("alice"))),
                TypedField(name: "to", value: .name(try Name("bob"))),
                TypedField(name: "quantity", value: .asset(try Asset("2.0000 EOS"))),
            ]))
        let request = PolicyRequest(
            chain: try ChainID("eos"), transaction: [], expiration: TimePointSec(seconds: now + 60),
            actions: [action])
        let entry = PolicyEntry(
            time: now, transaction: [UInt8](repeating: 1, count: 32), expiration: now + 60,
            token: Token("4,EOS@eosio.token"), recipient: try Name("bob"), amount: 10_000, count: 1)
        var uses = policy.adopt(LimitUses())
        uses.add([entry])
        guard
            case .denied(let denial) = policy.evaluate(
                request, uses: uses, clock: now, last: nil, restored: nil)
        else {
            Issue.record("the request is allowed")
            return
        }
        let words = denial.words(of: policy)
        #expect(words.code.name == code)
        #expect(words.message == message)
        #expect(!words.hint.isEmpty)
        #expect(ExitStatus(after: words.code) == .refused)
    }

    /// The reasons that the requests above do not have.
    @Test func otherReasons() throws {
        let policy = try Self.policy(#""rules":[]"#)
        let key = try PublicKey("EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV")
        let reasons: [(PolicyDenial.Reason, String, String)] = [
            (.chain(try ChainID("jungle4")), "policy-rule", "the chain jungle4 is not in `chains`"),
            (.identity, "policy-rule", "`identity` does not allow identity requests"),
            (
                .hours(next: nil), "policy-hours",
                "`hours` does not include the time of the clock, or of the vault's last record if it is later"
            ),
            (
                .actionCount(3, limit: 2), "policy-rule",
                "the transaction has 3 actions, and `max_actions` is 2"
            ),
            (.noActions, "policy-rule", "the transaction has no actions"),
            (.cosigner(key), "policy-cosigner", "the cosigner \(key.text) has not signed"),
            (
                .contextFree, "policy-rule", "`context_free_actions` does not allow context-free actions"
            ),
            (.undecoded, "policy-abi", "its data can't be decoded"),
            (
                .authorization(nil), "policy-rule",
                "the action has no authorization, and the rule requires one"
            ),
            (
                .unknownProposal, "policy-proposal",
                "it approves a proposal that was not given, or it states no hash of the proposal"
            ),
            (.givenABI, "policy-abi", "an ABI of --abi decoded its data"),
            (
                .unreadablePayment, "policy-rule",
                "its payment can't be read, and the limit counts tokens of this contract"
            ),
            (
                .otherPrecision(try #require(Token("3,EOS@eosio.token"))), "policy-rule",
                "the transaction pays 3,EOS@eosio.token, and the limit has another precision of this token"
            ),
            (
                .roomFull(free: nil), "policy-limit",
                "the limits for each recipient can't keep the sums of more than 100,000 recipients of a key"
            ),
            (
                .roomFull(free: 0), "policy-limit",
                "the limits for each recipient can't keep the sums of more than 100,000 recipients of a key; there is "
                    + "room again at 1970-01-01T00:00:00Z"
            ),
        ]
        for (reason, code, message) in reasons {
            let denial = PolicyDenial(reason: reason, part: .policy, member: "", action: nil)
            let words = denial.words(of: policy)
            #expect(words.code.name == code)
            // The log has the same code.
            let refusal = PolicyRefusal(
                key: KeyDescription(key, label: nil), subject: .allKeys, policy: policy, isStored: true,
                reason: .denied(denial))
            #expect(refusal.code.name == code && refusal.words.code.name == code)
            #expect(words.message == "the policy denies the signature: " + message)
        }
    }

    /// Refusals of one code by different rules of a policy are not counted together.
    @Test func aBatchCountsEachKindOfRule() throws {
        let policy = try Self.policy(#""rules":[{"contract":"a","action":"*"}]"#)
        let key = KeyDescription(
            try PublicKey("EOS6gsQXzM6CLbhbDKLEteS6PZb6W2UaHDLvtQN56gxEGYsBZ6rcC"), label: nil)
        let level = PermissionLevel(actor: try Name("alice"), permission: .owner)
        let reasons: [(PolicyDenial.Reason, PolicyDenial.Part, String)] = [
            (.noRule, .policy, "/rules"), (.authorization(level), .rule(0), "/rules/0/authorization"),
            (.chain(try ChainID("jungle4")), .policy, "/chains"), (.noRule, .policy, "/rules"),
        ]
        var review = BatchReview()
        for (index, (reason, part, member)) in reasons.enumerated() {
            let denial = PolicyDenial(reason: reason, part: part, member: member, action: nil)
            let refusal = PolicyRefusal(
                key: key, subject: .allKeys, policy: policy, isStored: true, reason: .denied(denial))
            try review.add(.failure(SigningError.policy(refusal)), line: index + 1, now: 0)
        }
        #expect(review.refusals.map(\.count) == [2, 1, 1])
        #expect(review.refusals.map(\.line) == [1, 2, 3])
        #expect(review.refusals.allSatisfy { $0.words.code == .policyRule })
    }

    /// A rule without `authorization` denies the permission `owner`.
    @Test func aRuleWithoutAuthorization() throws {
        let policy = try Self.policy(#""rules":[{"contract":"a","action":"*"}]"#)
        let level = PermissionLevel(actor: try Name("alice"), permission: .owner)
        let words = PolicyDenial(
            reason: .authorization(level), part: .rule(0), member: "/rules/0", action: nil
        ).words(of: policy)
        #expect(
            words.message
                == "rule 1 of the policy (line 3) denies the signature: the rule has no `authorization`, so "
                + "it does not allow alice@owner")
    }

    @Test func sumsOfOneAndOfSeveral() throws {
        let policy = try Self.policy(#""limits":[{"count":3,"token":"0,A@a","per":"1h"}]"#)
        func text(_ value: UInt128, used: UInt128) -> Substring {
            let exceeded = PolicyDenial.ExceededLimit(
                limit: policy.limits[0], recipient: nil, value: value, used: used, resets: 0)
            let denial = PolicyDenial(reason: .limit(exceeded), part: .limit(0), member: "", action: nil)
            return denial.words(of: policy).message.split(separator: ": ", maxSplits: 1)[1]
        }
        let end = "; this limit allows it from 1970-01-01T00:00:00Z on"
        #expect(
            text(3, used: 1)
                == "the transaction has 3 payments of 0,A@a; the limit is 3 in 1h, of which 1 is used and 2 remain"
                + end)
        #expect(
            text(2, used: 2)
                == "the transaction has 2 payments of 0,A@a; the limit is 3 in 1h, of which 2 are used and 1 remains"
                + end)
        let exceeded = PolicyDenial.ExceededLimit(
            limit: policy.limits[0], recipient: nil, value: 1, used: 3, resets: 3_600, restored: 0)
        let denial = PolicyDenial(reason: .limit(exceeded), part: .limit(0), member: "", action: nil)
        let words = denial.words(of: policy)
        #expect(
            words.message.hasSuffix(
                "the limit of 3 in 1h is blocked, because the vault was restored at 1970-01-01T00:00:00Z; "
                    + "this limit allows it from 1970-01-01T01:00:00Z on"))
        #expect(words.hint == "sign later, or restore the backup again with --second-file")
    }

    @Test func differences() throws {
        let old = try Self.policy(#""limits":[{"name":"day","count":1,"per":"24h"}]"#)
        let new = try Self.policy(
            #""identity":"allow","limits":[{"name":"day","count":2,"per":"24h"}],"rules":[]"#)
        #expect(
            old.differences(to: new).map(\.text) == [
                #"identity was "deny", is "allow" (looser)"#,
                #"limit day was {"name":"day","count":1,"per":"24h"}, "#
                    + #"is {"name":"day","count":2,"per":"24h"} (looser)"#,
            ])
        #expect(
            try old.differences(to: Self.policy(#""rules":[{"contract":"a","action":"*"}]"#)).map(\.text) == [
                #"rule added: {"contract":"a","action":"*"} (looser)"#,
                #"limit day removed: {"name":"day","count":1,"per":"24h"} (looser)"#,
            ])
    }
}
