import JSON
import Keys
import Testing
import Transactions

@testable import Policy

/// Each refusal of a policy, with its place.
struct PolicyReaderTests {
    private static func refusal(_ text: String) -> PolicyError? {
        do throws(PolicyError) {
            _ = try KeyPolicy(Array(text.utf8))
            return nil
        } catch { return error }
    }

    /// The error of a policy with these members, and the text at its place.
    private static func refusal(members: String) -> (reason: PolicyError.Reason, rest: Substring)? {
        let text = #"{"version":1,"chains":["eos"],\#(members)}"#
        return refusal(text).map { ($0.reason, text.dropFirst($0.place.column - 1)) }
    }

    private static func rule(_ members: String) -> String {
        #""rules":[{"contract":"eosio.token","action":"transfer",\#(members)}]"#
    }

    @Test(arguments: [
        ("", PolicyError.Reason.json(.unexpectedEnd), 1, 1),
        ("[]", .expected(.object, found: .array), 1, 1),
        ("null", .expected(.object, found: .null), 1, 1),
        ("{}", .missingMember("version"), 1, 1),
        (#"{"version":2,"other":1}"#, .version("2"), 1, 12),
        (#"{"version":1.0}"#, .version("1.0"), 1, 12),
        (#"{"version":"1"}"#, .version("1"), 1, 12),
        (#"{"version":[]}"#, .version("[…]"), 1, 12),
        (#"{"version":{}}"#, .version("{…}"), 1, 12),
        (#"{"version":true}"#, .version("true"), 1, 12),
        (#"{"version":null}"#, .version("null"), 1, 12),
        (#"{"version":1}"#, .missingMember("chains"), 1, 1),
        ("{\n \"version\":1,\n  \"chain\":[]}", .unknownMember("chain", known: Self.members), 3, 3),
        ("{\"version\":1,\n\"é\":1,\"chains\":[]}", .unknownMember("é", known: Self.members), 2, 1),
        (#"{"version":1,"chains":["eos"],"version":1}"#, .json(.duplicateKey), 1, 31),
        ("{// comment\n}", .comment, 1, 2), ("# comment\n{}", .comment, 1, 1),
        ("{} /* end */", .comment, 1, 4),
        (#"{"version":1,}"#, .json(.unexpectedByte(UInt8(ascii: "}"))), 1, 14),
        (#"{"version":1} x"#, .json(.trailingBytes), 1, 15),
        ("\u{feff}{}", .json(.byteOrderMark), 1, 1),
        (String(repeating: "[", count: 9), .json(.tooDeep(limit: 8)), 1, 9),
    ])
    func refuses(text: String, reason: PolicyError.Reason, line: Int, column: Int) {
        #expect(
            Self.refusal(text) == PolicyError(reason: reason, place: TextPlace(line: line, column: column)))
    }

    private static let members = [
        "version", "chains", "identity", "transaction", "refuse", "rules", "amounts", "limits",
    ]

    @Test(
        arguments: [
            (#""identity":"no""#, PolicyError.Reason.value(.notOneOf(["deny", "allow"])), #""no""#),
            (#""identity":true"#, .expected(.string, found: .boolean), "true"),
            (#""transaction":[]"#, .expected(.object, found: .array), "[]"),
            (#""transaction":{"max":1}"#, .unknownMember("max", known: conditions), #""max""#),
            (#""transaction":{"max_actions":0}"#, .value(.integer(1...UInt32.max)), "0"),
            (#""transaction":{"max_actions":1.5}"#, .value(.integer(1...UInt32.max)), "1.5"),
            (#""transaction":{"max_actions":4294967296}"#, .value(.integer(1...UInt32.max)), "4294967296"),
            (#""transaction":{"max_expiration_seconds":"60"}"#, .expected(.number, found: .string), #""60""#),
            (#""transaction":{"hours":[]}"#, .value(.empty), "[]"),
            (#""transaction":{"hours":["mon 8:00-9:00"]}"#, .value(.hours), #""mon 8"#),
            (#""transaction":{"hours":["mon 09:00-09:00"]}"#, .value(.hoursOrder), #""mon"#),
            (#""transaction":{"hours":["mon 22:00-06:00"]}"#, .value(.hoursOrder), #""mon"#),
            (#""transaction":{"hours":["mon 24:00-24:00"]}"#, .value(.hoursOrder), #""mon"#),
            (#""transaction":{"hours":["mon 00:00-24:01"]}"#, .value(.hours), #""mon"#),
            (#""transaction":{"hours":["mon 00:60-24:00"]}"#, .value(.hours), #""mon"#),
            (#""transaction":{"hours":["mon 00.00-24:00"]}"#, .value(.hours), #""mon"#),
            (#""transaction":{"hours":["Mon 00:00-24:00"]}"#, .value(.hours), #""Mon"#),
            (#""transaction":{"hours":["mon-tue-wed 00:00-24:00"]}"#, .value(.hours), #""mon"#),
            (#""transaction":{"hours":["mon  00:00-24:00"]}"#, .value(.hours), #""mon"#),
            (#""transaction":{"hours":["mon"]}"#, .value(.hours), #""mon"#),
            (
                #""transaction":{"hours":["mon 00:00-24:00","mon 00:00-24:00"]}"#,
                .value(.duplicate("mon 00:00-24:00")),
                #""mon 00:00-24:00"]"#
            ),
            (#""transaction":{"confirm":"never"}"#, .value(.notOneOf(["always"])), #""never""#),
            (#""transaction":{"cosigner":{}}"#, .missingMember("first"), "{}}"),
            (#""transaction":{"cosigner":{"first":"EOS1"}}"#, .value(.key(.wrongLength)), #""EOS1""#),
            (#""transaction":{"cosigner":{"last":1}}"#, .unknownMember("last", known: ["first"]), #""last""#),
            (
                #""transaction":{"context_free_actions":"allow"}"#, .value(.notOneOf(["never", "rules"])),
                #""allow""#
            ),
            (#""rules":{}"#, .expected(.array, found: .object), "{}"),
            (#""rules":[1]"#, .expected(.object, found: .number), "1]"),
            (#""rules":[{}]"#, .missingMember("action"), "{}]"),
            (#""rules":[{"action":"*"}]"#, .missingMember("contract"), #"{"action"#),
            (#""rules":[{"action":"*","contract":""}]"#, .value(.name), #""""#),
            (#""rules":[{"action":"*","contract":"Eosio"}]"#, .value(.name), #""Eosio""#),
            (#""rules":[{"action":"","contract":"eosio"}]"#, .value(.name), #"""#),
            (#""rules":[{"action":"**","contract":"eosio"}]"#, .value(.name), #""**""#),
            (
                #""rules":[{"action":"*","contract":"a","recipients":[]}]"#,
                .unknownMember("recipients", known: rules),
                #""rec"#
            ),
            (rule(#""name":"""#), .value(.label), #""""#),
            (rule(#""name":"a\n""#), .value(.label), #""a\n""#),
            (rule(#""name":"\u202e""#), .value(.label), #""\u202e""#),
            (rule("\"name\":\"\(String(repeating: "a", count: 65))\""), .value(.label), "\"aaa"),
            (rule(#""authorization":[]"#), .value(.empty), "[]"),
            (rule(#""authorization":["alice"]"#), .value(.authorization), #""alice""#),
            (rule(#""authorization":["@active"]"#), .value(.authorization), #""@active""#),
            (rule(#""authorization":["alice@"]"#), .value(.authorization), #""alice@""#),
            (rule(#""authorization":["a@b@c"]"#), .value(.authorization), #""a@b@c""#),
            (rule(#""authorization":["a@b","a@b"]"#), .value(.duplicate("a@b")), #""a@b"]"#),
            (rule(#""fields":{}"#), .value(.empty), "{}"),
            (rule(#""fields":[]"#), .expected(.object, found: .array), "[]"),
            (rule(#""fields":{"to":{"equals":1}}"#), .value(.pointer), #""to""#),
            (rule(#""fields":{"/to~2":{"equals":1}}"#), .value(.pointer), #""/to~2""#),
            (rule(#""fields":{"/to~":{"equals":1}}"#), .value(.pointer), #""/to~""#),
            (rule("\"fields\":{\"\(String(repeating: "/a", count: 33))\":{}}"), .value(.pointer), "\"/a"),
            (rule(#""fields":{"/to":{}}"#), .value(.empty), "{}}"),
            (rule(#""fields":{"/to":"bob"}"#), .expected(.object, found: .string), #""bob""#),
            (rule(#""fields":{"/to":{"is":"bob"}}"#), .unknownMember("is", known: fieldTests), #""is""#),
            (rule(#""fields":{"/to":{"equals":1.5}}"#), .value(.scalar), "1.5"),
            (rule(#""fields":{"/to":{"equals":null}}"#), .value(.scalar), "null"),
            (rule(#""fields":{"/to":{"one_of":[[]]}}"#), .value(.scalar), "[]"),
            (rule(#""fields":{"/to":{"one_of":[]}}"#), .value(.empty), "[]"),
            (#""transaction":{"max_actions":1.0}"#, .value(.integer(1...UInt32.max)), "1.0"),
            (rule(#""fields":{"/to":{"one_of":["5",5]}}"#), .value(.duplicate("5")), "5]"),
            (rule(#""fields":{"/to":{"prefix":5}}"#), .expected(.string, found: .number), "5}"),
            (rule(#""fields":{"/to":{"pattern":"a]"}}"#), .value(.pattern(.close, offset: 1)), #""a]""#),
            (rule(#""fields":{"/to":{"min":"x"}}"#), .value(.bound), #""x""#),
            (rule(#""fields":{"/to":{"min":"01"}}"#), .value(.bound), #""01""#),
            (rule(#""fields":{"/to":{"min":1e3}}"#), .value(.bound), "1e3"),
            (rule(#""fields":{"/to":{"max":"01.0 EOS"}}"#), .value(.bound), #""01.0"#),
            (rule(#""fields":{"/to":{"max":[]}}"#), .value(.bound), "[]"),
            (
                rule(#""fields":{"/to":{"max":"170141183460469231731687303715884105728"}}"#), .value(.bound),
                #""1701"#
            ),
            (rule(#""fields":{"/to":{"min":2,"max":1}}"#), .value(.emptyRange), #"{"min""#),
            (rule(#""fields":{"/to":{"min":2,"max":"3 EOS"}}"#), .value(.emptyRange), #"{"min""#),
            (rule(#""fields":{"/to":{"equals":1}},"blind":"allow""#), .value(.blind), #""allow""#),
            (
                #""rules":[{"contract":"eosio.msig","action":"propose","blind":"allow"}]"#,
                .value(.blindBuiltIn), #""allow""#
            ),
            (
                #""rules":[{"contract":"a","action":"*","blind":"allow"}]"#, .value(.blind), #""allow""#
            ),
            (rule(#""unknown_proposal":true"#), .expected(.string, found: .boolean), "true"),
            (
                #""rules":[{"name":"a","contract":"a","action":"*"},{"name":"a","contract":"b","action":"*"}]"#,
                .value(.duplicate("a")), #"{"name":"a","contract":"b""#
            ),
            (#""amounts":[{"contract":"a","action":"*"}]"#, .value(.name), #""*""#),
            (#""amounts":[{"contract":"a","action":"b"}]"#, .missingMember("amount"), "{"),
            (#""amounts":[{"contract":"a","action":"b","amount":"q"}]"#, .value(.pointer), #""q""#),
            (#""amounts":[{"contract":"a","action":"b","amount":"/q"}]"#, .missingMember("token"), "{"),
            (
                #""amounts":[{"contract":"a","action":"b","amount":"/q","token":"EOS"}]"#, .value(.token),
                #""EOS""#
            ),
            (
                #""amounts":[{"contract":"a","action":"b","amount":"/q","token":"4,@a"}]"#, .value(.token),
                #""4,@a""#
            ),
            (
                #""amounts":[{"contract":"a","action":"b","amount":"/q","token":"260,EOS@a"}]"#,
                .value(.token), #""260"#
            ),
            (
                #""amounts":[{"contract":"a","action":"b","amount":"/q","token":"4,EOS@"}]"#, .value(.token),
                #""4,EOS@""#
            ),
            (
                #""amounts":[{"contract":"a","action":"b","amount":"/q","token":"4,EOS@a"},"#
                    + #"{"contract":"a","action":"b","amount":"/q","token":"4,EOS@a","recipient":"/r"}]"#,
                .value(.duplicate("a::b /q 4,EOS@a")),
                #"{"contract":"a","action":"b","amount":"/q","token":"4,EOS@a","recipient"#
            ),
            (#""amounts":[{"sum":1}]"#, .unknownMember("sum", known: amounts), #""sum""#),
            (#""limits":[{"per":"1h"}]"#, .exactlyOne(["amount", "count"]), "{"),
            (#""limits":[{"per":"1h","count":1,"amount":"1 A@a"}]"#, .exactlyOne(["amount", "count"]), "{"),
            (#""limits":[{"count":1}]"#, .missingMember("per"), "{"),
            (
                #""limits":[{"count":1,"per":"2h"}]"#,
                .value(.notOneOf(["transaction", "1h", "24h", "7d", "30d"])),
                #""2h""#
            ),
            (#""limits":[{"count":-1,"per":"1h"}]"#, .value(.integer(0...UInt32.max)), "-1"),
            (#""limits":[{"amount":"1.0000 EOS","per":"1h"}]"#, .value(.amount), #""1.0000"#),
            (#""limits":[{"amount":"-1.0000 EOS@a","per":"1h"}]"#, .value(.amount), #""-1"#),
            (#""limits":[{"amount":"1,EOS@a","per":"1h"}]"#, .value(.amount), #""1,EOS"#),
            (
                #""limits":[{"amount":"1 A@a","token":"0,A@a","per":"1h"}]"#, .needs("token", with: "count"),
                #""0,A@a""#
            ),
            (
                #""limits":[{"count":1,"each_recipient":true,"per":"1h"}]"#,
                .needs("each_recipient", with: "token"),
                "true"
            ),
            (
                #""limits":[{"count":1,"each_recipient":"yes","per":"1h"}]"#,
                .expected(.boolean, found: .string),
                #""yes""#
            ),
            (#""limits":[{"period":1}]"#, .unknownMember("period", known: limits), #""period""#),
            (
                #""limits":[{"name":"a","count":1,"per":"1h"},{"name":"a","count":1,"per":"7d"}]"#,
                .value(.duplicate("a")),
                #"{"name":"a","count":1,"per":"7d"}"#
            ),
        ] as [(String, PolicyError.Reason, String)])
    func refusesMembers(members: String, reason: PolicyError.Reason, rest: String) throws {
        let refusal = try #require(Self.refusal(members: members))
        #expect(refusal.reason == reason)
        #expect(refusal.rest.hasPrefix(rest), "\(refusal.rest)")
    }

    private static let conditions = [
        "max_expiration_seconds", "max_actions", "hours", "confirm", "cosigner", "context_free_actions",
    ]
    private static let rules = [
        "name", "contract", "action", "authorization", "fields", "unknown_proposal", "given_abi", "blind",
    ]
    private static let fieldTests = ["equals", "one_of", "prefix", "pattern", "min", "max"]
    private static let amounts = ["contract", "action", "amount", "token", "recipient"]
    private static let limits = ["name", "amount", "count", "token", "per", "each_recipient"]

    @Test(arguments: [
        ("[]", PolicyValueFault.empty, 23),
        (#"["nowhere"]"#, .chain(.unknownName(known: Chain.all.map(\.name))), 24),
        (#"["jungle"]"#, .chain(.retired(use: "jungle4")), 24),
        (#"["eos","vaulta"]"#, .duplicate("vaulta"), 30),
    ])
    func refusesChains(chains: String, fault: PolicyValueFault, column: Int) {
        #expect(
            Self.refusal(#"{"version":1,"chains":\#(chains)}"#)
                == PolicyError(reason: .value(fault), place: TextPlace(line: 1, column: column)))
    }

    @Test func limitsOfSizes() throws {
        let rule = #"{"contract":"a","action":"*"}"#
        func text(rules: Int) -> String {
            #"{"version":1,"chains":["eos"],"rules":[\#(repeatElement(rule, count: rules).joined(separator: ","))]}"#
        }
        #expect(try KeyPolicy(Array(text(rules: 10_000).utf8)).rules.count == 10_000)
        #expect(Self.refusal(text(rules: 10_001))?.reason == .tooMany(limit: 10_000))
        let limits = repeatElement(#"{"count":1,"per":"1h"}"#, count: 1_001).joined(separator: ",")
        #expect(Self.refusal(members: "\"limits\":[\(limits)]")?.reason == .tooMany(limit: 1_000))
        let short = text(rules: 1)
        let padding = String(repeating: " ", count: (1 << 20) - short.utf8.count)
        #expect(try KeyPolicy(Array((short + padding).utf8)).rules.count == 1)
        #expect(
            Self.refusal(short + padding + " ")
                == PolicyError(reason: .tooLong(limit: 1 << 20), place: TextPlace(line: 1, column: 1)))
        // DEL has six characters in the canonical form.
        let deletes = String(repeating: "\u{7f}", count: 200_000)
        let long =
            #"{"version":1,"chains":["eos"],"#
            + Self.rule(#""fields":{"/memo":{"equals":"\#(deletes)"}}"#) + "}"
        #expect(Self.refusal(long)?.reason == .tooLong(limit: 1 << 20))
    }

    @Test func readsEverything() throws {
        let text = """
            {
              "version": 1,
              "chains": ["EOS", "73E4385A2708E6D7048834FBC1079F2FABB17B3C125B146AF438971E90716C4D"],
              "identity": "allow",
              "transaction": {
                "context_free_actions": "rules", "confirm": "always", "max_actions": 2, "max_expiration_seconds": 9,
                "cosigner": {"first": "\(Sample.key)"}, "hours": ["sat-mon 00:00-24:00"]
              },
              "rules": [
                {"action": "*", "contract": "a"},
                {"name": "b", "contract": "a", "action": "b", "authorization": ["*@*", "a@owner"],
                 "fields": {"/x": {"max": 5, "one_of": [true, "q", 7], "min": "-5"}, "": {"prefix": "\\u0041"}},
                 "unknown_proposal": "allow", "given_abi": "allow"},
                {"contract": "a", "action": "c", "blind": "allow"}
              ],
              "amounts": [{"token": "0,B@c", "contract": "a", "action": "b", "amount": "/x", "recipient": "/y"}],
              "limits": [
                {"per": "7d", "amount": "0.10 B@c", "each_recipient": true},
                {"name": "n", "per": "transaction", "count": 0, "token": "18,B@c"}
              ]
            }
            """
        let policy = try KeyPolicy(Array(text.utf8))
        #expect(
            String(decoding: policy.canonical, as: UTF8.self)
                == "{\"version\":1,\n\"chains\":[\"eos\",\"jungle4\"],\n\"identity\":\"allow\",\n"
                + #""transaction":{"#
                + #""max_expiration_seconds":9,"max_actions":2,"hours":["sat-mon 00:00-24:00"],"confirm":"always","#
                + #""cosigner":{"first":"\#(Sample.key)"},"context_free_actions":"rules"},"#
                + "\n\"rules\":[\n"
                + #"{"contract":"a","action":"*"},"# + "\n" + #"{"name":"b","contract":"a","action":"b","#
                + #""authorization":["*@*","a@owner"],"fields":{"/x":{"one_of":["true","q","7"],"min":"-5","max":"5"},"#
                + #""":{"prefix":"A"}},"unknown_proposal":"allow","given_abi":"allow"}"# + ",\n"
                + #"{"contract":"a","action":"c","blind":"allow"}"#
                + "\n],\n\"amounts\":[\n"
                + #"{"contract":"a","action":"b","#
                + #""amount":"/x","token":"0,B@c","recipient":"/y"}"# + "\n],\n\"limits\":[\n"
                + #"{"amount":"0.10 B@c","per":"7d","each_recipient":true},"# + "\n"
                + #"{"name":"n","count":0,"token":"18,B@c","per":"transaction"}"# + "\n]}")
        let again = try KeyPolicy(policy.canonical)
        #expect(again == policy)
        #expect(again.places.rules.map(\.line) == [6, 7, 8])
        #expect(again.places.amounts.map(\.line) == [11])
        #expect(again.places.limits.map(\.line) == [14, 15])
        #expect(
            policy.places.rules == [(10, 5), (11, 5), (14, 5)].map { TextPlace(line: $0.0, column: $0.1) })
        #expect(policy.places.amounts == [TextPlace(line: 16, column: 15)])
        #expect(policy.places.limits.map(\.line) == [18, 19])
        #expect(policy.series.map(\.period) == policy.limits.map(\.period).filter { $0 != .transaction })
    }

    @Test func defaultsAreNotInTheCanonicalForm() throws {
        let policy = try Sample.policy(
            #""identity":"deny","transaction":{"context_free_actions":"never"},"rules":[],"amounts":[],"limits":[]"#
        )
        #expect(String(decoding: policy.canonical, as: UTF8.self) == "{\"version\":1,\n\"chains\":[\"eos\"]}")
        #expect(policy == (try Sample.policy("")))
        #expect(policy.series.isEmpty)
    }
}
