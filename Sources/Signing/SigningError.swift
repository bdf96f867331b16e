import ABICodec
import Curves
import KeyVault
import Transactions

/// Why nothing is signed.
package enum SigningError: Error, Equatable {
    /// An action whose data can't be shown, at a path such as `actions[2]`.
    case undecodable(path: String, account: Name, action: Name, Undecodable)
    case transaction(TransactionError)
    case vault(VaultError)
    case curve(CurveError)
    /// What the actions say is longer than anybody reads.
    case reviewTooLong(limit: Int)
    /// A review without a chain has no digest to sign.
    case noChain
    /// The vault's verified row of a key differs from what the review showed of it before the PIN
    /// was known.
    case changedSinceReview(name: String)
    /// The vault had one key when the review was shown, which was to sign because it was the only
    /// one. Now it has several.
    case keyAddedMeanwhile
    /// The signature recovers to another key than was asked for: it is not released.
    case recoveredOtherKey
}

/// Why action data can't be shown.
package enum Undecodable: Error, Equatable {
    case noABI
    case unknownAction
    /// Only a given ABI has the action, and the account has a built-in ABI, which lacks it.
    case actionNotBuiltIn
    /// The action's type in the ABI can't be used: a name is in it twice.
    case type(ABIError)
    /// The bytes do not fit the action's type.
    case data(ABIError)
    /// What was decoded would not be packed to the same bytes again.
    case notReproduced
}

extension SigningError: VaultFailure {
    package init(vault error: VaultError) { self = .vault(error) }
}
