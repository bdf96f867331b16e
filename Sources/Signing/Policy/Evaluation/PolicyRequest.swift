import ABICodec
import Keys
import Transactions

/// A request that a policy decides on: a transaction whose actions were decoded, or an identity
/// request.
package struct PolicyRequest: Sendable {
    package let chain: ChainID
    /// Identifies the transaction on its chain: the digest that is signed. The transaction id alone
    /// is the same on all chains.
    package let transaction: [UInt8]
    package let expiration: TimePointSec
    /// Context-free actions first, as a chain executes them.
    package let actions: [RequestedAction]
    /// The keys that have signed already. Each was recovered from its signature.
    package let signers: [PublicKey]
    /// True if the signature only proves an identity. The policy then ignores the actions.
    package let isIdentity: Bool
    /// The codes of the review's warnings, if a policy refuses some.
    package var warnings: Set<String> = []

    package init(
        chain: ChainID, transaction: [UInt8], expiration: TimePointSec, actions: [RequestedAction],
        signers: [PublicKey] = [], isIdentity: Bool = false
    ) {
        (self.chain, self.transaction, self.expiration) = (chain, transaction, expiration)
        (self.actions, self.signers, self.isIdentity) = (actions, signers, isIdentity)
    }
}

/// An action with its decoded data, and the transaction inside.
package struct RequestedAction: Sendable {
    package enum Inner: Sendable {
        case none
        /// The actions of a transaction that the data contains, or that the action approves.
        case transaction([RequestedAction])
        /// The action approves a proposal whose content is not known.
        case unknownProposal
    }

    package let action: Action
    /// nil for data that could not be decoded.
    package let value: TypedValue?
    package let isContextFree: Bool
    /// True if an ABI decoded the data that is neither built in nor pinned in the vault.
    package let hasGivenABI: Bool
    package let inner: Inner

    package init(
        action: Action, value: TypedValue?, isContextFree: Bool = false, hasGivenABI: Bool = false,
        inner: Inner = .none
    ) {
        (self.action, self.value, self.isContextFree) = (action, value, isContextFree)
        (self.hasGivenABI, self.inner) = (hasGivenABI, inner)
    }
}

extension PolicyRequest {
    /// All actions, each before the actions inside it.
    package var allActions: [RequestedAction] {
        var all: [RequestedAction] = []
        var waiting = Array(actions.reversed())
        while let next = waiting.popLast() {
            all.append(next)
            if case .transaction(let inner) = next.inner { waiting += inner.reversed() }
        }
        return all
    }

    /// Where the action of this number in `allActions` is: `actions[0].inner.actions[2]`.
    package func path(ofAction number: Int) -> String {
        var rest = number
        return Self.path(of: &rest, in: actions) ?? ""
    }

    /// - Parameter rest: The number of actions before the one that is looked for.
    private static func path(of rest: inout Int, in actions: [RequestedAction]) -> String? {
        var (contextFree, other) = (0, 0)
        for action in actions {
            let place = action.isContextFree ? "context_free_actions[\(contextFree)]" : "actions[\(other)]"
            if action.isContextFree { contextFree += 1 } else { other += 1 }
            if rest == 0 { return place }
            rest -= 1
            if case .transaction(let inner) = action.inner, let path = path(of: &rest, in: inner) {
                return "\(place).inner.\(path)"
            }
        }
        return nil
    }
}
