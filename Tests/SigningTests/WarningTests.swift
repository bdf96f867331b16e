import ABICodec
import Codecs
import Curves
import JSON
import KeyText
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

    static func action(_ account: String, _ name: String, _ data: String, by levels: [String] = ["alice@active"])
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
        _ actions: [String], chain: String? = "eos", blind: Set<ActionPattern> = [], proposals: [SignedTransaction] = []
    ) throws -> Review {
        let text = "{\(ReviewTests.header),\"actions\":[\(actions.joined(separator: ","))]}"
        let transaction = try SignedTransaction(reading: Array(text.utf8), abis: ContractABIs())
        return try Review(
            of: transaction, chain: chain.map { try ChainID($0) }, abis: ContractABIs(), blind: blind,
            proposals: proposals)
    }

    static func codes(_ review: Review, own: OwnKeys? = nil) -> [String] {
        review.warnings(now: ReviewTests.expiration - 60, own: own).map {
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

    // MARK: - tokens

    @Test(arguments: [
        // An honest payment has none.
        ("bob", "1.0000 EOS", "eosio.token", "eos", [String]()),
        ("bob", "1.0000 A", "core.vaulta", "eos", []),
        ("bob", "1.00000000 WAX", "eosio.token", "wax", []),
        // A token that the chain is not known for is not compared.
        ("bob", "1.00 GOLD", "eosio.token", "eos", []),
        ("bob", "1.000 EOS", "eosio.token", "eos", ["warning other-token"]),
        ("bob", "1.0000 A", "eosio.token", "eos", ["warning other-token"]),
        ("bob", "1.0000 WAX", "eosio.token", "wax", ["warning other-token"]),
        ("bob", "0.0000 EOS", "eosio.token", "eos", ["warning invalid-amount"]),
        ("bob", "-1.0000 EOS", "eosio.token", "eos", ["warning invalid-amount"]),
        ("eosio", "1.0000 EOS", "eosio.token", "eos", ["warning system-recipient"]),
        ("eosio.token", "1.0000 EOS", "eosio.token", "eos", ["warning system-recipient"]),
        ("core.vaulta", "1.0000 EOS", "eosio.token", "eos", ["note exchange"]),
        // core.vaulta exchanges only EOS and A, and only where it is the chain's contract.
        ("core.vaulta", "1.00 GOLD", "eosio.token", "eos", ["warning system-recipient"]),
        ("core.vaulta", "1.00000000 WAX", "eosio.token", "wax", ["warning system-recipient"]),
        ("bitfinexdepl", "1.0000 EOS", "eosio.token", "eos", ["warning look-alike-account"]),
        ("bitfinexdep1", "1.0000 EOS", "eosio.token", "eos", []),
        ("a1ice", "1.0000 EOS", "eosio.token", "eos", ["warning look-alike-account"]),
        ("", "1.0000 EOS", "eosio.token", "eos", ["warning empty-recipient"]),
    ])
    func transfers(to: String, quantity: String, contract: String, chain: String, expected: [String]) throws {
        let review = try Self.review([Self.transfer(to, quantity, contract: contract)], chain: chain)
        #expect(Self.codes(review) == expected)
    }

    /// What actions of the system contracts spend is part of the summary.
    @Test(arguments: [
        (
            "eosio", "donatetorex", #"{"payer":"alice","quantity":"5.0000 EOS","memo":""}"#, "spend", "eosio.token",
            "eosio"
        ),
        ("eosio", "bidname", #"{"bidder":"alice","newname":"x","bid":"5.0000 EOS"}"#, "spend", "eosio.token", "eosio"),
        ("eosio", "buyramself", #"{"account":"alice","quant":"5.0000 EOS"}"#, "spend", "eosio.token", "eosio"),
        ("core.vaulta", "buyramself", #"{"payer":"alice","quant":"5.0000 A"}"#, "spend", "core.vaulta", "core.vaulta"),
        (
            "core.vaulta", "swapto", #"{"from":"alice","to":"bob","quantity":"5.0000 EOS","memo":""}"#, "exchange",
            "eosio.token", "bob"
        ),
        (
            "core.vaulta", "swapto", #"{"from":"alice","to":"bob","quantity":"5.0000 A","memo":""}"#, "exchange",
            "core.vaulta", "bob"
        ),
    ])
    func spending(contract: String, name: String, data: String, kind: String, token: String, recipient: String) throws {
        let total = try #require(try Self.review([Self.action(contract, name, data)]).summary.totals.first)
        #expect(total.kind.rawValue == kind && total.amount == 50_000 && total.payer.text == "alice")
        #expect(total.contract.text == token && total.recipient.text == recipient)
        #expect(try Self.codes(Self.review([Self.action(contract, name, data)])) == [])
    }

    /// One payment of several is more than the others together.
    @Test func outliers() throws {
        let small = (1...9).map { Self.transfer("bob\($0 % 5 + 1)", "1.0000 EOS") }
        #expect(try Self.codes(Self.review(small)) == [])
        #expect(try Self.codes(Self.review(small + [Self.transfer("mallory", "9.0000 EOS")])) == [])
        let review = try Self.review(small + [Self.transfer("mallory", "9.0001 EOS")])
        #expect(Self.codes(review) == ["warning outlier"])
        #expect(review.warnings(now: 0).last?.action?.place.index == 9)
        // Of two payments, one is always greater.
        #expect(try Self.codes(Self.review([small[0], Self.transfer("mallory", "9.0000 EOS")])) == [])
    }

    // MARK: - authorizations

    @Test(arguments: [
        ([String](), ["warning no-authorization"]),
        (["alice@active", "alice@active"], ["warning duplicate-authorization"]),
        (["alice@owner"], ["warning owner-used"]),
        (["alice@eosio.code"], ["warning code-authorization"]),
        (["eosio@active"], ["warning system-authorization"]),
        (
            Array("abcdefghijklmnopq").map { "alice\($0)@active" },
            ["warning many-authorizations"]
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
            try Self.codes(Self.review([Self.update(permission, authority, contract: contract)]), own: own).sorted()
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
                "danger active-change", "danger unreachable-threshold",
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

    /// Someone else in a permission other than owner and active needs only a link to take the
    /// tokens.
    @Test(arguments: ["eosio", "core.vaulta"])
    func otherPermissions(contract: String) throws {
        let own = try Self.keys()
        func codes(_ authority: String, _ own: OwnKeys?) throws -> [String] {
            try Self.codes(Self.review([Self.update("pay", authority, contract: contract)]), own: own)
                .filter { !$0.hasSuffix("permission-change") }
        }
        func level(_ level: String) -> String { Self.authority([Self.own], accounts: [level]) }
        #expect(try codes(Self.authority([Self.own]), own) == [])
        #expect(try codes(Self.authority([Self.foreign]), own) == ["danger foreign-key"])
        #expect(try codes(Self.authority([Self.own, Self.foreign], threshold: 2), own) == ["danger foreign-key"])
        #expect(try codes(level("bob@active"), own) == ["danger foreign-account"])
        #expect(try codes(level("bob@eosio.code"), own) == ["danger code-permission"])
        // The account itself is no one else.
        #expect(try codes(level("alice@active"), own) == ["warning foreign-account"])
        #expect(try codes(level("alice@eosio.code"), own) == ["warning code-permission"])
        // Without a vault, no key can be compared.
        #expect(try codes(Self.authority([Self.foreign]), nil) == ["warning foreign-key"])
        let review = try Self.review([Self.update("pay", Self.authority([Self.foreign]), contract: contract)])
        #expect(review.dangers(own: own) == [Danger(code: .foreignKey, subject: "alice")])
    }

    /// The same code with two severities is two groups.
    @Test func severitiesAreGroupedApart() throws {
        let authority = Self.authority([Self.foreign])
        let review = try Self.review([
            Self.action(
                "eosio", "newaccount", #"{"creator":"alice","name":"bob","owner":\#(authority),"active":\#(authority)}"#
            ), Self.update("pay", authority),
        ])
        let groups = WarningGroup.all(review.warnings(now: ReviewTests.expiration - 60, own: try Self.keys()))
        #expect(
            groups.map { "\($0.severity.rawValue) \($0.code.rawValue) \($0.warnings.count)" } == [
                "danger foreign-key 1", "warning foreign-key 2", "warning permission-change 1",
            ])
    }

    /// A link is a danger if the permission can take what the account has.
    @Test(arguments: [
        ("eosio.token", "transfer", "danger"), ("core.vaulta", "transfer", "danger"), ("nft", "transfer", "danger"),
        ("core.vaulta", "swapto", "danger"), ("core.vaulta", "updateauth", "danger"),
        ("core.vaulta", "linkauth", "danger"), ("eosio", "limitauthchg", "danger"), ("eosio", "setcode", "danger"),
        ("eosio", "delegatebw", "danger"), ("core.vaulta", "undelegatebw", "danger"),
        ("eosio", "unstaketorex", "danger"), ("eosio", "ramtransfer", "danger"), ("eosio", "giftram", "danger"),
        // Nodes refuse these links.
        ("eosio", "updateauth", "warning"), ("eosio", "unlinkauth", "warning"), ("eosio", "canceldelay", "warning"),
        // What a block producer or a bot links.
        ("eosio", "claimrewards", "warning"), ("eosio", "voteproducer", "warning"), ("eosio", "powerup", "warning"),
        ("core.vaulta", "claimrewards", "warning"), ("dex", "delegatebw", "warning"),
    ])
    func links(contract: String, name: String, severity: String) throws {
        func codes(_ permission: String) throws -> [String] {
            let data = #"{"account":"alice","code":"\#(contract)","type":"\#(name)","requirement":"\#(permission)"}"#
            return try Self.codes(Self.review([Self.action("eosio", "linkauth", data)]))
        }
        #expect(try codes("pay") == ["\(severity) link"])
        // All actions need active or owner already.
        #expect(try codes("active") == ["warning link"])
        #expect(try codes("owner") == ["warning link"])
    }

    /// Without a vault, no key can be compared.
    @Test func withoutAVault() throws {
        let review = try Self.review([Self.update("active", Self.authority([Self.foreign]))])
        #expect(Self.codes(review) == ["warning foreign-key", "danger active-change"])
        guard
            case .permission(_, _, .keysNotCompared)? = review.warnings(now: 0).first(where: { $0.code == .foreignKey })
        else {
            Issue.record("compared")
            return
        }
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
                "eosio", "newaccount", #"{"creator":"alice","name":"bob","owner":\#(authority),"active":\#(authority)}"#
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
        ("linkauth", #"{"account":"alice","code":"dex","type":"trade","requirement":"trade"}"#, ["warning link"]),
        ("linkauth", #"{"account":"alice","code":"dex","type":"","requirement":"trade"}"#, ["danger wide-link"]),
        (
            "linkauth", #"{"account":"alice","code":"dex","type":"trade","requirement":"eosio.any"}"#,
            ["danger wide-link"]
        ),
        ("unlinkauth", #"{"account":"alice","code":"dex","type":"trade"}"#, ["warning unlink"]),
        ("deleteauth", #"{"account":"alice","permission":"trade"}"#, ["warning permission-delete"]),
        ("setcode", #"{"account":"alice","vmtype":0,"vmversion":0,"code":"0061736d01000000"}"#, ["danger code-change"]),
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
        func codes(_ more: String, at offset: Int64 = -60) throws -> [String] {
            let review = try Review(
                of: ReviewTests.transaction(ReviewTests.transfer, more), chain: ChainID("eos"), abis: ContractABIs())
            return review.warnings(now: ReviewTests.expiration + offset).map(\.code.rawValue)
        }
        #expect(try codes(",\"max_cpu_usage_ms\":5") == ["resource-limits"])
        #expect(try codes("", at: -3600 - 32_768) == ["too-early"])
        #expect(try codes("", at: -3600 - 32_769) == ["beyond-tapos"])
        let nonce = ReviewTests.action("eosio.null", "nonce", "40420f0000000000", by: "")
        #expect(try codes(",\"context_free_actions\":[\(nonce)]") == ["nonce"])
        #expect(try codes(",\"context_free_actions\":[\(nonce),\(nonce)]") == ["context-free-actions"])
    }

    // MARK: - dangers

    /// Each danger has a subject: a script that accepts one account's change accepts no other.
    @Test func dangers() throws {
        let blind = try #require(ActionPattern("dex::trade"))
        let actions = [
            Self.update("owner", Self.authority([Self.own])), Self.transfer("bob", "1.0000 EOS"),
            Self.action("dex", "trade", "\"00\""), Self.update("owner", Self.authority([Self.own])),
        ]
        let review = try Self.review(actions, blind: [blind])
        #expect(
            review.dangers(own: try Self.keys()) == [
                Danger(code: .ownerChange, subject: "alice"), Danger(code: .blind, subject: "dex::trade"),
            ])
    }

    /// An ABI that renames a field does not hide what an action of the system changes.
    @Test(arguments: [("account", "acct"), ("permission", "perm"), ("auth", "a")])
    func renamedFieldsAreADanger(field: String, other: String) throws {
        let json = String(decoding: try repositoryFile("Sources/Transactions/Resources/eosio_abi.json"), as: UTF8.self)
        let abi = try JSONValue.parse(Array(json.utf8)).text()
            .replacing("\"name\":\"\(field)\"", with: "\"name\":\"\(other)\"")
        var abis = ContractABIs()
        try abis.add(Array(abi.utf8), for: Name("eosio"), overriding: true)
        let packed = try Self.review([Self.update("owner", Self.authority([Self.foreign]))]).transaction
        let review = try Review(of: packed, chain: ChainID("eos"), abis: abis)
        #expect(review.dangers(own: try Self.keys()).contains(Danger(code: .blind, subject: "eosio::updateauth")))
    }

    /// The word to type is never empty: Return alone must not sign.
    @Test func aDangerOfTheEmptyNameHasASubject() throws {
        let data = #"{"account":"","permission":"owner","parent":"","auth":\#(Self.authority([Self.own]))}"#
        let review = try Self.review([Self.action("eosio", "updateauth", data)])
        #expect(
            review.dangers(own: try Self.keys()) == [Danger(code: .ownerChange, subject: "eosio::updateauth")])
    }

    @Test func allowances() throws {
        let danger = Danger(code: .ownerChange, subject: "alice")
        #expect(try Allowance("owner-change=alice").accepts(danger))
        #expect(try !Allowance("owner-change=bob").accepts(danger))
        #expect(try !Allowance("active-change=alice").accepts(danger))
        // A code that can be a danger needs the account.
        let foreign = Danger(code: .foreignKey, subject: "alice")
        #expect(try Allowance("foreign-key=alice").accepts(foreign))
        #expect(try !Allowance("foreign-account=alice").accepts(foreign))
        for code in [WarningCode.foreignKey, .foreignAccount, .codePermission, .link] {
            #expect(throws: Allowance.ParseError.noSubject(code)) { try Allowance(code.rawValue) }
        }
        #expect(throws: Allowance.ParseError.noSubject(.ownerChange)) { try Allowance("owner-change") }
        #expect(throws: Allowance.ParseError.noSubject(.ownerChange)) { try Allowance("owner-change=") }
        #expect(throws: Allowance.ParseError.noSubject(.ownerChange)) { try Allowance("owner-change=ALICE") }
        #expect(throws: Allowance.ParseError.noDanger(.expired)) { try Allowance("expired=alice") }
        guard
            case .unknownCode(let known)? = #expect(
                throws: Allowance.ParseError.self, performing: { try Allowance("owner") })
        else { return }
        #expect(known.contains("owner-change") && !known.contains("expired"))
    }
}

extension PrivateKey {
    /// A key that EOSIO's documentation publishes.
    fileprivate static func published() throws -> PrivateKey {
        try PrivateKey.parse(SecureBytes(copyingPublic: "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3".utf8))
    }
}
