import Codecs
import JSON
import TestSupport
import Testing

@testable import ABICodec

/// The types that must not decode an action. nodeos accepts them.
@Suite struct ActionFlawTests {
    private static func flaw(structs: String, more: String = "", type: String = "go") throws -> ABIError? {
        let json = """
            {"version":"eosio::abi/1.2","structs":[\(structs)],\(more)"actions":[{"name":"go","type":"\(type)"}]}
            """
        return try ABI(contents: Array(json.utf8)).actionType(for: Name("go"))?.actionFlaw
    }

    private static func structure(_ name: String, _ fields: KeyValuePairs<String, String>, base: String = "")
        -> String
    {
        let fields = fields.map { #"{"name":"\#($0.key)","type":"\#($0.value)"}"# }.joined(separator: ",")
        return #"{"name":"\#(name)","base":"\#(base)","fields":[\#(fields)]}"#
    }

    private static func refusal(
        _ reason: ABIError.DefinitionFault, in name: String, _ list: String = "structs"
    )
        -> ABIError
    { ABIError(reason).inside(.field(name)).inside(.field(list)) }

    @Test func plainStructsHaveNone() throws {
        let shapes = [
            Self.structure("go", [:]),
            Self.structure("go", ["a-b.c_d": "name", "list": "name[]", "more": "name?$"]),
            Self.structure("go", ["v": "v"]) + "," + Self.structure("empty", [:]),
            Self.structure("B_pair<name, asset>_E", ["first": "name"]) + ","
                + Self.structure("go", ["p": "B_pair<name, asset>_E[]", "again": "go?"]),
        ]
        for structs in shapes {
            let variants = #""variants":[{"name":"v","types":["name","string"]}],"#
            #expect(try Self.flaw(structs: structs, more: variants) == nil)
        }
        #expect(try Self.flaw(structs: "", type: "extended_asset") == nil)
    }

    @Test(arguments: ["uint8[38]", "bytes", "alias", "v", "go[]", "go?", "string"])
    func refusesTypesWithoutFields(type: String) throws {
        let more = """
            "types":[{"new_type_name":"alias","type":"bytes"}],"variants":[{"name":"v","types":["name"]}],
            """
        #expect(
            try Self.flaw(structs: Self.structure("go", ["a": "name"]), more: more, type: type)
                == ABIError(.actionIsNotStruct(type: type)))
    }

    /// Nodes use the built-in type, and other tools may use the struct.
    @Test(arguments: ["asset", "asset[]", "asset?", "alias", "v"])
    func refusesRedefinedTypes(type: String) throws {
        let more = """
            "types":[{"new_type_name":"alias","type":"asset"}],"variants":[{"name":"v","types":["asset"]}],
            """
        let asset = Self.structure("asset", ["id": "uint64"])
        let found = try Self.flaw(structs: asset + "," + Self.structure("go", ["price": type]), more: more)
        #expect(
            found == Self.refusal(.redefinedType("asset"), in: "go")
                || (type == "v" && found == Self.refusal(.redefinedType("asset"), in: "v", "variants")))
        #expect(try Self.flaw(structs: asset + "," + Self.structure("go", ["to": "name"])) == nil)
    }

    @Test(arguments: ["name[0]", "empty", "empty[3]", "nested", "name[0]$", "nothing"])
    func refusesFieldsWithoutBytes(type: String) throws {
        let more = #""types":[{"new_type_name":"nothing","type":"name[0]"}],"#
        let types =
            ["empty": [:], "nested": ["e": "empty"]] as KeyValuePairs<String, KeyValuePairs<String, String>>
        let others = types.map { Self.structure($0.key, $0.value) }.joined(separator: ",")
        let found = try Self.flaw(
            structs: Self.structure("go", ["to": "name", "x": type]) + "," + others, more: more)
        let own = Self.refusal(.fieldTakesNoBytes("x"), in: "go")
        #expect(
            found == own || (type == "nested" && found == Self.refusal(.fieldTakesNoBytes("e"), in: "nested"))
        )
    }

    /// An array, an optional and a variant of values without bytes have a byte that counts.
    @Test func acceptsCountedValuesWithoutBytes() throws {
        let structs =
            Self.structure("go", ["a": "empty[]", "b": "empty?", "v": "v"]) + ","
            + Self.structure("empty", [:])
        #expect(
            try Self.flaw(structs: structs, more: #""variants":[{"name":"v","types":["empty","name"]}],"#)
                == nil)
    }

    @Test(arguments: ["to bob", " ", "", "a\u{e9}", "\u{202e}to", "\u{0430}mount", "a\\u0007"])
    func refusesFieldNames(name: String) throws {
        let found = try Self.flaw(structs: Self.structure("go", ["from": "name", name: "name"]))
        let shown = name == "a\\u0007" ? "a\u{7}" : name
        #expect(found == Self.refusal(.unprintableDefinition(shown), in: "go"))
    }

    @Test func refusesNamesOfStructsAndAlternatives() throws {
        let alien = "t\u{e9}"
        let own = Self.refusal(.unprintableDefinition(alien), in: alien)
        #expect(try Self.flaw(structs: Self.structure(alien, ["a": "name"]), type: alien) == own)
        // a field, a base, an alternative and an alias of the type
        let other = "," + Self.structure(alien, ["b": "name"])
        #expect(try Self.flaw(structs: Self.structure("go", ["a": alien + "[]"]) + other) == own)
        #expect(try Self.flaw(structs: Self.structure("go", ["a": "name"], base: alien) + other) == own)
        let alias = #""types":[{"new_type_name":"plain","type":"\#(alien)"}],"#
        #expect(try Self.flaw(structs: Self.structure("go", ["a": "plain?"]) + other, more: alias) == own)
        let variant = #""variants":[{"name":"v","types":["name","\#(alien)"]}],"#
        #expect(
            try Self.flaw(structs: Self.structure("go", ["a": "v"]) + other, more: variant)
                == Self.refusal(.unprintableDefinition(alien), in: "v", "variants"))
    }

    /// The name of a type is shown before its value.
    @Test(arguments: ["1.0000EOS", "-1", "+5", ".5EOS", "0x"])
    func refusesTypesThatLookLikeAmounts(name: String) throws {
        let variant = #""variants":[{"name":"v","types":["name","\#(name)"]}],"#
        let structs = Self.structure("go", ["a": "v"]) + "," + Self.structure(name, ["b": "name"])
        #expect(
            try Self.flaw(structs: structs, more: variant)
                == Self.refusal(.numericDefinition(name), in: "v", "variants"))
        #expect(
            try Self.flaw(structs: Self.structure(name, ["b": "name"]), type: name)
                == Self.refusal(.numericDefinition(name), in: name))
    }

    @Test func refusesTypesWithSpaces() throws {
        let variant = #""variants":[{"name":"v","types":["name","to bob"]}],"#
        let structs = Self.structure("go", ["a": "v"]) + "," + Self.structure("to bob", ["b": "name"])
        #expect(
            try Self.flaw(structs: structs, more: variant)
                == Self.refusal(.unprintableDefinition("to bob"), in: "v", "variants"))
    }

    /// A flaw concerns only the types that need the flawed one, and encoding still works.
    @Test func otherTypesStayUsable() throws {
        let structs = Self.structure("go", ["a": "name"]) + "," + Self.structure("bad", ["e": "name[0]"])
        #expect(try Self.flaw(structs: structs) == nil)
        let json = #"{"version":"eosio::abi/1.2","structs":[\#(structs)]}"#
        let type = try ABI(contents: Array(json.utf8)).type(named: "bad")
        #expect(try type.encode(json: Array(#"{"e":[]}"#.utf8)) == [])
        #expect(type.actionFlaw == Self.refusal(.fieldTakesNoBytes("e"), in: "bad"))
    }

    /// No action of an ABI that a chain stored is refused (Vectors/examples, and the built-in ones
    /// in `BuiltInABITests`).
    @Test func honestABIsHaveNone() throws {
        let file = try repositoryFile("Vectors/examples/fio.token.get_raw_abi.json")
        let abi = try ABI(contents: file)
        #expect(!abi.actionNames.isEmpty)
        for name in abi.actionNames {
            let type = try #require(try abi.actionType(for: name))
            #expect(type.actionFlaw == nil)
        }
    }
}
