import ABICodec
import JSON
import TestSupport
import Testing

@testable import Transactions

struct BuiltInABITests {
    /// An ABI that did not compile would be missing, and its actions would be refused as actions of
    /// an unknown contract.
    @Test(arguments: BuiltInABI.all)
    func compiles(_ builtIn: BuiltInABI) throws {
        let abi = try #require(builtIn.abi)
        #expect(abi.warnings == [])
        #expect(!builtIn.actions.isEmpty)
        for name in builtIn.actions {
            let type = try #require(try abi.actionType(for: name))
            #expect(type.actionFlaw == nil)
        }
        for chain in builtIn.chains { _ = try ChainID(chain) }
    }

    @Test func otherAccountsHaveNoABI() throws {
        #expect(BuiltInABI.all(for: try Name("eosio.tokens")).isEmpty)
    }

    @Test(arguments: [
        ("eosio", 91), ("eosio.token", 6), ("eosio.msig", 6), ("eosio.wrap", 1), ("core.vaulta", 44),
    ])
    func hasAllActions(account: String, count: Int) throws {
        #expect(BuiltInABI.all(for: try Name(account)).first?.actions.count == count)
    }

    /// The actions of VaultaFoundation/system-contracts 9edc8bc, contracts/eosio.system/include,
    /// that are in no recorded ABI.
    @Test(arguments: [
        ("denyhashcalc", #"{"patterns":["a","b"]}"#), ("denyhashadd", "{\"hash\":\"\(zeros)\"}"),
        ("denyhashrm", "{\"hash\":\"\(zeros)\"}"),
        ("denynames", #"{"patterns":[]}"#), ("undenynames", #"{"patterns":["x"]}"#),
        ("giftram", #"{"from":"a","to":"b","bytes":-1,"memo":"m"}"#),
        ("ungiftram", #"{"from":"a","to":"b","memo":"m"}"#),
        ("switchtosvnn", "{}"),
        ("regfinkey", #"{"finalizer_name":"a","finalizer_key":"PUB_BLS_","proof_of_possession":"SIG_BLS_"}"#),
        ("actfinkey", #"{"finalizer_name":"a","finalizer_key":"PUB_BLS_"}"#),
        ("delfinkey", #"{"finalizer_name":"a","finalizer_key":"PUB_BLS_"}"#), ("getpeerkeys", "{}"),
        (
            "regpeerkey",
            #"{"proposer_finalizer_name":"a","key":"EOS6gsQXzM6CLbhbDKLEteS6PZb6W2UaHDLvtQN56gxEGYsBZ6rcC"}"#
        ),
        (
            "delpeerkey",
            #"{"proposer_finalizer_name":"a","key":"EOS6gsQXzM6CLbhbDKLEteS6PZb6W2UaHDLvtQN56gxEGYsBZ6rcC"}"#
        ),
    ])
    func hasTheNewestActions(action: String, json: String) throws {
        let (type, source) = try ContractABIs().type(account: Name("eosio"), action: Name(action))
        #expect(source == .builtIn)
        #expect(try type.decode(type.encode(json: Array(json.utf8))) == Array(json.utf8))
    }

    private static let zeros = String(repeating: "0", count: 64)

    // MARK: - recorded forms

    /// `Vectors/abis` has a file for each recorded ABI, with its hash.
    @Test func recordedHashesAreThoseOfTheFiles() throws {
        for recorded in RecordedABI.all {
            let raw = try Self.raw(of: recorded)
            #expect(ABIHash(raw: raw).text == recorded.sha256)
            _ = try ChainID(recorded.chain)
        }
        let accounts = RecordedABI.all.map(\.account)
        #expect(accounts.count { $0 == "eosio" } == 3)
        #expect(accounts.count { $0 == "eosio.token" } == 2)
        #expect(accounts.count { $0 == "eosio.msig" } == 1)
        #expect(accounts.count { $0 == "core.vaulta" } == 1)
        #expect(accounts.count == 7)
    }

    @Test func findsRecordedHashesOfTheirAccountOnly() throws {
        let recorded = try #require(RecordedABI.all.first)
        let hash = ABIHash(raw: try Self.raw(of: recorded))
        #expect(RecordedABI.find(hash, for: try Name("eosio")) == recorded)
        #expect(RecordedABI.find(hash, for: try Name("eosio.token")) == nil)
        #expect(RecordedABI.find(ABIHash(raw: []), for: try Name("eosio")) == nil)
    }

    /// A given file with a recorded hash is used. Another raw form of the same JSON is compared.
    @Test(arguments: RecordedABI.all)
    func acceptsRecordedFiles(_ recorded: RecordedABI) throws {
        var abis = ContractABIs()
        let account = try Name(recorded.account)
        try abis.add(Self.file(of: recorded), for: account)
        #expect(abis.overrides == [])
        let hash = ABIHash(raw: try Self.raw(of: recorded))
        let action = try #require(try ABI(contents: Self.file(of: recorded)).actionNames.first)
        #expect(try abis.type(account: account, action: action).source == .given(hash))
    }

    /// Each action of each recorded ABI, with and without its binary extensions: the built-in ABI
    /// decodes its bytes to the same text, and packs that text to the same bytes.
    @Test(arguments: RecordedABI.all, [true, false])
    func decodesTheSame(_ recorded: RecordedABI, hasExtensions: Bool) throws {
        let definition = try ABIDefinition(raw: Self.raw(of: recorded))
        let abi = try ABI(definition)
        let account = try Name(recorded.account)
        #expect(!abi.actionNames.isEmpty)
        for action in abi.actionNames {
            var sample = SampleValue(definition.json, hasExtensions: hasExtensions)
            let theirs = try #require(try abi.actionType(for: action))
            let bytes = try theirs.encode(json: Array(sample.value(theirs.name).text().utf8))
            let (ours, source) = try ContractABIs().type(account: account, action: action)
            #expect(source == .builtIn)
            let text = try ours.decode(bytes)
            #expect(text == (try theirs.decode(bytes)), "\(action)")
            #expect(try ours.encode(json: text) == bytes, "\(action)")
        }
    }

    private static func raw(of recorded: RecordedABI) throws -> [UInt8] {
        let file = try ABIDefinition.read(Self.file(of: recorded))
        #expect(file.account == recorded.account)
        return try file.definition.raw()
    }

    private static func file(of recorded: RecordedABI) throws -> [UInt8] {
        try repositoryFile("Vectors/abis/\(recorded.account)-\(recorded.sha256.prefix(8)).json")
    }

    // MARK: - older forms

    /// An older ABI has no action of the newest one, so no bytes have two readings.
    @Test func olderABIsHaveNoActionOfTheNewest() throws {
        for older in BuiltInABI.all where older.isOlder {
            let newest = try #require(BuiltInABI.all(for: Name(older.account)).first)
            #expect(!newest.isOlder)
            #expect(Set(newest.actions).isDisjoint(with: older.actions))
        }
    }

    @Test func decodesActionsOfOlderABIs() throws {
        let (type, source) = try ContractABIs().type(account: Name("eosio"), action: Name("setprods"))
        #expect(source == .builtInOlder(date: "2018"))
        let json =
            #"""
            {"schedule":[{"producer_name":"a","block_signing_key":"EOS6gsQXzM6CLbhbDKLEteS6PZb6W2UaHDLvtQN56gxEGYsBZ\#
            6rcC"}]}
            """#
        #expect(try type.decode(type.encode(json: Array(json.utf8))) == Array(json.utf8))
    }

    /// Bytes packed by the ABI before 2022, without the extensions that the newest ABI has at the
    /// end.
    @Test(arguments: ["setparams", "updateauth", "deleteauth", "linkauth", "unlinkauth", "setcode", "setabi"])
    func newestDecodesWithoutExtensions(action: String) throws {
        let json = try JSONValue.parse(PackageResources.eosio_abi_json)
        var sample = SampleValue(json, hasExtensions: false)
        var full = SampleValue(json, hasExtensions: true)
        let type = try ContractABIs().type(account: Name("eosio"), action: Name(action)).type
        let short = try type.encode(json: Array(sample.value(type.name).text().utf8))
        let long = try type.encode(json: Array(full.value(type.name).text().utf8))
        #expect(long.count > short.count)
        #expect(long.starts(with: short))
        #expect(try type.encode(json: type.decode(short)) == short)
        #expect(try type.encode(json: type.decode(long)) == long)
    }
}
