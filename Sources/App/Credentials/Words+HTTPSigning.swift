import HTTPSigning
import SecureMemory
import Shell

// MARK: notes on nonces

extension Words {
    private static let checkNonces =
        "check this machine's clock, and that nothing else signs with the same API key; if the service refuses a "
        + "nonce, give a greater one with --nonce"

    /// After a vault was restored or rescued.
    static let noncesOfCopy =
        "the copy may lack nonces that were used after it was made; the next nonce of a credential is this machine's "
        + "clock, or the stored nonce plus one if that is greater; \(checkNonces)"

    /// The first nonce of a credential after this machine saw the vault first, or accepted an older
    /// copy.
    static func firstNonceHere(_ nonce: UInt64) -> String {
        "another copy of the vault may have used nonces greater than \(nonce), the nonce of this request; "
            + checkNonces
    }

    static func clockBehindNonce(_ nonce: UInt64) -> String {
        "the nonce of this request, \(nonce), is more than a minute after this machine's clock: each nonce is the last "
            + "one plus one; if this is not intended, check the clock and the nonce unit"
    }
}

extension RequestWarning {
    var text: String {
        switch self {
        case .queryNotSigned:
            "the profile does not sign the query: anyone who obtains the request can send it with another query"
        case .bodyNotSigned:
            "the profile does not sign the body: anyone who obtains the request can send it with another body"
        case .plainHTTP: "the URL is http: the request would be sent without encryption"
        }
    }
}
