import ABICodec
import Keys
import Policy
import Shell
import Signing
import Transactions

extension SigningError: WordedError {
    package var words: Words {
        switch self {
        case .undecodable(let path, let account, let action, let reason):
            Words(undecodable: reason, account, action).at(path)
        case .transaction(let error): error.words
        case .store(let failure): Words(for: failure.error)
        case .curve(let error): error.words
        case .reviewTooLong(let limit):
            Words(
                .tooLarge, "the decoded actions have more than \(limit >> 20) MiB",
                hint: "the ABI or the transaction may be malicious: check where it comes from")
        case .tooManySignatures(let limit):
            Words(
                .tooLarge, "the transaction has more than \(limit) signatures",
                hint: "no chain accepts so many: remove those that are not needed")
        case .nestedTooDeep(let limit):
            Words(
                .tooLarge, "transactions are nested more than \(limit) levels deep",
                hint: "the transaction may be malicious: check where it comes from")
        case .zeroProposalHash(let path):
            Words(.otherTransaction, "\(path): proposal_hash is zero", hint: Words.proposalHint)
        case .otherProposal(let path, let stated, let given):
            Words(
                .otherTransaction,
                "\(path): proposal_hash is \(stated), but the hash of the given proposal is \(given)",
                hint: Words.proposalHint)
        case .otherTransaction(let id, let expected):
            Words(
                .otherTransaction, "the transaction id is \(id), not \(expected)",
                hint: "this is not the transaction that was inspected: inspect it again")
        case .policy(let refusal): refusal.words
        case .policiesChangedSinceReview:
            Words(
                .changedMeanwhile, "the policies of the vault changed after the review; nothing was signed",
                hint: "another process may have changed the vault: see `eosvault log`, then sign again")
        case .dangerNotAllowed(let dangers): Words(notAllowed: dangers)
        case .warningRefused(let codes):
            Words(
                .warningRefused,
                "the transaction has a warning that --refuse names: \(codes.map(\.rawValue).joined(separator: ", "))",
                hint: "review it with `eosvault inspect`; to sign it, omit --refuse \(codes.first?.rawValue ?? "")")
        case .actionsNotAllowed(let actions): Words(notAllowed: actions)
        case .idTooLong(let limit):
            Words(.tooLarge, "has an id with more than \(limit) bytes", hint: "give the line a shorter id")
        case .noChain: Words(.noChain, "no chain was given, so there is no digest", hint: "give --chain")
        case .changedSinceReview(let name):
            Words(
                .changedMeanwhile, "\(name): the vault's entry changed after the review; nothing was signed",
                hint: "another process may have renamed the key: check it with `eosvault show`, then sign again")
        case .pinsChangedSinceReview(let account):
            Words(
                .changedMeanwhile,
                "the pinned ABI of \(account.text) changed after the review, or the review did not use it; "
                    + "nothing was signed",
                hint: "see `eosvault abi list --verify`, then sign again")
        case .historyChangedSinceReview:
            Words(
                .changedMeanwhile,
                "the vault's record of earlier signatures changed after the review; nothing was signed",
                hint: "another process may have signed the same payment: see `eosvault log`, then sign again")
        case .keyAddedMeanwhile:
            Words(
                .changedMeanwhile, "another key was added to the vault after the review; nothing was signed",
                hint: "sign again and name the key with --key")
        case .recoveredOtherKey: CurveError.recoveredOtherKey.words
        }
    }
}

extension Words {
    fileprivate init(notBuiltIn account: Name, _ action: Name) {
        self.init(
            .abiDiffers,
            "the built-in ABI of \(account.text) has no action \(action.text); only the given ABI has it",
            hint: "compare the SHA-256 of the given ABI with several nodes, then give --abi-override \(account.text)")
    }

    fileprivate static func abiHint(_ account: Name) -> String {
        "get the ABI with `cleos get abi \(account.text)` and give --abi \(account.text)=FILE, "
            + "or pin it with `eosvault abi pin`"
    }

    /// A transaction can have thousands of dangers. More than this many are counted.
    fileprivate static let shownDangers = 10

    fileprivate init(notAllowed dangers: [Danger]) {
        let shown = dangers.prefix(Words.shownDangers)
        let more = dangers.count - shown.count
        let review = "review it with `eosvault inspect`"
        let options = shown.map { "--allow \($0.code.rawValue)=\($0.subject)" }.joined(separator: " ")
        self.init(
            .dangerNotAllowed,
            "the transaction is dangerous: "
                + shown.map { "\($0.code.rawValue) of \($0.subject)" }.joined(separator: ", ")
                + (more > 0 ? ", and \(Amount.text(more)) more" : ""),
            hint: more > 0
                ? "\(review); `inspect --vault PATH --json` prints all values for --allow"
                : "\(review); to sign it without confirmation, add \(options)")
    }

    fileprivate init(notAllowed actions: [ActionPattern]) {
        let shown = actions.prefix(Words.shownDangers)
        let more = actions.count - shown.count
        let options = shown.map { "--allow-action \($0.text)" }.joined(separator: " ")
        self.init(
            .actionNotAllowed,
            "no option and no policy allows \(shown.map(\.text).joined(separator: ", "))"
                + (more > 0 ? " and \(Amount.text(more)) more" : ""),
            hint: "review the line with `eosvault inspect --lines`; to sign it without confirmation, add \(options)")
    }

    fileprivate static let proposalHint =
        "check the proposal on the chain: the approval may be for a proposal that was replaced"

    fileprivate init(undecodable reason: Undecodable, _ account: Name, _ action: Name) {
        let name = "\(account.text)::\(action.text)"
        let blind = "or blind-sign it with --blind \(name)"
        let unlessKnown = "do not sign it, unless you know the content; then blind-sign it with --blind \(name)"
        self =
            switch reason {
            case .noABI:
                Words(.noABI, "no ABI for \(account.text) is known", hint: "\(Words.abiHint(account)), \(blind)")
            case .unknownAction:
                Words(
                    .noABI, "the ABI of \(account.text) has no action \(action.text)",
                    hint: "\(Words.abiHint(account)), \(blind)"
                )
            case .actionNotBuiltIn: Words(notBuiltIn: account, action)
            case .type(let error):
                Words(
                    .undecodable, "the ABI of \(account.text): \(error.words.message)",
                    hint: "data of this type can't be shown: \(unlessKnown)")
            case .data(let error):
                Words(
                    .undecodable, "data: \(error.words.message)",
                    hint: "do not sign it; if your ABI may be outdated, \(Words.abiHint(account))")
            case .notReproduced:
                Words(.undecodable, "data: the decoded data packs to different bytes", hint: unlessKnown)
            }
    }
}
