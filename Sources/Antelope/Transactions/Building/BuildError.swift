import ABICodec
import Keys

/// Why a new transaction, or a part of it, is refused.
///
/// A chain refuses the same values. Here the error names the cause before anything is signed.
package enum BuildError: Error, Equatable {
    /// An ABI or a transaction that is read or encoded.
    case transaction(TransactionError)
    case amount(Amount)
    case account(Account)
    case authority(AuthorityFault)
    case vote(Vote)
    case block(Block)
    case expiration(Expiration)
    case proposal(Proposal)

    /// A value in an argument or in JSON, at the error's path.
    package static func value(_ error: ABIError) -> BuildError { .transaction(.value(error)) }

    package enum Amount: Equatable, Sendable {
        /// The chain has no known token with this code, and the caller names no contract.
        case unknownToken(Symbol)
        /// The token that is meant has another precision.
        case wrongPrecision(Symbol, known: KnownToken)
        /// The sum of the amounts must be greater than zero.
        case notPositive
        case negative
        /// Two amounts of one action are of different tokens.
        case differentTokens
        /// The number must be greater than zero.
        case zero
        /// More than all of the chain's CPU or NET.
        case fractionTooLarge(limit: Int64)
        case negativeFraction
    }

    package enum Account: Equatable, Sendable {
        /// The text is neither `ACCOUNT@PERMISSION` nor, where it is allowed, `ACCOUNT`.
        case notAPermission
        /// A node's answer has a permission twice.
        case permissionTwice(String)
        case empty
        /// A new account has at most 12 characters.
        case nameTooLong
        /// The sender of a transfer is also its recipient.
        case transferToSelf
        case memoTooLong(limit: Int)
        /// Permission names that start with `eosio.` are reserved.
        case reservedPermission(Name)
        /// The permission can't have this parent. Owner has none, and active has owner.
        case wrongParent(Name, of: Name)
        /// The account has the permission with another parent, which can't be changed.
        case otherParent(Name)
        /// A get_account answer about another account.
        case otherAccount(stated: String)
        /// Staked tokens can't be transferred to their owner.
        case stakeToSelf
    }

    package enum AuthorityFault: Equatable, Sendable {
        case zeroThreshold
        /// The sum of all weights is less than the threshold.
        case unreachable(threshold: UInt32, weight: UInt32)
        case duplicateKey(PublicKey)
        case duplicateAccount(PermissionLevel)
        case duplicateWait(seconds: UInt32)
        case zeroWait
        case tooManyParts(limit: Int)
        /// The caller gives no key for this label.
        case unknownLabel(String)
    }

    package enum Vote: Equatable, Sendable {
        case nobody
        case producersAndProxy
        case duplicateProducer(Name)
        case tooManyProducers(limit: Int)
    }

    package enum Block: Equatable, Sendable {
        /// The JSON is neither an answer to get_info nor one to get_block.
        case notAnAnswer
        case zeroID
        /// A member states another block than the id.
        case memberDisagrees(String)
    }

    package enum Expiration: Equatable, Sendable {
        /// Neither a duration nor a time.
        case unreadable
        case zero
        /// After 2106-02-07T06:28:15, the last time in 32 bits.
        case tooLate
    }

    package enum Proposal: Equatable, Sendable {
        /// No permission is requested.
        case nobodyRequested
        case requestedTwice(PermissionLevel)
        /// eosio.msig refuses context-free actions.
        case contextFree
        /// Chains refuse all extensions of a transaction.
        case extensions
        /// The proposed transaction has signatures, which a proposal does not contain.
        case signed
        /// The file has no stored proposal with this name.
        case noRow(Name)
        /// The file has several proposals, and the caller names none.
        case severalRows
        /// Hex whose only action is `propose`: a row, or the transaction that makes the row.
        case ambiguousHex
        /// The action is not a propose action.
        case notPropose
        case emptyName
        case zeroHash
    }
}
