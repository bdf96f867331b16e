import Codecs
import JSON
import TestSupport
import Testing

@testable import ABICodec

/// The raw form of ABIs, which chains store and identify by its SHA-256.
@Suite struct RawABITests {
    /// The answer of a FIO node to get_raw_abi. It contains the hash that the chain computed.
    static let answer = Result { try repositoryFile("Vectors/examples/fio.token.get_raw_abi.json") }

    /// The ABI of version 1.0 in abieos's own tests (AntelopeIO/abieos, src/test.cpp, tokenHexAbi).
    /// It ends before variants.
    static let abieosToken = """
        0e656f73696f3a3a6162692f312e30010c6163636f756e745f6e616d65046e616d6505087472616e7366657200040466726f6d0c6163\
        636f756e745f6e616d6502746f0c6163636f756e745f6e616d65087175616e74697479056173736574046d656d6f06737472696e6706\
        6372656174650002066973737565720c6163636f756e745f6e616d650e6d6178696d756d5f737570706c790561737365740569737375\
        65000302746f0c6163636f756e745f6e616d65087175616e74697479056173736574046d656d6f06737472696e67076163636f756e74\
        00010762616c616e63650561737365740e63757272656e63795f7374617473000306737570706c790561737365740a6d61785f737570\
        706c79056173736574066973737565720c6163636f756e745f6e616d6503000000572d3ccdcd087472616e73666572000000000000a5\
        31760569737375650000000000a86cd445066372656174650002000000384f4d113203693634010863757272656e6379010675696e74\
        3634076163636f756e740000000000904dc603693634010863757272656e6379010675696e7436340e63757272656e63795f73746174\
        73000000
        """

    /// An ABI with an entry in every list of `abi_def`. Its bytes were written by hand from the
    /// definition.
    static let full = """
        {"version":"eosio::abi/1.3","types":[{"new_type_name":"account","type":"name"}],\
        "structs":[{"name":"transfer","base":"","fields":[{"name":"from","type":"name"},{"name":"memo",\
        "type":"string"}]}],\
        "actions":[{"name":"transfer","type":"transfer","ricardian_contract":"ไทย\\ncontract"}],\
        "tables":[{"name":"accounts","index_type":"i64","key_names":["owner"],"key_types":["name"],"type":"account"}],\
        "ricardian_clauses":[{"id":"clause","body":"line 1\\nline 2"}],\
        "error_messages":[{"error_code":"18446744073709551615","error_msg":"maximum"}],"abi_extensions":[[7,"aabb"]],\
        "variants":[{"name":"result","types":["uint64","string"]}],"action_results":[{"name":"calculate",\
        "result_type":"uint64"}],\
        "calls":[{"name":"sum","type":"transfer","id":5,"result_type":"uint32"}]}
        """
    static let fullHex =
        "0e656f73696f3a3a6162692f312e33" + "01" + "076163636f756e74" + "046e616d65" + "01"
        + "087472616e73666572" + "00"
        + "02"
        + "0466726f6d" + "046e616d65" + "046d656d6f" + "06737472696e67" + "01" + "000000572d3ccdcd"
        + "087472616e73666572"
        + "12e0b984e0b897e0b8a20a636f6e7472616374" + "01" + "000000384f4d1132" + "03693634" + "01"
        + "056f776e6572"
        + "01" + "046e616d65"
        + "076163636f756e74" + "01" + "06636c61757365" + "0d6c696e6520310a6c696e652032" + "01"
        + "ffffffffffffffff"
        + "076d6178696d756d"
        + "01" + "0700" + "02aabb" + "01" + "06726573756c74" + "02" + "0675696e743634" + "06737472696e67"
        + "01"
        + "000050d9448da241"
        + "0675696e743634" + "01" + "0373756d" + "087472616e73666572" + "0500000000000000" + "0675696e743332"

    private func definition(_ members: String) throws -> ABIDefinition {
        try ABIDefinition(JSONValue.parse(Array("{\"version\":\"eosio::abi/1.2\"\(members)}".utf8)))
    }

    private func refusal(_ contents: String) -> ABIError? {
        #expect(throws: ABIError.self) { try ABI(contents: Array(contents.utf8)) }
    }

    @Test func answerOfNode() throws {
        let answer = try Self.answer.get()
        let hash = try #require(JSONValue.parse(answer)["abi_hash"]?.string)
        let file = try ABIDefinition.read(answer)
        let (definition, isRaw) = (file.definition, file.isRaw)
        #expect(isRaw)
        let raw = try definition.raw()
        #expect(Hex.encode(HashFunction.sha256.hash(raw)) == hash)
        // Also through the JSON, and through each spelling of the bytes.
        #expect(try ABIDefinition(definition.json).raw() == raw)
        for contents in [
            raw, Array(Hex.encode(raw).utf8),
            Array("\(Base64.encode(raw).prefix(76))\r\n\(Base64.encode(raw).dropFirst(76))\n".utf8),
        ] {
            #expect(try ABIDefinition.read(contents).definition == definition)
        }
        let abi = try ABI(definition)
        let type = try #require(try abi.actionType(for: Name("trnsfiopubky")))
        let json = Array(
            #"""
            {"payee_public_key":"FIO8","amount":1000000000,"max_fee":"100000000000","actor":"aftyershcu22",\#
            "tpid":""}
            """#
            .utf8)
        #expect(try type.decode(type.encode(json: json)) == json)
    }

    @Test func abiOfAbieos() throws {
        let abi = try ABI(contents: Array(Self.abieosToken.uppercased().utf8))
        let transfer = try #require(try abi.actionType(for: Name("transfer")))
        let json = Array(
            #"{"from":"useraaaaaaaa","to":"useraaaaaaab","quantity":"0.0001 SYS","memo":"test memo"}"#.utf8)
        let bytes = try transfer.encode(json: json)
        #expect(
            Hex.encode(bytes)
                == "608c31c6187315d6708c31c6187315d6010000000000000004535953000000000974657374206d656d6f")
        // The absent variants differ from an empty list.
        let definition = try ABIDefinition(raw: Hex.decode(Self.abieosToken))
        #expect(definition.json["variants"]?.isNull == true)
        #expect(definition.json["action_results"]?.isNull == true)
        #expect(try Hex.encode(ABIDefinition(definition.json).raw()) == Self.abieosToken)
    }

    @Test func everyList() throws {
        let definition = try ABIDefinition(JSONValue.parse(Array(Self.full.utf8)))
        #expect(try Hex.encode(definition.raw()) == Self.fullHex)
        #expect(definition.json.text() == Self.full)
        #expect(try ABIDefinition(raw: Hex.decode(Self.fullHex)) == definition)
        // The spelling of extensions in abieos.
        let spelled = Self.full.replacing(#"[7,"aabb"]"#, with: #"{"tag":7,"value":"aabb"}"#)
        #expect(try ABIDefinition(JSONValue.parse(Array(spelled.utf8))) == definition)
    }

    /// cleos packs `variants` and `action_results` whether or not they are in the JSON. It does not
    /// pack `calls` yet.
    @Test func omittedLists() throws {
        let empty = "0e656f73696f3a3a6162692f312e32" + "00000000000000"
        #expect(try Hex.encode(definition("").raw()) == empty + "0000")
        #expect(try Hex.encode(definition(#","variants":[],"action_results":null"#).raw()) == empty + "00")
        #expect(try Hex.encode(definition(#","variants":null"#).raw()) == empty)
        #expect(try Hex.encode(definition(#","calls":[]"#).raw()) == empty + "000000")
        for gap in [#","variants":null,"action_results":[]"#, #","action_results":null,"calls":[]"#] {
            let error = #expect(throws: ABIError.self) { try definition(gap).raw() }
            #expect(
                error?.reason
                    == .shape(
                        .fieldAfterMissingExtension(gap.contains("calls") ? "action_results" : "variants")))
        }
    }

    /// A raw form that is cut is refused, except at the start of its last list. Trailing bytes are
    /// refused too.
    @Test func cutsAndTails() throws {
        let raw = try ABIDefinition.read(Self.answer.get()).definition.raw()
        for count in 0..<raw.count where count != raw.count - 1 {
            #expect(throws: ABIError.self) { try ABIDefinition(raw: Array(raw.prefix(count))) }
        }
        #expect(try ABIDefinition(raw: raw.dropLast()).variants == nil)
        #expect(try ABIDefinition(raw: raw + [0, 0]).calls == [])
        let error = #expect(throws: ABIError.self) { try ABIDefinition(raw: raw + [0, 0, 0]) }
        #expect(error?.reason == .input(.bytes(.trailingBytes(offset: raw.count + 2, count: 1))))
    }

    @Test func refusals() throws {
        let answer = String(decoding: try Self.answer.get(), as: UTF8.self)
        #expect(refusal(answer.replacing("d579d0", with: "d579d1"))?.reason == .definition(.hashMismatch))
        #expect(
            refusal(answer.replacing("\"DmVvc2lv", with: "\"EmVvc2lv"))?.reason == .definition(.notRawABI))
        #expect(refusal(#"{"account_name":"x","abi":""}"#)?.reason == .definition(.notRawABI))
        #expect(
            refusal(#"{"version":"eosio::abi/1.2","abi":{"version":"eosio::abi/1.2"}}"#)?.reason
                == .shape(.unknownField("abi"))
        )
        for contents in [
            "", " ", "\u{e}", "null", "[]", "0x0e656f73696f3a3a6162692f312e32", "AAAA", "\u{feff}{}",
        ] {
            #expect(refusal(contents)?.reason == .definition(.notAnABI))
        }
        #expect(refusal(#"{"account_name":"x","abi":{}}"#)?.pathText == "abi")
        #expect(
            refusal(#"{"abi_hash":5,"abi":"0e656f73696f3a3a6162692f312e32000000000000000000"}"#)?.pathText
                == "abi_hash"
        )
        #expect(
            refusal("0e656f73696f3a3a6162692f312e3g")?.reason == .input(.bytes(.invalidHexDigit(offset: 29))))
        #expect(
            refusal("DmVvc2lvOjphYmkvMS4x*")?.reason == .input(.bytes(.invalidBase64Character(offset: 20))))
        // A name that is not UTF-8, an unknown version, and a count that exceeds the input.
        #expect(
            refusal("0e656f73696f3a3a6162692f312e32" + "0101ff" + "046e616d65")?.reason
                == .input(.invalidUTF8))
        #expect(
            refusal("0e656f73696f3a3a6162692f392e32" + "000000000000000000")?.reason
                == .definition(.unsupportedVersion("eosio::abi/9.2")))
        let count = refusal("0e656f73696f3a3a6162692f312e32" + "ffffffff0f")
        #expect(
            count?.reason == .input(.bytes(.unexpectedEnd(offset: 20, needed: 0xffff_ffff, remaining: 0))))
        #expect(count?.pathText == "types")
        // nodeos would refuse it too. The path names the extension.
        #expect(
            refusal(#"{"version":"eosio::abi/1.2","abi_extensions":[[7,"aa",1]]}"#)?.pathText
                == "abi_extensions[0]")
        let odd = #expect(throws: ABIError.self) { try definition(#","abi_extensions":[[7,"a"]]"#).raw() }
        #expect(odd?.reason == .builtIn(.oddHexLength(count: 1)))
    }
}
