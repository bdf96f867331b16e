import ABICodec
import Keys
import Policy
import Transactions

/// Why a signing request is refused.
package enum SigningError: Error, Equatable {
    /// The data of an action can't be shown. The path is, for example, `actions[2]`.
    case undecodable(path: String, account: Name, action: Name, Undecodable)
    case transaction(TransactionError)
    /// An error of the key store itself.
    case store(StoreFailure)
    case curve(CurveError)
    /// The decoded actions are longer than a person would read.
    case reviewTooLong(limit: Int)
    case tooManySignatures(limit: Int)
    /// Transactions are nested more deeply than the limit.
    case nestedTooDeep(limit: Int)
    /// The `proposal_hash` of an approval is all zeros, which is the hash of no transaction.
    case zeroProposalHash(path: String)
    /// The proposal in the given file is not the one that the action approves. Both hashes are hex.
    case otherProposal(path: String, stated: String, given: String)
    /// The transaction id is not the expected one. Both are hex.
    case otherTransaction(id: String, expected: String)
    /// The policy of a key refuses its signature.
    indirect case policy(PolicyRefusal)
    /// The verified policies require a confirmation that the unverified file did not require when
    /// the question was asked.
    case policiesChangedSinceReview
    /// Warnings that prevent signing without a person, unless each is allowed.
    case dangerNotAllowed([Danger])
    /// Warnings that the user refuses.
    case warningRefused([WarningCode])
    /// Actions of a batch that no person confirms, and that nothing allows.
    case actionsNotAllowed([ActionPattern])
    /// The id of a line of a batch is longer than this many bytes.
    case idTooLong(limit: Int)
    /// The transaction's file lists the keys that must sign, and this key is not one of them.
    case keyNotRequired(PublicKey, required: [PublicKey])
    /// The review has no chain, so there is no digest to sign.
    case noChain
    /// The store's verified key differs from the key that the review showed before the PIN was
    /// known.
    case changedSinceReview(name: String)
    /// The ABI that the vault pins for this account, verified, differs from the one that decoded
    /// the review, or only one of them exists.
    case pinsChangedSinceReview(account: Name)
    /// The name that the vault gives to the chain, verified, differs from the name in the review.
    case chainNameChangedSinceReview
    /// The vault's verified history of the recipients or of these actions differs from the history
    /// in the review. Another process may just have signed the same actions.
    case historyChangedSinceReview
    /// The key was to sign because it was the only one in the vault when the review was shown. Now
    /// the vault has several.
    case keyAddedMeanwhile
    /// The signature recovers to a key other than the requested one. It is not released.
    case recoveredOtherKey
}

/// Why action data can't be shown.
package enum Undecodable: Error, Equatable {
    case noABI
    case unknownAction
    /// Only a given ABI has the action; the account's built-in ABI lacks it.
    case actionNotBuiltIn
    /// The action's type in the ABI can't be used, because it contains a name twice.
    case type(ABIError)
    /// The bytes do not fit the action's type.
    case data(ABIError)
    /// The decoded data would not be packed to the same bytes again.
    case notReproduced
}

extension SigningError {
    /// True if nothing was signed only because the store can't record the signature.
    package var isReadOnlyStore: Bool {
        if case .store(let failure) = self { failure.error.isReadOnly } else { false }
    }
}
