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

struct ReviewTests {
    static let header = "\"expiration\":\"2026-12-01T00:00:00\",\"ref_block_num\":1,\"ref_block_prefix\":1"
    /// 2026-12-01T00:00:00 in seconds since 1970.
    static let expiration: Int64 = 1_796_083_200
    static let alice = "{\"actor\":\"alice\",\"permission\":\"active\"}"
    static let transfer =
        """
        {\"account\":\"eosio.token\",\"name\":\"transfer\",\"authorization\":[\(alice)],\
        \"data\":\"0000000000855c340000000000000e3d102700000000000004454f530000000000\"}
        """

    static func transaction(_ actions: String, _ more: String = "") throws -> SignedTransaction {
        try SignedTransaction(
            reading: Array("{\(header),\"actions\":[\(actions)]\(more)}".utf8), abis: ContractABIs())
    }

    static func review(
        _ actions: String, _ more: String = "", chain: String? = "eos", blind: Set<ActionPattern> = []
    ) throws -> Review {
        try Review(
            of: transaction(actions, more), chain: chain.map { try ChainID($0) }, abis: ContractABIs(),
            blind: blind)
    }

    static func action(_ account: String, _ name: String, _ data: String, by level: String = alice) -> String
    {
        "{\"account\":\"\(account)\",\"name\":\"\(name)\",\"authorization\":[\(level)],\"data\":\"\(data)\"}"
    }

    @Test func decodesFromTheBytes() throws {
        let review = try Self.review(Self.transfer)
        let json = "{\"from\":\"alice\",\"to\":\"bob\",\"quantity\":\"1.0000 EOS\",\"memo\":\"\"}"
        #expect(review.actions.map(\.shown) == [Shown(json, .builtIn)])
    }

    @Test(arguments: [
        ("dex", "trade", "00", Undecodable.noABI), ("eosio.token", "burn", "00", .unknownAction),
        (
            "eosio.token", "close", "",
            .data(
                ABIError(.bytes(.unexpectedEnd(offset: 0, needed: 8, remaining: 0))).inside(.field("owner")))
        ),
        // a bool of 2 has no text
        (
            "eosio", "delegatebw",
            "0000000000855c340000000000000e3d102700000000000004454f5300000000102700000000000004454f530000000002",
            .data(ABIError(.invalidBoolean(2)).inside(.field("transfer")))
        ),
    ])
    func refusesWhatItCannotShow(account: String, name: String, data: String, reason: Undecodable) throws {
        let action = Self.action(account, name, data)
        let (account, action2) = (try Name(account), try Name(name))
        let error = #expect(throws: SigningError.self) { try Self.review(Self.transfer + "," + action) }
        guard case .undecodable(let path, account, action2, let found)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(path == "actions[1]")
        #expect(found == reason)
        // An action that the user named is accepted as bytes; a pattern with another name has no
        // effect.
        let pattern = try #require(ActionPattern("\(account)::\(action2)"))
        #expect(try Self.review(action, blind: [pattern]).actions.map(\.shown) == [Shown(found)])
        let other = try #require(ActionPattern("\(account)::other"))
        #expect(throws: SigningError.self) { try Self.review(action, blind: [other]) }
    }

    /// Each action of 16 KiB is shown as 32 KiB of hex.
    @Test func limitsShownData() throws {
        let bytes = String(repeating: "00", count: 16 << 10)
        let action = Self.action("dex", "trade", bytes)
        let pattern = try #require(ActionPattern("dex::trade"))
        let few = Array(repeating: action, count: 100).joined(separator: ",")
        let many = Array(repeating: action, count: 140).joined(separator: ",")
        #expect(try Self.review(few, chain: nil, blind: [pattern]).actions.count == 100)
        #expect(throws: SigningError.reviewTooLong(limit: 4 << 20)) {
            try Self.review(many, chain: nil, blind: [pattern])
        }
    }

    @Test func blindNeverHidesDecodableData() throws {
        let pattern = try #require(ActionPattern("eosio.token::transfer"))
        let review = try Self.review(Self.transfer, blind: [pattern])
        guard case .decoded = review.actions[0].content else {
            Issue.record("not shown decoded")
            return
        }
    }

    @Test(arguments: ["", "a", "a:b", "a::", "::b", "a::b::c", "A::b", "a:::b"])
    func patternHasOneForm(text: String) {
        #expect(ActionPattern(text) == nil)
    }

    @Test func warns() throws {
        let soon = Self.expiration - 1_800
        #expect(try Self.review(Self.transfer).warnings(now: soon) == [])
        #expect(
            try Self.review(Self.transfer).warnings(now: Self.expiration + 5) == [.expired(secondsAgo: 5)]
        )
        // `cleos -x 3600`, signed at once. Clocks differ by some seconds.
        #expect(try Self.review(Self.transfer).warnings(now: Self.expiration - 3601) == [])
        #expect(try Self.review(Self.transfer).warnings(now: Self.expiration - 3660) == [])
        #expect(
            try Self.review(Self.transfer).warnings(now: Self.expiration - 3661) == [
                .tooEarly(pushableInSeconds: 61)
            ])
        #expect(try Self.review("").warnings(now: soon) == [.noActions()])
        #expect(
            try Self.review(Self.transfer, ",\"delay_sec\":7").warnings(now: soon) == [.delay(seconds: 7)]
        )
        #expect(
            try Self.review(Self.transfer, ",\"transaction_extensions\":[[0,\"\"]]").warnings(now: soon) == [
                .extensions(count: 1)
            ])
        #expect(
            try Self.review(Self.transfer, ",\"context_free_data\":[\"\"]").warnings(now: soon) == [
                .contextFreeDataWithoutActions
            ])
        let unknown = String(repeating: "0", count: 64)
        #expect(try Self.review(Self.transfer, chain: unknown).warnings(now: soon) == [.unknownChain])
        let refund = Self.action("eosio", "refund", "0000000000855c34")
        #expect(
            try Self.review(refund, chain: "wax").warnings(now: soon) == [
                .foreignSystemContract(try Name("eosio"))
            ])
        #expect(try Self.review(refund, chain: "jungle4").warnings(now: soon) == [])
    }

    /// An ABI that replaces a built-in one is shown with both hashes; an ABI for another account
    /// only with its own.
    @Test func warnsOfAnOverriddenABI() throws {
        let abi =
            Array(
                #"{"version":"eosio::abi/1.2","structs":[{"name":"t","fields":[{"name":"data","type":"uint8[33]"}]}],"#
                    .utf8)
            + Array(#""actions":[{"name":"transfer","type":"t"}]}"#.utf8)
        let token = try Name("eosio.token")
        var abis = ContractABIs()
        try abis.add(abi, for: token, overriding: true)
        let override = try #require(abis.overrides.first)
        let review = try Review(of: Self.transaction(Self.transfer), chain: ChainID("eos"), abis: abis)
        let warning = Warning.abiOverride(override)
        #expect(review.warnings(now: Self.expiration - 1_800) == [warning])
        #expect(override.given == (try ABIDefinition.read(abi).hash()))
        #expect(override.given != override.replaced)
        guard case .decoded(.given(override.given)) = review.actions[0].content else {
            Issue.record("not decoded by the given ABI")
            return
        }
    }

    /// Only the given ABI has the action, so it is shown as bytes or refused.
    @Test func refusesAnActionThatOnlyAGivenABIHas() throws {
        let action = #"{"name":"burn","type":"uint8","ricardian_contract":""}"#
        let builtIn = try JSONValue.parse(
            repositoryFile("Sources/Antelope/Transactions/Resources/eosio_token_abi.json")
        ).text()
        var abis = ContractABIs()
        try abis.add(
            Array(builtIn.replacing(#""actions":["#, with: #""actions":[\#(action),"#).utf8),
            for: Name("eosio.token"))
        let transaction = try Self.transaction(Self.action("eosio.token", "burn", "00"))
        let refusal = SigningError.undecodable(
            path: "actions[0]", account: try Name("eosio.token"), action: try Name("burn"), .actionNotBuiltIn)
        #expect(throws: refusal) { try Review(of: transaction, chain: nil, abis: abis) }
        let blind = try #require(ActionPattern("eosio.token::burn"))
        let review = try Review(of: transaction, chain: nil, abis: abis, blind: [blind])
        #expect(review.actions.map(\.shown) == [Shown(.actionNotBuiltIn)])
    }

    /// The all-zero key is shown with one warning for each action that contains it.
    @Test func warnsOfTheNullKey() throws {
        let zeros = String(repeating: "00", count: 34)
        let auth = "0000000000855c3400000000a8ed32320000000080ab26a70100000001" + zeros + "01000000"
        let action = Self.action("eosio", "updateauth", auth)
        let review = try Self.review(action + "," + Self.transfer)
        let warning = Warning.nullKey(review.actions[0].reference)
        #expect(review.warnings(now: Self.expiration - 1_800).filter { $0.code == .nullKey } == [warning])
        #expect(review.actions.map(\.nullKeyCount) == [1, 0])
        let json = try #require(review.actions[0].shown.json)
        #expect(json.contains(#"{"key":"EOS1111111111111111111111111111111114T1Anm","weight":1}"#))
        // The same text in a string is not a key.
        let text = "EOS1111111111111111111111111111111114T1Anm"
        let hex = "2a" + text.utf8.map { String($0, radix: 16) }.joined()
        let memo = Self.transfer.replacing("0000000000\"}", with: "00000000" + hex + "\"}")
        #expect(memo.contains(hex))
        #expect(try Self.review(memo).warnings(now: Self.expiration - 1_800) == [])
    }

    @Test func listsSigners() throws {
        let key = try PrivateKey.parse(
            SecureBytes(copyingPublic: "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3".utf8))
        let chain = try ChainID("eos")
        var transaction = try Self.transaction(Self.transfer)
        transaction.append(try key.sign(transaction.digest(for: chain)).signature)
        let publicKey = key.publicKey
        let review = try Review(of: transaction, chain: chain, abis: ContractABIs())
        #expect(review.signers == [.key(publicKey)])
        // On another chain, the same signature recovers to another key. Without a chain, the signer
        // is unknown.
        #expect(
            try Review(of: transaction, chain: ChainID("wax"), abis: ContractABIs()).signers != [
                .key(publicKey)
            ])
        #expect(try Review(of: transaction, chain: nil, abis: ContractABIs()).signers == [])
    }

    /// The values keep the exact text of numbers and strings, and encode to the same bytes.
    @Test func valuesKeepTheirExactText() throws {
        let fields = [
            ("uint64", "ffffffffffffffff"), ("int64", "0000000000000080"), ("uint32", "ffffffff"),
            ("uint128", String(repeating: "ff", count: 16)),
            ("int128", String(repeating: "00", count: 15) + "80"),
            ("float32", "cdcccc3d"), ("float64", "182d4454fb210940"), ("float64", "0000000000000080"),
            ("string", "06220a5cc3a97f"),
        ]
        let list = fields.enumerated().map { #"{"name":"f\#($0)","type":"\#($1.0)"}"# }.joined(separator: ",")
        let abi =
            #"{"version":"eosio::abi/1.1","structs":[{"name":"s","fields":[\#(list)]}],"#
            + #""actions":[{"name":"a","type":"s"}]}"#
        let dex = try Name("dex")
        var abis = ContractABIs()
        try abis.add(Array(abi.utf8), for: dex)
        let data = fields.map(\.1).joined()
        let review = try Review(of: Self.transaction(Self.action("dex", "a", data)), chain: nil, abis: abis)
        let json = try #require(review.actions[0].shown.json)
        let type = try abis.type(account: dex, action: Name("a")).type
        #expect(try Hex.encode(type.encode(json: Array(json.utf8))) == data)
        #expect(try String(decoding: type.decode(Hex.decode(data)), as: UTF8.self) == json)
    }

    // MARK: - warnings

    /// A warning about an action has its place.
    @Test func warningsNameTheAction() throws {
        let blind = Self.action("dex", "trade", "00")
        let pattern = try #require(ActionPattern("dex::trade"))
        let review = try Self.review(Self.transfer + "," + blind + "," + blind, blind: [pattern])
        let warnings = review.warnings(now: Self.expiration - 1_800)
        #expect(warnings == review.actions[1...].map { .blind($0.reference) })
        #expect(review.actions.map(\.place.path) == ["actions[0]", "actions[1]", "actions[2]"])
        #expect(warnings.map(\.code) == [.blind, .blind])
    }

    // MARK: - nonces

    /// The nonce that `cleos --force-unique` adds: microseconds since 1970.
    @Test(arguments: [
        ("40420f0000000000", #"{"microseconds":1000000}"#),
        ("0000000001000000", #"{"microseconds":"4294967296"}"#),
        ("ffffffff00000000", #"{"microseconds":4294967295}"#),
        ("ffffffffffffffff", #"{"microseconds":"18446744073709551615"}"#),
        ("", #"{"hex":""}"#), ("00FF", #"{"hex":"00ff"}"#),
        ("000000000000000000", #"{"hex":"000000000000000000"}"#),
    ])
    func decodesNonces(data: String, json: String) throws {
        let nonce = Self.action("eosio.null", "nonce", data, by: "")
        let review = try Self.review(Self.transfer, ",\"context_free_actions\":[\(nonce)]")
        #expect(review.contextFreeActions.map(\.shown) == [Shown(json, .builtIn)])
    }

    /// An action with an authorization, in the list of actions, of another account or with another
    /// name is not a nonce, but an action of an unknown contract.
    @Test func decodesNoOtherActionAsNonce() throws {
        let nonce = Self.action("eosio.null", "nonce", "40420f0000000000", by: "")
        #expect(throws: SigningError.self) { try Self.review(nonce) }
        for other in [
            Self.action("eosio.nul", "nonce", "40420f0000000000", by: ""),
            Self.action("eosio.null", "noncf", "40420f0000000000", by: ""),
            nonce.replacing(
                "\"authorization\":[]",
                with: "\"authorization\":[{\"actor\":\"a\",\"permission\":\"active\"}]"),
        ] {
            let error = #expect(throws: SigningError.self) {
                try Self.review(Self.transfer, ",\"context_free_actions\":[\(other)]")
            }
            guard case .undecodable("context_free_actions[0]", _, _, .noABI)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    // MARK: - older ABIs

    @Test func warnsOfOlderABIs() throws {
        let review = try Self.review(Self.action("eosio", "reqauth", "0000000000855c34"))
        #expect(review.actions.map(\.shown) == [Shown(#"{"from":"alice"}"#, .builtInOlder(date: "2018"))])
        let warning = Warning.olderABI(review.actions[0].reference, date: "2018")
        #expect(review.warnings(now: Self.expiration - 1_800) == [warning])
    }

    // MARK: - types that can't be used

    /// The action's type contains a name twice. The action can't be shown, but the user can name it
    /// for signing as bytes.
    @Test func refusesTypesThatCannotBeUsed() throws {
        let fields = #"[{"name":"f","type":"bool"},{"name":"f","type":"bool"}]"#
        let abi =
            #"{"version":"eosio::abi/1.1","structs":[{"name":"s","fields":\#(fields)},"#
            + #"{"name":"t","fields":[{"name":"f","type":"bool"}]}],"#
            + #""actions":[{"name":"a","type":"s"},{"name":"b","type":"t"}]}"#
        let dex = try Name("dex")
        var abis = ContractABIs()
        #expect(try abis.add(Array(abi.utf8), for: dex).count == 1)
        let flaw = ABIError(.duplicateField("f")).inside(.field("s")).inside(.field("structs"))
        let twice = try Self.transaction(Self.action("dex", "a", "0101"))
        #expect(
            throws: SigningError.undecodable(
                path: "actions[0]", account: dex, action: try Name("a"), .type(flaw))
        ) {
            try Review(of: twice, chain: nil, abis: abis)
        }
        let pattern = try #require(ActionPattern("dex::a"))
        #expect(
            try Review(of: twice, chain: nil, abis: abis, blind: [pattern]).actions.map(\.shown) == [
                Shown(.type(flaw))
            ])
        let other = try Review(of: Self.transaction(Self.action("dex", "b", "01")), chain: nil, abis: abis)
        let hash = try ABIDefinition.read(Array(abi.utf8)).hash()
        #expect(other.actions.map(\.shown) == [Shown(#"{"f":true}"#, .given(hash))])
    }

    /// Types that show text of the ABI as if it were data: nodeos accepts them.
    @Test func refusesTypesThatMustNotBeShown() throws {
        let abi = """
            {"version":"eosio::abi/1.1","structs":[{"name":"s","fields":[{"name":"to bob","type":"name"}]},
            {"name":"t","fields":[{"name":"pays bob","type":"name[0]"},{"name":"to","type":"name"}]}],
            "actions":[{"name":"a","type":"uint8[8]"},{"name":"b","type":"s"},{"name":"c","type":"t"}]}
            """
        let dex = try Name("dex")
        var abis = ContractABIs()
        try abis.add(Array(abi.utf8), for: dex)
        let flaws = [
            "a": ABIError(.actionIsNotStruct(type: "uint8[8]")),
            "b": ABIError(.unprintableDefinition("to bob")).inside(.field("s")).inside(.field("structs")),
            "c": ABIError(.unprintableDefinition("pays bob")).inside(.field("t")).inside(.field("structs")),
        ]
        for (name, flaw) in flaws {
            let transaction = try Self.transaction(Self.action("dex", name, "0000000000855c34"))
            let refusal = SigningError.undecodable(
                path: "actions[0]", account: dex, action: try Name(name), .type(flaw))
            #expect(throws: refusal) { try Review(of: transaction, chain: nil, abis: abis) }
            let pattern = try #require(ActionPattern("dex::\(name)"))
            let blind = try Review(of: transaction, chain: nil, abis: abis, blind: [pattern])
            #expect(blind.actions.map(\.shown) == [Shown(.type(flaw))])
        }
    }
}

/// The content of a reviewed action, for comparisons: values as compact text.
private struct Shown: Equatable {
    var json: String?
    var source: ContractABIs.Source?
    var reason: Undecodable?

    init(_ json: String, _ source: ContractABIs.Source) { (self.json, self.source) = (json, source) }
    init(_ reason: Undecodable) { self.reason = reason }
}

extension ReviewedAction {
    fileprivate var shown: Shown {
        switch content {
        case .decoded(let source): Shown(value?.json.text() ?? "", source)
        case .blind(let reason): Shown(reason)
        }
    }
}
