import Keys
import Policy

/// Why the policy of a key refuses a signature.
package struct PolicyRefusal: Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        case denied(PolicyDenial)
        /// A person must confirm the signature of this transaction at a terminal.
        case needsConfirmation(PolicyConfirmation)
        /// The signature could not be counted, because the vault is read-only.
        case notCounted
    }

    /// The keys that a policy is for. A key's own policy replaces the policy of all keys.
    package enum Subject: Hashable, Sendable {
        case allKeys
        case key(PublicKey)
    }

    /// Requests that are counted together: the key whose policy refused, the code of the error, and
    /// the part of the policy as a JSON pointer, `/rules/0`.
    package struct Kind: Hashable, Sendable {
        package let key: PublicKey
        package let code: String
        package let part: String
    }

    package let key: KeyDescription
    /// The keys that the policy is for.
    package let subject: Subject
    package let policy: KeyPolicy
    /// True if the policy is stored; false for one that was tried.
    package let isStored: Bool
    package let reason: Reason
    /// How many seconds the clock is before the last record of the vault; 0 if it is not.
    package let clockLag: UInt32

    package init(
        key: KeyDescription, subject: Subject, policy: KeyPolicy, isStored: Bool, reason: Reason,
        clockLag: UInt32 = 0
    ) {
        (self.key, self.subject, self.policy, self.isStored) = (key, subject, policy, isStored)
        (self.reason, self.clockLag) = (reason, clockLag)
    }
}
