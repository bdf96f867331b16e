import ABICodec
import Codecs
import JSON
import Keys
import SecureMemory
import SigningRequests
import Testing
import Transactions

/// Values of the tests of wharfkit/signing-request 7fb4c63 (test/request.ts).
struct ResolvedRequestTests {
    private static func signer(_ actor: String, _ permission: String = "active") throws -> PermissionLevel {
        PermissionLevel(actor: try Name(actor), permission: try Name(permission))
    }

    private static let expiration = Result { try TimePointSec("2020-07-10T08:40:20") }

    private static func resolve(
        _ link: String, _ signer: String, chain: String, reference: BlockReference? = nil,
        expires: Bool = true
    ) throws -> ResolvedRequest {
        try ResolvedRequest(
            RequestLinkTests.link(link), signer: Self.signer(signer), chain: ChainID(chain),
            expiration: expires ? expiration.get() : nil, reference: reference, abis: ContractABIs())
    }

    @Test func scopedLogin() throws {
        let link = "esr://g2NgZP4PBQxMwhklJQXFVvr6qRWJuQU5qXrJ-bkMAA"
        let resolved = try Self.resolve(link, "foo", chain: "eos")
        #expect(resolved.link.request.isIdentity)
        #expect(!resolved.link.request.needsReference)
        #expect(resolved.link.request.needsExpiration)
        let action = try #require(resolved.transaction.transaction.actions.first)
        #expect(Hex.encode(action.data) == "ffffffffffffffff01000000000000285d00000000a8ed3232")
        let digest = resolved.transaction.digest(for: resolved.chain)
        #expect(
            Hex.encode(digest.bytes) == "70d1fd5bda1998135ed44cbf26bd1cc2ed976219b2b6913ac13f41d4dd013307")
        #expect(throws: RequestError.missingExpiration) {
            try Self.resolve(link, "foo", chain: "eos", expires: false)
        }
    }

    private static let severalChains =
        "esr://AwAAAwAAAAAAAChdAAAVbXlhcHA6Ly9sb2dpbj17e2NpZH19AQljaGFpbl9pZHMFAgABAAo"

    @Test func loginForSeveralChains() throws {
        let resolved = try Self.resolve(Self.severalChains, "foo", chain: "wax")
        #expect(resolved.link.request.chain == .any)
        #expect(resolved.link.request.chains?.map(\.chainID?.chain?.name) == ["eos", "wax"])
        let signature = try Signature(
            "SIG_K1_K4nkCupUx3hDXSHq4rhGPpDMPPPjJyvmF3M6j7ppYUzkR3L93endwnxf3YhJSG4SSvxxU1ytD8hj39kukTeYxjwy5H3XNJ"
        )
        let key = try PrivateKey.parse(
            SecureBytes(copyingPublic: "PVT_K1_2wFL8Ne8JoGrxz6GdnfB7d4yhUYpqNgubHeKUC64qT3XE6Ro84".utf8))
        let publicKey = key.publicKey
        #expect(try signature.recover(resolved.transaction.digest(for: resolved.chain)) == publicKey)

        let payload = try #require(CallbackPayload(resolved, signatures: [signature]))
        #expect(
            payload.members.map { "\($0.name)=\($0.value)" } == [
                "sig=\(signature.text)",
                "tx=b8e921a7b68d7309847e633d74963f25eb5a7d0b15b1aceb143723c234686a8d", "rbn=0",
                "rid=0", "ex=2020-07-10T08:40:20", "req=\(Self.severalChains)", "sa=foo", "sp=active",
                "cid=1064487b3cd1a897ce03ae5b6a865651747e2e152090f99c1d19d44e01aea5a4",
            ])
        #expect(
            payload.filled(resolved.link.request.callback)
                == "myapp://login=1064487b3cd1a897ce03ae5b6a865651747e2e152090f99c1d19d44e01aea5a4")
        #expect(
            IdentityProof(resolved, signature: signature)?.text
                == "EOSIO EGRIezzRqJfOA65baoZWUXR+LhUgkPmcHRnUTgGupaQAAAAAAAAoXX"
                + "QpCF8AAAAAAAAoXQAAAACo7TIyAB9I36p6NdMCKzksNwp4nFbi"
                + "Ehq8/sVAeji/4JMzk/CHAwc5ipaF8G/SNuXkJ9XWaDSu98DWzbXuvaVcimXUvGDQ")
        let allowed = try #require(resolved.link.request.chains)
        #expect(throws: RequestError.otherChain(allowed: allowed)) {
            try Self.resolve(Self.severalChains, "foo", chain: "telos")
        }
    }

    @Test func otherChain() throws {
        #expect(throws: RequestError.otherChain(allowed: [RequestedChain(try ChainID("eos"))])) {
            try Self.resolve("esr:" + RequestLinkTests.vote, "foo", chain: "wax")
        }
    }

    /// The account's placeholder in action data, in fields of nested structs too.
    @Test func placeholders() throws {
        #expect(throws: RequestError.missingReference) {
            try Self.resolve("esr:" + RequestLinkTests.vote, "foo", chain: "eos")
        }
        let block = BlockReference(number: 1, prefix: 2)
        #expect(throws: RequestError.missingExpiration) {
            try Self.resolve(
                "esr:" + RequestLinkTests.vote, "foo", chain: "eos", reference: block, expires: false)
        }
        let resolved = try Self.resolve("esr:" + RequestLinkTests.vote, "foo", chain: "eos", reference: block)
        let transaction = resolved.transaction.transaction
        #expect((transaction.refBlockNum, transaction.refBlockPrefix) == (1, 2))
        #expect(transaction.expiration == (try Self.expiration.get()))
        let action = try #require(transaction.actions.first)
        #expect(action.authorization.map(\.text) == ["foo@active"])
        #expect(Hex.encode(action.data) == "000000000000285d" + Self.proxyAndNoProducers)
    }

    /// EEP-7: the proxy is `greymassvote`.
    private static let proxyAndNoProducers =
        Hex.encode(
            withUnsafeBytes(of: ((try? Name("greymassvote"))?.rawValue ?? 0).littleEndian) { Array($0) })
        + "00"

    /// Without an ABI, data is unchanged, and a review refuses it.
    @Test func undecodedData() throws {
        let action = Action(
            account: try Name("nocontract"), name: try Name("act"),
            authorization: [PermissionLevel(actor: Placeholders.account, permission: Placeholders.account)],
            data: [1, 0, 0, 0, 0, 0, 0, 0])
        let request = try RequestData(
            version: .three, chain: .any, content: .actions([action, action]), flags: [.broadcast])
        let resolved = try ResolvedRequest(
            RequestLink(request), signer: Self.signer("bar", "owner"), chain: ChainID("jungle4"),
            expiration: Self.expiration.get(), reference: BlockReference(number: 3, prefix: 4),
            abis: ContractABIs())
        let actions = resolved.transaction.transaction.actions
        #expect(actions.map(\.data) == [action.data, action.data])
        #expect(actions.flatMap(\.authorization).map(\.text) == ["bar@owner", "bar@owner"])
    }

    /// As wharfkit/signing-request does (src/signing-request.ts, `resolveActions`): the proposed
    /// transaction is decoded by the ABI of eosio.msig, and the data of its actions is bytes.
    @Test func nestedData() throws {
        let (msig, propose) = (try Name("eosio.msig"), try Name("propose"))
        let type = try ContractABIs().type(account: msig, action: propose).type
        func data(_ actor: String, _ permission: String) throws -> [UInt8] {
            let level = #"{"actor":"\#(actor)","permission":"\#(permission)"}"#
            return try type.encode(
                json: Array(
                    """
                    {"proposer":"\(actor)","proposal_name":"one","requested":[\(level)],"trx":{
                    "expiration":"2026-12-01T00:00:00","ref_block_num":0,"ref_block_prefix":0,"max_net_usage_words":0,
                    "max_cpu_usage_ms":0,"delay_sec":0,"context_free_actions":[],"actions":[{"account":"eosio.token",
                    "name":"close","authorization":[\(level)],"data":"010000000000000004454f5300000000"}],
                    "transaction_extensions":[]}}
                    """.utf8))
        }
        let action = Action(
            account: msig, name: propose, authorization: [try Self.signer("............1", "............2")],
            data: try data("............1", "............2"))
        let contextFree = Action(account: msig, name: propose, authorization: [], data: action.data)
        let template = try SignedTransaction(
            reading: Array(
                """
                {"expiration":"1970-01-01T00:00:00","ref_block_num":0,"ref_block_prefix":0,
                "context_free_actions":[\(contextFree.json.text())],"actions":[\(action.json.text())]}
                """.utf8), abis: ContractABIs())
        let request = try RequestData(
            version: .two, chain: RequestedChain(ChainID("eos")), content: .transaction(template.transaction),
            flags: [.broadcast])
        let resolved = try ResolvedRequest(
            RequestLink(request), signer: Self.signer("alice"), chain: ChainID("eos"),
            expiration: Self.expiration.get(), reference: BlockReference(number: 3, prefix: 4),
            abis: ContractABIs())
        let transaction = resolved.transaction.transaction
        #expect(transaction.actions.map(\.data) == [try data("alice", "active")])
        #expect(transaction.contextFreeActions == [contextFree])
    }

    @Test func remainingPlaceholders() throws {
        let level = try Self.signer("alice")
        func remain(_ level: PermissionLevel, _ value: TypedValue?) throws -> Bool {
            try Placeholders.remain(
                in: Action(account: Name("one"), name: Name("two"), authorization: [level], data: []), value)
        }
        let (one, two) = (TypedValue.name(Placeholders.account), TypedValue.name(Placeholders.permission))
        #expect(try !remain(level, nil) && !remain(level, .name(Name("alice"))))
        #expect(try !remain(level, .text("............1")))
        #expect(
            try remain(level, .list([.fields([TypedField(name: "a", value: one)])])) && remain(level, two))
        #expect(try remain(PermissionLevel(actor: level.actor, permission: Placeholders.permission), nil))
        #expect(try remain(PermissionLevel(actor: Placeholders.account, permission: level.permission), nil))
    }

    /// The signed scope and permission of a login are those that a review shows.
    @Test func loginNamesAreNoPlaceholders() throws {
        func expectSigner(_ scope: Name, _ permission: PermissionLevel?) throws {
            let request = try RequestData(
                version: .three, chain: .any,
                content: .identity(RequestedIdentity(scope: scope, permission: permission)), flags: [])
            try ResolvedRequest(
                RequestLink(request), signer: Self.signer("alice", "active"), chain: ChainID("eos"),
                expiration: Self.expiration.get(), reference: nil, abis: ContractABIs()
            ).expectSigner()
        }
        let (site, alice) = (try Name("site"), try Name("alice"))
        try expectSigner(site, nil)
        try expectSigner(site, PermissionLevel(actor: alice, permission: Placeholders.permission))
        try expectSigner(site, PermissionLevel(actor: Placeholders.account, permission: try Name("active")))
        for scope in [Placeholders.account, Placeholders.permission] {
            #expect(throws: RequestError.placeholderScope) { try expectSigner(scope, nil) }
        }
        let mixed = PermissionLevel(actor: alice, permission: Placeholders.account)
        #expect(throws: RequestError.otherSigner(requested: mixed)) { try expectSigner(site, mixed) }
    }

    /// At most 64 chains; a chain that was shut down is decoded, and refused for a signature.
    @Test func listedChains() throws {
        func request(_ chains: [RequestedChain]) throws -> RequestData {
            try RequestData(
                version: .three, chain: .any,
                content: .identity(RequestedIdentity(scope: Name("site"), permission: nil)),
                flags: [],
                info: [RequestInfo(key: RequestInfo.chainIDs, value: RequestedChain.packed(chains))])
        }
        let chains = try (0..<65).map {
            RequestedChain.id(try ChainID(bytes: [UInt8](repeating: $0, count: 32)))
        }
        #expect(try request(Array(chains[..<64])).chains == Array(chains[..<64]))
        #expect(throws: RequestError.invalidChainIDs) { try request(chains) }
        let jungle2 = try #require(ChainAlias(number: 3))
        let retired = try request([.alias(jungle2), chains[0]])
        #expect(throws: RequestError.retiredChain(jungle2)) { try retired.expectCurrentChain() }
        #expect(throws: RequestError.otherChain(allowed: [.alias(jungle2), chains[0]])) {
            try retired.expectChain(ChainID("eos"))
        }
        try retired.expectChain(jungle2.chainID)
    }

    /// The second signature is `sig0`; names that are unknown, or not closed, are no values.
    @Test func filledAddress() throws {
        let resolved = try Self.resolve(Self.severalChains, "foo", chain: "eos")
        let signature = try Signature(
            "SIG_K1_K4nkCupUx3hDXSHq4rhGPpDMPPPjJyvmF3M6j7ppYUzkR3L93endwnxf3YhJSG4SSvxxU1ytD8hj39kukTeYxjwy5H3XNJ"
        )
        let payload = try #require(
            CallbackPayload(resolved, signatures: [signature, signature, signature], blockNumber: 7))
        #expect(payload.members.suffix(3).map(\.name) == ["sig0", "sig1", "bn"])
        for (address, filled) in [
            ("a:{{sa}}{{bn}}", "a:foo7"), ("a:{{nope}}!", "a:!"), ("a:{{{sa}}}", "a:{foo}"),
            ("a:{{sa}", "a:{{sa}"),
            ("a:{{}}", "a:{{}}"), ("a:{{SA}}", "a:{{SA}}"), ("a:{{", "a:{{"), ("a:{{{{sa}}}}", "a:{{foo}}"),
            ("a:{{sig0}}", "a:\(signature.text)"), ("{{sig2}}", ""), ("é{{sp}}é", "éactiveé"),
        ] {
            #expect(payload.filled(address) == filled)
        }
        #expect(CallbackPayload(resolved, signatures: []) == nil)
    }
}
