import Policy

/// A policy is refused at a place in its text, or its canonical form is the same policy. It has no
/// differences from itself, and allows nothing without a rule.
public enum PolicyLaw: Law {
    public static let name = "Policy"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        PolicyTemplate.allCases.map(\.policy)
            + samples.map { Array(#"{"version":1,"chains":["eos"],\#($0)}"#.utf8) }
    }

    static let samples = [
        #""rules":[{"contract":"eosio.token","action":"transfer"}]"#,
        #""rules":[{"contract":"eosio","action":"*"}]"#,
        #""rules":[{"contract":"eosio.token","action":"*","fields":{"/memo":{"pattern":"[a-z]+*?\\*"}}}]"#,
        #""rules":[{"contract":"eosio.token","action":"*","fields":{"/to":{"one_of":["a","b"],"prefix":"a"}}}]"#,
        #""rules":[{"contract":"eosio.token","action":"*","fields":{"/quantity":{"min":1,"max":"2.0000 EOS"}}}]"#,
        #""rules":[{"contract":"eosio.msig","action":"*","unknown_proposal":"allow","given_abi":"allow"}]"#,
        #""transaction":{"max_actions":1,"hours":["sat-mon 00:00-24:00"],"context_free_actions":"rules"}"#,
        #""rules":[{"contract":"eosio.token","action":"*","authorization":["a@*","*@b"]}],"limits":["#
            + #"{"amount":"1.0000 EOS@eosio.token","per":"24h","each_recipient":true},{"count":2,"per":"1h"}]"#,
        #""amounts":[{"contract":"eosio.token","action":"transfer","amount":"/quantity","token":"4,EOS@a"}]"#,
    ]

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        let policy: KeyPolicy
        do throws(PolicyError) { policy = try KeyPolicy(input) } catch {
            let lines = input.count { $0 == UInt8(ascii: "\n") } + 1
            try law((1...lines).contains(error.place.line), "a refusal is in a line of the text")
            try law(
                (1...input.count + 1).contains(error.place.column), "a refusal is in a column of the text")
            return
        }
        let again = try must("its canonical form is read") { try KeyPolicy(policy.canonical) }
        try law(again == policy, "its canonical form is the same policy")
        try law(again.canonical == policy.canonical, "the canonical form has one text")
        try law(policy.differences(to: again).isEmpty, "it has no difference from itself")
        try law(policy.places.rules.count == policy.rules.count, "each rule has a place")
        try law(policy.places.amounts.count == policy.amounts.count, "each amount has a place")
    }
}
