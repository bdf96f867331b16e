import ABICodec
import Keys
import Transactions

/// The verdict of a policy on a signature.
package enum PolicyVerdict: Equatable, Sendable {
    case allowed(PolicyAllowance)
    case denied(PolicyDenial)
}

/// The requirements of a signature that is allowed.
package struct PolicyAllowance: Equatable, Sendable {
    /// For each action, including actions of nested transactions, the rule that allows it: the
    /// first one in the file that matches.
    package let rules: [Int]
    /// Why a person must confirm at a terminal. Empty if nobody must.
    package let confirmations: [PolicyConfirmation]
    /// The entries of the signature in the rolling limits. Empty for a repeat.
    package let entries: [PolicyEntry]
    /// True if the key signed the same transaction before, and it has not expired.
    package let isRepeat: Bool
}

package enum PolicyConfirmation: Equatable, Sendable {
    /// The policy requires it.
    case always
    /// The clock is this many seconds after the last record.
    case clockStep(seconds: UInt32)
}

/// Why a policy denies a signature.
package struct PolicyDenial: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        case chain(ChainID)
        case identity
        /// When the next hour of the policy begins.
        case hours(next: UInt32?)
        /// The time until the expiration and its limit, in seconds.
        case expiration(seconds: Int, limit: UInt32)
        case actionCount(Int, limit: UInt32)
        case noActions
        /// The review has warnings with these codes.
        case warnings([String])
        /// This key must sign before.
        case cosigner(PublicKey)
        case contextFree
        case undecoded
        /// No rule has this contract and action.
        case noRule
        /// The rule does not allow this authorization; nil for an action that nobody authorizes.
        case authorization(PermissionLevel?)
        /// The field fails the test. There is no value if the field is absent or is an object.
        case field(FieldPointer, FieldTest, value: String?)
        case unknownProposal
        /// The ABI of the action was given for this run.
        case givenABI
        /// The declared amount or its recipient can't be read, or has another symbol.
        case unreadableAmount(FieldPointer)
        /// An action has no payment that can be read, and a limit counts tokens of its contract.
        case unreadablePayment
        /// The transaction pays this token, and the limit is of the same code with another
        /// precision.
        case otherPrecision(Token)
        case limit(ExceededLimit)
        /// The limits for each recipient have sums of too many recipients. `free` is when enough of
        /// them are out of their windows; nil if that never happens.
        case roomFull(free: UInt32?)
    }

    package struct ExceededLimit: Equatable, Sendable {
        package let limit: Limit
        /// nil for a limit of all recipients together.
        package let recipient: Name?
        /// The amount or count that this transaction adds.
        package let value: UInt128
        /// The amount or count already in the window.
        package let used: UInt128
        /// From this time on, the transaction would be in the limit; nil if it never would.
        package let resets: UInt32?
        /// When the vault was restored, if the limit is blocked because of it.
        package var restored: UInt32?

        package var remaining: UInt128 {
            let limit = limit.measure.limit
            return limit > used ? limit - used : 0
        }
    }

    /// The part of the policy with the member that failed.
    package enum Part: Equatable, Sendable {
        case policy
        case rule(Int)
        case amount(Int)
        case limit(Int)
    }

    package struct DeniedAction: Equatable, Sendable {
        /// `actions[0].inner.actions[2]`
        package let path: String
        package let contract: Name
        package let action: Name
    }

    package let reason: Reason
    package let part: Part
    /// The member that failed as a JSON pointer into the policy: `/rules/0/fields/~1to/one_of`. A
    /// member that denies by default may be absent from the file.
    package let member: String
    /// nil if the denial is about the whole transaction.
    package internal(set) var action: DeniedAction?
}
