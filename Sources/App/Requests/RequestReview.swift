import ABICodec
import JSON
import Keys
import Shell
import Signing
import SigningRequests
import Transactions

/// The part of a review about a signing request, in addition to its transaction.
package struct RequestReview {
    package let link: RequestLink
    /// nil for no callback.
    let callback: CallbackAddress?
    /// The key that made the request signature; nil without a signature.
    let key: PublicKey?
    /// True if --request-key is this key.
    let isVerified: Bool
    /// The transaction of the request; nil before it is resolved.
    private(set) var resolution: ResolvedRequest?

    /// - Parameter name: the input, for errors.
    init(_ link: RequestLink, name: String, key option: RequestKeyOption) throws {
        let expected = try option.key()
        self.link = link
        (callback, key) = try placed(at: name) {
            if let expected { try link.expectKey(expected) }
            let text = link.request.callback
            return (text.isEmpty ? nil : try CallbackAddress(text), try link.signatureKey())
        }
        isVerified = expected != nil
    }

    /// The version of a request for a login; nil for another one.
    package var loginVersion: Int? { link.request.isIdentity ? Int(link.request.version.rawValue) : nil }

    func resolved(_ resolved: ResolvedRequest) -> RequestReview {
        var review = self
        review.resolution = resolved
        return review
    }

    /// `as alice@active, scope myapp`; nil for a request that is no login.
    var login: String? {
        guard case .identity(let identity) = link.request.content else { return nil }
        let level = resolution?.signer ?? identity.permission
        let scope = identity.scope.map { ["scope " + ($0.rawValue == 0 ? "(empty)" : $0.text)] } ?? []
        return ((level.map { ["as \($0.text)"] } ?? ["as any account"]) + scope).joined(separator: ", ")
    }

    /// The rows that a person reads before the answer.
    func rows(width: Int) -> [String] {
        var rows = Rows(width: width)
        if let login { rows.append(named: "LOGIN", words: "\(login); it is not sent to a chain") }
        if login == nil, !link.request.flags.contains(.broadcast) {
            let who = callback == nil ? "you get" : "only the callback gets"
            rows.append(
                named: "broadcast",
                words: "no: \(who) the signed transaction, and can send it to a chain later")
        }
        if let callback {
            let how = link.request.flags.contains(.background) ? ", in the background" : ""
            rows.append(named: "callback", parts: [callback.shown + how])
        }
        if let key, let signature = link.signature {
            let state = isVerified ? "verified: --request-key" : "NOT VERIFIED: the name may be false"
            rows.append(named: "requested by", words: "\(signature.signer.text), \(state)")
            rows.append(named: "with key", words: key.text)
        } else {
            rows.append(named: "requested by", words: "unknown: the request is not signed")
        }
        return rows.rows
    }

    /// The members of a review that describe a signing request.
    static let object = JSONObject<RequestReview>([
        .number("version", "the version of the request") { $0.link.request.version.rawValue },
        .boolean("login", "whether it is a login, which is not sent to a chain") {
            $0.link.request.isIdentity
        },
        .boolean("broadcast", "whether the transaction is to be sent to the chain") {
            $0.link.request.flags.contains(.broadcast)
        },
        .boolean("background", "whether the callback is called in the background") {
            $0.link.request.flags.contains(.background)
        },
        .text(orNull: "callback", "the scheme and the host of the callback; null if there is none") {
            $0.callback?.shown
        },
        .text(orNull: "signer", "the account in the request signature; null without one") {
            $0.link.signature?.signer.text
        },
        .text(orNull: "signer_key", "the key that made the request signature") { $0.key?.text },
        .boolean("verified", "whether this key equals --request-key") { $0.isVerified },
        .text("scope?", "who asks for the login; in version 3") { review in
            if case .identity(let identity) = review.link.request.content {
                identity.scope?.text
            } else {
                nil
            }
        },
    ])
}

extension Review {
    /// Throws if a name in an action, or in a transaction inside, is a placeholder.
    func expectNoPlaceholder() throws(RequestError) {
        for reviewed in allActions where Placeholders.remain(in: reviewed.action, reviewed.value) {
            throw .unresolvedPlaceholder(account: reviewed.action.account, action: reviewed.action.name)
        }
    }
}

// MARK: - the answer

extension RequestReview {
    private func payload(_ signatures: [Signature]) -> CallbackPayload? {
        resolution.flatMap { CallbackPayload($0, signatures: signatures) }
    }

    /// The address of the callback with the values of the signed request; nil for no callback.
    func filledCallback(_ signatures: [Signature]) -> String? {
        guard let callback else { return nil }
        return payload(signatures)?.filled(callback.text)
    }

    private func identityProof(_ signatures: [Signature]) -> String? {
        resolution.flatMap { resolved in
            signatures.first.flatMap { IdentityProof(resolved, signature: $0)?.text }
        }
    }

    /// The text for another device if the request is not sent to a chain: the address of the
    /// callback, or the proof of a login. Nil if there is neither.
    func scannedText(_ signatures: [Signature]) -> String? {
        filledCallback(signatures) ?? identityProof(signatures)
    }

    /// How to get the address of the callback too, if a code shows the transaction.
    package var callbackNote: String? {
        guard callback != nil, let resolution else { return nil }
        let expiration = link.request.needsExpiration ? resolution.transaction.transaction.expiration : nil
        return Words.callbackCode(expiration: expiration)
    }

    /// The output for a signed request. Another machine sends it.
    static let answer = JSONObject<
        (request: RequestReview, signed: SignedTransaction, signatures: [Signature])
    >([
        .text("transaction_id", "the transaction id") { $0.signed.id },
        .any("transaction", "the signed transaction, as cleos writes it, with action data in hex") {
            $0.signed.json
        },
        .boolean("broadcast", "whether the transaction is to be sent to the chain") {
            $0.request.link.request.flags.contains(.broadcast)
        },
        .text(
            orNull: "callback", "the address of the callback with the result in it; null if there is none"
        ) { $0.request.filledCallback($0.signatures) },
        .boolean(
            "background",
            "whether the payload is sent to the callback (HTTP POST) instead of opening its address"
        ) {
            $0.request.link.request.flags.contains(.background)
        },
        .value("payload", .orNull(payload), "what the callback gets; null without a signature") {
            $0.request.payload($0.signatures)?.json
        },
        .text("identity_proof?", "the proof of a login of version 3, for the header `Authorization`") {
            $0.request.identityProof($0.signatures)
        },
    ])

    /// EEP-7, "Callback payload".
    private static let payload: JSONShape = [
        "sig": .text("the first signature"), "tx": .text("the transaction id"),
        "rbn": .text("the number of the reference block"), "rid": .text("the prefix of the reference block"),
        "ex": .text("the expiration"), "req": .text("the link of the request"),
        "sa": .text("the account of the signer"), "sp": .text("the permission of the signer"),
        "cid": .text("the chain id"), "sig0?": .text("the second signature; then `sig1` and so on"),
    ]
}
