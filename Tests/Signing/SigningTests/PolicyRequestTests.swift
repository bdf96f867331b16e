import ABICodec
import Codecs
import Keys
import Policy
import Testing
import Transactions

@testable import Signing

/// What a policy judges is what the review shows.
struct PolicyRequestTests {
    private static let policy = """
        {"version": 1, "chains": ["eos"], "rules": [
          {"contract": "eosio.token", "action": "transfer", "fields": {"/to": {"equals": "bob"}}},
          {"contract": "eosio.wrap", "action": "exec"}, {"contract": "eosio.msig", "action": "*"}]}
        """

    private static func transaction(
        _ actions: [(String, String, String)], abis: ContractABIs = ContractABIs()
    ) throws -> SignedTransaction {
        let list = actions.map { account, name, data in
            #"{"account":"\#(account)","name":"\#(name)","authorization":[{"actor":"alice","permission":"active"}],"#
                + #""data":\#(data)}"#
        }
        let text = """
            {"expiration":"2026-12-01T00:00:00","ref_block_num":1,"ref_block_prefix":1,\
            "actions":[\(list.joined(separator: ","))]}
            """
        return try SignedTransaction(reading: Array(text.utf8), abis: abis)
    }

    private static func transfer(to: String) -> (String, String, String) {
        ("eosio.token", "transfer", #"{"from":"alice","to":"\#(to)","quantity":"1.0000 EOS","memo":""}"#)
    }

    /// `exec` of eosio.wrap with a transaction.
    private static func wrap(_ transaction: SignedTransaction) -> (String, String, String) {
        ("eosio.wrap", "exec", #""0000000000855c34\#(Hex.encode(transaction.packed))""#)
    }

    private static func review(
        _ transaction: SignedTransaction, proposals: [SignedTransaction] = [],
        abis: ContractABIs = ContractABIs()
    ) throws -> Review {
        try Review(
            of: transaction, chain: ChainID("eos"), abis: abis,
            blind: [#require(ActionPattern("dex::trade"))],
            proposals: proposals.map { GivenProposal($0) })
    }

    /// The path of the action that the policy denies, with the member; nil if it allows all.
    private static func denial(
        _ transaction: SignedTransaction, proposals: [SignedTransaction] = [],
        abis: ContractABIs = ContractABIs()
    ) throws -> String? {
        let request = try #require(try review(transaction, proposals: proposals, abis: abis).policyRequest)
        switch try KeyPolicy(Array(policy.utf8)).evaluate(
            request, uses: LimitUses(), clock: 1_700_000_000, last: nil, restored: nil)
        {
        case .allowed: return nil
        case .denied(let denial): return "\(denial.action?.path ?? "") \(denial.member)"
        }
    }

    private static func approve(_ hash: String?) -> (String, String, String) {
        let hash = hash.map { #","proposal_hash":"\#($0)""# } ?? ""
        return (
            "eosio.msig", "approve",
            #"{"proposer":"alice","proposal_name":"a","level":{"actor":"alice","permission":"active"}\#(hash)}"#
        )
    }

    @Test func actionsAtEveryLevel() throws {
        let (good, bad) = (Self.transfer(to: "bob"), Self.transfer(to: "carol"))
        #expect(try Self.denial(Self.transaction([good])) == nil)
        #expect(try Self.denial(Self.transaction([good, bad])) == "actions[1] /rules/0/fields/~1to/equals")
        let inner = try Self.transaction([Self.wrap(Self.transaction([good, bad]))])
        #expect(
            try Self.denial(Self.transaction([good, Self.wrap(inner)]))
                == "actions[1].inner.actions[0].inner.actions[1] /rules/0/fields/~1to/equals")
        #expect(try Self.denial(Self.transaction([("dex", "trade", #""00""#)])) == "actions[0] /rules")
    }

    @Test func approvals() throws {
        let proposal = try Self.transaction([Self.transfer(to: "carol")])
        let known = try Self.transaction([Self.approve(proposal.id)])
        #expect(try Self.denial(known) == "actions[0] /rules/2/unknown_proposal")
        #expect(
            try Self.denial(known, proposals: [proposal])
                == "actions[0].inner.actions[0] /rules/0/fields/~1to/equals")
        #expect(
            try Self.denial(Self.transaction([Self.approve(nil)])) == "actions[0] /rules/2/unknown_proposal")
    }

    @Test func aGivenABIIsNotTrusted() throws {
        var abis = ContractABIs()
        let abi =
            #"{"version":"eosio::abi/1.1","structs":[{"name":"exec","base":"","#
            + #""fields":[{"name":"x","type":"uint8"}]}],"#
            + #""actions":[{"name":"exec","type":"exec","ricardian_contract":""}]}"#
        _ = try abis.add(Array(abi.utf8), for: Name("eosio.msig"), overriding: true)
        #expect(
            try Self.denial(Self.transaction([("eosio.msig", "exec", #""05""#)]), abis: abis)
                == "actions[0] /rules/2/given_abi")
    }

    /// A contract like eosio.msig with other names and types of fields.
    @Test(arguments: [
        ("approve", #"{"id":"a","who":{"actor":"alice","permission":"active"}}"#, "unknown"),
        ("approve", #"{"id":"a"}"#, ""),
        ("unapprove", #"{"id":"a","who":{"actor":"a","permission":"b"}}"#, ""),
        (
            "propose", #"{"id":"a","levels":[{"actor":"alice","permission":"active"}],"packed":"00"}"#,
            "hidden"
        ),
        ("propose", #"{"id":"a","requested":[],"packed":"00"}"#, "hidden"),
        ("propose", #"{"id":"a","levels":[],"packed":"00"}"#, ""),
        ("propose", #"{"id":"a","packed":"00"}"#, ""),
    ])
    func otherMultisigContracts(action: String, data: String, kind: String) throws {
        let types = [
            "id": "name", "who": "level", "levels": "level[]", "requested": "level[]", "packed": "bytes",
        ]
        let fields = ["id", "who", "levels", "requested", "packed"].filter { data.contains("\"\($0)\"") }
            .map { #"{"name":"\#($0)","type":"\#(types[$0] ?? "")"}"# }.joined(separator: ",")
        let abi =
            #"{"version":"eosio::abi/1.1","structs":[{"name":"level","base":"","fields":["#
            + #"{"name":"actor","type":"name"},{"name":"permission","type":"name"}]},"#
            + #"{"name":"\#(action)","base":"","fields":[\#(fields)]}],"#
            + #""actions":[{"name":"\#(action)","type":"\#(action)","ricardian_contract":""}]}"#
        var abis = ContractABIs()
        _ = try abis.add(Array(abi.utf8), for: Name("other.msig"), overriding: true)
        let transaction = try Self.transaction([("other.msig", action, data)], abis: abis)
        let request = try #require(try Self.review(transaction, abis: abis).policyRequest)
        let requested = try #require(request.actions.first)
        #expect((requested.value == nil) == (kind == "hidden"))
        if case .unknownProposal = requested.inner {
            #expect(!kind.isEmpty)
        } else {
            #expect(kind.isEmpty)
        }
    }

    @Test func withoutAChainNothingIsJudged() throws {
        let review = try Review(
            of: Self.transaction([Self.transfer(to: "bob")]), chain: nil, abis: ContractABIs())
        #expect(review.policyRequest == nil)
    }

    @Test func theRequestHasTheFactsOfTheTransaction() throws {
        let transaction = try Self.transaction([Self.transfer(to: "bob")])
        let request = try #require(try Self.review(transaction).policyRequest)
        #expect(try request.transaction == transaction.digest(for: ChainID("eos")).bytes)
        #expect(request.expiration.text == "2026-12-01T00:00:00")
        #expect(try request.chain == ChainID("eos"))
        #expect(request.signers.isEmpty && !request.isIdentity)
    }
}
