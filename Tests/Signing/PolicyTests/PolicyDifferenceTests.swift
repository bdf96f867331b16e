import Testing

@testable import Policy

struct PolicyDifferenceTests {
    /// The differences in words: `rule a: old → new (looser)`.
    private static func differences(_ old: String, _ new: String) throws -> [String] {
        try Sample.policy(old).differences(to: Sample.policy(new)).map { difference in
            let name = difference.name.map { " \($0)" } ?? ""
            let values = [difference.old ?? "-", difference.new ?? "-"].joined(separator: " → ")
            return "\(difference.part.rawValue)\(name): \(values)\(difference.isLooser ? " (looser)" : "")"
        }
    }

    @Test func equalPoliciesHaveNone() throws {
        #expect(try Self.differences("", #""identity":"deny""#) == [])
        let rules = [#"{"contract":"a","action":"*"}"#, #"{"contract":"b","action":"*"}"#]
        #expect(
            try Self.differences(
                #""rules":[\#(rules.joined(separator: ","))]"#,
                #""rules":[\#(rules.reversed().joined(separator: ","))]"#)
                == [])
    }

    @Test func chains() throws {
        let eos = try Sample.policy("")
        let both = try KeyPolicy(Array(#"{"version":1,"chains":["jungle4","eos"]}"#.utf8))
        #expect(eos.differences(to: both).map(\.isLooser) == [true])
        #expect(eos.differences(to: both).map(\.new) == [#""jungle4""#])
        #expect(both.differences(to: eos).map(\.isLooser) == [false])
        #expect(both.differences(to: eos).map(\.old) == [#""jungle4""#])
    }

    @Test(arguments: [
        (#""identity":"allow""#, #"identity: "deny" → "allow""#, true),
        (#""transaction":{"max_actions":2}"#, "transaction max_actions: - → 2", false),
        (#""transaction":{"max_expiration_seconds":2}"#, "transaction max_expiration_seconds: - → 2", false),
        (
            #""transaction":{"hours":["mon 00:00-24:00"]}"#, #"transaction hours: - → ["mon 00:00-24:00"]"#,
            false
        ),
        (#""transaction":{"confirm":"always"}"#, #"transaction confirm: - → "always""#, false),
        (
            #""transaction":{"cosigner":{"first":"\#(Sample.key)"}}"#,
            #"transaction cosigner: - → {"first":"\#(Sample.key)"}"#, false
        ),
        (
            #""transaction":{"context_free_actions":"rules"}"#,
            #"transaction context_free_actions: - → "rules""#, true
        ),
        (#""rules":[{"contract":"a","action":"*"}]"#, #"rule: - → {"contract":"a","action":"*"}"#, true),
        (#""limits":[{"count":1,"per":"1h"}]"#, #"limit: - → {"count":1,"per":"1h"}"#, false),
        (
            #""amounts":[{"contract":"a","action":"b","amount":"/c","token":"0,D@e"}]"#,
            #"amount: - → {"contract":"a","action":"b","amount":"/c","token":"0,D@e"}"#, false
        ),
    ])
    func added(members: String, words: String, isLooser: Bool) throws {
        #expect(try Self.differences("", members) == [words + (isLooser ? " (looser)" : "")])
        // The way back is looser exactly if the way there is not.
        let back = try #require(try Sample.policy(members).differences(to: Sample.policy("")).first)
        #expect(back.isLooser == !isLooser)
    }

    @Test(arguments: [
        (#""refuse":["outlier"]"#, #""refuse":["outlier","expired"]"#, false),
        (#""refuse":["outlier","expired"]"#, #""refuse":["expired"]"#, true),
        (#""transaction":{"max_actions":2}"#, #""transaction":{"max_actions":3}"#, true),
        (#""transaction":{"max_actions":3}"#, #""transaction":{"max_actions":2}"#, false),
        (
            #""transaction":{"max_expiration_seconds":2}"#, #""transaction":{"max_expiration_seconds":3}"#,
            true
        ),
        (
            #""transaction":{"hours":["mon-fri 08:00-18:00"]}"#,
            #""transaction":{"hours":["tue 08:00-18:00"]}"#, false
        ),
        (
            #""transaction":{"hours":["mon-fri 08:00-18:00"]}"#,
            #""transaction":{"hours":["mon-wed 08:00-18:00","thu-fri 08:00-18:00"]}"#, false
        ),
        (
            #""transaction":{"hours":["mon 08:00-18:00"]}"#, #""transaction":{"hours":["mon 08:00-18:01"]}"#,
            true
        ),
        (
            #""transaction":{"cosigner":{"first":"\#(Sample.key)"}}"#,
            #""transaction":{"cosigner":{"first":"\#(Sample.otherKey)"}}"#, true
        ),
    ])
    func conditions(old: String, new: String, isLooser: Bool) throws {
        #expect(try Sample.policy(old).differences(to: Sample.policy(new)).map(\.isLooser) == [isLooser])
    }

    @Test(arguments: [
        (#""action":"*""#, #""action":"b""#, false), (#""action":"b""#, #""action":"*""#, true),
        (#""action":"*""#, #""action":"buyrambytes""#, true), (#""action":"b""#, #""action":"c""#, true),
        (#""action":"b""#, #""action":"b","authorization":["a@b"]"#, false),
        (#""action":"b""#, #""action":"b","authorization":["a@owner"]"#, true),
        (#""action":"b","authorization":["a@b"]"#, #""action":"b""#, true),
        (#""action":"b","authorization":["a@*"]"#, #""action":"b","authorization":["a@b","a@c"]"#, false),
        (#""action":"b","authorization":["a@*"]"#, #""action":"b","authorization":["a@owner"]"#, true),
        (#""action":"b","authorization":["a@b"]"#, #""action":"b","authorization":["*@b"]"#, true),
        (#""action":"b","authorization":["*@b"]"#, #""action":"b","authorization":["a@b"]"#, false),
        (#""action":"b","unknown_proposal":"allow""#, #""action":"b""#, false),
        (#""action":"b","blind":"allow""#, #""action":"b""#, false),
        (#""action":"b""#, #""action":"b","blind":"allow""#, true),
        (#""action":"*""#, #""action":"b","blind":"allow""#, true),
        (#""action":"b","given_abi":"allow""#, #""action":"b""#, false),
        (#""action":"b""#, #""action":"b","given_abi":"allow""#, true),
        (#""action":"b""#, #""action":"b","unknown_proposal":"allow""#, true),
        (#""action":"b""#, #""action":"b","fields":{"/x":{"equals":1}}"#, false),
        (#""action":"b","fields":{"/x":{"equals":1}}"#, #""action":"b""#, true),
        (#""action":"b","fields":{"/x":{"equals":1}}"#, #""action":"b","fields":{"/y":{"equals":1}}"#, true),
        (
            #""action":"b","fields":{"/x":{"one_of":[1,2]}}"#, #""action":"b","fields":{"/x":{"equals":2}}"#,
            false
        ),
        (
            #""action":"b","fields":{"/x":{"one_of":[1,2]}}"#,
            #""action":"b","fields":{"/x":{"one_of":[1,3]}}"#, true
        ),
        (
            #""action":"b","fields":{"/x":{"max":5}}"#, #""action":"b","fields":{"/x":{"one_of":[1,5]}}"#,
            false
        ),
        (#""action":"b","fields":{"/x":{"max":5}}"#, #""action":"b","fields":{"/x":{"one_of":[1,6]}}"#, true),
        (
            #""action":"b","fields":{"/x":{"max":5}}"#, #""action":"b","fields":{"/x":{"max":4,"min":1}}"#,
            false
        ),
        (#""action":"b","fields":{"/x":{"max":5}}"#, #""action":"b","fields":{"/x":{"max":6}}"#, true),
        (#""action":"b","fields":{"/x":{"max":5}}"#, #""action":"b","fields":{"/x":{"max":"4 A"}}"#, true),
        (#""action":"b","fields":{"/x":{"min":5}}"#, #""action":"b","fields":{"/x":{"min":4}}"#, true),
        (#""action":"b","fields":{"/x":{"min":5}}"#, #""action":"b","fields":{"/x":{"min":6}}"#, false),
        (
            #""action":"b","fields":{"/x":{"prefix":"a"}}"#, #""action":"b","fields":{"/x":{"prefix":"ab"}}"#,
            false
        ),
        (
            #""action":"b","fields":{"/x":{"prefix":"ab"}}"#, #""action":"b","fields":{"/x":{"prefix":"a"}}"#,
            true
        ),
        (
            #""action":"b","fields":{"/x":{"pattern":"a*"}}"#,
            #""action":"b","fields":{"/x":{"pattern":"ab"}}"#, true
        ),
        (
            #""action":"b","fields":{"/x":{"pattern":"a*"}}"#,
            #""action":"b","fields":{"/x":{"equals":"ab"}}"#, false
        ),
        (
            #""action":"b","fields":{"/x":{"pattern":"a*"}}"#,
            #""action":"b","fields":{"/x":{"pattern":"a**","max":1}}"#, false
        ),
        // Texts that Swift compares as equal.
        (
            #""action":"b","fields":{"/x":{"equals":"é"}}"#,
            #""action":"b","fields":{"/x":{"equals":"e\u0301"}}"#, true
        ),
        (
            #""action":"b","fields":{"/x":{"prefix":"é"}}"#,
            #""action":"b","fields":{"/x":{"prefix":"e\u0301"}}"#, true
        ),
        (
            #""action":"b","fields":{"/x":{"one_of":["é"]}}"#,
            #""action":"b","fields":{"/x":{"one_of":["e\u0301"]}}"#, true
        ),
        (
            #""action":"b","fields":{"/x":{"pattern":"é*"}}"#,
            #""action":"b","fields":{"/x":{"pattern":"e\u0301*"}}"#, true
        ),
        (
            #""action":"b","fields":{"/é":{"equals":1}}"#,
            #""action":"b","fields":{"/e\u0301":{"equals":1}}"#, true
        ),
    ])
    func rules(old: String, new: String, isLooser: Bool) throws {
        func policy(_ rule: String) throws -> KeyPolicy {
            try Sample.policy(#""rules":[{"name":"r","contract":"a",\#(rule)}]"#)
        }
        let differences = try policy(old).differences(to: policy(new))
        #expect(differences.map(\.name) == ["r"])
        #expect(differences.first?.old != nil && differences.first?.new != nil)
        #expect(differences.map(\.isLooser) == [isLooser])
    }

    @Test(arguments: [
        (#""amount":"1 A@a","per":"1h""#, #""amount":"2 A@a","per":"1h""#, true),
        (#""amount":"2 A@a","per":"1h""#, #""amount":"1 A@a","per":"1h""#, false),
        (#""amount":"2 A@a","per":"1h""#, #""amount":"2 A@a","per":"24h""#, true),
        (#""amount":"2 A@a","per":"1h""#, #""amount":"2 B@a","per":"1h""#, true),
        (#""amount":"2 A@a","per":"1h""#, #""count":2,"token":"0,A@a","per":"1h""#, true),
        (#""amount":"2 A@a","per":"1h""#, #""amount":"2 A@a","per":"1h","each_recipient":true"#, true),
        (#""amount":"2 A@a","per":"1h","each_recipient":true"#, #""amount":"2 A@a","per":"1h""#, false),
        (#""count":2,"per":"1h""#, #""count":1,"per":"1h""#, false),
    ])
    func limits(old: String, new: String, isLooser: Bool) throws {
        let differences = try Sample.policy(#""limits":[{"name":"l",\#(old)}]"#)
            .differences(to: Sample.policy(#""limits":[{"name":"l",\#(new)}]"#))
        #expect(differences.map(\.name) == ["l"])
        #expect(differences.map(\.isLooser) == [isLooser])
    }

    @Test func amounts() throws {
        func amount(_ token: String) -> String {
            #"{"contract":"a","action":"b","amount":"/c","token":"\#(token)"}"#
        }
        let one = #""amounts":[\#(amount("0,A@a"))]"#
        // One more token of a field is allowed.
        #expect(
            try Self.differences(one, #""amounts":[\#(amount("0,A@a")),\#(amount("0,B@a"))]"#)
                == ["amount: - → \(amount("0,B@a")) (looser)"])
        #expect(
            try Self.differences(one, #""amounts":[\#(amount("0,B@a"))]"#)
                == ["amount: \(amount("0,A@a")) → - (looser)", "amount: - → \(amount("0,B@a")) (looser)"])
        // Without it, a transfer with other fields is denied.
        let transfer = #"{"contract":"a","action":"transfer","amount":"/c","token":"0,A@a"}"#
        #expect(
            try Self.differences("", #""amounts":[\#(transfer)]"#) == ["amount: - → \(transfer) (looser)"])
    }
}
