import ABICodec
import Codecs
import JSON
import Keys
import SigningRequests
import Transactions

/// Checks signing requests: decoding, encoding, resolving, callback and proof.
enum RequestChecks {
    static func check(_ test: VectorTest) throws(VectorFailure) {
        let text = Array(try test.text("uri").utf8)
        let link = try test.attempt("uri") { try RequestLink(utf8: text) }
        // Only a valid test has the values of the request.
        guard test.isValid || test.optional("payload_hex") != nil else { return }
        try checkLink(test, link)
        try checkRequest(test, link.request)
        guard let resolved = test.optional("resolved"), !resolved.isNull else { return }
        try checkResolved(VectorTest(resolved), try resolve(test, VectorTest(resolved), link))
    }

    // MARK: - the link

    private static func checkLink(_ test: VectorTest, _ link: RequestLink) throws(VectorFailure) {
        try test.expect("payload_hex", hex: link.payload)
        try test.expect("version", try test.value("version").number == "\(link.request.version.rawValue)")
        try test.expect("compressed", is: link.isCompressed)
        for compressing in [true, false] {
            let again = try test.attempt("encode") {
                try RequestLink(link.request, signature: link.signature, compressing: compressing)
            }
            let read = try test.attempt("decode again") { try RequestLink(utf8: Array(again.text.utf8)) }
            try test.expect("encoded again", read.payload == link.payload)
        }
        try test.expect("request_signature_digest", hex: link.request.signatureDigest.bytes)
        let signature = try test.value("request_signature")
        try test.expect("request_signature", signature.isNull == (link.signature == nil))
        guard let stated = link.signature else { return }
        try test.expect("request_signature", signature["signer"]?.string == stated.signer.text)
        try test.expect("request_signature", signature["signature"]?.string == stated.signature.text)
    }

    private static func checkRequest(_ test: VectorTest, _ request: RequestData) throws(VectorFailure) {
        try test.expect("decoded", try test.value("decoded").sorted.text() == request.json.sorted.text())
        try test.expect("is_multichain", is: request.chain == .any)
        if let chain = request.chain.chainID { try test.expect("chain_id", is: chain.text) }
        let chains = try test.value("chain_ids").array?.map(\.string)
        try test.expect("chain_ids", chains == request.chains?.map(\.chainID?.text))
        try test.expect("is_identity", is: request.isIdentity)
        try test.expect("broadcast", is: request.flags.contains(.broadcast))
        try test.expect("background", is: request.flags.contains(.background))
        try test.expect("callback", is: request.callback)
        try test.expect("requires_tapos", is: request.needsReference)
        guard let info = try test.value("raw_info").object else { throw .malformedField("raw_info") }
        try test.expect("raw_info", info.count == request.info.count)
        for pair in request.info {
            try test.expect(
                "raw_info", info.contains { $0.key == pair.key && $0.value.string == Hex.encode(pair.value) })
        }
    }

    // MARK: - resolving

    private static func resolve(
        _ test: VectorTest, _ expected: VectorTest, _ link: RequestLink
    ) throws(VectorFailure) -> ResolvedRequest {
        let arguments = try test.value("resolve_args")
        guard let actor = arguments["signer"]?["actor"]?.string, let actor = try? Name(actor),
            let permission = arguments["signer"]?["permission"]?.string,
            let permission = try? Name(permission)
        else { throw .malformedField("resolve_args") }
        let context = arguments["ctx"] ?? [:]
        let chainText = try expected.text("chain_id")
        return try test.attempt("resolve") {
            try ResolvedRequest(
                link, signer: PermissionLevel(actor: actor, permission: permission),
                chain: ChainID(chainText),
                expiration: expiration(context), reference: reference(context), abis: ContractABIs())
        }
    }

    /// The expiration, or the time of a block and a number of seconds.
    private static func expiration(_ context: JSONValue) throws -> TimePointSec? {
        if let text = context["expiration"]?.string { return try TimePointSec(text) }
        guard let text = context["timestamp"]?.string else { return nil }
        let seconds = UInt32(context["expire_seconds"]?.number ?? "60") ?? 0
        return TimePointSec(seconds: try TimePointSec(text).seconds &+ seconds)
    }

    private static func reference(_ context: JSONValue) -> BlockReference? {
        let number = context["ref_block_num"]?.number ?? context["block_num"]?.number
        guard let number = number.flatMap({ UInt32($0) }),
            let prefix = context["ref_block_prefix"]?.number.flatMap({ UInt32($0) })
        else { return nil }
        return BlockReference(number: UInt16(truncatingIfNeeded: number), prefix: prefix)
    }

    private static func checkResolved(_ test: VectorTest, _ resolved: ResolvedRequest) throws(VectorFailure) {
        let transaction = resolved.transaction
        try test.expect("packed_trx", hex: transaction.packed)
        try test.expect("transaction_id", is: transaction.id)
        let digest = transaction.digest(for: resolved.chain)
        try test.expect("signing_digest", hex: digest.bytes)
        let expected = VectorTest(try test.value("signature"))
        let key = try expected.privateKey("wif")
        let signature = try test.attempt("sign") { try key.sign(digest) }.signature
        try expected.expect("cleos_signature", is: signature.text)
        if let callback = test.optional("callback"), !callback.isNull {
            try checkCallback(VectorTest(callback), resolved, signature)
        }
        if let proof = test.optional("identity_proof"), !proof.isNull {
            try test.expect(
                "identity_proof", proof.string == IdentityProof(resolved, signature: signature)?.text)
        }
    }

    private static func checkCallback(
        _ test: VectorTest, _ resolved: ResolvedRequest, _ signature: Signature
    ) throws(VectorFailure) {
        let block = test.optional("block_num")?.number.flatMap { UInt32($0) }
        guard let payload = CallbackPayload(resolved, signatures: [signature], blockNumber: block) else {
            throw .mismatch("payload")
        }
        let request = resolved.link.request
        try test.expect("url", is: payload.filled(request.callback))
        try test.expect("background", is: request.flags.contains(.background))
        guard let expected = try test.value("payload").object else { throw .malformedField("payload") }
        try test.expect("payload", expected.map(\.key).sorted() == payload.members.map(\.name).sorted())
        for member in payload.members {
            guard let value = expected.first(where: { $0.key == member.name })?.value.string else {
                throw .mismatch("payload")
            }
            // Compressors make different links of the same request.
            guard member.name == "req" else {
                try test.expect("payload", value == member.value)
                continue
            }
            let link = try test.attempt("req") { try RequestLink(utf8: Array(value.utf8)) }
            try test.expect("req", link.payload == resolved.link.payload)
        }
    }
}

extension JSONValue {
    /// The value with the members of each object in the order of their names.
    fileprivate var sorted: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let members):
            .object(members.map { JSONMember($0.key, $0.value.sorted) }.sorted { $0.key < $1.key })
        case .null, .boolean, .number, .string: self
        }
    }
}
