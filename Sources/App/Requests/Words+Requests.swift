import ABICodec
import Codecs
import Keys
import Shell
import SigningRequests
import Transactions

extension RequestError: WordedError {
    package var words: Words {
        switch self {
        case .unknownScheme: Words(.notARequest, "not a signing request: it starts neither with esr: nor with web+esr:")
        case .linkTooLong(let count, let limit):
            Words(.tooLarge, "the link has \(Amount.text(count)) characters, more than \(Amount.text(limit))")
        case .base64(.invalidBase64Character(let offset)):
            Words(.invalidRequest, "character \(offset + 1) of the link is not allowed", hint: Words.linkAgain)
        case .base64(let error):
            Words(.invalidRequest, "the link is cut off: \(error.words.message)", hint: Words.linkAgain)
        case .emptyLink: Words(.invalidRequest, "the link is empty", hint: Words.linkAgain)
        case .unknownVersion(let version):
            Words(
                .invalidRequest, "version \(version) of signing requests is not supported",
                hint: "ask the sender for a request of version 2 or 3")
        case .inflate(let error): error.words
        case .bytes(let error): Words(.invalidRequest, "the request: \(error.words.message)", hint: Words.linkAgain)
        case .unknownVariant(let part, let index, let offset):
            Words(
                .invalidRequest, "the request, byte \(offset): \(index) is not a type of \(part.name)",
                hint: Words.newRequest)
        case .unknownChainAlias(let number, let offset):
            Words(
                .unknownChain, "the request, byte \(offset): \(number) is not the number of a chain",
                hint: "ask the sender for a request that states the chain id")
        case .anyChainInVersion2:
            Words(
                .invalidRequest, "a request of version 2 is for one chain, and this one states none",
                hint: Words.newRequest)
        case .unknownFlags(let flags, let offset):
            Words(.invalidRequest, "the request, byte \(offset): unknown flags, \(flags)", hint: Words.newRequest)
        case .invalidText(let offset):
            Words(.invalidRequest, "the request, byte \(offset): the text is not UTF-8", hint: Words.newRequest)
        case .invalidOptional(let byte, let offset):
            Words(
                .invalidRequest, "the request, byte \(offset): an optional starts with \(byte) instead of 0 or 1",
                hint: Words.newRequest)
        case .identityBroadcast:
            Words(
                .invalidRequest, "a login can't be sent to a chain, but the request asks for it",
                hint: Words.newRequest)
        case .duplicateInfo(let key):
            Words(.invalidRequest, "the info `\(Printable.excerpt(key))` occurs twice", hint: Words.newRequest)
        case .invalidChainIDs:
            Words(
                .invalidRequest, "the info `chain_ids` is not a list of one or more known chains",
                hint: Words.newRequest)
        case .signature(let error, let offset):
            Words(
                .invalidRequest, "the request signature, at byte \(offset): \(error.words.message)",
                hint: Words.linkAgain)
        case .otherChain(let allowed): Words(chains: allowed)
        case .retiredChain(let alias):
            Words(
                .unknownChain, "the request is for the chain number \(alias.number), a testnet that no longer exists",
                hint: "ask the sender for a request for jungle4, by its chain id")
        case .otherSigner(let requested):
            Words(
                .otherSigner, "the request is a login as \(requested.text)",
                hint: "give --account \(requested.actor.text) --permission \(requested.permission.text)")
        case .placeholderScope:
            Words(
                .otherSigner, "the scope of the login is a placeholder, not the name of a site or app",
                hint: "ask the sender for a request with its own account name")
        case .notSigned:
            Words(
                .requestKey, "the request has no signature to compare with --request-key",
                hint: "anyone can have made this request: omit --request-key only if you trust its source")
        case .otherKey(let found):
            Words(
                .requestKey, "the request was signed by \(found.text), not by --request-key",
                hint: "do not sign it: the request may be forged, or the sender uses another key")
        case .missingReference:
            Words(
                .missingReference, "the request leaves the reference block to the signer",
                hint: "give --block FILE with a node's answer to get_info, or --block-id")
        case .missingExpiration:
            Words(.missingReference, "the request leaves the expiration to the signer", hint: "give --expires")
        case .placeholder(let account, let action, let error):
            error.words.at("the data of \(account.text)::\(action.text)")
        case .unresolvedPlaceholder(let account, let action):
            Words(
                .invalidRequest,
                "\(account.text)::\(action.text) has a placeholder for the signer in a context-free action or in "
                    + "a transaction inside another one, where it is not replaced",
                hint: "ask the sender for a request with the names of the account and the permission there")
        case .transaction(let error): error.words
        case .callback(let fault): fault.words
        }
    }
}

extension AuthoredRequestError: WordedError {
    var words: Words {
        let words = error.words
        return Words(words.code, words.message, hint: Words.authorHint(error) ?? words.hint)
    }
}

extension InflateError {
    var words: Words {
        switch self {
        case .invalid: Words(.invalidRequest, "the compressed request is damaged or cut off", hint: Words.linkAgain)
        case .trailingBytes(let count):
            Words(
                .invalidRequest, "\(Words.count(count, "byte")) after the end of the compressed request",
                hint: Words.linkAgain)
        case .tooLong(let limit):
            Words(.tooLarge, "the request has more than \(Amount.text(limit)) bytes when it is inflated")
        }
    }
}

extension CallbackFault {
    var words: Words {
        let hint = "ask the sender for a request with a callback to https://, http:// or an app"
        return switch self {
        case .scheme:
            Words(.invalidRequest, "the callback starts neither with https: nor with the scheme of an app", hint: hint)
        case .host:
            Words(.invalidRequest, "the callback has no host, or one with characters that are not allowed", hint: hint)
        case .tooLong(let limit): Words(.invalidRequest, "the callback has more than \(limit) bytes", hint: hint)
        case .character(let offset):
            Words(
                .invalidRequest, "character \(offset + 1) of the callback is a space, or not visible ASCII",
                hint: hint)
        }
    }
}

extension Words {
    fileprivate static let linkAgain = "copy the whole link again, or ask the sender of the request for a new one"
    fileprivate static let newRequest =
        "the tool that made the request is faulty or newer: ask its sender for another one"

    /// - Parameter expiration: the one that the signer chose. It makes the same transaction again.
    static func callbackCode(expiration: TimePointSec?) -> String {
        "the QR code has the signed transaction; for the callback's address, sign again with `--format callback"
            + (expiration.map { " --expires \($0.text)" } ?? "") + "`"
    }

    /// nil for errors that a new request can't have.
    fileprivate static func authorHint(_ error: RequestError) -> String? {
        switch error {
        case .callback: "give --callback an address that starts with https://, http:// or the scheme of an app"
        case .retiredChain: "give --chain jungle4"
        case .duplicateInfo: "give each key of --info once"
        case .invalidChainIDs: "give --chain for at most 64 chains"
        case .linkTooLong: "make a request from a smaller transaction"
        case .unknownScheme, .base64, .emptyLink, .unknownVersion, .inflate, .bytes, .unknownVariant,
            .unknownChainAlias, .anyChainInVersion2, .unknownFlags, .invalidText, .invalidOptional, .identityBroadcast,
            .signature, .otherChain, .otherSigner, .placeholderScope, .notSigned, .otherKey, .missingReference,
            .missingExpiration, .placeholder, .unresolvedPlaceholder, .transaction:
            nil
        }
    }

    fileprivate init(chains allowed: [RequestedChain]) {
        let names = allowed.map(\.name).joined(separator: ", ")
        self.init(
            .otherChain, "the request is for \(allowed.count == 1 ? "another chain" : "other chains"): \(names)",
            hint: "check --chain, or ask the sender for a request for the right chain")
    }
}

extension RequestVariant {
    fileprivate var name: String {
        switch self {
        case .chain: "chain"
        case .content: "request"
        }
    }
}

extension RequestedChain {
    /// The built-in name, or the id.
    var name: String {
        switch self {
        case .any: "any chain"
        case .alias(let alias): alias.chainID.chain?.name ?? "\(alias.name) \(alias.chainID.text)"
        case .id(let id): id.chain?.name ?? id.text
        }
    }
}
