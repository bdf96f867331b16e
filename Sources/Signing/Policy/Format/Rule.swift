import ABICodec
import Transactions

/// A rule: the actions that it allows.
package struct Rule: Hashable, Sendable {
    /// For messages.
    package let name: String?
    package let contract: Name
    /// nil for `*`, all actions of the contract except actions that must be named.
    package let action: Name?
    /// Each authorization of an action must match one of these. Empty in a rule that states none:
    /// then each permission except `owner` matches.
    package let authorization: [AuthorizationPattern]
    package let fields: [FieldCondition]
    /// True if the rule allows an `approve` action whose proposal is unknown.
    package let allowsUnknownProposal: Bool
    /// True if the rule allows data that was decoded with an ABI which was given for one run. Such
    /// an ABI can show any data as anything.
    package let allowsGivenABI: Bool
    /// True if the rule allows its action with data that can't be decoded: it names the action and
    /// has no conditions of fields.
    package let allowsBlind: Bool

    /// Actions that pay an amount that is not in their data, so that no limit counts it. `*`
    /// does not include them.
    static let namedOnly = ["buyrambytes"]

    func matchesKind(of action: Action) -> Bool {
        guard contract == action.account else { return false }
        guard let name = self.action else {
            return !(SystemContract.has(action.account) && Self.namedOnly.contains(action.name.text))
        }
        return name == action.name
    }

    /// The first authorization of an action that the rule does not allow.
    func refusedAuthorization(of action: Action) -> RefusedAuthorization? {
        if authorization.isEmpty {
            return action.authorization.first { $0.permission == .owner }.map {
                RefusedAuthorization(level: $0)
            }
        }
        // An action that nobody authorizes matches no stated authorization.
        guard !action.authorization.isEmpty else { return RefusedAuthorization(level: nil) }
        return action.authorization.first { level in !authorization.contains { $0.matches(level) } }
            .map { RefusedAuthorization(level: $0) }
    }

    struct RefusedAuthorization {
        /// nil for an action that nobody authorizes.
        let level: PermissionLevel?
    }
}

/// `ACTOR@PERMISSION`. Each of them may be `*`, but only a pattern with `owner` matches `owner`.
package struct AuthorizationPattern: Hashable, Sendable {
    package let actor: Name?
    package let permission: Name?

    /// The pattern of a rule without authorizations.
    static let anyButOwner = AuthorizationPattern(actor: nil, permission: nil)

    package var text: String { "\(actor?.text ?? "*")@\(permission?.text ?? "*")" }

    /// - Returns: nil for text in any other form.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).map(
            String.init)
        guard parts.count == 2, let left = parts[0], let right = parts[1] else { return nil }
        let (actor, permission) = (Name(exactly: left), Name(exactly: right))
        guard actor != nil || left == "*", permission != nil || right == "*" else { return nil }
        self.init(actor: actor, permission: permission)
    }

    private init(actor: Name?, permission: Name?) { (self.actor, self.permission) = (actor, permission) }

    func matches(_ level: PermissionLevel) -> Bool {
        (actor == nil || actor == level.actor)
            && (permission == nil ? level.permission != .owner : permission == level.permission)
    }

    /// True if this pattern matches nothing that `other` does not match.
    func isNarrower(than other: AuthorizationPattern) -> Bool {
        (other.actor == nil || other.actor == actor)
            && (other.permission == nil ? permission != .owner : other.permission == permission)
    }
}
