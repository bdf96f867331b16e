import Codecs
import JSON
import TestSupport
import Testing

@testable import ABICodec

/// ABIs that nodeos loads although a name in them has two meanings or a member is omitted. Each was
/// set on a chain. nodeos of Leap 4.1 packed the bytes.
@Suite struct NodeosABITests {
    static func load(_ members: String, version: String = "eosio::abi/1.1") throws -> ABI {
        try ABI(contents: Array("{\"version\":\"\(version)\",\(members)}".utf8))
    }

    static let act = #""actions":[{"name":"act","type":"act"}]"#

    struct Row: CustomTestStringConvertible {
        let name: String
        let members: String
        let json: String
        let hex: String
        let warnings: [ABIWarning]

        init(_ name: String, _ members: String, _ json: String, _ hex: String, _ warnings: [ABIWarning] = [])
        {
            (self.name, self.members, self.json, self.hex, self.warnings) = (
                name, members, json, hex, warnings
            )
        }

        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(
            "a struct with the name of a built-in type",
            #"""
            "structs":[{"name":"asset","base":"","fields":[{"name":"id","type":"uint64"}]},{"name":"act",\#
            "fields":[{"name":"a","type":"asset"}]}]
            """#,
            #"{"a":"1.0000 EOS"}"#, "102700000000000004454f5300000000",
            [.notUsed(.structure, name: "asset", instead: .builtIn)]),
        Row(
            "a struct equal to extended_asset",
            #"""
            "structs":[{"name":"extended_asset","fields":[{"name":"quantity","type":"asset"},{"name":"contract",\#
            "type":"name"}]},{"name":"act","fields":[{"name":"a","type":"extended_asset"}]}]
            """#,
            #"{"a":{"quantity":"1.0000 EOS","contract":"abc"}}"#,
            "102700000000000004454f5300000000000000000000d031",
            [.notUsed(.structure, name: "extended_asset", instead: .builtIn)]),
        Row(
            "a struct named extended_asset, with other fields",
            #"""
            "structs":[{"name":"extended_asset","fields":[{"name":"q","type":"asset"}]},{"name":"act",\#
            "fields":[{"name":"a","type":"extended_asset"}]}]
            """#,
            #"{"a":{"quantity":"1.0000 EOS","contract":"abc"}}"#,
            "102700000000000004454f5300000000000000000000d031",
            [.notUsed(.structure, name: "extended_asset", instead: .builtIn)]),
        Row(
            "a struct named bitset in an ABI older than the type",
            #"""
            "structs":[{"name":"bitset","fields":[{"name":"n","type":"uint8"}]},{"name":"act","fields":[{"name":"a",\#
            "type":"bitset"}]}]
            """#,
            #"{"a":{"n":5}}"#, "05", [.ownBitset(version: "eosio::abi/1.1")]),
        Row(
            "a variant with the name of a built-in type",
            #"""
            "variants":[{"name":"asset","types":["uint8","name"]}],"structs":[{"name":"act","fields":[{"name":"a",\#
            "type":"asset"}]}]
            """#,
            #"{"a":"1.0000 EOS"}"#, "102700000000000004454f5300000000",
            [.notUsed(.variant, name: "asset", instead: .builtIn)]),
        Row(
            "a variant and a struct with the same name",
            #"""
            "variants":[{"name":"v","types":["uint8","name"]}],"structs":[{"name":"v","fields":[{"name":"x",\#
            "type":"uint16"}]},{"name":"act","fields":[{"name":"a","type":"v"}]}]
            """#,
            #"{"a":["uint8",7]}"#, "0007", [.notUsed(.structure, name: "v", instead: .variant)]),
        Row(
            "a variant and an alias with the same name",
            #"""
            "types":[{"new_type_name":"v","type":"uint16"}],"variants":[{"name":"v","types":["uint8","name"]}],\#
            "structs":[{"name":"act","fields":[{"name":"a","type":"v"}]}]
            """#,
            #"{"a":7}"#, "0700", [.notUsed(.variant, name: "v", instead: .alias)]),
        Row(
            "an alias of a struct with the name of a built-in type",
            #"""
            "types":[{"new_type_name":"x","type":"asset"}],"structs":[{"name":"asset","fields":[{"name":"id",\#
            "type":"uint64"}]},{"name":"act","fields":[{"name":"a","type":"x[]"}]}]
            """#,
            #"{"a":["1.0000 EOS"]}"#, "01102700000000000004454f5300000000",
            [.notUsed(.structure, name: "asset", instead: .builtIn)]),
        Row(
            "an alias named like an array of a variant",
            #"""
            "types":[{"new_type_name":"v[]","type":"uint16"}],"variants":[{"name":"v","types":["uint8","name"]}],\#
            "structs":[{"name":"act","fields":[{"name":"a","type":"v[]"}]}]
            """#,
            #"{"a":7}"#, "0700"),
        Row(
            "an alias named like an array of a later alias",
            #"""
            "types":[{"new_type_name":"b[]","type":"uint16"},{"new_type_name":"b","type":"uint8"}],\#
            "structs":[{"name":"act","fields":[{"name":"a","type":"b[]"}]}]
            """#,
            #"{"a":7}"#, "0700"),
        Row(
            "empty names",
            #"""
            "structs":[{"name":"","fields":[{"name":"x","type":"uint8"}]},{"name":"act","fields":[{"name":"",\#
            "type":"uint8"},{"name":"e","type":""}]}]
            """#,
            #"{"":7,"e":{"x":1}}"#, "0701"),
        Row(
            "omitted members",
            #"""
            "structs":[{"fields":[{"type":"uint8"}]},{"name":"act","fields":[{"name":"b"}]}],\#
            "ricardian_clauses":[{}],"error_messages":[{}],"tables":[{"type":"act"}],\#
            "action_results":[{"result_type":"act"}]
            """#,
            #"{"b":{"":7}}"#, "07"),
        Row(
            "omitted name of another action",
            #"""
            "structs":[{"name":"act","fields":[{"name":"b","type":"uint8"}]}],"actions":[{"name":"act",\#
            "type":"act"},{"type":"act"}]
            """#,
            #"{"b":7}"#, "07"),
        Row(
            "null members",
            #"""
            "structs":[{"name":"act","base":null,"fields":[{"name":"b","type":"uint8"}]}],"actions":[{"name":"act",\#
            "type":"act","ricardian_contract":null}]
            """#,
            #"{"b":7}"#, "07"),
        Row(
            "a field twice in the row of a table",
            #"""
            "structs":[{"name":"row","fields":[{"name":"a","type":"uint8"},{"name":"a","type":"uint8"}]},\#
            {"name":"act","fields":[{"name":"b","type":"uint8"}]}],"tables":[{"name":"t","index_type":"i64",\#
            "key_names":[],"key_types":[],"type":"row"}]
            """#,
            #"{"b":7}"#, "07",
            [.unusable(ABIError(.duplicateField("a")).inside(.field("row")).inside(.field("structs")))]),
    ]

    @Test(arguments: rows) func packsAsNodeos(_ row: Row) throws {
        let abi = try Self.load(row.members + (row.members.contains("\"actions\"") ? "" : "," + Self.act))
        #expect(abi.warnings == row.warnings)
        let type = try #require(try abi.actionType(for: Name("act")))
        #expect(try Hex.encode(type.encode(json: Array(row.json.utf8))) == row.hex)
        #expect(try String(decoding: type.decode(Hex.decode(row.hex)), as: UTF8.self) == row.json)
        // The raw form contains the same definitions.
        let definition = try ABIDefinition(
            JSONValue.parse(Array("{\"version\":\"eosio::abi/1.1\",\(row.members)}".utf8)))
        #expect(try ABIDefinition(raw: definition.raw()) == definition)
    }

    // MARK: - bitset

    /// From ABI 1.3 on, the built-in type has precedence over a struct, and an alias of this name
    /// is refused.
    @Test func bitsetSinceItsVersion() throws {
        let structs =
            #"""
            {"name":"bitset","fields":[{"name":"n","type":"uint8"}]},{"name":"act","fields":[{"name":"a",\#
            "type":"bitset"}]}
            """#
        let members = "\"structs\":[\(structs)],\(Self.act)"
        let abi = try Self.load(members, version: "eosio::abi/1.3")
        #expect(abi.warnings == [.notUsed(.structure, name: "bitset", instead: .builtIn)])
        #expect(
            try Hex.encode(
                #require(try abi.actionType(for: Name("act"))).encode(json: Array(#"{"a":"101"}"#.utf8)))
                == "0305")
        let error = #expect(throws: ABIError.self) {
            try Self.load(#""types":[{"new_type_name":"bitset","type":"uint8"}]"#, version: "eosio::abi/1.3")
        }
        #expect(error?.reason == .definition(.typeExists("bitset")))
    }

    @Test(arguments: [
        (#""types":[{"new_type_name":"bitset","type":"uint8"}]"#, "7", "07"),
        (#""variants":[{"name":"bitset","types":["uint8"]}]"#, #"["uint8",7]"#, "0007"),
    ]) func bitsetOfEarlierVersions(members: String, json: String, hex: String) throws {
        for version in ["eosio::abi/1.0", "eosio::abi/1.1", "eosio::abi/1.2"] {
            let abi = try Self.load(members, version: version)
            #expect(abi.warnings == [.ownBitset(version: version)])
            #expect(try Hex.encode(abi.type(named: "bitset").encode(json: Array(json.utf8))) == hex)
        }
        // If nothing else has the name, it means the built-in type.
        #expect(
            try Hex.encode(
                Self.load(#""types":[]"#).type(named: "bitset").encode(json: Array(#""101""#.utf8)))
                == "0305")
    }

    // MARK: - bases

    /// As a base, a name means the struct, whatever it means as a type. nodeos decodes it this way.
    @Test(arguments: [
        (#"{"name":"asset","fields":[{"name":"id","type":"uint64"}]}"#, "asset", ""),
        (
            #"{"name":"v","fields":[{"name":"id","type":"uint64"}]}"#, "v",
            #","variants":[{"name":"v","types":["bool"]}]"#
        ),
        (
            #"{"name":"asset","fields":[{"name":"id","type":"uint64"}]}"#, "w",
            #","types":[{"new_type_name":"w","type":"asset"}]"#
        ),
    ]) func basesAreStructs(structure: String, base: String, more: String) throws {
        let derived = #"{"name":"act","base":"\#(base)","fields":[{"name":"a","type":"uint8"}]}"#
        let abi = try Self.load("\"structs\":[\(structure),\(derived)]\(more)")
        #expect(
            try String(
                decoding: abi.type(named: "act").decode(Hex.decode("010000000000000002")), as: UTF8.self)
                == #"{"id":1,"a":2}"#)
        #expect(abi.warnings.count == 1)
    }

    // MARK: - duplicate names

    static let twice:
        [(members: String, usable: [String], unusable: [String], reason: ABIError.Reason, path: String)] =
            [
                (
                    #"""
                    "structs":[{"name":"s","fields":[{"name":"f","type":"bool"},{"name":"g","type":"bool"},\#
                    {"name":"f","type":"name"}]},\#
                    {"name":"d","base":"s","fields":[{"name":"f","type":"bool"}]},{"name":"u",\#
                    "fields":[{"name":"x","type":"a[]"}]},{"name":"o","fields":[{"name":"s","type":"bool"}]}],\#
                    "types":[{"new_type_name":"a","type":"d?"}],"variants":[{"name":"v","types":["bool","u"]},\#
                    {"name":"w","types":["o"]}]
                    """#,
                    ["o", "w", "o[]", "name"], ["s", "d", "u", "a", "v", "s[]", "u?", "v[3]"],
                    .shape(.duplicateField("f")),
                    "structs.s"
                ),
                (
                    #"""
                    "structs":[{"name":"p","fields":[{"name":"f","type":"bool"}]},{"name":"d","base":"p",\#
                    "fields":[{"name":"f","type":"bool"}]},{"name":"e","base":"d","fields":[{"name":"f",\#
                    "type":"bool"}]}]
                    """#,
                    ["p"], ["d", "e"], .shape(.duplicateField("f")), "structs.d"
                ),
                (
                    #"""
                    "structs":[{"name":"s","fields":[{"name":"f","type":"v?"}]},{"name":"o","fields":[{"name":"f",\#
                    "type":"name"}]}],"variants":[{"name":"v","types":["name","bool","name"]}]
                    """#,
                    ["o"], ["v", "s", "s[]"], .definition(.duplicateDefinition(.alternative, "name")),
                    "variants.v"
                ),
                (
                    // in a cycle
                    #"""
                    "structs":[{"name":"s","fields":[{"name":"n","type":"t?"}]},{"name":"t","fields":[{"name":"s",\#
                    "type":"s?"},{"name":"f","type":"bool"},{"name":"f","type":"bool"}]}]
                    """#,
                    ["bool"], ["s", "t"], .shape(.duplicateField("f")), "structs.t"
                ),
            ]

    @Test(arguments: twice)
    func duplicateNames(
        _ row: (members: String, usable: [String], unusable: [String], reason: ABIError.Reason, path: String)
    ) throws {
        for name in row.unusable {
            let actions =
                #""actions":[{"name":"act","type":"\#(name)"},{"name":"other","type":"\#(row.usable[0])"}]"#
            let abi = try Self.load(row.members + "," + actions)
            #expect(abi.warnings.count == 1)
            #expect(try abi.actionType(for: Name("other")) != nil)
            for use in [{ _ = try abi.actionType(for: Name("act")) }, { _ = try abi.type(named: name) }] {
                let error = #expect(throws: ABIError.self) { try use() }
                #expect(error?.reason == row.reason)
                #expect(error?.pathText == row.path)
            }
        }
        let abi = try Self.load(row.members)
        for name in row.usable { _ = try abi.type(named: name) }
    }

    /// nodeos treats an action with an empty type as unknown.
    @Test func actionWithEmptyType() throws {
        let abi = try Self.load(#""structs":[{"fields":[]}],"actions":[{"name":"a"},{"name":"b","type":""}]"#)
        #expect(try abi.actionType(for: Name("a")) == nil)
        #expect(try abi.actionType(for: Name("b")) == nil)
    }

    // MARK: - text that is not UTF-8

    /// Each place of prose in a raw form, with bytes that are not UTF-8. The raw form and its hash
    /// stay the same.
    @Test func rawTextThatIsNotUTF8() throws {
        let head = "0e656f73696f3a3a6162692f312e32"
        let raw = try Hex.decode(
            head + "00" + "01" + "03616374" + "00" + "01" + "0162" + "0575696e7438"
                // act: its contract is c3 28
                + "01" + "0000000000009032" + "03616374" + "02c328"
                // a table: index type ff, key name fe, key type fd
                + "01" + "0000000000009032" + "01ff" + "01" + "01fe" + "01" + "01fd" + "03616374"
                + "01" + "0180" + "03e28228" + "01" + "0700000000000000" + "01c0" + "00" + "00" + "00")
        let definition = try ABIDefinition(raw: raw)
        #expect(try definition.raw() == raw)
        let places = [
            "actions[0].ricardian_contract", "tables[0].index_type", "tables[0].key_names[0]",
            "tables[0].key_types[0]",
            "ricardian_clauses[0].id", "ricardian_clauses[0].body", "error_messages[0].error_msg",
        ]
        #expect(definition.unprintable == places)
        let file = try ABIDefinition.read(raw)
        #expect(try file.hash() == ABIHash(raw: raw))
        #expect(try file.rawForm() == raw)
        let abi = try ABI(definition)
        #expect(abi.warnings == places.map { .notUTF8(place: $0) })
        let action = try #require(abi.actionNames.first)
        #expect(try #require(try abi.actionType(for: action)).encode(json: Array(#"{"b":7}"#.utf8)) == [7])
        // The JSON has other text there, so it packs to another raw form.
        let printed = try ABIDefinition(definition.json)
        #expect(printed.unprintable == [])
        #expect(try printed.raw() != raw)
        #expect(definition.json["ricardian_clauses"]?.array?.first?["id"]?.string == "\u{fffd}")
    }

    /// Names that actions need must be UTF-8.
    @Test(arguments: [
        ("0101ff" + "046e616d65" + "000000000000000000", "types[0].new_type_name"),
        ("00" + "0101ff0000" + "0000000000000000", "structs[0].name"),
        ("00" + "00" + "01" + "0000000000009032" + "01ff" + "00" + "000000000000", "actions[0].type"),
    ]) func namesThatAreNotUTF8(hex: String, path: String) throws {
        let error = #expect(throws: ABIError.self) {
            try ABIDefinition(raw: Hex.decode("0e656f73696f3a3a6162692f312e32" + hex))
        }
        #expect(error?.reason == .input(.invalidUTF8))
        #expect(error?.pathText == path)
    }
}
