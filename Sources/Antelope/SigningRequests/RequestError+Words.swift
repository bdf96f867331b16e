import ABICodec
import Codecs
import Keys
import Messages
import Transactions

extension RequestError: WordedError {
    package var words: Words { unadvised.advised(for: self) }

    /// Without the advice of the program.
    private var unadvised: Words {
        switch self {
        case .unknownScheme:
            Words(.notARequest, "not a signing request: it starts neither with esr: nor with web+esr:")
        case .linkTooLong(let count, let limit):
            Words(.tooLarge, "the link has \(Amount.text(count)) characters, more than \(Amount.text(limit))")
        case .base64(.invalidBase64Character(let offset)):
            .damaged("character \(offset + 1) of the link is not allowed")
        case .base64(let error): .damaged("the link is cut off: \(error.words.message)")
        case .emptyLink: .damaged("the link is empty")
        case .unknownVersion(let version):
            .asking("a request of version 2 or 3", "version \(version) of signing requests is not supported")
        case .inflate(let error): error.words
        case .bytes(let error): .damaged("the request: \(error.words.message)")
        case .unknownVariant(let part, let index, let offset):
            .faulty("\(index) is not a type of \(part.name)", at: offset)
        case .unknownChainAlias(let number, let offset):
            .asking(
                "a request that states the chain id",
                "the request, byte \(offset): \(number) is not the number of a chain", code: .unknownChain)
        case .anyChainInVersion2: .faulty("a request of version 2 is for one chain, and this one states none")
        case .unknownFlags(let flags, let offset): .faulty("unknown flags, \(flags)", at: offset)
        case .invalidText(let offset): .faulty("the text is not UTF-8", at: offset)
        case .invalidOptional(let byte, let offset):
            .faulty("an optional starts with \(byte) instead of 0 or 1", at: offset)
        case .identityBroadcast: .faulty("a login can't be sent to a chain, but the request asks for it")
        case .duplicateInfo(let key): .faulty("the info `\(Printable.excerpt(key))` occurs twice")
        case .invalidChainIDs: .faulty("the info `chain_ids` is not a list of one or more known chains")
        case .signature(let error, let offset):
            .damaged("the request signature, at byte \(offset): \(error.words.message)")
        case .otherChain(let allowed): .forOtherChains(allowed)
        case .retiredChain(let alias):
            .asking(
                "a request for jungle4, by its chain id",
                "the request is for the chain number \(alias.number), a testnet that no longer exists",
                code: .unknownChain)
        case .otherSigner(let requested): Words(.otherSigner, "the request is a login as \(requested.text)")
        case .placeholderScope:
            .asking(
                "a request with its own account name",
                "the scope of the login is a placeholder, not the name of a site or app", code: .otherSigner)
        case .notSigned: Words(.requestKey, "the request has no signature to compare with --request-key")
        case .otherKey(let found):
            Words(.requestKey, "the request was signed by \(found.text), not by --request-key")
        case .missingReference:
            Words(.missingReference, "the request leaves the reference block to the signer")
        case .missingExpiration: Words(.missingReference, "the request leaves the expiration to the signer")
        case .placeholder(let account, let action, let error):
            error.words.at("the data of \(account.text)::\(action.text)")
        case .unresolvedPlaceholder(let account, let action):
            .asking(
                "a request with the names of the account and the permission there",
                "\(account.text)::\(action.text) has a placeholder for the signer in a context-free action or in "
                    + "a transaction inside another one, where it is not replaced")
        case .transaction(let error): error.words
        case .answer(let fault): fault.words
        case .callback(let fault): fault.words
        }
    }
}

extension InflateError: WordedError {
    package var words: Words {
        switch self {
        case .invalid: .damaged("the compressed request is damaged or cut off")
        case .trailingBytes(let count):
            .damaged("\(Words.count(count, "byte")) after the end of the compressed request")
        case .tooLong(let limit):
            Words(.tooLarge, "the request has more than \(Amount.text(limit)) bytes when it is inflated")
        }
    }
}

extension CallbackFault: WordedError {
    package var words: Words { .asking("a request with a callback to https://, http:// or an app", message) }

    private var message: String {
        switch self {
        case .scheme: "the callback starts neither with https: nor with the scheme of an app"
        case .host: "the callback has no host, or one with characters that are not allowed"
        case .tooLong(let limit): "the callback has more than \(limit) bytes"
        case .character(let offset):
            "character \(offset + 1) of the callback is a space, or not visible ASCII"
        }
    }
}

// MARK: - advice

extension Words {
    fileprivate static func damaged(_ message: String) -> Words {
        Words(
            .invalidRequest, message,
            hint: "copy the whole link again, or ask the sender of the request for a new one")
    }

    /// - Parameter offset: the place of the fault in the payload.
    fileprivate static func faulty(_ message: String, at offset: Int? = nil) -> Words {
        Words(
            .invalidRequest, offset.map { "the request, byte \($0): \(message)" } ?? message,
            hint: "the tool that made the request is faulty or newer: ask its sender for another one")
    }

    /// - Parameter request: what the sender should send instead.
    fileprivate static func asking(
        _ request: String, _ message: String, code: ErrorCode = .invalidRequest
    ) -> Words {
        Words(code, message, hint: "ask the sender for \(request)")
    }

    fileprivate static func forOtherChains(_ allowed: [RequestedChain]) -> Words {
        let names = allowed.map(\.name).joined(separator: ", ")
        return Words(
            .otherChain,
            "the request is for \(allowed.count == 1 ? "another chain" : "other chains"): \(names)",
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
    package var name: String {
        switch self {
        case .any: "any chain"
        case .alias(let alias): alias.chainID.chain?.name ?? "\(alias.name) \(alias.chainID.text)"
        case .id(let id): id.chain?.name ?? id.text
        }
    }
}

extension AnswerFault {
    fileprivate var words: Words {
        switch self {
        case .notAnAnswer:
            Words(
                .notARequest, "neither the proof of a login nor the payload of a callback",
                hint:
                    "give the header that begins with `EOSIO`, or the JSON that the wallet sent to the callback"
            )
        case .json(let error): error.words
        case .member(let name):
            Words(
                .wrongFields, "`\(name)` is missing or has no valid value",
                hint: "give the JSON that the wallet sent to the callback, unchanged")
        case .disagrees(let name):
            Words(.notVerified, "`\(name)` is not the one of the transaction that `req` makes")
        case .signature(let error, let offset):
            .damaged("the signature, at byte \(offset): \(error.words.message)")
        case .unknownSigner(let error):
            Words(.notVerified, "no key can be recovered from a signature: \(error.words.message)")
        }
    }
}
