import ABICodec
import Codecs
import JSON
import Keys

extension SignedTransaction {
    /// Reads a transaction in any form that tools write: unpacked JSON (action data as JSON or
    /// hex), packed JSON, a `trx` object of a node's block, eosjs's serialized transaction, the
    /// answer to a signing request, or packed hex with at most one line ending after it.
    /// - Parameter abis: Pack action data that is given as JSON.
    package init(reading text: [UInt8], abis: ContractABIs) throws(TransactionError) {
        guard let first = text.first(where: { !Self.isJSONSpace($0) }) else { throw .unrecognised }
        if first == UInt8(ascii: "{") {
            try self.init(JSONMembers(whole: text), abis: abis)
        } else if Hex.value(of: first) != nil {
            let packed = try converting(TransactionError.hex, Hex.decode(utf8: Self.droppingLineEnding(text)))
            try self.init(packed: packed)
        } else {
            throw .unrecognised
        }
    }

    /// Reads a JSON object. It is packed if it has a member `packed_trx` or
    /// `serializedTransaction`, otherwise unpacked.
    ///
    /// Each form may also have `id` and `chain_id`. A member that repeats the value of another one
    /// is compared with it. If they differ, the transaction is refused.
    private init(_ members: JSONMembers, abis: ContractABIs) throws(TransactionError) {
        if members.text("packed_trx") != nil {
            try self.init(packedJSON: members, abis: abis)
        } else if members.text("serializedTransaction") != nil {
            try self.init(eosjs: members)
        } else if let transaction = members.text("transaction"), members.text("transaction_id") != nil {
            try self.init(answer: members, transaction, abis: abis)
        } else {
            try self.init(unpacked: members, abis: abis)
        }
    }

    static func isJSONSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
    }

    private static func droppingLineEnding(_ text: [UInt8]) -> [UInt8] {
        guard text.last == UInt8(ascii: "\n") else { return text }
        let rest = text.dropLast()
        return Array(rest.last == UInt8(ascii: "\r") ? rest.dropLast() : rest)
    }

    /// Checks `id`, and stores `chain_id` until the chain is known.
    private mutating func check(_ members: JSONMembers) throws(TransactionError) {
        let id = try members.optional("id", nil) { value throws(ABIError) in try value.hexBytes(count: 32) }
        guard id == nil || id == idBytes else { throw .idDisagrees(computed: self.id) }
        statedChain = try members.optional("chain_id", nil) { value throws(ABIError) in try value.chainID() }
    }

    // MARK: - packed JSON

    /// Reads packed JSON. nodeos adds the members `transaction` and `context_free_data` in `trx`
    /// objects. The packed bytes are used; the other members must agree with them.
    private init(packedJSON members: JSONMembers, abis: ContractABIs) throws(TransactionError) {
        try members.expectOnly([
            "signatures", "compression", "packed_context_free_data", "packed_trx", "id", "chain_id",
            "context_free_data", "transaction",
        ])
        let compressed: Bool
        switch try members.optional("compression", .string("none"), { $0 }) {
        case .string("none"), .number("0"): compressed = false
        case .string("zlib"), .number("1"): compressed = true
        default: throw .unknownCompression
        }
        func bytes(_ field: String) throws(TransactionError) -> [UInt8]? {
            let bytes = try members.optional(field, nil, { value throws(ABIError) in try value.hexBytes() })
            guard let bytes, compressed, !bytes.isEmpty else { return bytes }
            return try converting(
                TransactionError.inflate, Deflate.inflate(bytes, .zlib, limit: Self.maximumInflated))
        }
        let packed = try bytes("packed_trx") ?? []
        let listed = try members.optional("context_free_data", nil, Self.contextFreeData(listed:))
        var contextFreeData = listed ?? []
        if let packed = try bytes("packed_context_free_data") {
            contextFreeData = try Self.contextFreeData(packed: packed)
            guard listed == nil || listed == contextFreeData else {
                throw .membersDisagree("context_free_data", "packed_context_free_data")
            }
        }
        try self.init(
            packed: packed, contextFreeData: contextFreeData,
            signatures: try members.optional("signatures", [], Self.signatures))
        try check(members)
        guard let shown = members.text("transaction") else { return }
        let unpacked: TransactionJSON
        do {
            let members = try JSONMembers(shown)
            try members.expectOnly(TransactionJSON.fields)
            unpacked = try TransactionJSON(members, abis: abis)
        } catch { throw error.inside([.field("transaction")]) }
        guard unpacked.transaction.packed == packed else {
            throw .membersDisagree("transaction", "packed_trx")
        }
        uncheckedData = unpacked.unchecked
    }

    private static func contextFreeData(listed value: JSONValue) throws(ABIError) -> [[UInt8]]? {
        try value.expectList { element throws(ABIError) in try element.hexBytes() }
    }

    /// Unpacks context-free data, a list of byte strings. Empty input is an empty list.
    package static func contextFreeData(packed bytes: [UInt8]) throws(TransactionError) -> [[UInt8]] {
        guard !bytes.isEmpty else { return [] }
        return try converting(
            TransactionError.bytes,
            ByteReader.readAll(bytes) { reader throws(CodecError) in
                try reader.readList { reader throws(CodecError) in try reader.readPrefixedBytes() }
            })
    }

    // MARK: - eosjs

    /// `{"signatures", "serializedTransaction"}` of eosjs, with an optional
    /// `serializedContextFreeData`, or `{"chainId", "requiredKeys", "serializedTransaction",
    /// "abis"}`, which eosjs passes to a signature provider (eosjs, src/eosjs-api-interfaces.ts,
    /// `SignatureProviderArgs`).
    ///
    /// The bytes are `Uint8Array`s, which JavaScript writes as objects, or arrays of numbers, a
    /// `Buffer` or hex. The ABIs are not used: their hashes are compared with the ABIs of a review.
    private init(eosjs members: JSONMembers) throws(TransactionError) {
        try members.expectOnly([
            "signatures", "serializedTransaction", "serializedContextFreeData", "id", "chain_id",
            "chainId", "requiredKeys", "abis",
        ])
        let contextFree = try members.optional("serializedContextFreeData", []) { value throws(ABIError) in
            value.isNull ? [] : try value.serializedBytes()
        }
        try self.init(
            packed: try members.required("serializedTransaction") { value throws(ABIError) in
                try value.serializedBytes()
            },
            contextFreeData: try Self.contextFreeData(packed: contextFree),
            signatures: try members.optional("signatures", [], Self.signatures))
        try check(members)
        let chain = try members.optional("chainId", nil) { value throws(ABIError) in try value.chainID() }
        if let chain, let statedChain, statedChain != chain { throw .membersDisagree("chain_id", "chainId") }
        statedChain = chain ?? statedChain
        requiredKeys = try members.optional("requiredKeys", nil) { value throws(ABIError) in
            value.isNull ? nil : try value.expectList { element throws(ABIError) in try element.publicKey() }
        }
        let abis = try members.optional("abis", []) { value throws(ABIError) in
            value.isNull ? [] : try value.expectList { element throws(ABIError) in try element.binaryABI() }
        }
        var hashes: [Name: ABIHash] = [:]
        for (account, hash) in abis {
            guard hashes.updateValue(hash, forKey: account) == nil else {
                throw .abiGivenTwice(account: account)
            }
        }
        state(hashes)
    }

    // MARK: - unpacked JSON

    private init(unpacked members: JSONMembers, abis: ContractABIs) throws(TransactionError) {
        try members.expectOnly(
            TransactionJSON.fields + ["signatures", "context_free_data", "id", "chain_id"])
        let unpacked = try TransactionJSON(members, abis: abis)
        try self.init(
            packed: unpacked.transaction.packed,
            contextFreeData: try members.optional("context_free_data", nil, Self.contextFreeData(listed:))
                ?? [],
            signatures: try members.optional("signatures", [], Self.signatures))
        uncheckedData = unpacked.unchecked
        try check(members)
    }

    // MARK: - the answer to a signing request

    /// Reads what `eosvault sign` prints for a signing request: the transaction in unpacked JSON,
    /// and what its sender gets. The payload of the callback states the chain.
    private init(answer members: JSONMembers, _ text: [UInt8], abis: ContractABIs) throws(TransactionError) {
        try members.expectOnly([
            "transaction_id", "transaction", "broadcast", "callback", "background", "payload",
            "identity_proof",
        ])
        do { try self.init(unpacked: JSONMembers(text), abis: abis) } catch {
            throw error.inside([.field("transaction")])
        }
        let id = try members.required("transaction_id") { value throws(ABIError) in
            try value.hexBytes(count: 32)
        }
        guard id == idBytes else { throw .idDisagrees(computed: self.id) }
        let chain: ChainID? = try members.optional("payload", nil) { value throws(ABIError) in
            value.isNull ? nil : try value.member("cid").chainID()
        }
        if let chain, let statedChain, statedChain != chain { throw .membersDisagree("chain_id", "cid") }
        statedChain = chain ?? statedChain
    }

    private static func signatures(_ value: JSONValue) throws(ABIError) -> [Signature] {
        try value.expectList { element throws(ABIError) in
            let text = try element.expectText()
            do throws(KeyTextError) { return try Signature(text) } catch { throw ABIError(.keyText(error)) }
        }
    }
}

extension JSONValue {
    func hexBytes(count: Int) throws(ABIError) -> [UInt8] {
        let bytes = try hexBytes()
        guard bytes.count == count else {
            throw ABIError(.wrongHexLength(bytes: bytes.count, expected: count))
        }
        return bytes
    }

    fileprivate func chainID() throws(ABIError) -> ChainID? {
        let bytes = try hexBytes(count: ChainID.size)
        return try? ChainID(bytes: bytes)
    }

    fileprivate func publicKey() throws(ABIError) -> PublicKey {
        let text = try expectText()
        do throws(KeyTextError) { return try PublicKey(text) } catch { throw ABIError(.keyText(error)) }
    }

    /// `{"accountName", "abi"}`: the account and the hash of its ABI in the raw form.
    fileprivate func binaryABI() throws(ABIError) -> (account: Name, hash: ABIHash) {
        guard case .object(let members) = self else { throw ABIError(.expected(.object, found: kind)) }
        for field in members.map(\.key) where !field.isAny(of: ["accountName", "abi"]) {
            throw ABIError(.unknownField(field))
        }
        return (
            try Name(member("accountName").expectText()), ABIHash(raw: try member("abi").serializedBytes())
        )
    }

    /// Bytes in hex, as `Buffer` of Node.js writes itself, or as numbers.
    fileprivate func serializedBytes() throws(ABIError) -> [UInt8] {
        if case .string = self { return try hexBytes() }
        if case .object(let members) = self, members.map(\.key) == ["type", "data"],
            try member("type").expectText() == "Buffer"
        {
            return try member("data").numberedBytes()
        }
        return try numberedBytes()
    }

    /// Bytes as an array of numbers, or as an object whose keys are the indices. Each index from 0
    /// on must occur once, in any order.
    fileprivate func numberedBytes() throws(ABIError) -> [UInt8] {
        guard case .object(let members) = self else {
            return try expectList { element throws(ABIError) in try element.byte() }
        }
        var bytes = [UInt8?](repeating: nil, count: members.count)
        for member in members {
            guard let index = Int(member.key), "\(index)" == member.key, index >= 0 else {
                throw ABIError(.unknownField(member.key))
            }
            let byte: UInt8
            do { byte = try member.value.byte() } catch { throw error.inside(.element(index)) }
            // If an index is too large, another index is missing. That is found below.
            if index < bytes.count { bytes[index] = byte }
        }
        return try bytes.enumerated().map { index, byte throws(ABIError) in
            guard let byte else { throw ABIError(.missingField("\(index)")) }
            return byte
        }
    }

    private func byte() throws(ABIError) -> UInt8 {
        guard case .number = self else { throw ABIError(.expected(.integer, found: kind)) }
        return try expectInteger("uint8")
    }
}
