import ABICodec
import Codecs
import JSON
import Testing

@testable import Transactions

/// Transactions as other tools write them. Repeated values are compared. Data that can't be
/// compared is listed.
@Suite struct OtherToolsTests {
    /// A transaction without actions.
    private static let packed = "000e0e6b01000100000000000000000000"
    private static let header = #""expiration":"2026-12-01T00:00:00","ref_block_num":1,"ref_block_prefix":1"#
    private static let wax = Chain.named("wax")?.id ?? ""

    private static func read(_ text: String, _ abis: ContractABIs = ContractABIs()) throws
        -> SignedTransaction
    {
        try SignedTransaction(reading: Array(text.utf8), abis: abis)
    }

    private static func unpacked(_ actions: String = "", _ more: String = "") -> String {
        "{\(header),\"actions\":[\(actions)]\(more)}"
    }

    private static func id() throws -> String { try read(unpacked()).id }

    private static let bytes = [0, 14, 14, 107, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]

    // MARK: - id and chain_id

    @Test func idIsCompared() throws {
        let id = try Self.id()
        let packed = Hex.encode(try Self.read(Self.unpacked()).packed)
        for form in [#","id":"\#(id)""#, #","id":"\#(id.uppercased())""#] {
            #expect(try Self.read(Self.unpacked("", form)).id == id)
            #expect(try Self.read("{\"packed_trx\":\"\(packed)\"\(form)}").id == id)
            #expect(try Self.read("{\"serializedTransaction\":\(Self.bytes)\(form)}").id == id)
        }
        let other = String(repeating: "0", count: 64)
        for text in [
            Self.unpacked("", #","id":"\#(other)""#), #"{"packed_trx":"\#(packed)","id":"\#(other)"}"#,
            #"{"serializedTransaction":\#(Self.bytes),"id":"\#(other)"}"#,
        ] {
            #expect(throws: TransactionError.idDisagrees(computed: id)) { try Self.read(text) }
        }
        let short = TransactionError.value(
            ABIError(.wrongHexLength(bytes: 1, expected: 32)).inside(.field("id")))
        #expect(throws: short) { try Self.read(Self.unpacked("", #","id":"00""#)) }
    }

    @Test func chainIsCompared() throws {
        let wax = try ChainID("wax")
        let packed = Hex.encode(try Self.read(Self.unpacked()).packed)
        for text in [
            Self.unpacked("", #","chain_id":"\#(Self.wax)""#),
            #"{"packed_trx":"\#(packed)","chain_id":"\#(Self.wax)"}"#,
            #"{"serializedTransaction":\#(Self.bytes),"chain_id":"\#(Self.wax)"}"#,
        ] {
            let transaction = try Self.read(text)
            #expect(transaction.statedChain == wax)
            try transaction.expectChain(wax)
            #expect(throws: TransactionError.otherChain(stated: wax)) {
                try transaction.expectChain(ChainID("eos"))
            }
        }
        try Self.read(Self.unpacked()).expectChain(ChainID("eos"))
    }

    @Test(arguments: [
        (#""wax""#, ABIError(.bytes(.invalidHexDigit(offset: 0)))),
        (#""""#, ABIError(.wrongHexLength(bytes: 0, expected: 32))),
        (#""aca376f2""#, ABIError(.wrongHexLength(bytes: 4, expected: 32))),
        ("null", ABIError(.expected(.text, found: .null))), ("1", ABIError(.expected(.text, found: .number))),
    ])
    func malformedChainIsRefused(chain: String, error: ABIError) {
        let error = TransactionError.value(error.inside(.field("chain_id")))
        #expect(throws: error) { try Self.read(Self.unpacked("", ",\"chain_id\":\(chain)")) }
    }

    // MARK: - the answer to a signing request

    private static func answer(_ more: String, id: String? = nil) throws -> String {
        try "{\"transaction_id\":\"\(id ?? self.id())\",\"transaction\":\(unpacked())\(more)}"
    }

    @Test func readsAnswers() throws {
        for more in ["", #","payload":null,"callback":null,"broadcast":true,"background":false"#] {
            let transaction = try Self.read(Self.answer(more))
            #expect(try transaction.packed == Self.read(Self.unpacked()).packed)
            #expect(transaction.statedChain == nil)
        }
        let payload = #","identity_proof":"EOSIO AA","payload":{"sig":"SIG","cid":"\#(Self.wax)"}"#
        #expect(try Self.read(Self.answer(payload)).statedChain == ChainID("wax"))
    }

    @Test func malformedAnswersAreRefused() throws {
        func refuse(_ more: String, id: String? = nil, _ error: TransactionError) {
            #expect(throws: error) { try Self.read(Self.answer(more, id: id)) }
        }
        refuse("", id: String(repeating: "0", count: 64), .idDisagrees(computed: try Self.id()))
        refuse(",\"other\":1", .value(ABIError(.unknownField("other"))))
        refuse(",\"payload\":{}", .value(ABIError(.missingField("cid")).inside(.field("payload"))))
        refuse(
            ",\"payload\":{\"cid\":\"00\"}",
            .value(ABIError(.wrongHexLength(bytes: 1, expected: 32)).inside(.field("payload"))))
        let eos = try ChainID("eos")
        let stated = try Self.answer(",\"payload\":{\"cid\":\"\(Self.wax)\"}").replacing(
            Self.unpacked(), with: Self.unpacked("", ",\"chain_id\":\"\(eos.text)\""))
        #expect(throws: TransactionError.membersDisagree("chain_id", "cid")) { try Self.read(stated) }
        let wrong = ABIError(.unknownField("x")).inside(.field("transaction"))
        #expect(throws: TransactionError.value(wrong)) {
            try Self.read(Self.answer("").replacing(Self.unpacked(), with: Self.unpacked("", ",\"x\":1")))
        }
    }

    // MARK: - a node's `trx` object

    private static func trx(_ more: String, contextFree: String = "") throws -> String {
        let packed = Hex.encode(try read(unpacked()).packed)
        return """
            {"id":"\(try id())","signatures":[],"compression":"none","packed_context_free_data":"\(contextFree)",\
            "packed_trx":"\(packed)"\(more)}
            """
    }

    @Test func readsNodeTransaction() throws {
        let whole = try Self.trx(",\"context_free_data\":[],\"transaction\":\(Self.unpacked())")
        #expect(try Self.read(whole).packed == Self.read(Self.unpacked()).packed)
        let data = try Self.trx(",\"context_free_data\":[\"\",\"ab\"]", contextFree: "020001ab")
        #expect(try Self.read(data).contextFreeData == [[], [0xab]])
        // Without the packed form of the context-free data.
        let listed = try Self.trx(",\"context_free_data\":[\"ab\"]").replacing(
            "\"packed_context_free_data\":\"\",", with: "")
        #expect(try Self.read(listed).contextFreeData == [[0xab]])
    }

    @Test func repeatedMembersAreCompared() throws {
        let other = Self.unpacked().replacing("\"ref_block_num\":1", with: "\"ref_block_num\":2")
        #expect(throws: TransactionError.membersDisagree("transaction", "packed_trx")) {
            try Self.read(Self.trx(",\"transaction\":\(other)"))
        }
        for (data, packed) in [("[\"ab\"]", ""), ("[]", "020001ab"), ("[\"ab\",\"\"]", "020001ab")] {
            #expect(throws: TransactionError.membersDisagree("context_free_data", "packed_context_free_data"))
            {
                try Self.read(Self.trx(",\"context_free_data\":\(data)", contextFree: packed))
            }
        }
        // Errors in `transaction` have their path. Signatures are not part of it.
        let wrong = ABIError(.integerOutOfRange(type: "uint16")).inside(.field("ref_block_num")).inside(
            .field("transaction"))
        #expect(throws: TransactionError.value(wrong)) {
            try Self.read(Self.trx(",\"transaction\":\(other.replacing("num\":2", with: "num\":65536"))"))
        }
        let unknown = ABIError(.unknownField("signatures")).inside(.field("transaction"))
        #expect(throws: TransactionError.value(unknown)) {
            try Self.read(Self.trx(",\"transaction\":\(Self.unpacked("", ",\"signatures\":[]"))"))
        }
        #expect(throws: TransactionError.noABI(path: "transaction.actions[0].data", account: try Name("dex")))
        {
            try Self.read(Self.trx(",\"transaction\":\(Self.unpacked(Self.action("\"data\":{}")))"))
        }
    }

    // MARK: - decoded data

    private static func action(_ data: String, _ account: String = "dex", _ name: String = "trade") -> String
    {
        #"{"account":"\#(account)","name":"\#(name)","authorization":[],\#(data)}"#
    }

    private static let dex = Result {
        var abis = ContractABIs()
        let abi =
            #"{"version":"eosio::abi/1.2","structs":[{"name":"trade","fields":[{"name":"n","type":"uint16"}]}],"#
            + #""actions":[{"name":"trade","type":"trade"}]}"#
        try abis.add(Array(abi.utf8), for: Name("dex"))
        return abis
    }

    /// Without an ABI to compare them, the hex is used.
    @Test(arguments: [
        #""data":{"n":1},"hex_data":"0102""#, #""json_data":{"n":1},"hex_data":"0102""#,
        #""json_data":{"n":1},"data":"0102""#,
        #""data":{"n":1},"json_data":{"n":2},"hex_data":"0102""#,
    ])
    func uncheckedDataIsListed(data: String) throws {
        let known = Self.action("\"data\":\"0000000000855c34\"", "eosio", "refund")
        let transaction = try Self.read(Self.unpacked(known + "," + Self.action(data)))
        #expect(transaction.transaction.actions[1].data == [1, 2])
        #expect(transaction.uncheckedData == [ActionPlace(isContextFree: false, index: 1)])
        // With the ABI, both are compared.
        let path = data.contains("\"data\":{") ? "data" : "json_data"
        #expect(throws: TransactionError.dataDisagrees(path: "actions[1].\(path)")) {
            try Self.read(Self.unpacked(known + "," + Self.action(data)), Self.dex.get())
        }
        // This also applies to a node's answer.
        let packed = Hex.encode(transaction.packed)
        let whole =
            "{\"packed_trx\":\"\(packed)\",\"transaction\":\(Self.unpacked(known + "," + Self.action(data)))}"
        #expect(try Self.read(whole).uncheckedData == transaction.uncheckedData)
    }

    @Test(arguments: [
        #""data":{"n":513},"hex_data":"0102""#, #""json_data":{"n":513},"hex_data":"0102""#,
        #""json_data":{"n":513}"#,
        #""json_data":{"n":513},"data":"0102""#, #""data":{"n":513},"json_data":{"n":513}"#,
        #""data":"0102","hex_data":"0102""#,
    ])
    func equalDataIsChecked(data: String) throws {
        let transaction = try Self.read(Self.unpacked(Self.action(data)), Self.dex.get())
        #expect(transaction.transaction.actions[0].data == [1, 2])
        #expect(transaction.uncheckedData == [])
    }

    /// The ABI has the action, and no value can be encoded with its type.
    @Test func dataOfAnUnusableTypeIsUnchecked() throws {
        var abis = ContractABIs()
        let fields = #"[{"name":"n","type":"uint8"},{"name":"n","type":"uint8"}]"#
        let abi =
            #"{"version":"eosio::abi/1.2","structs":[{"name":"trade","fields":\#(fields)}],"#
            + #""actions":[{"name":"trade","type":"trade"}]}"#
        try abis.add(Array(abi.utf8), for: Name("dex"))
        let transaction = try Self.read(
            Self.unpacked(Self.action(#""data":{"n":1},"hex_data":"0102""#)), abis)
        #expect(transaction.transaction.actions[0].data == [1, 2])
        #expect(transaction.uncheckedData == [ActionPlace(isContextFree: false, index: 0)])
        #expect(throws: TransactionError.self) {
            try Self.read(Self.unpacked(Self.action(#""data":{"n":1}"#)), abis)
        }
    }

    @Test func decodedDataAloneNeedsAnABI() throws {
        let dex = try Name("dex")
        for field in ["data", "json_data"] {
            #expect(throws: TransactionError.noABI(path: "actions[0].\(field)", account: dex)) {
                try Self.read(Self.unpacked(Self.action("\"\(field)\":{\"n\":1}")))
            }
        }
        #expect(throws: TransactionError.dataDisagrees(path: "actions[0].json_data")) {
            try Self.read(Self.unpacked(Self.action(#""data":{"n":1},"json_data":{"n":2}"#)), Self.dex.get())
        }
        let wrong = ABIError(.missingField("n")).inside(.field("json_data")).inside(.element(0)).inside(
            .field("actions"))
        #expect(throws: TransactionError.value(wrong)) {
            try Self.read(Self.unpacked(Self.action(#""json_data":{},"hex_data":"0102""#)), Self.dex.get())
        }
    }

    // MARK: - eosjs

    private static func object(_ keys: [String], _ values: [Int] = bytes) -> String {
        "{" + zip(keys, values).map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    private static let indices = bytes.indices.map(String.init)

    @Test func serializedTransactionsAreRead() throws {
        let packed = try Self.read(Self.unpacked()).packed
        #expect(packed == Self.bytes.map { UInt8($0) })
        let sorted = Self.indices.sorted()
        let forms = [
            "\(Self.bytes)", Self.object(Self.indices),
            Self.object(sorted, sorted.compactMap { Int($0) }.map { Self.bytes[$0] }),
        ]
        for form in forms {
            let transaction = try Self.read("{\"signatures\":[],\"serializedTransaction\":\(form)}")
            #expect(transaction.packed == packed)
            #expect(transaction.contextFreeData == [])
        }
        for (data, contextFree) in [("null", []), ("{\"0\":1,\"1\":1,\"2\":171}", [[0xab]]), ("[]", [])]
            as [(String, [[UInt8]])]
        {
            let text = "{\"serializedTransaction\":\(Self.bytes),\"serializedContextFreeData\":\(data)}"
            #expect(try Self.read(text).contextFreeData == contextFree)
        }
    }

    static let refusedBytes: [(String, ABIError)] = [
        ("[0,256]", ABIError(.integerOutOfRange(type: "uint8")).inside(.element(1))),
        ("[-1]", ABIError(.integerOutOfRange(type: "uint8")).inside(.element(0))),
        ("[1.0]", ABIError(.invalidInteger(type: "uint8")).inside(.element(0))),
        ("[1e2]", ABIError(.invalidInteger(type: "uint8")).inside(.element(0))),
        ("[\"1\"]", ABIError(.expected(.integer, found: .string)).inside(.element(0))),
        ("[null]", ABIError(.expected(.integer, found: .null)).inside(.element(0))),
        ("{\"0\":0,\"1\":256}", ABIError(.integerOutOfRange(type: "uint8")).inside(.element(1))),
        ("{\"0\":0,\"1\":[]}", ABIError(.expected(.integer, found: .array)).inside(.element(1))),
        ("{\"0\":0,\"2\":0}", ABIError(.missingField("1"))), ("{\"1\":0}", ABIError(.missingField("0"))),
        ("{\"0\":0,\"01\":0}", ABIError(.unknownField("01"))), ("{\"-1\":0}", ABIError(.unknownField("-1"))),
        ("{\"+0\":0}", ABIError(.unknownField("+0"))), ("{\"length\":0}", ABIError(.unknownField("length"))),
        ("{\"9223372036854775807\":0}", ABIError(.missingField("0"))),
        ("{\"9223372036854775808\":0}", ABIError(.unknownField("9223372036854775808"))),
        ("true", ABIError(.expected(.array, found: .boolean))),
    ]

    @Test(arguments: refusedBytes) func wrongBytesAreRefused(bytes: String, error: ABIError) {
        for field in ["serializedTransaction", "serializedContextFreeData"] {
            let other = field == "serializedTransaction" ? "" : "\"serializedTransaction\":\(Self.bytes),"
            #expect(throws: TransactionError.value(error.inside(.field(field)))) {
                try Self.read("{\(other)\"\(field)\":\(bytes)}")
            }
        }
    }

    @Test func otherMembersAreRefused() throws {
        #expect(throws: TransactionError.value(ABIError(.unknownField("compression")))) {
            try Self.read("{\"serializedTransaction\":\(Self.bytes),\"compression\":1}")
        }
        #expect(throws: TransactionError.value(ABIError(.unknownField("serializedTransaction")))) {
            try Self.read("{\"serializedTransaction\":\(Self.bytes),\"packed_trx\":\"\(Self.packed)\"}")
        }
        #expect(throws: TransactionError.bytes(.unexpectedEnd(offset: 0, needed: 4, remaining: 0))) {
            try Self.read("{\"serializedTransaction\":{}}")
        }
    }

    // MARK: - signature providers of eosjs

    private static let key = "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"
    private static let indexed =
        "{"
        + bytes.enumerated().map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    private static let listed = "[" + bytes.map(String.init).joined(separator: ",") + "]"

    private static func arguments(
        _ transaction: String, keys: String = "[\"\(key)\"]", abis: String = "[]", more: String = ""
    ) -> String {
        #"{"chainId":"\#(wax)","requiredKeys":\#(keys),"abis":\#(abis),"#
            + #""serializedTransaction":\#(transaction)\#(more)}"#
    }

    /// `SignatureProviderArgs` in each form of bytes that JavaScript writes.
    @Test(arguments: [
        #""\#(packed.dropLast(2))""#, indexed, listed, #"{"type":"Buffer","data":\#(listed)}"#,
    ])
    func argumentsOfProviders(transaction: String) throws {
        let abi = #"[{"accountName":"eosio.token","abi":\#(Self.listed)}]"#
        for text in [Self.arguments(transaction), Self.arguments(transaction, abis: abi)] {
            let read = try Self.read(text)
            #expect(Hex.encode(read.packed) == Self.packed.dropLast(2))
            #expect(read.signatures.isEmpty)
        }
        let free = Self.arguments(transaction, more: #","serializedContextFreeData":"0102aabb""#)
        #expect(try Self.read(free).contextFreeData == [[0xaa, 0xbb]])
    }

    @Test(arguments: [
        arguments("\"zz\""), arguments("[256]"), arguments(#"{"0":0,"2":1}"#), arguments(#"{"x":1}"#),
        arguments("7"), arguments(#"{"type":"Buffer","data":7}"#), arguments(listed, keys: "7"),
        arguments(listed, keys: "[\"EOS1\"]"), arguments(listed, abis: "7"), arguments(listed, abis: "[7]"),
        arguments(listed, abis: #"[{"accountName":"eosio.token"}]"#),
        arguments(listed, abis: #"[{"accountName":"A","abi":[1]}]"#),
        arguments(listed, abis: #"[{"accountName":"eosio.token","abi":[1],"more":1}]"#),
        arguments(listed, abis: #"[{"accountName":"a","abi":[1]},{"accountName":"a","abi":[1]}]"#),
        arguments(listed, more: #","more":1"#),
        arguments(listed, more: #","serializedContextFreeData":"01""#),
        arguments(listed).replacing(wax, with: "wax"),
    ])
    func argumentsOfProvidersAreStrict(text: String) {
        #expect(throws: TransactionError.self) { try Self.read(text) }
    }
}
