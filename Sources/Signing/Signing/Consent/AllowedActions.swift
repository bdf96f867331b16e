import ABICodec
import Transactions

/// The actions of a batch that no person confirms. A danger also needs an
/// ``Allowance``.
package struct AllowedActions: Sendable {
    private let named: Set<ActionPattern>
    private let blind: Set<ActionPattern>

    /// - Parameters:
    ///   - named: any action with such a contract and name may be signed.
    ///   - blind: the same, if the action can't be decoded.
    package init(named: Set<ActionPattern>, blind: Set<ActionPattern> = []) {
        (self.named, self.blind) = (named, blind)
    }

    /// The actions that may not be signed, each once: every action must be named, allowed by the
    /// policies of the keys, a transfer of a known token, or without effect on others.
    /// - Parameter byPolicies: true if a policy of each key allows the actions by its rules.
    func refused(of review: Review, byPolicies: Bool) -> [ActionPattern] {
        guard !byPolicies else { return [] }
        let tokens = ChainTokens(review.chain)
        return review.allActions.reduce(into: []) { refused, action in
            let pattern = ActionPattern(action.action)
            guard !isAllowed(action, pattern, tokens), !refused.contains(pattern) else { return }
            refused.append(pattern)
        }
    }

    private func isAllowed(_ action: ReviewedAction, _ pattern: ActionPattern, _ tokens: ChainTokens) -> Bool
    {
        named.contains(pattern) || action.value == nil && blind.contains(pattern)
            || action.hasNoEffectOnOthers
            || action.isTransfer(ofKnown: tokens)
    }
}

extension ReviewedAction {
    /// True if a built-in ABI decoded an action that only records, checks or returns a value, or
    /// the action only makes the transaction unique.
    var hasNoEffectOnOthers: Bool {
        guard case .decoded(.builtIn) = content, nested == nil else { return false }
        return isNonce || hasBuiltInContract && ActionEffect.withoutEffect.contains(action.name.text)
    }

    private var hasBuiltInContract: Bool { !BuiltInABI.all(for: action.account).isEmpty }

    /// True if the action is a transfer of a token that the chain is known for, or of a contract
    /// whose ABI is pinned.
    fileprivate func isTransfer(ofKnown tokens: ChainTokens) -> Bool {
        guard let value, action.name == .transfer, nested == nil else { return false }
        var payments: [Payment] = []
        Payment.forEach(in: action, value) { payments.append($0) }
        guard payments.count == 1, let payment = payments.first, payment.kind == .transfer else {
            return false
        }
        if case .decoded(.pinned) = content { return true }
        return tokens.isKnown(payment.quantity.symbol, at: payment.contract)
    }
}
