import Policy

/// Who accepts a request: ``PersonConsent``, ``ScriptConsent``, ``ProgramConsent`` or
/// ``PolicyConsent``.
///
/// `SigningRequest.authorize` asks what is accepted in advance, before the question and again on
/// the verified rows of the store. The answer of a person or a program precedes the unlock, so that
/// no lock is held meanwhile.
package protocol Consent: Sendable {
    /// True if someone answers for each transaction after reading its review. Only an answer
    /// accepts what a policy wants confirmed.
    var isAsked: Bool { get }

    /// The dangers that are refused without a question. Each occurs once.
    func refused(_ dangers: [Danger]) -> [Danger]

    /// The actions that are refused without a question. Each occurs once.
    /// - Parameter byPolicies: true if a policy of each key allows the actions.
    func refusedActions(of review: Review, byPolicies: Bool) -> [ActionPattern]
}

/// A person sees the review and types a word for the first danger.
package struct PersonConsent: Consent {
    package init() {}

    package var isAsked: Bool { true }
    package func refused(_ dangers: [Danger]) -> [Danger] { [] }
    package func refusedActions(of review: Review, byPolicies: Bool) -> [ActionPattern] { [] }
}

/// The options of a script accept in advance what they name. No one is asked.
package struct ScriptConsent: Consent {
    private let allowances: [Allowance]
    private let actions: AllowedActions?

    /// - Parameters:
    ///   - allowances: the dangers that are accepted.
    ///   - actions: the actions that are accepted; nil for all.
    package init(_ allowances: [Allowance] = [], actions: AllowedActions? = nil) {
        (self.allowances, self.actions) = (allowances, actions)
    }

    package var isAsked: Bool { false }

    package func refused(_ dangers: [Danger]) -> [Danger] {
        dangers.filter { danger in !allowances.contains { $0.accepts(danger) } }
    }

    package func refusedActions(of review: Review, byPolicies: Bool) -> [ActionPattern] {
        actions?.refused(of: review, byPolicies: byPolicies) ?? []
    }
}

/// The policies of the keys accept what they allow, and nothing else: no danger except `blind` of
/// an action that a rule allows with data that can't be decoded, and no request with a key that has
/// no policy.
package struct PolicyConsent: Consent {
    package init() {}

    package var isAsked: Bool { false }
    package func refused(_ dangers: [Danger]) -> [Danger] { dangers }

    package func refusedActions(of review: Review, byPolicies: Bool) -> [ActionPattern] {
        guard !byPolicies else { return [] }
        return review.allActions.reduce(into: []) { refused, action in
            let pattern = ActionPattern(action.action)
            if !refused.contains(pattern) { refused.append(pattern) }
        }
    }
}
