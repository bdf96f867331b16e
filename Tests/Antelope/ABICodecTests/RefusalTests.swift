import Codecs
import Keys
import TestSupport
import Testing

@testable import ABICodec
@testable import JSON

/// Each refusal with its exact error and path.
@Suite struct RefusalTests {
    static let abi = Result { try ABI(#require(JSONValue.parse(repositoryFile("Vectors/abi.json"))["abi"])) }

    static let refusedTexts: [(type: String, json: String, reason: ABIError.Reason, path: String)] = [
        ("uint8", "256", .builtIn(.integerOutOfRange(type: "uint8")), ""),
        ("uint8", "\"-1\"", .builtIn(.integerOutOfRange(type: "uint8")), ""),
        ("uint8", "1.0", .builtIn(.invalidInteger(type: "uint8")), ""),
        ("uint8", "1e2", .builtIn(.invalidInteger(type: "uint8")), ""),
        ("uint8", "\"\"", .builtIn(.invalidInteger(type: "uint8")), ""),
        ("uint8", "\" 1\"", .builtIn(.invalidInteger(type: "uint8")), ""),
        ("uint8", "true", .input(.expected(.integer, found: .boolean)), ""),
        ("int64", "9223372036854775808", .builtIn(.integerOutOfRange(type: "int64")), ""),
        (
            "int128", "170141183460469231731687303715884105728", .builtIn(.integerOutOfRange(type: "int128")),
            ""
        ),
        (
            "uint128", "\"340282366920938463463374607431768211456\"",
            .builtIn(.integerOutOfRange(type: "uint128")), ""
        ),
        ("varuint32", "4294967296", .builtIn(.integerOutOfRange(type: "varuint32")), ""),
        ("bool", "2", .input(.expected(.boolean, found: .number)), ""),
        ("bool", "\"true\"", .input(.expected(.boolean, found: .string)), ""),
        ("float64", "\"1.\"", .builtIn(.invalidFloat), ""),
        ("float64", "\"+1\"", .builtIn(.invalidFloat), ""),
        ("float64", "\"0x1\"", .builtIn(.invalidFloat), ""),
        ("float64", "\"infinit\"", .builtIn(.invalidFloat), ""),
        ("float64", "\"--nan\"", .builtIn(.invalidFloat), ""),
        ("float64", "1e309", .builtIn(.floatOutOfRange(type: "float64")), ""),
        ("float32", "1e39", .builtIn(.floatOutOfRange(type: "float32")), ""),
        ("name", "\"alice.\"", .builtIn(.unprintableName), ""),
        ("name", "\"Alice\"", .builtIn(.invalidNameCharacter(offset: 0)), ""),
        ("name", "\"zzzzzzzzzzzzk\"", .builtIn(.unprintableName), ""),
        ("name", "\"aaaaaaaaaaaaaa\"", .builtIn(.nameTooLong), ""),
        ("name", "5", .input(.expected(.text, found: .number)), ""),
        ("asset", "\"1.0000000000000000000 A\"", .builtIn(.moreThan18Decimals(type: "asset")), ""),
        ("asset", "\"4611686018427387904 A\"", .builtIn(.amountOutOfRange), ""),
        ("asset", "\"99999999999999999999999999 A\"", .builtIn(.amountOutOfRange), ""),
        ("asset", "\"1. A\"", .builtIn(.invalidAsset), ""),
        ("asset", "\"1.-5 EOS\"", .builtIn(.invalidAsset), ""),
        ("asset", "\"1.0 eos\"", .builtIn(.invalidSymbolCode), ""),
        ("asset", "\"1.0 \"", .builtIn(.invalidSymbolCode), ""),
        ("symbol", "\"19,A\"", .builtIn(.moreThan18Decimals(type: "symbol")), ""),
        ("symbol", "\",A\"", .builtIn(.invalidSymbol), ""),
        ("symbol_code", "\"A1\"", .builtIn(.invalidSymbolCode), ""),
        ("time_point", "\"2021-02-29T00:00:00\"", .builtIn(.invalidTime(type: "time_point")), ""),
        ("time_point_sec", "\"2020-01-01T00:00:00.500\"", .builtIn(.invalidTime(type: "time_point_sec")), ""),
        (
            "block_timestamp_type", "\"2020-01-01T00:00:00.250\"",
            .builtIn(.invalidTime(type: "block_timestamp_type")),
            ""
        ),
        ("bytes", "\"abc\"", .builtIn(.oddHexLength(count: 3)), ""),
        ("bytes", "\"0g\"", .builtIn(.invalidHexDigit(offset: 1)), ""),
        ("checksum160", "\"00\"", .builtIn(.wrongHexLength(bytes: 1, expected: 20)), ""),
        ("public_key", "\"EOS1\"", .input(.keyText(.wrongLength)), ""),
        // shapes
        ("pair", "[]", .input(.expected(.object, found: .array)), ""),
        ("pair", "{\"key\":\"a\"}", .shape(.missingField("value")), ""),
        ("pair", "{\"key\":\"a\",\"value\":1,\"x\":2}", .shape(.unknownField("x")), ""),
        ("pair", "{\"x\":2,\"key\":\"a\",\"value\":1}", .shape(.unknownField("x")), ""),
        (
            "pair", "{\"key\":\"a\",\"value\":1,\"key\":\"a\"}",
            .input(.json(JSONError(reason: .duplicateKey, offset: 21, line: 1, column: 22))), ""
        ),
        (
            "pair", "{\"value\":1,\"value\":1,\"key\":\"a\"}",
            .input(.json(JSONError(reason: .duplicateKey, offset: 11, line: 1, column: 12))), ""
        ),
        ("pair", "{\"value\":-1,\"key\":\"a\"}", .builtIn(.integerOutOfRange(type: "uint32")), "value"),
        (
            "pair[]", "[{\"key\":\"a\",\"value\":1},{\"key\":\"a\",\"value\":\"x\"}]",
            .builtIn(.invalidInteger(type: "uint32")),
            "[1].value"
        ),
        (
            "transfer",
            "{\"from\":\"a\",\"to\":\"b\",\"quantity\":\"1.00000000000000000000 A\",\"memo\":\"\"}",
            .builtIn(.moreThan18Decimals(type: "asset")),
            "quantity"
        ),
        (
            "authority",
            """
            {\"threshold\":1,\"keys\":[],\"accounts\":[{\"permission\":{\"actor\":\"a\",\"permission\":\"B\"},\
            \"weight\":1}],\"waits\":[]}
            """,
            .builtIn(.invalidNameCharacter(offset: 0)), "accounts[0].permission.permission"
        ),
        ("extended_asset", "{\"quantity\":\"1 A\"}", .shape(.missingField("contract")), ""),
        ("v_simple", "[\"nope\",1]", .shape(.unknownAlternative("nope")), ""),
        ("v_simple", "[\"uint8\"]", .input(.expected(.variant, found: .array)), ""),
        ("v_simple", "[\"uint8\",1,2]", .input(.expected(.variant, found: .array)), ""),
        ("v_simple", "{}", .input(.expected(.variant, found: .object)), ""),
        ("v_simple", "[0,1]", .input(.expected(.variant, found: .number)), ""),
        ("v_simple", "[]", .input(.expected(.variant, found: .array)), ""),
        ("ext2", "{\"x\":1,\"z\":\"a\"}", .shape(.fieldAfterMissingExtension("y")), ""),
        ("ext1[]", "[{\"x\":1}]", .shape(.missingField("y")), "[0]"),
        ("uint8", "1 2", .input(.json(JSONError(reason: .trailingBytes, offset: 2, line: 1, column: 3))), ""),
        ("uint8", "", .input(.json(JSONError(reason: .unexpectedEnd, offset: 0, line: 1, column: 1))), ""),
        (
            "pair", "{\"value\":{\"a\":01},\"key\":\"a\"}",
            .input(.json(JSONError(reason: .leadingZero, offset: 15, line: 1, column: 16))), ""
        ),
    ]

    @Test(arguments: refusedTexts)
    func refusesText(_ row: (type: String, json: String, reason: ABIError.Reason, path: String)) throws {
        let type = try Self.abi.get().type(named: row.type)
        let error = #expect(throws: ABIError.self) { try type.encode(json: Array(row.json.utf8)) }
        #expect(error?.reason == row.reason)
        #expect(error?.pathText == row.path)
    }

    static let refusedBytes: [(type: String, hex: String, reason: ABIError.Reason, path: String)] = [
        ("bool", "02", .builtIn(.invalidBoolean(2)), ""),
        ("uint16", "01", .input(.bytes(.unexpectedEnd(offset: 0, needed: 2, remaining: 1))), ""),
        ("uint8", "0101", .input(.bytes(.trailingBytes(offset: 1, count: 1))), ""),
        ("varuint32", "8000", .input(.bytes(.invalidVaruint(offset: 0))), ""),
        ("varuint32", "ffffffff1f", .input(.bytes(.invalidVaruint(offset: 0))), ""),
        ("float64", "010000000000f87f", .builtIn(.unprintableNaN), ""),
        ("float32", "0100807f", .builtIn(.unprintableNaN), ""),
        ("time_point", "0100000000000000", .builtIn(.unprintableTime), ""),
        ("time_point", "ffffffffffffffff", .builtIn(.unprintableTime), ""),
        ("time_point", "0000000000000010", .builtIn(.unprintableTime), ""),
        ("string", "01ff", .input(.invalidUTF8), ""),
        ("string", "0261", .input(.bytes(.unexpectedEnd(offset: 1, needed: 2, remaining: 1))), ""),
        ("symbol", "1341000000000000", .builtIn(.moreThan18Decimals(type: "symbol")), ""),
        ("symbol", "0441004200000000", .builtIn(.invalidSymbolCode), ""),
        ("symbol_code", "4141414141414141", .builtIn(.invalidSymbolCode), ""),
        ("asset", "00000000000000400041000000000000", .builtIn(.amountOutOfRange), ""),
        ("asset", "00000000000000000000000000000000", .builtIn(.invalidSymbolCode), ""),
        ("name?", "02", .shape(.invalidPresence(2)), ""), ("int8??", "0100", .shape(.nestedAbsence), ""),
        ("v_simple", "04", .shape(.alternativeOutOfRange(index: 4, count: 4)), ""),
        (
            "uint64[]", "ffffffff0f",
            .input(.bytes(.unexpectedEnd(offset: 5, needed: 4_294_967_295, remaining: 0))), ""
        ),
        ("empty[]", "8108", .shape(.tooManyEmptyElements(limit: 1024)), ""),
        (
            "pair[]", "02016100000000016100",
            .input(.bytes(.unexpectedEnd(offset: 9, needed: 4, remaining: 1))),
            "[1].value"
        ),
        ("ext1[]", "0101", .input(.bytes(.unexpectedEnd(offset: 2, needed: 2, remaining: 0))), "[0].y"),
        ("public_key", "0300", .input(.curve(.unknownType(3))), ""),
        (
            "signature", "00" + String(repeating: "00", count: 65),
            .input(.curve(.invalidSignatureHeader(0))), ""
        ),
    ]

    @Test(arguments: refusedBytes)
    func refusesBytes(_ row: (type: String, hex: String, reason: ABIError.Reason, path: String)) throws {
        let type = try Self.abi.get().type(named: row.type)
        let error = #expect(throws: ABIError.self) { try type.decode(Hex.decode(row.hex)) }
        #expect(error?.reason == row.reason)
        #expect(error?.pathText == row.path)
    }

    // MARK: - limits

    /// A recursive struct of 16 levels consists of 16 structs and 16 optionals.
    @Test func depthIsCapped() throws {
        let type = try Self.abi.get().type(named: "rec")
        func json(_ levels: Int) -> [UInt8] {
            let start = String(repeating: "{\"v\":1,\"next\":", count: levels)
            return Array((start + "null" + String(repeating: "}", count: levels)).utf8)
        }
        func bytes(_ levels: Int) -> [UInt8] { (0..<levels).flatMap { $0 == levels - 1 ? [1, 0] : [1, 1] } }
        #expect(try type.encode(json: json(16)) == bytes(16))
        #expect(try type.decode(bytes(16)) == json(16))
        for levels in [17, 100] {
            let encoding = #expect(throws: ABIError.self) { try type.encode(json: json(levels)) }
            #expect(encoding?.reason == .shape(.depthExceeded(limit: 32)))
            let decoding = #expect(throws: ABIError.self) { try type.decode(bytes(levels)) }
            #expect(decoding?.reason == .shape(.depthExceeded(limit: 32)))
        }
        let deep = #expect(throws: ABIError.self) { try type.encode(json: json(10_000)) }
        #expect(deep?.reason == .shape(.depthExceeded(limit: 32)))
    }

    @Test func emptyElementsAreCapped() throws {
        let type = try Self.abi.get().type(named: "empty[]")
        func json(_ count: Int) -> [UInt8] {
            Array("[\(Array(repeating: "{}", count: count).joined(separator: ","))]".utf8)
        }
        #expect(try type.encode(json: json(1024)) == [0x80, 0x08])
        #expect(try type.decode([0x80, 0x08]) == json(1024))
        let error = #expect(throws: ABIError.self) { try type.encode(json: json(1025)) }
        #expect(error?.reason == .shape(.tooManyEmptyElements(limit: 1024)))
    }

    @Test func longArraysAndStrings() throws {
        let abi = try Self.abi.get()
        for count in [127, 128, 16_383, 16_384] {
            let json = Array("[\(Array(repeating: "7", count: count).joined(separator: ","))]".utf8)
            let bytes = try abi.type(named: "uint8[]").encode(json: json)
            #expect(try abi.type(named: "uint8[]").decode(bytes) == json)
            let text = Array("\"\(String(repeating: "é", count: count))\"".utf8)
            #expect(
                try abi.type(named: "string").decode(abi.type(named: "string").encode(json: text)) == text)
        }
    }

    /// 4,096 base58 digits, the maximum for reading, represent at most 2,999 bytes, checksum
    /// included.
    @Test func longSignatures() throws {
        let type = try Self.abi.get().type(named: "signature")
        func bytes(_ count: Int) -> [UInt8] {
            var writer = ByteWriter()
            writer.write(byte: 2)
            writer.write(bytes: [UInt8](repeating: 0xff, count: 65))
            writer.write(prefixed: [])
            writer.write(prefixed: [UInt8](repeating: 0x41, count: count))
            return writer.bytes
        }
        let text = try type.decode(bytes(2_927))
        #expect(text.count == "\"SIG_WA_\"".utf8.count + 4_096)
        #expect(try type.encode(json: text) == bytes(2_927))
        for count in [2_928, 5_000] {
            let error = #expect(throws: ABIError.self) { try type.decode(bytes(count)) }
            #expect(error?.reason == .builtIn(.keyTooLong(limit: 4_096)))
        }
    }

    // MARK: - order and absence

    @Test(arguments: [
        ("pair", #"{"value":7,"key":"k"}"#, #"{"key":"k","value":7}"#),
        ("pair", #"{ "\u006bey" : "k" , "v\u0061lue" : 7 }"#, #"{"key":"k","value":7}"#),
        ("opts", #"{"o4":true}"#, #"{"o1":null,"o2":null,"o3":null,"o4":true}"#),
        (
            "opts", #"{"o3":{"value":1,"key":"a"},"o1":5}"#,
            #"{"o1":5,"o2":null,"o3":{"key":"a","value":1},"o4":null}"#
        ),
        (
            "nested", #"{"o":null,"d":{"e":[1],"d":null,"c":"","b":"","a":1},"aa":[]}"#,
            #"{"aa":[],"d":{"a":1,"b":"","c":"","d":null,"e":[1]},"o":null}"#
        ),
        ("extopt", #"{"y":null,"x":1}"#, #"{"x":1,"y":null}"#), ("extopt", #"{"x":1}"#, #"{"x":1}"#),
        ("holdsext", #"{"q":1,"e":{"x":2}}"#, #"{"q":1,"e":{"x":2}}"#),
        ("bool[]", "[1,0,true,false]", "[true,false,true,false]"),
        (
            "float64[]", #"[0.1,1e-20,"-Infinity","NaN","-nan",1e22]"#,
            #"["0.10000000000000001","1e-20","-inf","nan","-nan","10000000000000000000000.00000000000000000"]"#
        ),
        ("float32[]", "[0.1,1e-20]", #"["0.10000000149011612","1e-20"]"#),
        ("float128", "\"0xABCDEF00000000000000000000000000\"", "\"0xabcdef00000000000000000000000000\""),
        (
            "int64[]", "[4294967295,4294967296,-4294967295,-4294967296]",
            #"[4294967295,"4294967296",-4294967295,"-4294967296"]"#
        ),
        ("uint128", "0", "\"0\""),
        (
            "int128[]", "[-1,1000000000000000000,100000000000000000000]",
            #"["-1","1000000000000000000","100000000000000000000"]"#
        ),
        ("time_point_sec", "\"2020-01-01T00:00:00.0\"", "\"2020-01-01T00:00:00\""),
        ("time_point", "\"2020-01-01T00:00:00.05\"", "\"2020-01-01T00:00:00.050\""),
        ("block_timestamp_type", "\"2020-01-01T00:00:00.5\"", "\"2020-01-01T00:00:00.500\""),
    ])
    func prints(type name: String, json: String, text: String) throws {
        let type = try Self.abi.get().type(named: name)
        let bytes = try type.encode(json: Array(json.utf8))
        #expect(String(decoding: try type.decode(bytes), as: UTF8.self) == text)
    }
}
