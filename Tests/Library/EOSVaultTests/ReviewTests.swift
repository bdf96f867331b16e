import EOSVault
import Glibc
import TestSupport
import Testing

/// A library call reviews what `eosvault sign` reviews.
@Suite struct EOSVaultReviewTests {
    private let folder: TemporaryFolder
    private let vault: Vault

    init() throws {
        folder = try TemporaryFolder()
        let path = folder.path + "/vault.db"
        try Vault.create(at: path, unlockedBy: .pin(Secret(text: "a PIN for tests")))
        vault = try Vault(path: path, stateFolder: nil)
        try vault.unlock(.pin(Secret(text: "a PIN for tests"))).createKey()
    }

    private static let alice = PermissionLevel("alice", "active")

    private static func action(_ account: String, _ name: String, _ json: String) throws -> Action {
        let (account, name) = (try Name(account), try Name(name))
        return Action(
            account: account, name: name, authorization: [try #require(alice)],
            data: try ContractABIs().pack(Array(json.utf8), account: account, action: name))
    }

    private static func transaction(_ actions: [Action]) throws -> Transaction {
        let block = try BlockReference(id: "0000000a" + String(repeating: "ab", count: 28))
        return try Transaction(actions: actions, expiration: UInt32(time(nil)) + 60, block: block)
    }

    @Test func paymentsHaveAllThatDecides() throws {
        let transfer = try Self.action(
            "eosio.token", "transfer",
            #"{"from":"alice","to":"bob","quantity":"5.0000 EOS","memo":"a memo"}"#)
        let hex = transfer.data.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
        let proposal = try Self.action(
            "eosio.msig", "propose",
            """
            {"proposer":"alice","proposal_name":"pay","requested":[{"actor":"bob","permission":"active"}],
            "trx":{"expiration":"2030-01-01T00:00:00","ref_block_num":0,"ref_block_prefix":0,
            "max_net_usage_words":0,"max_cpu_usage_ms":0,"delay_sec":0,"context_free_actions":[],
            "actions":[{"account":"eosio.token","name":"transfer",
            "authorization":[{"actor":"alice","permission":"active"}],"data":"\(hex)"}],
            "transaction_extensions":[]}}
            """)
        let stake = try Self.action(
            "eosio", "delegatebw",
            """
            {"from":"alice","receiver":"carol","stake_net_quantity":"0.0000 EOS",
            "stake_cpu_quantity":"2.0000 EOS","transfer":1}
            """)
        let review = try vault.review(Self.transaction([proposal, stake]), for: ChainID("eos"))
        #expect(
            review.payments.map { "\($0.kind.rawValue) \($0.quantity) \($0.memo)" } == [
                "transfer 5.0000 EOS a memo", "stake 2.0000 EOS ",
            ])
        #expect(review.payments.map(\.execution) == [.proposed, .direct])
        #expect(review.payments.map(\.recipient.description) == ["bob", "carol"])
        #expect(
            review.actions.map(\.place) == ["actions[0]", "actions[0].inner.actions[0]", "actions[1]"])
        #expect(review.actions.map(\.execution) == [.direct, .proposed, .direct])
        #expect(review.actions.map(\.abi) == [.builtIn, .builtIn, .builtIn])
        #expect(review.actions.map { $0.inner?.actions.count } == [1, nil, nil])
        // Each warning about an action has the place of one.
        let places = Set(review.warnings.compactMap(\.place))
        #expect(!places.isEmpty && places.isSubset(of: review.actions.map(\.place)))
        #expect(review.chainName == nil && review.clockStep == nil)
    }

    @Test func everyKindOfPaymentHasAName() throws {
        let account = #""payer":"alice","receiver":"bob","#
        let bought = try Self.action("eosio", "buyram", "{\(account)\"quant\":\"1.0000 EOS\"}")
        let issued = try Self.action(
            "eosio.token", "issue", #"{"to":"alice","quantity":"1.0000 EOS","memo":""}"#)
        let retired = try Self.action(
            "eosio.token", "retire", #"{"quantity":"1.0000 EOS","memo":""}"#)
        let sold = try Self.action("eosio", "sellrex", #"{"from":"alice","rex":"1.0000 REX"}"#)
        let freed = try Self.action(
            "eosio", "undelegatebw",
            """
            {"from":"alice","receiver":"bob","unstake_net_quantity":"1.0000 EOS",
            "unstake_cpu_quantity":"0.0000 EOS"}
            """)
        let bid = try Self.action(
            "eosio", "bidname", #"{"bidder":"alice","newname":"carol","bid":"1.0000 EOS"}"#)
        let review = try vault.review(
            Self.transaction([bought, issued, retired, sold, freed, bid]), for: ChainID("eos"))
        #expect(review.payments.map(\.kind) == [.buyRAM, .issue, .retire, .sell, .unstake, .spend])
        #expect(review.payments.map { $0.beneficiary?.description } == [nil, nil, nil, nil, nil, "carol"])
    }
}

extension PermissionLevel {
    fileprivate init?(_ actor: String, _ permission: String) {
        guard let actor = try? Name(actor), let permission = try? Name(permission) else { return nil }
        self.init(actor: actor, permission: permission)
    }
}
