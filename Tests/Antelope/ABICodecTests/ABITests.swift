import Codecs
import JSON
import TestSupport
import Testing

@testable import ABICodec

@Suite struct ABITests {
    private func load(_ members: String) throws -> ABI {
        try ABI(contents: Array("{\"version\":\"eosio::abi/1.2\",\(members)}".utf8))
    }

    static let refused: [(members: String, reason: ABIError.Reason, path: String)] = [
        (
            #""types":[{"new_type_name":"a","type":"b"},{"new_type_name":"b","type":"a[]"}]"#,
            .definition(.circularAlias("b")),
            "types.a"
        ),
        (#""types":[{"new_type_name":"a","type":"a"}]"#, .definition(.circularAlias("a")), "types.a"),
        (#""types":[{"new_type_name":"a","type":"nosuch"}]"#, .definition(.unknownType("nosuch")), "types.a"),
        (
            #""types":[{"new_type_name":"a","type":"name"},{"new_type_name":"a","type":"name"}]"#,
            .definition(.duplicateDefinition(.type, "a")), ""
        ),
        (#""types":[{"new_type_name":"name","type":"uint64"}]"#, .definition(.typeExists("name")), ""),
        (#""types":[{"new_type_name":"uint8[]","type":"uint64"}]"#, .definition(.typeExists("uint8[]")), ""),
        (
            #""types":[{"new_type_name":"s[4]","type":"s"}],"structs":[{"name":"s"}]"#,
            .definition(.typeExists("s[4]")), ""
        ),
        (
            #""types":[{"new_type_name":"a","type":"name"},{"new_type_name":"a[]","type":"name"}]"#,
            .definition(.typeExists("a[]")),
            ""
        ),
        (
            #"""
            "types":[{"new_type_name":"b[]","type":"name"}],"structs":[{"name":"s","fields":[{"name":"f",\#
            "type":"b[]"}]}]
            """#,
            .definition(.unknownType("b")), "structs.s.f"
        ),
        (
            #""types":[{"new_type_name":"s","type":"name"}],"structs":[{"name":"s"}]"#,
            .definition(.duplicateDefinition(.type, "s")), ""
        ),
        (
            #""types":[{"new_type_name":"extended_asset","type":"name"}]"#,
            .definition(.typeExists("extended_asset")),
            ""
        ),
        (
            #""types":[{"new_type_name":"asset","type":"name"}],"structs":[{"name":"asset"}]"#,
            .definition(.typeExists("asset")), ""
        ),
        (
            #""structs":[{"name":"asset"},{"name":"asset"}]"#,
            .definition(.duplicateDefinition(.type, "asset")), ""
        ),
        (
            #""variants":[{"name":"v","types":["name"]},{"name":"v","types":["bool"]}]"#,
            .definition(.duplicateDefinition(.type, "v")), ""
        ),
        (
            #""structs":[{"name":"s","base":"extended_asset"}]"#,
            .definition(.baseIsNotStruct("extended_asset")),
            "structs.s"
        ),
        (
            #""structs":[{"name":"s","base":"v"}],"variants":[{"name":"v","types":["name"]}]"#,
            .definition(.baseIsNotStruct("v")),
            "structs.s"
        ),
        (
            #""types":[{"new_type_name":"a","type":"name$"}]"#, .definition(.misplacedExtension("name$")),
            "types.a"
        ),
        (
            #""structs":[{"name":"s","base":"","fields":[]},{"name":"s","base":"","fields":[]}]"#,
            .definition(.duplicateDefinition(.type, "s")), ""
        ),
        (
            #""structs":[{"name":"s","base":"t","fields":[]},{"name":"t","base":"s","fields":[]}]"#,
            .definition(.circularBase("s")),
            "structs"
        ),
        (
            #""structs":[{"name":"s","base":"name","fields":[]}]"#, .definition(.baseIsNotStruct("name")),
            "structs.s"
        ),
        (
            #""structs":[{"name":"s","base":"nosuch","fields":[]}]"#, .definition(.unknownType("nosuch")),
            "structs.s"
        ),
        (
            #""structs":[{"name":"s","base":"","fields":[{"name":"f","type":"nosuch[]"}]}]"#,
            .definition(.unknownType("nosuch")),
            "structs.s.f"
        ),
        (
            #""structs":[{"name":"s","base":"","fields":[{"name":"f","type":"name$[]"}]}]"#,
            .definition(.misplacedExtension("name$[]")), "structs.s.f"
        ),
        (#""structs":[{"name":"s","fields":[{"name":"f"}]}]"#, .definition(.unknownType("")), "structs.s.f"),
        (#""structs":[1]"#, .input(.expected(.object, found: .number)), "structs[0]"),
        (#""actions":[{"name":"a"}]"#, .definition(.unknownType("")), "actions.a"),
        (
            #""actions":[{"type":"name"},{"type":"name"}]"#, .definition(.duplicateDefinition(.action, "")),
            "actions"
        ),
        (#""tables":[{"name":"t"}]"#, .definition(.unknownType("")), "tables.t"),
        (#""action_results":[{"name":"a"}]"#, .definition(.unknownType("")), "action_results.a"),
        (#""error_messages":[{},{}]"#, .definition(.duplicateDefinition(.errorMessage, "0")), ""),
        (#""structs":{}"#, .input(.expected(.array, found: .object)), "structs"),
        (
            #""variants":[{"name":"v","types":["name","nosuch"]}]"#, .definition(.unknownType("nosuch")),
            "variants.v"
        ),
        (
            #""variants":[{"name":"v","types":["name$"]}]"#, .definition(.misplacedExtension("name$")),
            "variants.v"
        ),
        (
            #""variants":[{"name":"v","types":[1]}]"#, .input(.expected(.text, found: .number)),
            "variants[0].types[0]"
        ),
        (#""actions":[{"name":"a","type":"nosuch"}]"#, .definition(.unknownType("nosuch")), "actions.a"),
        (
            #""actions":[{"name":"a","type":"name"},{"name":"a","type":"name"}]"#,
            .definition(.duplicateDefinition(.action, "a")),
            "actions"
        ),
        (
            #""actions":[{"name":"A","type":"name"}]"#, .builtIn(.invalidNameCharacter(offset: 0)),
            "actions[0].name"
        ),
        (
            #""tables":[{"name":"a","type":"name"},{"name":"a","type":"name"}]"#,
            .definition(.duplicateDefinition(.table, "a")),
            "tables"
        ),
        (
            #""action_results":[{"name":"a","result_type":"nosuch"}]"#, .definition(.unknownType("nosuch")),
            "action_results.a"
        ),
        (#""calls":[{"name":"a","type":"nosuch","id":1}]"#, .definition(.unknownType("nosuch")), "calls.a"),
        (
            #""calls":[{"name":"a","type":"name","id":1,"result_type":"nosuch"}]"#,
            .definition(.unknownType("nosuch")),
            "calls.a"
        ),
        (
            #""calls":[{"name":"a","type":"name","id":1},{"name":"a","type":"name","id":2,"result_type":""}]"#,
            .definition(.duplicateDefinition(.call, "a")), "calls"
        ),
        (
            #""calls":[{"name":"a","type":"name","id":-1}]"#, .builtIn(.integerOutOfRange(type: "uint64")),
            "calls[0].id"
        ),
        (
            #""error_messages":[{"error_code":1,"error_msg":"a"},{"error_code":"1","error_msg":"b"}]"#,
            .definition(.duplicateDefinition(.errorMessage, "1")), ""
        ),
        (
            #""error_messages":[{"error_code":null,"error_msg":"a"}]"#,
            .input(.expected(.integer, found: .null)),
            "error_messages[0].error_code"
        ),
    ]

    @Test(arguments: refused) func refuses(_ row: (members: String, reason: ABIError.Reason, path: String)) {
        let error = #expect(throws: ABIError.self) { try load(row.members) }
        #expect(error?.reason == row.reason)
        #expect(error?.pathText == row.path)
    }

    @Test(arguments: ["eosio::abi/1.4", "eosio::abi/2.0", "eosio::abi/1.", "eosio::abi/1.10", ""])
    func refusesVersions(_ version: String) {
        let error = #expect(throws: ABIError.self) {
            try ABI(contents: Array("{\"version\":\"\(version)\"}".utf8))
        }
        #expect(error?.reason == .definition(.unsupportedVersion(version)))
    }

    @Test func loadsWhatCleosLoads() throws {
        let abi = try load(
            #""____comment":"generated","types":null,"structs":[{"name":"s","fields":null,"x":1}],"error_messages":[]"#
        )
        #expect(try abi.type(named: "s").encode(json: Array("{}".utf8)) == [])
        #expect(try abi.actionType(for: Name("nosuch")) == nil)
        let error = #expect(throws: ABIError.self) { try abi.type(named: "s$") }
        #expect(error?.reason == .definition(.misplacedExtension("s$")))
    }

    /// A plain field after an extension loads with a warning. A value without the extension is
    /// refused.
    @Test func plainFieldAfterExtension() throws {
        let abi = try load(
            #""structs":[{"name":"s","fields":[{"name":"e","type":"uint8$"},{"name":"p","type":"uint8"}]}]"#)
        #expect(abi.warnings == [.fieldAfterExtension(type: "s", field: "p", extension: "e")])
        let type = try abi.type(named: "s")
        #expect(try type.encode(json: Array(#"{"e":1,"p":2}"#.utf8)) == [1, 2])
        let encoding = #expect(throws: ABIError.self) { try type.encode(json: Array(#"{"p":2}"#.utf8)) }
        #expect(encoding?.reason == .shape(.fieldAfterMissingExtension("e")))
        let decoding = #expect(throws: ABIError.self) { try type.decode([]) }
        #expect(decoding?.reason == .shape(.missingField("p")))
    }

    @Test func chainsOfDefinitionsAreCapped() throws {
        let aliases =
            (0..<100).map { "{\"new_type_name\":\"a\($0)\",\"type\":\"a\($0 + 1)\"}" } + [
                "{\"new_type_name\":\"a100\",\"type\":\"name\"}"
            ]
        let bases = (0..<100).map {
            "{\"name\":\"s\($0)\",\"base\":\"\($0 < 99 ? "s\($0 + 1)" : "")\",\"fields\":[]}"
        }
        for members in [
            "\"types\":[\(aliases.joined(separator: ","))]", "\"structs\":[\(bases.joined(separator: ","))]",
        ] {
            let error = #expect(throws: ABIError.self) { try load(members) }
            #expect(error?.reason == .definition(.typeTooDeep(limit: 32)))
        }
        let abi = try load("\"types\":[]")
        let error = #expect(throws: ABIError.self) {
            try abi.type(named: "name" + String(repeating: "[]", count: 1_000_000))
        }
        #expect(error?.reason == .definition(.typeTooDeep(limit: 32)))
    }

    /// Each struct contains the previous one twice: 2^40 values that take no bytes.
    @Test func emptyStructsDoNotMultiply() {
        let structs = (0..<40).map { index in
            let fields =
                index == 0
                ? ""
                : "{\"name\":\"l\",\"type\":\"s\(index - 1)\"},{\"name\":\"r\",\"type\":\"s\(index - 1)\"}"
            return "{\"name\":\"s\(index)\",\"fields\":[\(fields)]}"
        }
        let error = #expect(throws: ABIError.self) {
            try load("\"structs\":[\(structs.joined(separator: ","))]")
        }
        #expect(error?.reason == .definition(.tooManyEmptyFields("s10")))
    }

    /// A struct that contains itself has no value. Decoding it must end.
    @Test func structInItself() throws {
        let type = try load(#""structs":[{"name":"s","fields":[{"name":"s","type":"s"}]}]"#).type(named: "s")
        let decoding = #expect(throws: ABIError.self) { try type.decode([]) }
        #expect(decoding?.reason == .shape(.depthExceeded(limit: 32)))
    }

    /// The ABIs of the system contracts, as cleos fetches them, with the types of their actions.
    @Test func systemContracts() throws {
        let file = try JSONValue.parse(repositoryFile("Vectors/transactions.json"))
        let abis = try #require(file["abis"]?.object)
        #expect(abis.map(\.key).sorted() == ["eosio", "eosio.msig", "eosio.token", "eosio.wrap"])
        for member in abis {
            let abi = try ABI(member.value)
            for action in try #require(member.value["actions"]?.array) {
                #expect(try abi.actionType(for: Name(#require(action["name"]?.string))) != nil)
            }
        }
        let token = try ABI(#require(abis.first { $0.key == "eosio.token" }?.value))
        let transfer = try #require(try token.actionType(for: Name("transfer")))
        let json = Array(#"{"from":"alice","to":"bob","quantity":"1.0000 EOS","memo":"hello"}"#.utf8)
        let bytes = try transfer.encode(json: json)
        #expect(
            Hex.encode(bytes)
                == "0000000000855c340000000000000e3d102700000000000004454f53000000000568656c6c6f")
        #expect(try transfer.decode(bytes) == json)
    }
}
