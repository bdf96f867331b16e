import ABICodec
import Codecs
import JSON
import Keys
import Transactions

/// What a wallet sends after a signing request: the proof of a login (`IdentityProof`), or the
/// payload of a callback (`CallbackPayload`). It states who signed what, and its signatures prove
/// keys. A server verifies it.
package struct WalletAnswer: Sendable {
    /// Real answers have some hundred bytes; a request can be long.
    package static let maximumCount = RequestLink.maximumLength + (64 << 10)

    package let chain: ChainID
    /// The account and the permission, as stated. The transaction is authorized by them in a login.
    package let signer: PermissionLevel
    /// The transaction that was signed, with its signatures.
    package let transaction: SignedTransaction
    /// Who asked for the login; nil for a transaction, and for a login of version 2.
    package let scope: Name?
    package let isLogin: Bool
    /// The request; nil for a proof, which does not contain it.
    package let link: RequestLink?

    /// Reads an answer. A final line ending is dropped.
    /// - Parameters:
    ///   - chain: the chain of a payload that states none. Older wallets omit `cid`.
    ///   - abis: decode action data for the placeholders in it.
    package init(reading text: [UInt8], chain: ChainID, abis: ContractABIs) throws(RequestError) {
        var text = text[...]
        if text.last == UInt8(ascii: "\n") { text = text.dropLast() }
        if text.last == UInt8(ascii: "\r") { text = text.dropLast() }
        if IdentityProof.isProof(Array(text)) {
            self = try Self(IdentityProof(utf8: Array(text)))
        } else {
            guard text.first == UInt8(ascii: "{") else { throw .answer(.notAnAnswer) }
            let payload = try converting({ RequestError.answer(.json($0)) }, JSONValue.parse(Array(text)))
            self = try Self(payload: payload, chain: chain, abis: abis)
        }
    }

    private init(_ proof: IdentityProof) throws(RequestError) {
        (chain, signer, scope) = (proof.chain, proof.signer, proof.scope)
        (isLogin, link) = (true, nil)
        let action = RequestedIdentity(scope: proof.scope, permission: proof.signer).action
        let template = Transaction(actions: [action]).replacing(
            expiration: proof.expiration, reference: nil, actions: [action])
        transaction = try converting(
            RequestError.transaction,
            SignedTransaction(packed: template.packed, signatures: [proof.signature]))
    }

    /// Makes the transaction of the request again, and compares the payload with it. Further
    /// members, such as those of a session, are ignored.
    private init(payload: JSONValue, chain given: ChainID, abis: ContractABIs) throws(RequestError) {
        let payload = PayloadReader(payload)
        let link = try RequestLink(utf8: Array(payload.text("req").utf8))
        let chain = try payload.optional("cid") { try? ChainID(hex: $0) } ?? given
        let signer = PermissionLevel(
            actor: try payload.value("sa") { try? Name($0) },
            permission: try payload.value("sp") { try? Name($0) })
        let expiration = try payload.value("ex") { try? TimePointSec($0) }
        let number = try payload.value("rbn") { UInt16($0) }
        let prefix = try payload.value("rid") { UInt32($0) }
        let resolved = try ResolvedRequest(
            link, signer: signer, chain: chain, expiration: expiration,
            reference: BlockReference(number: number, prefix: prefix), abis: abis)
        try resolved.expectSigner()
        let header = resolved.transaction.transaction
        guard header.expiration == expiration else { throw .answer(.disagrees("ex")) }
        guard header.refBlockNum == number else { throw .answer(.disagrees("rbn")) }
        guard header.refBlockPrefix == prefix else { throw .answer(.disagrees("rid")) }
        guard try payload.text("tx") == resolved.transaction.id else { throw .answer(.disagrees("tx")) }
        var transaction = resolved.transaction
        for signature in try payload.signatures() { transaction.append(signature) }
        (self.chain, self.signer, self.transaction, self.link) = (chain, signer, transaction, link)
        isLogin = link.request.isIdentity
        if case .identity(let identity) = link.request.content { scope = identity.scope } else { scope = nil }
    }

    /// The keys that signed, each once.
    /// - Throws: `answer(.unknownSigner)`.
    package func keys() throws(RequestError) -> [PublicKey] {
        let digest = transaction.digest(for: chain)
        var keys: [PublicKey] = []
        for signature in transaction.signatures {
            let key = try converting({ RequestError.answer(.unknownSigner($0)) }, signature.recover(digest))
            if !keys.contains(key) { keys.append(key) }
        }
        return keys
    }

    /// nil for a login of version 2, which has none.
    package var expiration: TimePointSec? {
        let expiration = transaction.transaction.expiration
        return isLogin && scope == nil ? nil : expiration
    }
}

/// The members of a payload, which are texts (EEP-7, "Callback payload").
private struct PayloadReader {
    private let payload: JSONValue
    /// The most signatures: more than a transaction needs.
    private static let maximumCount = 100

    init(_ payload: JSONValue) { self.payload = payload }

    func text(_ name: String) throws(RequestError) -> String { try value(name) { $0 } }

    func value<Value>(_ name: String, _ read: (String) -> Value?) throws(RequestError) -> Value {
        guard case .string(let text)? = payload[name], let value = read(text) else {
            throw .answer(.member(name))
        }
        return value
    }

    func optional<Value>(_ name: String, _ read: (String) -> Value?) throws(RequestError) -> Value? {
        payload[name] == nil ? nil : try value(name, read)
    }

    /// `sig`, then `sig0`, `sig1` and so on.
    func signatures() throws(RequestError) -> [Signature] {
        var signatures = [try value("sig") { try? Signature($0) }]
        while signatures.count < Self.maximumCount,
            let next = try optional("sig\(signatures.count - 1)", { try? Signature($0) })
        {
            signatures.append(next)
        }
        return signatures
    }
}
