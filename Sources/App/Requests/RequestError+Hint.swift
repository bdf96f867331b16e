import ABICodec
import Messages
import SigningRequests
import Transactions

extension RequestError {
    /// Advice that names options with the values of the error.
    var eosvaultHint: String? {
        switch self {
        case .otherSigner(let requested):
            "give --account \(requested.actor.text) --permission \(requested.permission.text)"
        case .notSigned: "anyone can have made this request: omit --request-key only if you trust its source"
        case .otherKey: "do not sign it: the request may be forged, or the sender uses another key"
        case .missingReference: "give --block FILE with a node's answer to get_info, or --block-id"
        case .missingExpiration: "give --expires"
        default: nil
        }
    }
}

/// Why a request can't be made. Its hint is for the author, not for the receiver of a request.
struct AuthoredRequestError: WordedError {
    let error: RequestError

    var words: Words { error.words.advising(hint) }

    private var hint: String? {
        switch error {
        case .callback:
            "give --callback an address that starts with https://, http:// or the scheme of an app"
        case .retiredChain: "give --chain jungle4"
        case .duplicateInfo: "give each key of --info once"
        case .invalidChainIDs: "give --chain for at most 64 chains"
        case .linkTooLong: "make a request from a smaller transaction"
        default: nil
        }
    }
}

extension Words {
    /// - Parameter expiration: the one that the signer chose. It makes the same transaction again.
    static func callbackCode(expiration: TimePointSec?) -> String {
        "the QR code has the signed transaction; for the callback's address, sign again with `--format callback"
            + (expiration.map { " --expires \($0.text)" } ?? "") + "`"
    }
}
