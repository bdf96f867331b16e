import ABICodec
import Codecs
import Curves
import JSON
import KeyText

extension SignedTransaction {
    /// Reads a transaction as cleos writes it: unpacked JSON (action data as JSON or hex), packed JSON, or packed hex with
    /// at most one line ending behind it.
    /// - Parameter abis: What packs action data that is given as JSON.
    public init(reading text: [UInt8], abis: ContractABIs) throws(TransactionError) {
        guard let first = text.first(where: { !Self.isJSONSpace($0) }) else { throw .unrecognised }
        if first == UInt8(ascii: "{") {
            let json: JSONValue
            do { json = try JSONValue.parse(text) } catch { throw .json(error) }
            try self.init(json: json, abis: abis)
        } else if Hex.value(of: first) != nil {
            let packed: [UInt8]
            do { packed = try Hex.decode(utf8: Self.droppingLineEnding(text)) } catch { throw .hex(error) }
            try self.init(packed: packed)
        } else {
            throw .unrecognised
        }
    }

    /// Reads JSON that is at hand as a tree: unpacked, or packed where it has a `packed_trx`.
    public init(json: JSONValue, abis: ContractABIs) throws(TransactionError) {
        self = try json["packed_trx"] == nil ? Self(unpacked: json, abis: abis) : Self(packedJSON: json)
    }

    private static func isJSONSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 }

    private static func droppingLineEnding(_ text: [UInt8]) -> [UInt8] {
        guard text.last == UInt8(ascii: "\n") else { return text }
        let rest = text.dropLast()
        return Array(rest.last == UInt8(ascii: "\r") ? rest.dropLast() : rest)
    }

    // MARK: - packed JSON

    private init(packedJSON json: JSONValue) throws(TransactionError) {
        let members = try JSONMembers(json, allowing: ["signatures", "compression", "packed_context_free_data", "packed_trx"])
        let compressed: Bool
        switch members["compression"] {
        case nil, .string("none"), .number("0"): compressed = false
        case .string("zlib"), .number("1"): compressed = true
        default: throw .unknownCompression
        }
        func bytes(_ field: String) throws(TransactionError) -> [UInt8] {
            let bytes = try members.optional(field, [], { value throws(ABIError) in try value.hexBytes() })
            return compressed && !bytes.isEmpty ? try Compression.inflate(bytes) : bytes
        }
        try self.init(
            packed: try bytes("packed_trx"),
            contextFreeData: try Self.contextFreeData(packed: try bytes("packed_context_free_data")),
            signatures: try members.optional("signatures", [], Self.signatures))
    }

    /// Unpacks context-free data: a list of byte strings; no bytes are an empty list.
    private static func contextFreeData(packed bytes: [UInt8]) throws(TransactionError) -> [[UInt8]] {
        guard !bytes.isEmpty else { return [] }
        do {
            return try ByteReader.read(bytes) { reader throws(CodecError) in
                let list = try reader.readList { reader throws(CodecError) in try reader.readPrefixedBytes() }
                try reader.expectEnd()
                return list
            }
        } catch { throw .bytes(error) }
    }

    // MARK: - unpacked JSON

    private init(unpacked json: JSONValue, abis: ContractABIs) throws(TransactionError) {
        let members = try JSONMembers(
            json,
            allowing: [
                "expiration", "ref_block_num", "ref_block_prefix", "max_net_usage_words", "max_cpu_usage_ms", "delay_sec",
                "context_free_actions", "actions", "transaction_extensions", "signatures", "context_free_data",
            ])
        let transaction = Transaction(
            expiration: try members.required("expiration") { value throws(ABIError) in try TimePointSec(value.expectText()) },
            refBlockNum: try members.required("ref_block_num") { value throws(ABIError) in try value.expectInteger("uint16") },
            refBlockPrefix: try members.required("ref_block_prefix") { value throws(ABIError) in try value.expectInteger("uint32") },
            maxNetUsageWords: try members.optional("max_net_usage_words", 0) { value throws(ABIError) in
                try value.expectInteger("varuint32")
            },
            maxCPUUsageMS: try members.optional("max_cpu_usage_ms", 0) { value throws(ABIError) in try value.expectInteger("uint8") },
            delaySec: try members.optional("delay_sec", 0) { value throws(ABIError) in try value.expectInteger("varuint32") },
            contextFreeActions: try Action.list(members, "context_free_actions", required: false, abis: abis),
            actions: try Action.list(members, "actions", required: true, abis: abis),
            extensions: try members.optional("transaction_extensions", []) { value throws(ABIError) in
                try value.expectList { element throws(ABIError) in try TransactionExtension(json: element) }
            })
        try self.init(
            packed: transaction.packed,
            contextFreeData: try members.optional("context_free_data", []) { value throws(ABIError) in
                try value.expectList { element throws(ABIError) in try element.hexBytes() }
            },
            signatures: try members.optional("signatures", [], Self.signatures))
    }

    private static func signatures(_ value: JSONValue) throws(ABIError) -> [Signature] {
        try value.expectList { element throws(ABIError) in
            let text = try element.expectText()
            do throws(KeyTextError) { return try Signature(text) } catch { throw ABIError(.keyText(error)) }
        }
    }
}

extension TransactionExtension {
    /// `[type, "hex"]` as cleos writes it, or `{"type", "data"}`.
    fileprivate init(json: JSONValue) throws(ABIError) {
        let (type, data): (JSONValue, JSONValue)
        switch json {
        case .array(let pair) where pair.count == 2: (type, data) = (pair[0], pair[1])
        case .object:
            let members = try JSONMembers(fields: json, allowing: ["type", "data"])
            (type, data) = (try members.value("type"), try members.value("data"))
        default: throw ABIError(.expected(.object, found: json.kind))
        }
        self.init(type: try type.expectInteger("uint16"), data: try data.hexBytes())
    }
}
