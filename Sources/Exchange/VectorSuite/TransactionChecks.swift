import ABICodec
import Codecs
import JSON
import Keys
import Transactions

/// Checks whole transactions: packing, id, digest, signatures, compressed forms.
struct TransactionChecks {
    /// The maximum number of members of `zlib`. Each compressor has two or three.
    private static let memberLimit = 256

    private var abis: [String: ABI] = [:]

    init(_ file: JSONValue) throws(VectorFileError) {
        guard let members = file["abis"]?.object else { throw .missingField("abis") }
        for member in members {
            do { abis[member.key] = try ABI(member.value) } catch { throw .abi(member.key, error) }
        }
    }

    func check(_ test: VectorTest) throws(VectorFailure) {
        let packed = try test.text("packed_trx")
        guard test.isValid || test.optional("transaction") != nil else {
            // An invalid test is about its packed form.
            _ = try unpack(test, packed, compression: test.optional("compression") ?? .string("none"))
            return
        }
        let contracts = try contracts(test)
        let transaction = try read(test, contracts)
        try test.expect("packed_trx", packed == Hex.encode(transaction.packed))
        try test.expect("packed_context_free_data", hex: transaction.packedContextFreeData)
        try test.expect("transaction_id", is: transaction.id)
        let chainText = try test.text("chain_id")
        let chain = try test.attempt("chain_id") { try ChainID(chainText) }
        let digest = transaction.digest(for: chain)
        try test.expect("signing_digest", hex: digest.bytes)
        for signature in try test.list("signatures") { try check(VectorTest(signature), digest) }
        try checkDecoding(test, transaction, contracts)
        if let zlib = test.optional("zlib") { try checkCompressed(test, zlib, transaction) }
    }

    private func contracts(_ test: VectorTest) throws(VectorFailure) -> ContractABIs {
        var contracts = ContractABIs()
        for name in try test.list("abis") {
            guard let name = name.string, let abi = abis[name], let account = try? Name(name) else {
                throw .malformedField("abis")
            }
            contracts.addUnchecked(abi, for: account)
        }
        return contracts
    }

    private func read(_ test: VectorTest, _ contracts: ContractABIs) throws(VectorFailure)
        -> SignedTransaction
    {
        var json = try test.value("transaction")
        guard json.object != nil else { throw .malformedField("transaction") }
        if let data = test.optional("context_free_data") { json = json.adding(["context_free_data": data]) }
        let text = Array(json.text().utf8)
        return try test.attempt("transaction") { try SignedTransaction(reading: text, abis: contracts) }
    }

    private func check(_ test: VectorTest, _ digest: SigningDigest) throws(VectorFailure) {
        let key = try test.privateKey("private_key")
        let signed = try test.attempt("sign") { try key.sign(digest) }
        try test.expect("signature", is: signed.signature.text)
        let recovered = try test.attempt("recover") { try signed.signature.recover(digest) }
        try test.expect("public_key", is: recovered.canonicalText)
    }

    /// Checks the data of each action, context-free ones included, whose contract has an ABI in the
    /// row: it must decode from the packed bytes and pack to the same bytes again. Data of other
    /// contracts has no type, so it is compared only as bytes of the whole transaction. Built-in
    /// ABIs are not used, so that a row means the same in every version.
    private func checkDecoding(
        _ test: VectorTest, _ transaction: SignedTransaction, _ contracts: ContractABIs
    ) throws(VectorFailure) {
        let unpacked = try unpack(test, Hex.encode(transaction.packed), compression: .string("none"))
        try test.expect("packed_trx again", unpacked.transaction.packed == transaction.packed)
        let names = try test.list("abis").compactMap(\.string)
        let actions = unpacked.transaction.contextFreeActions + unpacked.transaction.actions
        for action in actions where names.contains(action.account.text) {
            let again = try test.attempt("decode") {
                let type = try contracts.type(account: action.account, action: action.name).type
                return try type.encode(json: type.decode(action.data))
            }
            try test.expect("data", again == action.data)
        }
    }

    /// Checks the compressed forms: either one text, or the members `NAME_packed_trx` of several
    /// compressors, each with an optional `NAME_packed_context_free_data`.
    private func checkCompressed(
        _ test: VectorTest, _ zlib: JSONValue, _ transaction: SignedTransaction
    ) throws(VectorFailure) {
        var forms: [(packed: String, contextFree: String?)] = zlib.string.map { [($0, nil)] } ?? []
        let suffix = "packed_trx"
        // Looking up each member takes linear time, so their number is limited.
        guard zlib.object?.count ?? 0 <= Self.memberLimit else { throw .malformedField("zlib") }
        for member in zlib.object ?? [] where member.key.hasSuffix(suffix) {
            guard let packed = member.value.string else { throw .malformedField("zlib") }
            forms.append(
                (packed, zlib[member.key.dropLast(suffix.utf8.count) + "packed_context_free_data"]?.string))
        }
        guard !forms.isEmpty else { throw .malformedField("zlib") }
        for form in forms {
            let unpacked = try unpack(
                test, form.packed, compression: .string("zlib"), contextFree: form.contextFree ?? "")
            try test.expect("zlib", unpacked.packed == transaction.packed)
            if form.contextFree != nil {
                try test.expect("zlib", unpacked.contextFreeData == transaction.contextFreeData)
            }
        }
    }

    private func unpack(
        _ test: VectorTest, _ hex: String, compression: JSONValue, contextFree: String = ""
    ) throws(VectorFailure) -> SignedTransaction {
        let json: JSONValue = [
            "signatures": .array([]), "compression": compression,
            "packed_context_free_data": .string(contextFree),
            "packed_trx": .string(hex),
        ]
        let text = Array(json.text().utf8)
        return try test.attempt("packed_trx") { try SignedTransaction(reading: text, abis: ContractABIs()) }
    }
}
