import ABICodec
import Codecs
import JSON
import Keys
import Transactions

/// A transaction in any of its forms. The bytes that were read are kept, and each printed form is
/// the same transaction.
public enum TransactionLaw: Law {
    public static let name = "Transaction"
    private static let chain = Chain.all.first.flatMap { try? ChainID($0.id) }
    /// The maximum that nodeos inflates, separately for the transaction and for its context-free
    /// data.
    private static let inflationLimit = 1 << 20

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let tests = vectors.tests("transactions")
        var texts = try ["transfer", "transfer.packed", "transfer.signed"].map {
            try Vectors.file("Vectors/examples/\($0).json")
        }
        for test in tests {
            if let transaction = test["transaction"] { texts.append(Array(transaction.text().utf8)) }
            let contextFree = test["packed_context_free_data"]?.string ?? ""
            let compressed =
                test["zlib"]?.object?.compactMap { $0.key.hasSuffix("packed_trx") ? $0.value.string : nil }
                ?? []
            for hex in [test["packed_trx"]?.string].compactMap(\.self) + compressed
            where hex.utf8.count < 4_000 {
                texts += [Array(hex.utf8), try Hex.decode(hex), packedJSON(hex, contextFree: contextFree)]
                if hex.hasPrefix("78") { texts.append(packedJSON(hex, zlib: true)) }
            }
        }
        // As cleos prints them with --unpack-data, with an ABI and without one.
        let data = #""data":{"owner":"a","symbol":"0,A"},"hex_data":"00000000000000300041000000000000""#
        let actions = [
            #"{"account":"eosio.token","name":"close","authorization":[],\#(data)}"#,
            #"{"account":"x","name":"y","authorization":[],"hex_data":"00"}"#,
            // As other tools write them.
            #"{"account":"x","name":"y","authorization":[],"data":{},"hex_data":"00"}"#,
            #"{"account":"eosio.token","name":"close","authorization":[],"json_data":{"owner":"a","symbol":"0,A"}}"#,
        ]
        let header = #""expiration":"2020-01-01T00:00:00","ref_block_num":0,"ref_block_prefix":0"#
        texts += actions.map { Array("{\(header),\"actions\":[\($0)]}".utf8) }
        let plain = try SignedTransaction(
            reading: Array("{\(header),\"actions\":[]}".utf8), abis: ContractABIs())
        return texts + otherForms(of: plain).map { Array($0.json.text().utf8) }
    }

    /// The forms in which nodes and other tools write a transaction.
    private static func otherForms(of transaction: SignedTransaction) -> [(json: JSONValue, name: String)] {
        let json = transaction.json.object ?? []
        let signatures = JSONMember("signatures", transaction.json["signatures"] ?? .array([]))
        let contextFree = JSONMember("context_free_data", transaction.json["context_free_data"] ?? .array([]))
        let id = JSONMember("id", .string(transaction.id))
        let chainID = JSONMember("chain_id", .string(chain?.text ?? ""))
        let unsigned = JSONValue.object(
            json.filter { $0.key != "signatures" && $0.key != "context_free_data" })
        let node =
            (transaction.packedJSON.object ?? []) + [id, contextFree, JSONMember("transaction", unsigned)]
        func numbers(_ bytes: [UInt8]) -> [JSONValue] { bytes.map { .number("\($0)") } }
        let contextFreeBytes = JSONMember(
            "serializedContextFreeData", .array(numbers(transaction.packedContextFreeData)))
        let array = JSONMember("serializedTransaction", .array(numbers(transaction.packed)))
        let members = numbers(transaction.packed).enumerated().map { JSONMember("\($0.offset)", $0.element) }
        let object = JSONMember("serializedTransaction", .object(members))
        let answer = [
            JSONMember("transaction_id", .string(transaction.id)),
            JSONMember("transaction", transaction.json),
            JSONMember("payload", ["cid": .string(chain?.text ?? "")]),
        ]
        return [
            (.object(answer), "answer to a signing request"),
            (.object(json + [id, chainID]), "JSON with its id and chain"),
            (.object(node), "form of a node's block"),
            (.object([signatures, array, contextFreeBytes]), "eosjs form, an array"),
            (.object([signatures, object, contextFreeBytes]), "eosjs form, an object"),
        ]
    }

    private static func packedJSON(_ hex: String, contextFree: String = "", zlib: Bool = false) -> [UInt8] {
        let json = JSONValue.object([
            JSONMember("signatures", .array([])), JSONMember("compression", .string(zlib ? "zlib" : "none")),
            JSONMember("packed_context_free_data", .string(contextFree)),
            JSONMember("packed_trx", .string(hex)),
        ])
        return Array(json.text().utf8)
    }

    /// The input is read as text, as packed bytes, and as a zlib stream of a transaction or of
    /// context-free data.
    public static func check(_ input: [UInt8]) throws(LawBroken) {
        if let transaction = try? SignedTransaction(packed: input) {
            try law(transaction.packed == input, "packed bytes are kept")
            try check(transaction)
        }
        if let transaction = try? SignedTransaction(reading: input, abis: ContractABIs()) {
            try law(
                transaction.packed.count <= max(inflationLimit, 256 * input.count + 16 << 10),
                "inflation has a limit")
            try check(transaction)
        }
        let hex = Hex.encode(input)
        for form in [
            packedJSON(hex, zlib: true), packedJSON(empty, contextFree: hex),
            packedJSON(Hex.encode(zlibOfEmpty), contextFree: hex, zlib: true),
        ] {
            if let transaction = try? SignedTransaction(reading: form, abis: ContractABIs()) {
                try check(transaction)
            }
        }
    }

    /// A packed transaction of zeros, without actions.
    private static let empty = String(repeating: "00", count: 16)
    /// The zero transaction as a stored zlib stream.
    private static let zlibOfEmpty: [UInt8] =
        [0x78, 0x01, 0x01, 0x10, 0x00, 0xef, 0xff] + [UInt8](repeating: 0, count: 16) + [
            0x00, 0x10, 0x00, 0x01,
        ]

    private static func check(_ transaction: SignedTransaction) throws(LawBroken) {
        try law(
            transaction.transaction.packed == transaction.packed,
            "a transaction packs to the bytes it was read from")
        try law(
            transaction.id == Hex.encode(HashFunction.sha256.hash(transaction.packed)),
            "the id is the SHA-256 of the bytes")
        if let chain {
            let contextFree = transaction.packedContextFreeData
            let tail =
                contextFree.isEmpty ? [UInt8](repeating: 0, count: 32) : HashFunction.sha256.hash(contextFree)
            let digest = HashFunction.sha256.hash(chain.bytes + transaction.packed + tail)
            try law(
                transaction.digest(for: chain).bytes == digest,
                "the digest is of chain, bytes and context-free data")
        }
        let forms = [
            Array(Hex.encode(transaction.packed).utf8), Array(transaction.packedJSON.text().utf8),
            Array(transaction.json.text(.pretty).utf8),
        ]
        for (form, name) in zip(forms, ["hex", "packed JSON", "JSON"]) {
            let again = try must("its \(name) is accepted") {
                try SignedTransaction(reading: form, abis: ContractABIs())
            }
            try law(again.packed == transaction.packed, "its \(name) is the same transaction")
            guard name != "hex" else { continue }
            try law(
                again.contextFreeData == transaction.contextFreeData,
                "its \(name) has the same context-free data")
            try law(again.signatures == transaction.signatures, "its \(name) has the same signatures")
        }
        // These forms are large: a byte becomes up to fifteen characters.
        if transaction.packed.count <= 16 << 10, transaction.packedContextFreeData.count <= 16 << 10 {
            for (json, name) in otherForms(of: transaction) {
                let again = try must("its \(name) is accepted") {
                    try SignedTransaction(reading: Array(json.text().utf8), abis: ContractABIs())
                }
                try law(again.packed == transaction.packed, "its \(name) is the same transaction")
                try law(
                    again.contextFreeData == transaction.contextFreeData,
                    "its \(name) has the same context-free data")
                try law(again.signatures == transaction.signatures, "its \(name) has the same signatures")
                try law(again.uncheckedData.isEmpty, "its \(name) has only hex")
            }
        }
        for action in transaction.transaction.actions.prefix(16) {
            guard let type = try? ContractABIs().type(account: action.account, action: action.name).type
            else {
                continue
            }
            try ABIValueLaws.checkDecoding(action.data, as: type)
        }
    }
}
