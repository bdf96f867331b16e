import ABICodec
import Keys
import Shell
import Signing
import Transactions

extension TransactionError: WordedError {
    package var words: Words {
        switch self {
        case .unrecognised:
            Words(
                .notATransaction, "neither a JSON object nor hex",
                hint: "give the output of `cleos … -d -s -j -x 3600`, packed JSON, or packed hex")
        case .json(let error): error.words
        case .value(let error): error.words
        case .noABI(let path, let account):
            Words(.noABI, "\(path): no ABI for \(account.text) is known", hint: Words.abiHint(account))
        case .unknownAction(let path, let account, let action):
            Words(
                .noABI, "\(path): the ABI of \(account.text) has no action \(action.text)",
                hint: "the contract may have been updated: \(Words.abiHint(account))")
        case .dataDisagrees(let path):
            Words(
                .disagreement, "\(path): the action's `data`, `hex_data` and `json_data` do not match",
                hint: Words.disagreementHint)
        case .idDisagrees(let computed):
            Words(
                .disagreement, "`id` does not match this transaction, whose id is \(computed)",
                hint: Words.disagreementHint)
        case .otherChain(let stated):
            Words(
                .otherChain,
                "`chain_id` is the id of another chain: "
                    + (stated.chain.map { "\($0.title), " } ?? "") + stated.text,
                hint: "check --chain, or make the transaction again for the right chain")
        case .membersDisagree(let one, let other):
            Words(.disagreement, "`\(one)` and `\(other)` differ", hint: Words.disagreementHint)
        case .bytes(let error): error.words
        case .hex(let error): error.words
        case .unknownCompression: Words(.invalidEncoding, "compression is neither none nor zlib")
        case .invalidZlib:
            Words(.invalidEncoding, "the compressed bytes are not a complete zlib stream", hint: Words.cutShort)
        case .zlibTrailingBytes(let count):
            Words(.invalidEncoding, "\(Words.count(count, "trailing byte")) after the end of the zlib stream")
        case .inflatedTooLong(let limit):
            Words(.tooLarge, "the uncompressed data has more than \(limit) bytes, which nodeos refuses")
        case .abi(let account, let error): error.words.at("the ABI of \(account.text)")
        case .abiGivenTwice(let account):
            Words(.duplicate, "a second ABI was given for \(account.text)", hint: "give --abi once for each account")
        case .abiOfOtherAccount(let account, let stated):
            Words(
                .wrongFile, "the file has the ABI of \(Printable.excerpt(stated)), not of \(account.text)",
                hint:
                    "get the ABI with `cleos get abi \(account.text)`, or correct the account in --abi ACCOUNT=FILE"
            )
        case .abiDiffersFromBuiltIn(let account, let action, let given, let builtIn):
            Words(
                .abiDiffers,
                "the ABI of \(account.text) differs from the built-in one: "
                    + "it lacks \(action.text) or decodes it differently",
                hint: """
                    omit --abi; if the contract differs on this chain, compare the SHA-256 \(given.text) \
                    (built in: \(builtIn.text)) with several nodes, then give --abi-override \(account.text)
                    """)
        case .abiNotRecorded(let account, let given):
            Words(
                .abiDiffers,
                "the raw ABI of \(account.text) has the SHA-256 \(given.text), "
                    + "which is not recorded for the built-in one",
                hint: """
                    omit --abi: the built-in ABI decodes the same; or compare the SHA-256 with several nodes, then \
                    pin the ABI with `eosvault abi pin`, or give --abi-override \(account.text)
                    """)
        case .abiDiffersFromPinned(let account, let given, let pinned):
            Words(
                .abiDiffers, "the ABI of \(account.text) differs from the pinned one, SHA-256 \(pinned.text)",
                hint: """
                    omit --abi; if the contract changed, compare the SHA-256 \(given.text) with several nodes, \
                    then pin the new ABI with `eosvault abi pin`, or give --abi-override \(account.text)
                    """)
        case .actionNotBuiltIn(let path, let account, let action): Words(notBuiltIn: account, action).at(path)
        }
    }
}

extension ChainError: WordedError {
    package var words: Words {
        switch self {
        case .unknownName(let known):
            Words(
                .unknownChain, "unknown chain",
                hint: "known chains: \(known.joined(separator: ", ")); "
                    + "for another chain give its id, 64 hex digits")
        case .retired(let use): Words(.unknownChain, "this testnet no longer exists", hint: "did you mean \(use)?")
        case .wrongLength(let expected): Words(.unknownChain, "a chain id has \(expected) hex digits")
        case .invalidHex: Words(.unknownChain, "a chain id has only hex digits")
        }
    }
}

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

    fileprivate static let disagreementHint =
        "the file was changed, or a faulty tool wrote it: make the transaction again"

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

/// Lengths of time as text.
enum Duration {
    static func text(_ seconds: Int64) -> String {
        let parts = [
            (seconds / 86400, "day"), (seconds / 3600 % 24, "hour"), (seconds / 60 % 60, "minute"),
            (seconds % 60, "second"),
        ]
        let shown = parts.drop { $0.0 == 0 }.prefix(2).filter { $0.0 != 0 }
        guard !shown.isEmpty else { return "0 seconds" }
        return shown.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: " ")
    }
}
