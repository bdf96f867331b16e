import Codecs
import JSON
import Testing

@testable import ABICodec

/// The additions of ABI 1.3: `bitset` and `T[N]` (AntelopeIO/spring, release/2.0).
@Suite struct NewestTypeTests {
    private func load(_ members: String = "\"types\":[]") throws -> ABI {
        try ABI(contents: Array("{\"version\":\"eosio::abi/1.3\",\(members)}".utf8))
    }

    private func refusal(_ body: () throws -> Void) -> ABIError.Reason? {
        #expect(throws: ABIError.self, performing: body)?.reason
    }

    static let values: [(type: String, json: String, hex: String)] = [
        ("bitset", #""101""#, "0305"), ("bitset", #""""#, "00"), ("bitset", #""0""#, "0100"),
        ("bitset", #""10000000""#, "0880"),
        ("bitset", #""100000000""#, "090001"), ("bitset", #""011111111111111110111""#, "15f7ff0f"),
        ("bitset?", #""1""#, "010101"), ("bitset[2]", #"["1","11"]"#, "01010203"),
        ("uint16[4]", "[1,2,3,4]", "0100020003000400"), ("uint8[0]", "[]", ""),
        ("uint8[007]", "[1,2,3,4,5,6,7]", "01020304050607"),
        ("string[2][]", #"[["a","b"],["c",""]]"#, "02016101620163" + "00"),
        ("uint8[][2]", "[[1],[2,3]]", "0101020203"),
        ("name[2]?", #"["a","b"]"#, "01" + "0000000000000030" + "0000000000000038"),
        ("uint8?[2]", "[null,5]", "000105"),
        ("uint8[2][3]", "[[1,2],[3,4],[5,6]]", "010203040506"),
    ]

    @Test(arguments: values)
    func packs(_ row: (type: String, json: String, hex: String)) throws {
        let type = try load().type(named: row.type)
        #expect(try Hex.encode(type.encode(json: Array(row.json.utf8))) == row.hex)
        #expect(try String(decoding: type.decode(Hex.decode(row.hex)), as: UTF8.self) == row.json)
    }

    @Test func refusedTexts() throws {
        let abi = try load()
        func refusal(_ type: String, _ json: String) -> ABIError.Reason? {
            self.refusal { _ = try abi.type(named: type).encode(json: Array(json.utf8)) }
        }
        #expect(refusal("bitset", #""102""#) == .builtIn(.invalidBit(offset: 2)))
        #expect(refusal("bitset", #""0b1""#) == .builtIn(.invalidBit(offset: 1)))
        #expect(refusal("bitset", "101") == .input(.expected(.text, found: .number)))
        #expect(refusal("uint8[2]", "[1]") == .shape(.wrongElementCount(expected: 2, found: 1)))
        #expect(refusal("uint8[2]", "[1,2,3]") == .shape(.wrongElementCount(expected: 2, found: nil)))
        #expect(refusal("uint8[0]", "[1]") == .shape(.wrongElementCount(expected: 0, found: nil)))
        #expect(refusal("uint8[2]", "5") == .input(.expected(.array, found: .number)))
        #expect(refusal("uint8[2]", #""0102""#) == .input(.expected(.array, found: .string)))
    }

    @Test func refusedBytes() throws {
        let abi = try load()
        func refusal(_ type: String, _ bytes: [UInt8]) -> ABIError.Reason? {
            self.refusal { _ = try abi.type(named: type).decode(bytes) }
        }
        #expect(refusal("bitset", [3, 0x0d]) == .builtIn(.unusedBits))
        #expect(refusal("bitset", [9, 0, 2]) == .builtIn(.unusedBits))
        #expect(
            refusal("bitset", [9, 0]) == .input(.bytes(.unexpectedEnd(offset: 1, needed: 2, remaining: 1))))
        #expect(
            refusal("bitset", [0xff, 0xff, 0xff, 0xff, 0x0f])
                == .input(.bytes(.unexpectedEnd(offset: 5, needed: 0x2000_0000, remaining: 0))))
        #expect(
            refusal("uint16[2]", [1, 0, 2])
                == .input(.bytes(.unexpectedEnd(offset: 2, needed: 2, remaining: 1))))
        #expect(
            refusal("uint8[4294967295]", [1, 2])
                == .input(.bytes(.unexpectedEnd(offset: 0, needed: 4_294_967_295, remaining: 2))))
    }

    @Test func invalidTypeNames() throws {
        let abi = try load()
        for name in [
            "uint8[4294967296]", "uint8[-1]", "uint8[1 ]", "uint8[0x1]", "uint8]", "[3]", "uint8[3",
            "uint8[٣]",
        ] {
            #expect(
                refusal { _ = try abi.type(named: name) }
                    == .definition(.unknownType(name.hasPrefix("[") ? "" : name)))
        }
        #expect(
            refusal { _ = try abi.type(named: "uint8" + String(repeating: "[1]", count: 33)) }
                == .definition(.typeTooDeep(limit: 32)))
    }

    /// A fixed array is allowed wherever a type is. Its elements can't omit extensions at their
    /// ends.
    @Test func insideDefinitions() throws {
        let abi = try load(
            #""types":[{"new_type_name":"pair","type":"uint8[2]"}],"variants":[{"name":"v","types":["pair","#
                + #""uint8[3]"]}],"#
                + #""structs":[{"name":"s","fields":[{"name":"a","type":"pair[2]"},{"name":"e","type":"uint8[2]$"}]},"#
                + #"{"name":"t","fields":[{"name":"s","type":"s[1]"}]}]"#)
        let s = try abi.type(named: "s")
        #expect(try s.encode(json: Array(#"{"a":[[1,2],[3,4]]}"#.utf8)) == [1, 2, 3, 4])
        #expect(try s.encode(json: Array(#"{"a":[[1,2],[3,4]],"e":[5,6]}"#.utf8)) == [1, 2, 3, 4, 5, 6])
        #expect(try s.decode([1, 2, 3, 4]) == Array(#"{"a":[[1,2],[3,4]]}"#.utf8))
        #expect(try abi.type(named: "v").decode([1, 7, 8, 9]) == Array(#"["uint8[3]",[7,8,9]]"#.utf8))
        #expect(
            refusal { _ = try abi.type(named: "t").encode(json: Array(#"{"s":[{"a":[[1,2],[3,4]]}]}"#.utf8)) }
                == .shape(.missingField("e")))
        let deep = try load(#""structs":[{"name":"s","fields":[{"name":"s","type":"s[1]"}]}]"#).type(
            named: "s")
        #expect(refusal { _ = try deep.decode([0]) } == .shape(.depthExceeded(limit: 32)))
    }

    /// Elements without bytes are counted, whatever contains them.
    @Test func elementsOfNoBytes() throws {
        let members =
            #"""
            "structs":[{"name":"e","fields":[]},{"name":"z","fields":[{"name":"a","type":"uint8[0]"},{"name":"b",\#
            "type":"e[3]"}]}]
            """#
        let abi = try load(members)
        let limit = ABIError.Reason.shape(.tooManyEmptyElements(limit: 1_024))
        #expect(try abi.type(named: "z").decode([]) == Array(#"{"a":[],"b":[{},{},{}]}"#.utf8))
        #expect(refusal { _ = try abi.type(named: "e[1025]").decode([]) } == limit)
        #expect(refusal { _ = try abi.type(named: "e[1025]").encode(json: Array("[]".utf8)) } == limit)
        #expect(refusal { _ = try abi.type(named: "e[1000][1000]").decode([]) } == limit)
        #expect(refusal { _ = try abi.type(named: "uint8[0][1025]").decode([]) } == limit)
        #expect(refusal { _ = try abi.type(named: "z[]").decode([0xac, 0x02]) } == limit)
        #expect(refusal { _ = try abi.type(named: "e[4294967295][4294967295]").decode([]) } == limit)
        let wide = members.replacing("e[3]", with: "e[1023]")
        #expect(refusal { _ = try load(wide) } == .definition(.tooManyEmptyFields("z")))
        // A struct that contains itself does not count as a struct without bytes.
        _ = try load(#""structs":[{"name":"s","fields":[{"name":"s","type":"s[2]"}]}]"#)
    }
}
