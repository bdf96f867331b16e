import Transactions

/// A permission that a transaction needs, and who has signed for it.
package struct CheckedPermission: Sendable {
    package struct Part: Sendable {
        package let kind: Authority.Part
        package let weight: UInt16
        package let status: AuthorityChecker.Status
    }

    package let level: PermissionLevel
    package let status: AuthorityChecker.Status
    /// True if the permission itself approved a proposal.
    package let isApproved: Bool
    /// 0 if the authority is not known.
    package let threshold: UInt32
    package let parts: [Part]

    /// The sum of the weights of all parts that are met. It fits, because an authority has at most
    /// 65,536 parts.
    package var weight: UInt32 { parts.reduce(0) { $1.status == .met ? $0 + UInt32($1.weight) : $0 } }
}
