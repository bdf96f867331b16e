import ABICodec
import Codecs
import Keys
import TestSupport
import Testing

@testable import JSON
@testable import Transactions

/// The values are in Vectors/transactions.json. These tests cover the accepted forms, and each
/// refusal with its exact error.
struct SignedTransactionTests {
    static func read(_ text: String, _ abis: ContractABIs = ContractABIs()) throws -> SignedTransaction {
        try SignedTransaction(reading: Array(text.utf8), abis: abis)
    }

    static func transaction(_ actions: String = "", _ more: String = "") -> String {
        """
        {\"expiration\":\"2026-12-01T00:00:00\",\"ref_block_num\":1000,\"ref_block_prefix\":305419896,\
        \"actions\":[\(actions)]\(more)}
        """
    }

    static let packed = "000e0e6be80378563412000000000000"

    /// Files that cleos (Leap v4.0.6) wrote.
    @Test func readsAndPrintsWhatCleosWrites() throws {
        for name in ["transfer.json", "transfer.signed.json"] {
            let file = try repositoryFile("Vectors/examples/\(name)")
            let transaction = try SignedTransaction(reading: file, abis: ContractABIs())
            #expect(transaction.json.text(.pretty) == String(decoding: file, as: UTF8.self))
            #expect(transaction.id == "284a1e8df2b84bbcf49264e4f66204cf533070357ea76b4118e3ea2aa1b3628a")
        }
        let file = try repositoryFile("Vectors/examples/transfer.packed.json")
        let packed = try SignedTransaction(reading: file, abis: ContractABIs())
        #expect(packed.packedJSON.text(.pretty) == String(decoding: file, as: UTF8.self))
    }

    /// A given ABI, in JSON or in its raw form, packs the data of an account's actions.
    @Test func givenABIs() throws {
        let json =
            #"{"version":"eosio::abi/1.2","structs":[{"name":"t","fields":[{"name":"n","type":"uint8"}]}],"#
            + #""actions":[{"name":"transfer","type":"t"}]}"#
        let token = try Name("mytoken")
        let transfer = Self.transfer.replacing("eosio.token", with: "mytoken")
        for contents in [Array(json.utf8), try ABIDefinition.read(Array(json.utf8)).definition.raw()] {
            var abis = ContractABIs()
            #expect(try abis.add(contents, for: token) == [])
            let transaction = try Self.read(Self.transaction(transfer + "\"data\":{\"n\":7}}"), abis)
            #expect(transaction.transaction.actions.first?.data == [7])
        }
        var abis = ContractABIs()
        #expect(throws: TransactionError.abi(account: token, ABIError(.notAnABI))) {
            try abis.add([7], for: token)
        }
    }

    @Test func omittedFieldsAreZeroOrEmpty() throws {
        #expect(Hex.encode(try Self.read(Self.transaction()).packed) == Self.packed)
        #expect(try Self.read(Self.packed).transaction == Self.read(Self.transaction()).transaction)
        #expect(try Self.read(Self.packed + "\r\n").packed == Self.read(Self.packed).packed)
    }

    @Test func extensionsAreReadInBothForms() throws {
        let pair = try Self.read(Self.transaction("", ",\"transaction_extensions\":[[7,\"ab\"]]"))
        let object = try Self.read(
            Self.transaction("", ",\"transaction_extensions\":[{\"type\":7,\"data\":\"ab\"}]"))
        #expect(pair.packed == object.packed)
        #expect(Hex.encode(pair.packed).hasSuffix("01070001ab"))
        #expect(pair.json["transaction_extensions"]?.text() == "[[7,\"ab\"]]")
    }

    @Test func contextFreeDataChangesTheDigestAndNotTheID() throws {
        let chain = try ChainID("eos")
        let without = try Self.read(Self.transaction())
        let with = try Self.read(Self.transaction("", ",\"context_free_data\":[\"\"]"))
        #expect(with.id == without.id)
        #expect(with.digest(for: chain) != without.digest(for: chain))
        #expect(Hex.encode(with.packedContextFreeData) == "0100")
        #expect(without.packedContextFreeData == [])
    }

    @Test func digestDependsOnTheChain() throws {
        let transaction = try Self.read(Self.packed)
        let digests = Set(try Chain.all.map { transaction.digest(for: try ChainID($0.name)) })
        #expect(digests.count == Chain.all.count)
    }

    static let transfer =
        """
        {\"account\":\"eosio.token\",\"name\":\"transfer\",\"authorization\":[{\"actor\":\"alice\",\
        \"permission\":\"active\"}],
        """

    @Test func dataIsJSONOrHexOrBoth() throws {
        let json = "\"data\":{\"memo\":\"\",\"quantity\":\"1.0000 EOS\",\"to\":\"bob\",\"from\":\"alice\"}"
        let hex = "0000000000855c340000000000000e3d102700000000000004454f530000000000"
        let asJSON = try Self.read(Self.transaction(Self.transfer + json + "}"))
        let asHex = try Self.read(Self.transaction(Self.transfer + "\"data\":\"\(hex)\"}"))
        let asBoth = try Self.read(Self.transaction(Self.transfer + json + ",\"hex_data\":\"\(hex)\"}"))
        #expect(asJSON.packed == asHex.packed)
        #expect(asBoth.packed == asHex.packed)
        // The output of cleos for data that it could not unpack.
        let asHexAlone = try Self.read(Self.transaction(Self.transfer + "\"hex_data\":\"\(hex)\"}"))
        #expect(asHexAlone.packed == asHex.packed)
    }

    /// The text of the data is encoded as it is in the file, with white space and escapes.
    @Test func dataHasAnyLayout() throws {
        let hex = "0000000000855c340000000000000e3d102700000000000004454f530000000002c3a9"
        let pretty =
            "\"data\" : {\n  \"from\": \"alice\",\r\n\t\"to\" :\"b\\u006fb\", \"quantity\":\"1.0000 EOS\" ,"
            + "\"me\\u006do\" : \"\\u00e9\"\n} "
        let compact =
            "\"data\":{\"from\":\"alice\",\"to\":\"bob\",\"quantity\":\"1.0000 EOS\",\"memo\":\"é\"}"
        let data = try [pretty, compact].map { data in
            try Self.read(Self.transaction(Self.transfer + data + "}")).transaction.actions.map(\.data)
        }
        #expect(data[0] == data[1])
        #expect(Hex.encode(data[0][0]) == hex)
    }

    @Test(arguments: [
        ("", TransactionError.unrecognised), ("  \n", .unrecognised), ("[]", .unrecognised),
        ("\"\"", .unrecognised),
        ("0", .hex(.oddHexLength(count: 1))), ("0x", .hex(.invalidHexDigit(offset: 1))),
        (packed + "00", .bytes(.trailingBytes(offset: 16, count: 1))),
        (String(packed.dropLast(2)), .bytes(.unexpectedEnd(offset: 15, needed: 1, remaining: 0))),
        // a list that claims four billion actions
        (
            String(packed.dropLast(4)) + "ffffffff0f",
            .bytes(.unexpectedEnd(offset: 19, needed: 8, remaining: 0))
        ),
        ("000e0e6be803785634128000000000000000", .bytes(.invalidVaruint(offset: 10))),
        (transaction("", ",\"expired\":1"), .value(ABIError(.unknownField("expired")))),
        ("{\"expiration\":\"2026-12-01T00:00:00\"}", .value(ABIError(.missingField("ref_block_num")))),
        (
            transaction("1"),
            .value(ABIError(.expected(.object, found: .number)).inside(.element(0)).inside(.field("actions")))
        ),
        (
            "{\"expiration\":\"2026-12-01T00:00:00\",\"ref_block_num\":1,\"ref_block_prefix\":1}",
            .value(ABIError(.missingField("actions")))
        ),
        (
            "{\"expiration\":\"2026-12-01T00:00:00\",\"ref_block_num\":1,\"ref_block_prefix\":1,\"actions\":{}}",
            .value(ABIError(.expected(.array, found: .object)).inside(.field("actions")))
        ),
        (
            "{\"expiration\":\"2026-12-01T00:00:00\",\"ref_block_num\":65536}",
            .value(ABIError(.integerOutOfRange(type: "uint16")).inside(.field("ref_block_num")))
        ),
        (
            "{\"expiration\":\"2026-12-01T00:00:00\",\"ref_block_num\":1e3}",
            .value(ABIError(.invalidInteger(type: "uint16")).inside(.field("ref_block_num")))
        ),
        (
            transaction(transfer + "\"name\":\"x\"}"),
            .json(JSONError(reason: .duplicateKey, offset: 198, line: 1, column: 199))
        ),
        (
            transaction(transfer + "\"data\":{\"from\":\"alice\",\"from\":\"bob\"}}"),
            .json(JSONError(reason: .duplicateKey, offset: 221, line: 1, column: 222))
        ),
        (
            transaction(transfer + "\"data\":" + String(repeating: "[", count: 200)),
            .json(JSONError(reason: .tooDeep(limit: 128), offset: 330, line: 1, column: 331))
        ),
        (
            transaction(transfer + "\"data\":{},\"hex_data\":\"\",}"),
            .json(JSONError(reason: .unexpectedByte(UInt8(ascii: "}")), offset: 222, line: 1, column: 223))
        ),
        (
            transaction(transfer.dropLast() + "}"),
            .value(ABIError(.missingField("data")).inside(.element(0)).inside(.field("actions")))
        ),
        (
            transaction("{\"account\":\"a\",\"name\":\"b\",\"authorization\":[],\"data\":{}}"),
            .noABI(path: "actions[0].data", account: try! Name("a"))
        ),
        (
            transaction("{\"account\":\"eosio.token\",\"name\":\"b\",\"authorization\":[],\"data\":{}}"),
            .unknownAction(path: "actions[0].data", account: try! Name("eosio.token"), action: try! Name("b"))
        ),
        (
            transaction(transfer + "\"data\":\"00\",\"hex_data\":\"01\"}"),
            .dataDisagrees(path: "actions[0].data")
        ),
        (
            transaction(transfer + "\"data\":{\"from\":\"alice\"}}"),
            .value(
                ABIError(.missingField("to")).inside(.field("data")).inside(.element(0)).inside(
                    .field("actions")))
        ),
        ("{\"packed_trx\":\"\(packed)\",\"compression\":2}", .unknownCompression),
        ("{\"packed_trx\":\"\(packed)\",\"compression\":null}", .unknownCompression),
        (
            "{\"packed_trx\":\"\(packed)\",\"transaction\":[]}",
            .value(ABIError(.expected(.object, found: .array)).inside(.field("transaction")))
        ),
        ("{\"packed_trx\":\"\(packed)\",\"compression\":\"zlib\"}", .inflate(.invalid)),
        (
            "{\"packed_trx\":\"789c030000000001\",\"compression\":\"zlib\"}",
            .bytes(.unexpectedEnd(offset: 0, needed: 4, remaining: 0))
        ),
        (
            "{\"packed_trx\":\"789c03000000000100\",\"compression\":\"zlib\"}",
            .inflate(.trailingBytes(count: 1))
        ),
        ("{\"packed_trx\":\"789c0300000000\",\"compression\":\"zlib\"}", .inflate(.invalid)),
        (
            "{\"packed_trx\":\"\(packed)\",\"packed_context_free_data\":\"02\"}",
            .bytes(.unexpectedEnd(offset: 1, needed: 1, remaining: 0))
        ),
    ])
    func refuses(text: String, error: TransactionError) {
        #expect(throws: error) { try Self.read(text) }
    }
}
