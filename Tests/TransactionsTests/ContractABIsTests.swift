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
            #"[{"name":"from","type":"name"},{"name":"to""#, to: #"[{"name":"to","type":"name"},{"name":"from""#)
        #expect(throws: try Self.refusal(swapped, action: "transfer")) { try abis.add(swapped, for: token) }
        let raw = try ABIDefinition.read(swapped).rawForm()
        #expect(throws: try Self.refusal(raw, action: "transfer")) { try abis.add(raw, for: token) }
        // The refused ABI is not used.
        #expect(try abis.type(account: token, action: Self.transfer.get()).source == .builtIn)
        #expect(abis.overrides == [])
    }

    @Test func acceptsRecordedAndEquivalent() throws {
        let token = try Self.token.get()
        var abis = ContractABIs()
        try abis.add(Self.builtIn, for: token)
        let hash = try #require(BuiltInABI.newest(for: token)?.hash)
        #expect(try abis.type(account: token, action: Self.transfer.get()).source == .given(hash))
        // An ABI with another hash and the same actions.
        let other = try Self.changed(#""types":[]"#, to: #""types":[],"ricardian_clauses":[{"id":"a","body":"b"}]"#)
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
        #expect(throws: TransactionError.actionNotBuiltIn(path: "actions[0].data", account: token, action: burn)) {
            try SignedTransaction(reading: Array(json.utf8), abis: abis)
        }
        var overriding = ContractABIs()
        try overriding.add(more, for: token, overriding: true)
        #expect(try overriding.type(account: token, action: burn).source == .given(ABIDefinition.read(more).hash()))
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
        #expect(throws: TransactionError.abiGivenTwice(account: account)) { try abis.add(Self.builtIn, for: account) }
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
        #expect(throws: TransactionError.abiOfOtherAccount(account: try Name("fio.tokem"), stated: "fio.token")) {
            try abis.add(raw, for: Name("fio.tokem"))
        }
        try abis.add(raw, for: Name("fio.token"))
    }
}
