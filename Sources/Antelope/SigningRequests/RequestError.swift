import ABICodec
import Codecs
import JSON
import Keys
import Transactions

/// Why a signing request is refused. Offsets in `base64` count from the start of the link, all
/// others from the start of the payload, which is inflated and has no header byte.
package enum RequestError: Error, Equatable {
    // MARK: the link
    /// The text starts neither with `esr:` nor with `web+esr:`.
    case unknownScheme
    case linkTooLong(count: Int, limit: Int)
    case base64(CodecError)
    /// A link without a header byte.
    case emptyLink
    case unknownVersion(UInt8)
    case inflate(InflateError)

    // MARK: the payload
    /// Bytes that end early, continue after the request signature, or contain a padded length.
    case bytes(CodecError)
    case unknownVariant(RequestVariant, index: UInt8, offset: Int)
    case unknownChainAlias(UInt8, offset: Int)
    /// A request for any chain, which version 2 does not have.
    case anyChainInVersion2
    case unknownFlags(UInt8, offset: Int)
    /// Text that is not UTF-8.
    case invalidText(offset: Int)
    /// The byte before an optional value is neither 0 nor 1.
    case invalidOptional(UInt8, offset: Int)
    /// A request for a login asks to send a transaction to a chain.
    case identityBroadcast
    case duplicateInfo(key: String)
    /// `chain_ids` of a request for several chains is not a list of 1 to 64 chains.
    case invalidChainIDs
    case signature(CurveError, offset: Int)

    // MARK: resolving
    /// The request is for other chains.
    case otherChain(allowed: [RequestedChain])
    /// The request is for a chain that was shut down.
    case retiredChain(ChainAlias)
    /// A login has another account or permission than the signer.
    case otherSigner(requested: PermissionLevel)
    /// The scope of a login is a placeholder, so the signed scope would be the signer's name.
    case placeholderScope
    case notSigned
    /// The request signature was made by another key.
    case otherKey(found: PublicKey)
    case missingReference
    case missingExpiration
    /// Action data that can't be encoded with the signer's names.
    case placeholder(account: Name, action: Name, ABIError)
    /// A context-free action, or an action of a transaction inside, with a placeholder: both are
    /// signed as they are.
    case unresolvedPlaceholder(account: Name, action: Name)
    case transaction(TransactionError)

    case answer(AnswerFault)

    // MARK: the callback
    case callback(CallbackFault)

    /// The error of base64 text that starts at `start` of the text.
    static func moved(_ error: CodecError, by start: Int) -> RequestError {
        switch error {
        case .invalidBase64Character(let offset): .base64(.invalidBase64Character(offset: start + offset))
        case .invalidBase64End(let offset): .base64(.invalidBase64End(offset: start + offset))
        case .unexpectedEnd, .trailingBytes, .invalidVaruint, .oddHexLength, .invalidHexDigit,
            .invalidBase58Character,
            .wrongBase58Length, .base58TooLong:
            .base64(error)
        }
    }
}

/// A part of a request that has one of several types.
package enum RequestVariant: Sendable {
    case chain
    case content
}

/// Why the answer of a wallet is refused.
package enum AnswerFault: Error, Equatable {
    /// The text is neither the proof of a login nor the JSON of a callback.
    case notAnAnswer
    case json(JSONError)
    /// A member of a callback's payload is missing, or is not text of its type.
    case member(String)
    /// The transaction of the payload has another value than the request makes it.
    case disagrees(String)
    case signature(CurveError, offset: Int)
    /// No key can be recovered from a signature.
    case unknownSigner(CurveError)
}

/// Why a callback address is refused.
package enum CallbackFault: Error, Equatable {
    /// It does not start with `https:`, `http:` or an app's scheme of letters.
    case scheme
    /// A web address without a host, or a host that is not labels of letters, digits and hyphens,
    /// and a port.
    case host
    case tooLong(limit: Int)
    /// A space, or a character that is not visible ASCII.
    case character(offset: Int)
}
