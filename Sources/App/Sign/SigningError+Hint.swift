import ABICodec
import Messages
import Policy
import Signing
import Transactions

extension SigningError {
    /// Advice that names commands or options with the values of the error.
    var eosvaultHint: String? {
        switch self {
        case .undecodable(_, let account, let action, let reason): reason.hint(account, action)
        case .policiesChangedSinceReview:
            "another process may have changed the vault: see `eosvault log`, then sign again"
        case .dangerNotAllowed(let dangers):
            dangers.count > Words.shownParts
                ? "\(Self.review); `inspect --vault PATH --json` prints all values for --allow"
                : "\(Self.review); to sign it without confirmation, add "
                    + dangers.map { "--allow \($0.code.rawValue)=\($0.subject)" }.joined(separator: " ")
        case .warningRefused(let codes):
            "\(Self.review); to sign it, omit --refuse \(codes.first?.rawValue ?? "")"
        case .actionsNotAllowed(let actions):
            "review the line with `eosvault inspect --lines`; to sign it without confirmation, add "
                + actions.prefix(Words.shownParts).map { "--allow-action \($0.text)" }.joined(separator: " ")
        case .changedSinceReview:
            "another process may have renamed the key: check it with `eosvault show`, then sign again"
        case .pinsChangedSinceReview: "see `eosvault abi list --verify`, then sign again"
        case .historyChangedSinceReview:
            "another process may have signed the same payment: see `eosvault log`, then sign again"
        case .keyAddedMeanwhile: "sign again and name the key with --key"
        default: nil
        }
    }

    private static let review = "review it with `eosvault inspect`"
}

extension Undecodable {
    fileprivate func hint(_ account: Name, _ action: Name) -> String {
        let blind = "blind-sign it with --blind \(account.text)::\(action.text)"
        let unlessKnown = "do not sign it, unless you know the content; then \(blind)"
        let abi =
            "get the ABI with `cleos get abi \(account.text)` and give --abi \(account.text)=FILE, or pin it with "
            + "`eosvault abi pin`"
        return switch self {
        case .noABI, .unknownAction: "\(abi), or \(blind)"
        case .actionNotBuiltIn:
            "compare the SHA-256 of the given ABI with several nodes, then give --abi-override \(account.text)"
        case .type: "data of this type can't be shown: \(unlessKnown)"
        case .data: "do not sign it; if your ABI may be outdated, \(abi)"
        case .notReproduced: unlessKnown
        }
    }
}
