import ABICodec
import Keys
import Messages
import Policy
import Transactions

extension SigningError: WordedError {
    package var words: Words { unadvised.advised(for: self) }

    /// Without the advice of the program.
    private var unadvised: Words {
        switch self {
        case .undecodable(let path, let account, let action, let reason):
            reason.words(account, action).at(path)
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
            Words(.otherTransaction, "\(path): proposal_hash is zero", hint: Self.proposalHint)
        case .otherProposal(let path, let stated, let given):
            Words(
                .otherTransaction,
                "\(path): proposal_hash is \(stated), but the hash of the given proposal is \(given)",
                hint: Self.proposalHint)
        case .otherTransaction(let id, let expected):
            Words(
                .otherTransaction, "the transaction id is \(id), not \(expected)",
                hint: "this is not the transaction that was inspected: inspect it again")
        case .policy(let refusal): refusal.words
        case .dangerNotAllowed(let dangers):
            Words(
                .dangerNotAllowed,
                "the transaction is dangerous: "
                    + Words.some(dangers.map { "\($0.code.rawValue) of \($0.subject)" }, last: ", and "))
        case .warningRefused(let codes):
            Words(
                .warningRefused,
                "the transaction has a warning that --refuse names: \(codes.map(\.rawValue).joined(separator: ", "))"
            )
        case .actionsNotAllowed(let actions):
            Words(
                .actionNotAllowed,
                "no option and no policy allows \(Words.some(actions.map(\.text), last: " and "))")
        case .idTooLong(let limit):
            Words(.tooLarge, "has an id with more than \(limit) bytes", hint: "give the line a shorter id")
        case .keyNotRequired(let key, let required): .keyNotRequired(key.text, required.map(\.text))
        case .noChain: Words(.noChain, "no chain was given, so there is no digest")
        case .policiesChangedSinceReview: Self.changed("the policies of the vault changed")
        case .changedSinceReview(let name): Self.changed("\(name): the vault's entry changed")
        case .pinsChangedSinceReview(let account):
            Self.changed("the review did not use the pinned ABI of \(account.text), or the ABI changed")
        case .chainNameChangedSinceReview: Self.changed("the vault's name for the chain changed")
        case .historyChangedSinceReview: Self.changed("the vault's record of earlier signatures changed")
        case .keyAddedMeanwhile: Self.changed("another key was added to the vault")
        case .recoveredOtherKey: CurveError.recoveredOtherKey.words
        }
    }

    private static let proposalHint =
        "check the proposal on the chain: the approval may be for a proposal that was replaced"

    private static func changed(_ change: String) -> Words {
        Words(.changedMeanwhile, "\(change) after the review; nothing was signed")
    }
}

extension Words {
    fileprivate static func keyNotRequired(_ key: String, _ required: [String]) -> Words {
        let keys = required.isEmpty ? "none" : some(required, last: " and ")
        return Words(.keyNotRequired, "`requiredKeys` of the file does not have \(key); it has \(keys)")
    }

    /// A transaction can have thousands of dangers. More than this many are counted.
    package static let shownParts = 10

    /// The first parts, and the number of the others.
    /// - Parameter last: what is before that number.
    fileprivate static func some(_ parts: [String], last: String) -> String {
        let more = parts.count - shownParts
        return parts.prefix(shownParts).joined(separator: ", ")
            + (more > 0 ? "\(last)\(Amount.text(more)) more" : "")
    }
}

extension Undecodable {
    fileprivate func words(_ account: Name, _ action: Name) -> Words {
        switch self {
        case .noABI: Words(.noABI, "no ABI for \(account.text) is known")
        case .unknownAction: Words(.noABI, "the ABI of \(account.text) has no action \(action.text)")
        case .actionNotBuiltIn:
            Words(
                .abiDiffers,
                "the built-in ABI of \(account.text) has no action \(action.text); only the given ABI has it")
        case .type(let error): Words(.undecodable, "the ABI of \(account.text): \(error.words.message)")
        case .data(let error): Words(.undecodable, "data: \(error.words.message)")
        case .notReproduced: Words(.undecodable, "data: the decoded data packs to different bytes")
        }
    }
}
