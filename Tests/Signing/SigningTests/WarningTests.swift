import ABICodec
import Codecs
import JSON
import Keys
import Policy
import SecureMemory
import TestSupport
import Testing
import Transactions

@testable import Signing

/// Which warnings each kind of action gives. The rules are those of nodeos and of the system
/// contracts; the data is packed by the ABIs that chains publish.
struct WarningTests {
    /// Two public keys; the tests have no private key for them.
    static let own = "EOS6gsQXzM6CLbhbDKLEteS6PZb6W2UaHDLvtQN56gxEGYsBZ6rcC"
    static let foreign = "EOS5o7Y8p2PZhF5ycRbyoTdWz4SMCDgGi4YwPHoc7iCKk5bJDNXSS"

    static func keys() throws -> OwnKeys { OwnKeys([KeyDescription(try PublicKey(own), label: "cold")]) }

    static func action(
        _ account: String, _ name: String, _ data: String, by levels: [String] = ["alice@active"]
    )
        -> String
    {
        let authorization = levels.map { level in
            let parts = level.split(separator: "@")
            return "{\"actor\":\"\(parts[0])\",\"permission\":\"\(parts[1])\"}"
        }
        return """
            {"account":"\(account)","name":"\(name)",\
            "authorization":[\(authorization.joined(separator: ","))],"data":\(data)}
            """
    }

    static func review(
        _ actions: [String], chain: String? = "eos", blind: Set<ActionPattern> = [],
        proposals: [SignedTransaction] = [], header: String = ReviewTests.header
    ) throws -> Review {
        let text = "{\(header),\"actions\":[\(actions.joined(separator: ","))]}"
        let transaction = try SignedTransaction(reading: Array(text.utf8), abis: ContractABIs())
        return try Review(
            of: transaction, chain: chain.map { try ChainID($0) }, abis: ContractABIs(), blind: blind,
            proposals: proposals.map { GivenProposal($0) })
    }

    static func codes(_ review: Review, own: OwnKeys? = nil) -> [String] {
        review.warnings(now: ReviewTests.expiration - 1_800, own: own).map {
            "\($0.severity.rawValue) \($0.code.rawValue)"
        }
    }

    static func authority(_ keys: [String], threshold: Int = 1, accounts: [String] = []) -> String {
        let keys = keys.map { "{\"key\":\"\($0)\",\"weight\":1}" }
        let accounts = accounts.map { level in
            let parts = level.split(separator: "@")
            return "{\"permission\":{\"actor\":\"\(parts[0])\",\"permission\":\"\(parts[1])\"},\"weight\":1}"
        }
        return """
            {"threshold":\(threshold),"keys":[\(keys.joined(separator: ","))],\
            "accounts":[\(accounts.joined(separator: ","))],"waits":[]}
            """
    }

    static func update(_ permission: String, _ authority: String, contract: String = "eosio") -> String {
        let parent = permission == "owner" ? "" : permission == "active" ? "owner" : "active"
        return action(
            contract, "updateauth",
            #"{"account":"alice","permission":"\#(permission)","parent":"\#(parent)","auth":\#(authority)}"#,
            by: [permission == "owner" ? "alice@owner" : "alice@active"])
    }

    static func transfer(_ to: String, _ quantity: String, contract: String = "eosio.token") -> String {
        action(contract, "transfer", #"{"from":"alice","to":"\#(to)","quantity":"\#(quantity)","memo":""}"#)
    }

    // MARK: - authorizations

    @Test(arguments: [
        ([String](), ["warning no-authorization"]),
        (["alice@active", "alice@active"], ["warning duplicate-authorization"]),
        (
            ["alice@active", "alice@active", "bob@owner", "bob@owner"],
            ["warning duplicate-authorization", "warning owner-used"]
        ),
        (["alice@owner"], ["warning owner-used"]),
        (["alice@eosio.code"], ["warning code-authorization"]),
        (["eosio@active", "alice@active"], ["warning system-authorization"]),
        (["bob@active"], ["warning payer-absent"]),
        (
            Array("abcdefghijklmnopq").map { "alice\($0)@active" },
            ["warning many-authorizations", "warning payer-absent"]
        ),
    ])
    func authorizations(levels: [String], expected: [String]) throws {
        let data = #"{"from":"alice","to":"bob","quantity":"1.0000 EOS","memo":""}"#
        let review = try Self.review([Self.action("eosio.token", "transfer", data, by: levels)])
        #expect(Self.codes(review) == expected)
    }

    // MARK: - permissions

    @Test(arguments: ["eosio", "core.vaulta"])
    func permissions(contract: String) throws {
        let own = try Self.keys()
        func codes(_ permission: String, _ authority: String) throws -> [String] {
            try Self.codes(Self.review([Self.update(permission, authority, contract: contract)]), own: own)
                .sorted()
        }
        #expect(try codes("owner", Self.authority([Self.own])) == ["danger owner-change"])
        #expect(
            try codes("owner", Self.authority([Self.foreign])) == [
                "danger lockout", "danger owner-change", "warning foreign-key",
            ])
        #expect(try codes("active", Self.authority([Self.own])) == ["danger active-change"])
        #expect(
            try codes("active", Self.authority([Self.foreign, Self.own])) == [
                "danger active-change", "warning foreign-key",
            ])
        #expect(try codes("pay", Self.authority([Self.own])) == ["warning permission-change"])
        #expect(
            try codes("active", Self.authority([Self.own], threshold: 2)) == [
                "danger active-change", "danger lockout", "danger unreachable-threshold",
            ])
        #expect(
            try codes("active", Self.authority([Self.own], accounts: ["alice@eosio.code"])) == [
                "danger active-change", "warning code-permission",
            ])
        #expect(
            try codes("active", Self.authority([Self.own], accounts: ["bob@active"])) == [
                "danger active-change", "warning foreign-account",
            ])
    }

    /// Without a vault, no key can be compared.
    @Test func withoutAVault() throws {
        let review = try Self.review([Self.update("active", Self.authority([Self.foreign]))])
        #expect(Self.codes(review) == ["danger active-change", "warning foreign-key"])
        let level = PermissionLevel(actor: try Name("alice"), permission: try Name("active"))
        let warnings = review.warnings(now: 0).filter { $0.code == .foreignKey }
        #expect(warnings == [.keysNotCompared(review.actions[0].reference, level)])
    }

    /// A key with the same first and last characters as a key of the vault.
    @Test func lookAlikes() throws {
        let keys = OwnKeys([KeyDescription(try PublicKey(Self.own), label: nil)])
        let middle = String(Self.own.dropFirst(7).dropLast(3).reversed())
        let imitation = Self.own.prefix(7) + middle + Self.own.suffix(3)
        #expect(keys.imitated(by: String(imitation))?.publicKey.text == Self.own)
        #expect(keys.imitated(by: Self.own) == nil)
        #expect(keys.imitated(by: Self.foreign) == nil)
        #expect(keys.imitated(by: String(Self.own.prefix(6)) + "x" + Self.own.dropFirst(7)) == nil)
    }

    @Test func newAccounts() throws {
        func account(_ key: String) -> String {
            let authority = Self.authority([key])
            return Self.action(
                "eosio", "newaccount",
                #"{"creator":"alice","name":"bob","owner":\#(authority),"active":\#(authority)}"#
            )
        }
        let own = try Self.keys()
        #expect(try Self.codes(Self.review([account(Self.own)]), own: own) == [])
        #expect(
            try Self.codes(Self.review([account(Self.foreign)]), own: own) == [
                "warning foreign-key", "warning foreign-key",
            ])
        let short = Self.action(
            "core.vaulta", "newaccount2", #"{"creator":"alice","name":"bob","key":"\#(Self.foreign)"}"#)
        #expect(
            try Self.codes(Self.review([short]), own: own) == ["warning foreign-key", "warning foreign-key"])
    }

    @Test(arguments: [
        (
            "linkauth", #"{"account":"alice","code":"dex","type":"trade","requirement":"trade"}"#,
            ["warning link"]
        ),
        (
            "linkauth", #"{"account":"alice","code":"dex","type":"","requirement":"trade"}"#,
            ["danger wide-link"]
        ),
        (
            "linkauth", #"{"account":"alice","code":"dex","type":"trade","requirement":"eosio.any"}"#,
            ["danger wide-link"]
        ),
        ("unlinkauth", #"{"account":"alice","code":"dex","type":"trade"}"#, ["warning unlink"]),
        ("deleteauth", #"{"account":"alice","permission":"trade"}"#, ["warning permission-delete"]),
        (
            "setcode", #"{"account":"alice","vmtype":0,"vmversion":0,"code":"0061736d01000000"}"#,
            ["danger code-change"]
        ),
        ("setcode", #"{"account":"alice","vmtype":0,"vmversion":0,"code":""}"#, ["danger code-change"]),
        ("setabi", #"{"account":"alice","abi":""}"#, ["warning abi-change"]),
        ("setpriv", #"{"account":"alice","is_priv":1}"#, ["danger privileged"]),
        ("setram", #"{"max_ram_size":1}"#, ["danger privileged"]),
        (
            "limitauthchg", #"{"account":"alice","allow_perms":["owner"],"disallow_perms":[]}"#,
            ["warning permission-limits"]
        ),
        ("giftram", #"{"from":"alice","to":"bob","bytes":1,"memo":""}"#, ["warning ram-moved"]),
        ("sellram", #"{"account":"alice","bytes":1}"#, ["warning ram-moved"]),
        ("buyram", #"{"payer":"alice","receiver":"alice","quant":"1.0000 EOS"}"#, []),
        (
            "delegatebw",
            #"{"from":"alice","receiver":"bob","stake_net_quantity":"1.0000 EOS","#
                + #""stake_cpu_quantity":"0.0000 EOS","transfer":true}"#,
            ["warning stake-given"]
        ),
        (
            "delegatebw",
            #"{"from":"alice","receiver":"bob","stake_net_quantity":"1.0000 EOS","#
                + #""stake_cpu_quantity":"0.0000 EOS","transfer":false}"#,
            []
        ),
        ("voteproducer", #"{"voter":"alice","proxy":"","producers":["bob"]}"#, []),
    ])
    func systemActions(name: String, data: String, expected: [String]) throws {
        #expect(try Self.codes(Self.review([Self.action("eosio", name, data)])) == expected)
    }

    // MARK: - signatures

    @Test func signatures() throws {
        let chain = try ChainID("eos")
        let key = try PrivateKey.published()
        let own = OwnKeys([KeyDescription(key.publicKey, label: nil)])
        var transaction = try ReviewTests.transaction(ReviewTests.transfer)
        transaction.append(try key.sign(transaction.digest(for: chain)).signature)
        func codes(_ chain: String, _ own: OwnKeys?) throws -> [String] {
            try Self.codes(Review(of: transaction, chain: ChainID(chain), abis: ContractABIs()), own: own)
        }
        #expect(try codes("eos", own) == [])
        #expect(try codes("eos", nil) == [])
        #expect(try codes("eos", Self.keys()) == ["warning foreign-signer"])
        // The same signature, for another chain.
        #expect(try codes("jungle4", own) == ["warning other-chain-signature"])
    }

    @Test func tooManySignatures() throws {
        let key = try PrivateKey.published()
        var transaction = try ReviewTests.transaction(ReviewTests.transfer)
        let signature = try key.sign(transaction.digest(for: ChainID("eos"))).signature
        for _ in 0...Review.maximumSignatureCount { transaction.append(signature) }
        #expect(throws: SigningError.tooManySignatures(limit: Review.maximumSignatureCount)) {
            try Review(of: transaction, chain: nil, abis: ContractABIs())
        }
    }

    // MARK: - the header

    @Test func header() throws {
        func codes(_ more: String, at offset: Int64 = -1_800) throws -> [String] {
            let review = try Review(
                of: ReviewTests.transaction(ReviewTests.transfer, more), chain: ChainID("eos"),
                abis: ContractABIs())
            return review.warnings(now: ReviewTests.expiration + offset).map(\.code.rawValue)
        }
        #expect(try codes(",\"max_cpu_usage_ms\":5") == ["resource-limits"])
        #expect(try codes("", at: -600) == [])
        #expect(try codes("", at: -599) == ["short-window"])
        #expect(try codes("", at: -1) == ["short-window"])
        #expect(try codes("", at: 0) == ["expired"])
        #expect(try codes("", at: -3600 - 32_768) == ["too-early"])
        #expect(try codes("", at: -3600 - 32_769) == ["beyond-tapos"])
        let nonce = ReviewTests.action("eosio.null", "nonce", "40420f0000000000", by: "")
        #expect(try codes(",\"context_free_actions\":[\(nonce)]") == ["nonce"])
        #expect(try codes(",\"context_free_actions\":[\(nonce),\(nonce)]") == ["context-free-actions"])
    }

    /// A message states hashes of ABIs. Recorded ones are those of the built-in ABI.
    @Test func sendersABI() throws {
        let token = try Name("eosio.token")
        let raw = try PinTests.raw()
        func differences(
            _ stated: ABIHash, for account: Name = token, pinned: [UInt8]? = nil
        ) throws -> [ContractABIs.Difference] {
            let action = Self.action(
                "eosio.token", "transfer", #"{"from":"alice","to":"bob","quantity":"1.0000 EOS","memo":""}"#)
            let abis = ContractABIs(pins: pinned.map { [PinnedContractABI(account: token, raw: $0)] } ?? [])
            var transaction = try SignedTransaction(
                reading: Array("{\(ReviewTests.header),\"actions\":[\(action)]}".utf8), abis: abis)
            transaction.state([account: stated])
            let review = try Review(of: transaction, chain: ChainID("eos"), abis: abis)
            let differences = review.senderDifferences
            #expect(Self.codes(review).contains("warning sender-abi") == !differences.isEmpty)
            return differences
        }
        let other = ABIHash(raw: [1])
        #expect(try differences(other).map(\.source) == [.builtIn])
        let pin = ContractABIs.Source.pinned(ABIHash(raw: raw))
        let pinned = try differences(other, pinned: raw)
        #expect(
            pinned.map(\.source) == [pin] && pinned.map(\.stated) == [other]
                && pinned.map(\.account) == [token])
        #expect(try differences(ABIHash(raw: raw), pinned: raw).isEmpty)
        let recorded = try #require(RecordedABI.all.first { $0.account == "eosio.token" })
        let hash = try #require(ABIHash(sha256: Hex.decode(recorded.sha256)))
        #expect(try differences(hash).isEmpty)
        #expect(try differences(hash, pinned: raw).count == 1)
        // Not used by the transaction.
        #expect(try differences(other, for: Name("eosio")).isEmpty)
    }

    /// A key of weight 0 never counts towards the threshold.
    @Test(arguments: [(0, true), (1, false)])
    func lockoutCountsWeights(weight: Int, isLockout: Bool) throws {
        let keys = #"{"key":"\#(Self.foreign)","weight":1},{"key":"\#(Self.own)","weight":\#(weight)}"#
        let authority = #"{"threshold":1,"keys":[\#(keys)],"accounts":[],"waits":[]}"#
        let codes = Self.codes(try Self.review([Self.update("active", authority)]), own: try Self.keys())
        #expect(codes.contains("danger lockout") == isLockout)
        #expect(codes.contains("warning foreign-key"))
    }

    /// Accounts that get a permission or RAM are compared too.
    @Test func lookAlikesOfAuthorizedAccounts() throws {
        let transfer = Self.transfer("bob", "1.0000 EOS")
        func codes(_ action: String) throws -> [String] { Self.codes(try Self.review([transfer, action])) }
        let update = Self.update("active", Self.authority([Self.own], accounts: ["a1ice@active"]))
        #expect(try codes(update).contains("warning look-alike-account"))
        let ram = #"{"payer":"alice","receiver":"a1ice","bytes":1024}"#
        #expect(try codes(Self.action("eosio", "buyrambytes", ram)) == ["warning look-alike-account"])
        #expect(try codes(Self.action("eosio", "buyrambytes", ram.replacing("a1ice", with: "carol"))) == [])
    }
}

extension PrivateKey {
    /// A key that EOSIO's documentation publishes.
    fileprivate static func published() throws -> PrivateKey {
        try PrivateKey.parse(
            SecureBytes(copyingPublic: "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3".utf8))
    }
}
