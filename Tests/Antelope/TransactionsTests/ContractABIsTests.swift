import ABICodec
import JSON
import TestSupport
import Testing

@testable import Transactions

/// A given ABI never silently replaces a built-in one.
@Suite struct ContractABIsTests {
    private static let token = Result { try Name("eosio.token") }
    private static let transfer = Result { try Name("transfer") }
    private static let builtIn = PackageResources.eosio_token_abi_json

    /// The built-in ABI with a change in its text.
    private static func changed(_ text: String, to other: String) throws -> [UInt8] {
        let json = try JSONValue.parse(builtIn).text()
        let changed = json.replacing(text, with: other)
        try #require(changed != json)
        return Array(changed.utf8)
    }

    /// Reads recipient and quantity from the memo: a transfer to mallory is shown as a transfer to
    /// bob.
    private static let misleading = Array(
        #"""
        {"version":"eosio::abi/1.2","structs":[{"name":"transfer","base":"","fields":[{"name":"from","type":"name"},
        {"name":"nonce","type":"uint64"},{"name":"check","type":"uint128"},{"name":"kind","type":"uint8"},
        {"name":"to","type":"name"},{"name":"quantity","type":"asset"},{"name":"memo","type":"string"}]}],
        "actions":[{"name":"transfer","type":"transfer"}]}
        """#.utf8)

    private static func refusal(_ contents: [UInt8], action: String) throws -> TransactionError {
        let token = try token.get()
        return .abiDiffersFromBuiltIn(
            account: token, action: try Name(action), given: try ABIDefinition.read(contents).hash(),
            builtIn: try #require(BuiltInABI.newest(for: token)?.hash))
    }

    @Test func refusesDifferingABI() throws {
        let token = try Self.token.get()
        var abis = ContractABIs()
        // The error names the first action of the built-in ABI that the given ABI lacks.
        #expect(throws: try Self.refusal(Self.misleading, action: "close")) {
            try abis.add(Self.misleading, for: token)
        }
        let swapped = try Self.changed(
            #"[{"name":"from","type":"name"},{"name":"to""#,
            to: #"[{"name":"to","type":"name"},{"name":"from""#)
        #expect(throws: try Self.refusal(swapped, action: "transfer")) { try abis.add(swapped, for: token) }
        let raw = try ABIDefinition.read(swapped).rawForm()
        #expect(throws: try Self.refusal(raw, action: "transfer")) { try abis.add(raw, for: token) }
        // The refused ABI is not used.
        #expect(try abis.type(account: token, action: Self.transfer.get()).source == .builtIn)
        #expect(abis.overrides == [])
    }

    /// Many threads look up more actions than are remembered, each in its own order.
    @Test func findsTypesOfEachAction() async throws {
        let eosio = try Name("eosio")
        let actions = try #require(BuiltInABI.newest(for: eosio)?.abi).actionNames
        try #require(actions.count > 50)
        let expected = try actions.map { try ContractABIs().type(account: eosio, action: $0).type.name }
        let abis = ContractABIs()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for first in actions.indices {
                group.addTask {
                    for offset in actions.indices {
                        let index = (first + offset) % actions.count
                        let found = try abis.type(account: eosio, action: actions[index])
                        #expect(found.type.name == expected[index])
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Actions of the same name, of two contracts: the types of the other contract are not used.
    @Test func findsTypesOfEachContract() throws {
        let (token, other) = (try Self.token.get(), try Name("dex"))
        let transfer = try Self.transfer.get()
        var abis = ContractABIs()
        try abis.add(Self.misleading, for: other)
        for _ in 0..<2 {
            for account in [token, other] {
                let (type, source) = try abis.type(account: account, action: transfer)
                #expect((source == .builtIn) == (account == token))
                let fields = try type.encode(
                    json: Array(
                        (account == token
                            ? #"{"from":"a","to":"b","quantity":"1 A","memo":""}"#
                            : #"{"from":"a","nonce":1,"check":2,"kind":3,"to":"b","quantity":"1 A","memo":""}"#)
                            .utf8))
                #expect(fields.count == (account == token ? 33 : 58))
            }
        }
    }

    /// Types that were found before an ABI was given are not used after it.
    @Test func forgetsTypesWhenABIIsGiven() throws {
        let token = try Self.token.get()
        var abis = ContractABIs()
        let transfer = try Self.transfer.get()
        #expect(try abis.type(account: token, action: transfer).source == .builtIn)
        let before = abis
        try abis.add(Self.builtIn, for: token)
        #expect(try abis.type(account: token, action: transfer).source != .builtIn)
        #expect(try before.type(account: token, action: transfer).source == .builtIn)
    }

    @Test func acceptsRecordedAndEquivalent() throws {
        let token = try Self.token.get()
        var abis = ContractABIs()
        try abis.add(Self.builtIn, for: token)
        let hash = try #require(BuiltInABI.newest(for: token)?.hash)
        #expect(try abis.type(account: token, action: Self.transfer.get()).source == .given(hash))
        // An ABI with another hash and the same actions.
        let other = try Self.changed(
            #""types":[]"#, to: #""types":[],"ricardian_clauses":[{"id":"a","body":"b"}]"#)
        var others = ContractABIs()
        try others.add(other, for: token)
        #expect(
            try others.type(account: token, action: Self.transfer.get()).source
                == .given(ABIDefinition.read(other).hash()))
        #expect(others.overrides == [])
    }

    /// An action that the built-in ABI lacks can't be compared, so it is refused.
    @Test func refusesActionsThatAreNotBuiltIn() throws {
        let token = try Self.token.get()
        let more = try Self.changed(
            #""actions":["#, to: #""actions":[{"name":"burn","type":"transfer","ricardian_contract":""},"#)
        var abis = ContractABIs()
        try abis.add(more, for: token)
        let burn = try Name("burn")
        #expect(throws: TransactionError.actionNotBuiltIn(path: "data", account: token, action: burn)) {
            try abis.type(account: token, action: burn)
        }
        let json =
            #"{"expiration":"2026-12-01T00:00:00","ref_block_num":1,"ref_block_prefix":1,"#
            + #""actions":[{"account":"eosio.token","#
            + #""name":"burn","authorization":[],"data":{}}]}"#
        #expect(
            throws: TransactionError.actionNotBuiltIn(path: "actions[0].data", account: token, action: burn)
        ) {
            try SignedTransaction(reading: Array(json.utf8), abis: abis)
        }
        var overriding = ContractABIs()
        try overriding.add(more, for: token, overriding: true)
        #expect(
            try overriding.type(account: token, action: burn).source
                == .given(ABIDefinition.read(more).hash()))
        #expect(overriding.overrides.map(\.account) == [token])
    }

    @Test func listsOverrides() throws {
        let token = try Self.token.get()
        var abis = ContractABIs()
        try abis.add(Self.misleading, for: token, overriding: true)
        #expect(
            abis.overrides == [
                ContractABIs.Override(
                    account: token, given: try ABIDefinition.read(Self.misleading).hash(),
                    replaced: try #require(BuiltInABI.newest(for: token)?.hash), isPinned: false)
            ])
        // If nothing is overridden, the permission has no effect.
        var same = ContractABIs()
        try same.add(Self.builtIn, for: token, overriding: true)
        try same.add(Self.misleading, for: try Name("mytoken"), overriding: true)
        #expect(same.overrides == [])
    }

    @Test func refusesASecondABI() throws {
        let account = try Name("mytoken")
        var abis = ContractABIs()
        try abis.add(Self.builtIn, for: account)
        #expect(throws: TransactionError.abiGivenTwice(account: account)) {
            try abis.add(Self.misleading, for: account)
        }
        #expect(throws: TransactionError.abiGivenTwice(account: account)) {
            try abis.add(Self.builtIn, for: account)
        }
    }

    @Test func refusesTheAnswerForAnotherAccount() throws {
        let account = try Name("mytoken")
        func answer(_ name: String) throws -> [UInt8] {
            Array(#"{"account_name":"\#(name)","abi":\#(try JSONValue.parse(Self.misleading).text())}"#.utf8)
        }
        var abis = ContractABIs()
        for stated in ["mytoker", "eosio.token", "", "MYTOKEN"] {
            #expect(throws: TransactionError.abiOfOtherAccount(account: account, stated: stated)) {
                try abis.add(answer(stated), for: account)
            }
        }
        try abis.add(answer("mytoken"), for: account)
        // An answer of a node to get_raw_abi.
        let raw = try repositoryFile("Vectors/examples/fio.token.get_raw_abi.json")
        #expect(
            throws: TransactionError.abiOfOtherAccount(account: try Name("fio.tokem"), stated: "fio.token")
        ) {
            try abis.add(raw, for: Name("fio.tokem"))
        }
        try abis.add(raw, for: Name("fio.token"))
    }

    // MARK: pinned ABIs

    /// The built-in ABI with a clause, which changes its hash and no action.
    private static func raw(_ clause: String) throws -> [UInt8] {
        let json = try changed(
            #""types":[]"#, to: #""types":[],"ricardian_clauses":[{"id":"a","body":"\#(clause)"}]"#)
        return try ABIDefinition.read(json).rawForm()
    }

    private static func pin(_ contents: [UInt8], for account: Name) throws -> PinnedContractABI {
        PinnedContractABI(account: account, raw: try ABIDefinition.read(contents).rawForm())
    }

    /// A pinned ABI replaces a built-in one, and a given one must agree with it.
    @Test func aPinnedABIComesFirst() throws {
        let token = try Self.token.get()
        let raw = try ABIDefinition.read(Self.misleading).rawForm()
        let hash = ABIHash(raw: raw)
        let pin = PinnedContractABI(account: token, raw: raw)
        let transfer = try Self.transfer.get()
        #expect(try ContractABIs(pins: [pin]).type(account: token, action: transfer).source == .pinned(hash))
        // Only this account's ABI is replaced, and wholly.
        #expect(
            try ContractABIs(pins: [pin]).type(account: Name("eosio"), action: Name("refund")).source
                == .builtIn)
        #expect(
            throws: TransactionError.unknownAction(path: "data", account: token, action: try Name("issue"))
        ) {
            try ContractABIs(pins: [pin]).type(account: token, action: Name("issue"))
        }
        // The same ABI, raw and in JSON, and JSON with one action more, which is not used.
        let more = try JSONValue.parse(Self.misleading).text()
            .replacing(#""actions":["#, with: #""actions":[{"name":"burn","type":"transfer"},"#)
        for given in [raw, Self.misleading, Array(more.utf8)] {
            var abis = ContractABIs(pins: [pin])
            try abis.add(given, for: token)
            #expect(try abis.type(account: token, action: transfer).source == .pinned(hash))
            #expect(throws: TransactionError.self) { try abis.type(account: token, action: Name("burn")) }
            #expect(abis.overrides == [])
        }
    }

    @Test func refusesWhatDiffersFromThePinnedABI() throws {
        let token = try Self.token.get()
        let pin = try Self.pin(Self.misleading, for: token)
        let pinned = ABIHash(raw: pin.raw)
        // The built-in ABI, its raw form, and a raw form that decodes alike under another hash.
        let alike = try JSONValue.parse(Self.misleading).text()
            .replacing(#""actions":["#, with: #""ricardian_clauses":[{"id":"a","body":"b"}],"actions":["#)
        let given = [
            Self.builtIn, try ABIDefinition.read(Self.builtIn).rawForm(),
            try ABIDefinition.read(Array(alike.utf8)).rawForm(),
        ]
        for contents in given {
            let hash = try ABIDefinition.read(contents).hash()
            var abis = ContractABIs(pins: [pin])
            #expect(
                throws: TransactionError.abiDiffersFromPinned(account: token, given: hash, pinned: pinned)
            ) {
                try abis.add(contents, for: token)
            }
        }
        // The same text as JSON decodes alike.
        var abis = ContractABIs(pins: [pin])
        try abis.add(Array(alike.utf8), for: token)
        // An override is shown as such.
        var overriding = ContractABIs(pins: [pin])
        try overriding.add(Self.builtIn, for: token, overriding: true)
        let hash = try ABIDefinition.read(Self.builtIn).hash()
        #expect(
            overriding.overrides == [
                ContractABIs.Override(account: token, given: hash, replaced: pinned, isPinned: true)
            ])
        #expect(try overriding.type(account: token, action: Self.transfer.get()).source == .given(hash))
    }

    /// A raw form must have a recorded hash, even if it decodes like the built-in ABI.
    @Test func refusesARawFormThatIsNotRecorded() throws {
        let token = try Self.token.get()
        let raw = try Self.raw("b")
        var abis = ContractABIs()
        #expect(throws: TransactionError.abiNotRecorded(account: token, given: ABIHash(raw: raw))) {
            try abis.add(raw, for: token)
        }
        try abis.add(raw, for: token, overriding: true)
        #expect(abis.overrides == [])
        // If it is pinned, it is accepted.
        var pinned = ContractABIs(pins: [PinnedContractABI(account: token, raw: raw)])
        try pinned.add(raw, for: token)
        #expect(
            try pinned.type(account: token, action: Self.transfer.get()).source == .pinned(ABIHash(raw: raw)))
    }

    /// Bytes that are no ABI are refused when they are needed.
    @Test func refusesAMalformedPinnedABI() throws {
        let account = try Name("mytoken")
        let abis = ContractABIs(pins: [PinnedContractABI(account: account, raw: [1, 2, 3])])
        let error = #expect(throws: TransactionError.self) {
            try abis.type(account: account, action: Name("go"))
        }
        guard case .abi(account, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try abis.type(account: Self.token.get(), action: Self.transfer.get()).source == .builtIn)
    }
}
