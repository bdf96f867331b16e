import ABICodec
import Codecs
import Policy
import TestSupport
import Testing
import Transactions

@testable import Signing

/// Proposals and wrapped transactions are decoded at every level, from the bytes that the contract
/// stores.
struct NestedTransactionTests {
    /// `alice` pays `bob` 1.0000 EOS, packed (the action data of ReviewTests.transfer).
    private static let transfer = "0000000000855c340000000000000e3d102700000000000004454f530000000000"

    private static func inner(_ account: String, _ name: String, _ data: String) -> String {
        """
        {"expiration":"2026-12-02T00:00:00","ref_block_num":0,"ref_block_prefix":0,"max_net_usage_words":0,\
        "max_cpu_usage_ms":0,"delay_sec":0,"context_free_actions":[],"actions":[{"account":"\(account)",\
        "name":"\(name)","authorization":[\(ReviewTests.alice)],"data":"\(data)"}],"transaction_extensions":[]}
        """
    }

    private static func propose(_ inner: String, contract: String = "eosio.msig") -> String {
        WarningTests.action(
            contract, "propose",
            #"{"proposer":"alice","proposal_name":"payroll","requested":[\#(ReviewTests.alice)],"trx":\#(inner)}"#
        )
    }

    private static func approve(hash: String?) -> String {
        let hash = hash.map { ",\"proposal_hash\":\"\($0)\"" } ?? ""
        return WarningTests.action(
            "eosio.msig", "approve",
            #"{"proposer":"alice","proposal_name":"payroll","level":\#(ReviewTests.alice)\#(hash)}"#)
    }

    /// The packed transaction inside, as the contract stores it.
    private static func stored() throws -> [UInt8] {
        let action = try WarningTests.review([propose(inner("eosio.token", "transfer", transfer))]).actions[0]
            .action
        return try #require(action.dataAfter(names: 2, permissionLevels: true))
    }

    @Test func proposalIsDecoded() throws {
        let review = try WarningTests.review([
            Self.propose(Self.inner("eosio.token", "transfer", Self.transfer))
        ])
        let nested = try #require(review.actions[0].nested)
        #expect(nested.role == .proposed)
        // 2026-12-02T00:00:00 is 1,796,169,600 seconds after 1970.
        #expect(try Self.stored().prefix(4) == [0x80, 0x5f, 0x0f, 0x6b])
        #expect(nested.hash == (try HashFunction.sha256.hash(Self.stored())))
        let payment = try #require(nested.actions.first?.payments.first)
        #expect(payment.recipient.text == "bob" && payment.quantity.text == "1.0000 EOS")
        #expect(nested.actions[0].reference.outer == [ActionPlace(isContextFree: false, index: 0)])
        let total = try #require(review.summary.totals.first)
        #expect(total.execution == .proposed && total.amount == 10_000 && review.summary.innerCount == 1)
        #expect(WarningTests.codes(review) == ["warning inner-transaction"])
    }

    @Test func wrappedTransactionIsDecoded() throws {
        let action = WarningTests.action(
            "eosio.wrap", "exec",
            #"{"executer":"alice","trx":\#(Self.inner("eosio", "setpriv", "0000000000855c3401"))}"#)
        let review = try WarningTests.review([action])
        #expect(review.actions[0].nested?.role == .wrapped)
        #expect(WarningTests.codes(review) == ["warning inner-transaction", "danger privileged"])
    }

    /// A contract whose ABI has other names of fields has the same interface: the bytes are equal.
    @Test(arguments: [
        (
            "approve", #"{"who":"alice","which":"payroll","with":{"a":"alice","p":"active"}}"#,
            "danger approval-without-hash"
        ),
        ("exec", #"{"who":"alice","which":"payroll","by":"alice"}"#, "danger unseen-execution"),
        ("cancel", #"{"who":"alice","which":"payroll","by":"alice"}"#, nil),
    ])
    func namesOfFieldsDoNotMatter(name: String, data: String, code: String?) throws {
        let types = ["who": "name", "which": "name", "with": "level", "by": "name"]
        let fields = ["who", "which", "with", "by"].filter { data.contains("\"\($0)\"") }
            .map { #"{"name":"\#($0)","type":"\#(types[$0] ?? "")"}"# }.joined(separator: ",")
        let abi = """
            {"version":"eosio::abi/1.1","structs":[{"name":"level","base":"","fields":[{"name":"a","type":"name"},\
            {"name":"p","type":"name"}]},{"name":"go","base":"","fields":[\(fields)]}],\
            "actions":[{"name":"\(name)","type":"go","ricardian_contract":""}]}
            """
        var abis = ContractABIs()
        _ = try abis.add(Array(abi.utf8), for: Name("amsig"), overriding: false)
        let text = "{\(ReviewTests.header),\"actions\":[\(WarningTests.action("amsig", name, data))]}"
        let transaction = try SignedTransaction(reading: Array(text.utf8), abis: abis)
        let codes = WarningTests.codes(try Review(of: transaction, chain: ChainID("eos"), abis: abis))
        #expect(codes == ["warning abi-unpinned"] + (code.map { [$0, "warning other-multisig"] } ?? []))
    }

    /// The header of a nested transaction gives the same warnings as that of the transaction, with
    /// the action that contains it.
    @Test(arguments: [
        (#""delay_sec":0"#, #""delay_sec":86400"#, "warning delay"),
        (
            #""transaction_extensions":[]"#, #""transaction_extensions":[{"type":0,"data":"00"}]"#,
            "warning extensions"
        ),
        (#""max_cpu_usage_ms":0"#, #""max_cpu_usage_ms":9"#, "note resource-limits"),
        ("2026-12-02T00:00:00", "2026-11-30T00:00:00", "warning expired"),
        ("2026-12-02T00:00:00", "2027-12-02T00:00:00", nil),
    ])
    func headersAreJudged(text: String, other: String, code: String?) throws {
        let inner = Self.inner("eosio.token", "transfer", Self.transfer).replacing(text, with: other)
        for action in [
            Self.propose(inner),
            WarningTests.action("eosio.wrap", "exec", #"{"executer":"alice","trx":\#(inner)}"#),
        ] {
            let review = try WarningTests.review([action])
            #expect(WarningTests.codes(review) == ["warning inner-transaction"] + (code.map { [$0] } ?? []))
            let warnings = review.warnings(now: ReviewTests.expiration - 1_800)
            #expect(warnings.allSatisfy { $0.action == review.actions[0].reference })
        }
    }

    @Test func emptyAndContextFreeTransactionsAreJudged() throws {
        let empty = Self.inner("eosio.token", "transfer", Self.transfer)
            .replacing(
                /"actions":\[.*\],"transaction_extensions"/, with: #""actions":[],"transaction_extensions""#)
        #expect(
            WarningTests.codes(try WarningTests.review([Self.propose(empty)])) == [
                "warning inner-transaction", "warning no-actions",
            ])
        let nonce = #"{"account":"eosio.null","name":"nonce","authorization":[],"data":"0161"}"#
        let contextFree = Self.inner("eosio.token", "transfer", Self.transfer)
            .replacing(#""context_free_actions":[]"#, with: #""context_free_actions":[\#(nonce)]"#)
        #expect(
            WarningTests.codes(try WarningTests.review([Self.propose(contextFree)])).contains(
                "warning context-free-actions"))
    }

    /// What runs with the transaction is never added to what a proposal pays if it is approved.
    @Test func executionsAreKeptApart() throws {
        func wrap(_ inner: String) -> String {
            WarningTests.action("eosio.wrap", "exec", #"{"executer":"alice","trx":\#(inner)}"#)
        }
        func packed(_ action: String) throws -> String {
            Hex.encode(try WarningTests.review([action]).actions[0].action.data)
        }
        let transfer = Self.inner("eosio.token", "transfer", Self.transfer)
        let proposal = Self.propose(transfer)
        func totals(_ actions: [String]) throws -> [Execution: Int128] {
            let totals = try WarningTests.review(actions).summary.totals
            return Dictionary(uniqueKeysWithValues: totals.map { ($0.execution, $0.amount) })
        }
        #expect(
            try totals([proposal, wrap(transfer), wrap(transfer), WarningTests.transfer("bob", "3.0000 EOS")])
                == [
                    .direct: 30_000, .executed: 20_000, .proposed: 10_000,
                ])
        // A call inside a proposal waits for the approvals; a proposal inside a call does too.
        #expect(
            try totals([Self.propose(Self.inner("eosio.wrap", "exec", packed(wrap(transfer))))]) == [
                .proposed: 10_000
            ])
        #expect(
            try totals([wrap(Self.inner("eosio.msig", "propose", packed(proposal)))]) == [.proposed: 10_000])
        // The transaction executes its own proposal; it does not execute another one.
        func execute(_ name: String) -> String {
            WarningTests.action(
                "eosio.msig", "exec", #"{"proposer":"alice","proposal_name":"\#(name)","executer":"alice"}"#)
        }
        #expect(try totals([proposal, execute("payroll")]) == [.executed: 10_000])
        #expect(try totals([proposal, execute("other")]) == [.proposed: 10_000])
        #expect(try totals([execute("payroll"), proposal]) == [.proposed: 10_000])
    }

    /// An inner action follows the same rule as an outer one.
    @Test func innerActionMustBeDecodable() throws {
        let action = Self.propose(Self.inner("dex", "trade", "00"))
        #expect(
            throws: SigningError.undecodable(
                path: "actions[0].inner.actions[0]", account: try Name("dex"), action: try Name("trade"),
                .noABI)
        ) {
            try WarningTests.review([action])
        }
        let blind = try #require(ActionPattern("dex::trade"))
        let review = try WarningTests.review([action], blind: [blind])
        #expect(WarningTests.codes(review) == ["warning inner-transaction", "danger blind"])
    }

    @Test func depthIsLimited() throws {
        func nested(_ levels: Int) throws -> Review {
            var data = Self.transfer
            var (account, name) = ("eosio.token", "transfer")
            for _ in 1..<levels {
                let review = try WarningTests.review([Self.propose(Self.inner(account, name, data))])
                data = Hex.encode(review.actions[0].action.data)
                (account, name) = ("eosio.msig", "propose")
            }
            return try WarningTests.review([Self.propose(Self.inner(account, name, data))])
        }
        #expect(try nested(NestedTransaction.depthLimit).summary.innerCount == NestedTransaction.depthLimit)
        #expect(throws: SigningError.nestedTooDeep(limit: 8)) { try nested(NestedTransaction.depthLimit + 1) }
    }

    // MARK: - approvals

    @Test func approvals() throws {
        let proposal = try SignedTransaction(packed: Self.stored())
        let none = try WarningTests.review([Self.approve(hash: nil)], proposals: [proposal])
        #expect(WarningTests.codes(none) == ["danger approval-without-hash"])
        #expect(none.actions[0].nested == nil)
        let unseen = try WarningTests.review([Self.approve(hash: proposal.id)])
        #expect(WarningTests.codes(unseen) == ["danger unseen-proposal"])
        let seen = try WarningTests.review([Self.approve(hash: proposal.id)], proposals: [proposal])
        #expect(WarningTests.codes(seen) == ["warning inner-transaction"])
        #expect(seen.actions[0].nested?.role == .approved)
        #expect(seen.actions[0].nested?.actions[0].payments.first?.recipient.text == "bob")
        let zeros = String(repeating: "0", count: 64)
        #expect(throws: SigningError.zeroProposalHash(path: "actions[0]")) {
            try WarningTests.review([Self.approve(hash: zeros)], proposals: [proposal])
        }
        #expect(throws: SigningError.zeroProposalHash(path: "actions[0]")) {
            try WarningTests.review([Self.approve(hash: zeros)])
        }
        let other = String(repeating: "1", count: 64)
        #expect(throws: SigningError.otherProposal(path: "actions[0]", stated: other, given: proposal.id)) {
            try WarningTests.review([Self.approve(hash: other)], proposals: [proposal])
        }
    }

    @Test func executionOfAProposalIsUnseen() throws {
        let action = WarningTests.action(
            "eosio.msig", "exec", #"{"proposer":"alice","proposal_name":"payroll","executer":"alice"}"#)
        #expect(try WarningTests.codes(WarningTests.review([action])) == ["danger unseen-execution"])
    }

    // MARK: - setabi

    @Test func setabiShowsTheDifference() throws {
        let file = try ABIDefinition.read(repositoryFile("Vectors/abis/eosio.token-3cb2e0c0.json"))
        let abi = try file.rawForm()
        let data = #"{"account":"eosio.token","abi":"\#(Hex.encode(abi))"}"#
        let new = try #require(
            try WarningTests.review([WarningTests.action("eosio", "setabi", data)]).actions[0].newABI)
        #expect(new.hash.text.hasPrefix("3cb2e0c0"))
        #expect(new.actions.all.map(\.text) == ["close", "create", "issue", "open", "retire", "transfer"])
        #expect(new.tables.all.map(\.text) == ["accounts", "stat"])
        let change = try #require(new.actions.change)
        #expect(change.added.isEmpty && change.removed.isEmpty && change.changed.isEmpty)
        #expect(new.tables.change == nil)
    }
}
