import ABICodec
import JSON
import Keys
import TestSupport
import Testing

@testable import Policy

struct PolicySchemaTests {
    private static func schema() throws -> JSONValue { try JSONValue.parse(PolicySchema.text) }

    /// The members that the program reads are those of the schema, at each place.
    @Test(arguments: [
        ([], #"{"x":1}"#), (["transaction"], #"{"version":1,"chains":["eos"],"transaction":{"x":1}}"#),
        (["rule"], #"{"version":1,"chains":["eos"],"rules":[{"x":1}]}"#),
        (
            ["field"],
            #"{"version":1,"chains":["eos"],"rules":[{"contract":"a","action":"b","fields":{"/a":{"x":1}}}]}"#
        ),
        (["amount"], #"{"version":1,"chains":["eos"],"amounts":[{"x":1}]}"#),
        (["limit"], #"{"version":1,"chains":["eos"],"limits":[{"x":1}]}"#),
        (
            ["transaction", "properties", "cosigner"],
            #"{"version":1,"chains":["eos"],"transaction":{"cosigner":{"x":1}}}"#
        ),
    ])
    func membersAreThoseOfTheProgram(path: [String], text: String) throws {
        let text = path.isEmpty ? #"{"version":1,"x":1}"# : text
        var part = try Self.schema()
        if !path.isEmpty { part = try #require(part["$defs"]) }
        for key in path { part = try #require(part[key]) }
        let members = try #require(part["properties"]?.object).map(\.key)
        do throws(PolicyError) {
            _ = try KeyPolicy(Array(text.utf8))
            Issue.record("the policy is read")
        } catch {
            guard case .unknownMember("x", let known) = error.reason else {
                Issue.record("\(error)")
                return
            }
            #expect(known.sorted() == members.sorted())
        }
        // No object allows other members, and each member is described.
        #expect(
            part["additionalProperties"].map { if case .boolean(false) = $0 { true } else { false } } == true)
        for member in part["properties"]?.object ?? [] {
            let reference = member.value["$ref"]?.string?.split(separator: "/").last.map(String.init)
            let target = try reference.flatMap { try Self.schema()["$defs"]?[$0] }
            #expect((member.value["description"] ?? target?["description"])?.string != nil, "\(member.key)")
        }
    }

    @Test func limitsAreThoseOfTheProgram() throws {
        let properties = try #require(try Self.schema()["properties"])
        #expect(properties["rules"]?["maxItems"]?.number == "\(KeyPolicy.maximumRuleCount)")
        #expect(properties["limits"]?["maxItems"]?.number == "\(KeyPolicy.maximumLimitCount)")
        #expect(properties["amounts"]?["maxItems"]?.number == "\(KeyPolicy.maximumLimitCount)")
        let definitions = try #require(try Self.schema()["$defs"])
        #expect(
            definitions["field"]?["properties"]?["pattern"]?["maxLength"]?.number
                == "\(TextPattern.maximumLength)")
        #expect(
            definitions["limit"]?["properties"]?["per"]?["enum"]?.array?.compactMap(\.string)
                == Limit.Period.allCases.map(\.rawValue))
    }

    /// Python's jsonschema, if it is installed, accepts what the program reads and refuses most of
    /// what it refuses. Without it, the tests above compare the members.
    @Test func examplesAreJudgedByTheSchema() throws {
        let folder = try TemporaryFolder()
        try Files.write(PolicySchema.text, to: folder.path + "/schema.json")
        let good = PolicyTemplate.allCases.map { String(decoding: $0.policy, as: UTF8.self) } + Self.good
        for (list, name) in [(good, "good"), (Self.bad, "bad")] {
            for (index, text) in list.enumerated() {
                #expect(((try? KeyPolicy(Array(text.utf8))) != nil) == (name == "good"), "\(text)")
                try Files.write(Array(text.utf8), to: folder.path + "/\(name)-\(index).json")
            }
        }
        let output = try SystemProgram.python(["Tests/Signing/PolicyReference/schema.py", folder.path])
        let count = good.count + Self.bad.count
        #expect(
            ["checked \(count)\n", "skipped: jsonschema is not installed\n"].contains(output.text),
            "\(output.text)")
        #expect(output.status == 0)
    }

    /// Each account, key and address of a template must be replaced before it is set.
    @Test(arguments: PolicyTemplate.allCases)
    func templatesHavePlaceholders(template: PolicyTemplate) throws {
        var text = String(decoding: template.policy, as: UTF8.self)
        var places: [TextPlace] = []
        while true {
            do throws(PolicyError) { try PolicyTemplate.expectReplaced(in: Array(text.utf8)) } catch {
                guard case .value(let fault) = error.reason,
                    let word = fault.text.firstMatch(of: /^`(.+)` is an example value/)?.1
                else { throw error }
                places.append(error.place)
                text = text.replacing(word, with: word.hasPrefix("https") ? "https://a.b/" : "bob")
                continue
            }
            break
        }
        #expect(!places.isEmpty && places.allSatisfy { $0.line > 5 && $0.column > 5 })
        #expect(!text.contains("1111") && !text.contains("example"))
    }

    /// What the schema accepts and the program refuses. Its descriptions state it.
    @Test(arguments: [
        (#""transaction":{"max_actions":1.0}"#, "`1.0`"),
        (#""rules":[{"contract":"a","action":"*","fields":{"/a":{"one_of":[1,"1"]}}}]"#, #"`1` and `\"1\"`"#),
        (#""transaction":{"hours":["mon 22:00-06:00"]}"#, "hours past midnight"),
        (#""rules":[{"contract":"aaaaaaaaaaaaz","action":"*"}]"#, "no name"),
        (
            #""amounts":[{"contract":"a","action":"b","amount":"/c","token":"0,A@b"},"#
                + #"{"contract":"a","action":"b","amount":"/c","token":"0,A@b"}]"#,
            "no two of them have the same token"
        ),
    ])
    func refusalsThatOnlyTheTextStates(members: String, text: String) throws {
        let policy = #"{"version":1,"chains":["eos"],\#(members)}"#
        #expect(throws: PolicyError.self) { try KeyPolicy(Array(policy.utf8)) }
        #expect(String(decoding: PolicySchema.text, as: UTF8.self).contains(text))
    }

    private static let good = [
        "", #","identity":"allow""#, #","refuse":["signed-before","not-backed-up"]"#,
        #","transaction":{"hours":["sat-mon 00:00-24:00"],"max_actions":4294967295}"#,
        #","transaction":{"cosigner":{"first":"\#(Sample.key)"},"confirm":"always","context_free_actions":"never"}"#,
        #","rules":[{"contract":"a","action":"*","authorization":["*@*","a.b@owner"],"unknown_proposal":"deny"}]"#,
        #","rules":[{"contract":"a","action":"b","fields":{"":{"equals":true},"/a~1b/0":{"one_of":[1,"x"]}}}]"#,
        #","rules":[{"contract":"a","action":"b","fields":{"/a":{"min":-5,"max":"5","pattern":"[a-z]+"}}}]"#,
        #","amounts":[{"contract":"a","action":"b","amount":"/c","token":"18,ABCDEFG@d","recipient":"/e"}]"#,
        #","limits":[{"name":"x","amount":"0.10 A@b","per":"7d","each_recipient":true},{"count":0,"per":"1h"}]"#,
        #","limits":[{"count":4294967295,"token":"0,A@b","per":"transaction"}]"#,
        #","limits":[{"count":1,"per":"1h","each_recipient":false}]"#,
        #","limits":[{"count":1,"token":"0,A@b","per":"1h","each_recipient":true}]"#,
    ].map { #"{"version":1,"chains":["eos"]\#($0)}"# }

    private static let bad =
        [
            "{}", "[]", #"{"version":2,"chains":["eos"]}"#, #"{"version":1,"chains":[]}"#,
        ]
        + [
            #""other":1"#, #""refuse":["signed"]"#,
            #""refuse":["expired","expired"]"#,
            #""refuse":["summary-cut"]"#, #""refuse":[]"#, #""identity":true"#,
            #""transaction":{"max_actions":0}"#,
            #""transaction":{"hours":["mon"]}"#,
            #""transaction":{"confirm":"never"}"#, #""transaction":{"cosigner":{}}"#,
            #""rules":[{"contract":"a"}]"#,
            #""rules":[{"contract":"A","action":"*"}]"#, #""rules":[{"contract":"a","action":"**"}]"#,
            #""rules":[{"contract":"a","action":"*","authorization":[]}]"#,
            #""rules":[{"contract":"a","action":"*","authorization":["a"]}]"#,
            #""rules":[{"contract":"a","action":"*","fields":{}}]"#,
            #""rules":[{"contract":"a","action":"*","fields":{"a":{"equals":1}}}]"#,
            #""rules":[{"contract":"a","action":"*","fields":{"/a":{}}}]"#,
            #""rules":[{"contract":"a","action":"*","fields":{"/a":{"equals":1.5}}}]"#,
            #""rules":[{"contract":"a","action":"*","fields":{"/a":{"max":"x"}}}]"#,
            #""rules":[{"contract":"a","action":"*","unknown_proposal":"ask"}]"#,
            #""amounts":[{"contract":"a","action":"*","amount":"/a","token":"0,A@b"}]"#,
            #""amounts":[{"contract":"a","action":"b","amount":"/a","token":"19,A@b"}]"#,
            #""limits":[{"per":"1h"}]"#, #""limits":[{"count":1,"per":"2h"}]"#,
            #""limits":[{"count":1,"amount":"1 A@b","per":"1h"}]"#,
            #""limits":[{"amount":"1 A","per":"1h"}]"#,
            #""limits":[{"count":1,"per":"1h","each_recipient":true}]"#,
            #""limits":[{"amount":"1 A@b","token":"0,A@b","per":"1h"}]"#,
            #""limits":[{"count":-1,"per":"1h"}]"#,
        ].map { #"{"version":1,"chains":["eos"],\#($0)}"# }
}

struct PolicyTemplateTests {
    /// A payment to the exchange with another memo would go to another customer.
    @Test(arguments: [
        ("exchange1111", "1234567", true), ("exchange1111", "1234568", false), ("exchange1111", "", false),
        ("payroll11111", "June", true), ("carol", "1234567", false),
    ])
    func treasury(to: String, memo: String, isAllowed: Bool) throws {
        let policy = try KeyPolicy(PolicyTemplate.treasury.policy)
        // Tuesday, 08:00.
        let clock = Sample.now + 8 * 3_600
        for (quantity, contract) in [("1.0000 EOS", "eosio.token"), ("1.0000 A", "core.vaulta")] {
            let transfer = try Sample.action(
                contract, "transfer", by: ["treasury1111@active"],
                [
                    ("from", .name(Name("treasury1111"))), ("to", .name(Name(to))),
                    ("quantity", .asset(Asset(quantity))), ("memo", .text(memo)),
                ])
            let denial = try policy.denial(
                of: Sample.request([transfer], expiresIn: 8 * 3_600 + 60), clock: clock)
            #expect((denial == nil) == isAllowed)
        }
    }

    @Test(arguments: [(Sample.key, true), (Sample.otherKey, false)])
    func producer(key: String, isAllowed: Bool) throws {
        let policy = try KeyPolicy(PolicyTemplate.producer.policy)
        let registration = try Sample.action(
            "eosio", "regproducer", by: ["producer1111@register"],
            [
                ("producer", .name(Name("producer1111"))), ("producer_key", .publicKey(PublicKey(key).text)),
                ("url", .text("https://producer.example/")), ("location", .unquoted("0")),
            ])
        #expect(try (policy.denial(of: Sample.request([registration])) == nil) == isAllowed)
    }

    @Test(arguments: PolicyTemplate.allCases) func isValid(template: PolicyTemplate) throws {
        let policy = try KeyPolicy(template.policy)
        #expect(!policy.rules.isEmpty && !policy.limits.isEmpty)
        // A default is strict: no identity requests, and only named actions of named accounts.
        #expect(!policy.allowsIdentity)
        #expect(policy.conditions.maximumExpiration != nil && policy.conditions.maximumActionCount != nil)
        #expect(policy.rules.allSatisfy { $0.name != nil && $0.action != nil && !$0.authorization.isEmpty })
        #expect(policy.limits.allSatisfy { $0.name != nil })
        let explanation = String(decoding: template.explanation, as: UTF8.self)
        #expect(explanation.hasPrefix("# A policy for "))
        for member in ["`rules`", "`limits`"] { #expect(explanation.contains(member)) }
    }
}
