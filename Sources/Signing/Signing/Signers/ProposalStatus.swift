import ABICodec
import Transactions

/// The approvals of a proposal, and whether eosio.msig would execute it.
///
/// The contract asks nodeos whether the approvals, without any key, satisfy the permissions that
/// the actions name (VaultaFoundation/system-contracts,
/// contracts/eosio.msig/src/eosio.msig.cpp, `exec`).
package struct ProposalStatus: Sendable {
    package let proposal: ProposedTransaction
    package let approvals: ProposalApprovals
    /// The permissions that the actions name.
    package let permissions: [CheckedPermission]
    /// The permissions that are not met if all requested permissions approve.
    package let neverMet: [PermissionLevel]
    /// True if the transaction has expired.
    package let isExpired: Bool
    /// True if the transaction has a delay, and the row does not state that it is over.
    package let isDelayed: Bool

    /// - Parameter now: seconds since 1970.
    package init(
        of proposal: ProposedTransaction, _ approvals: ProposalApprovals, accounts: [AccountPermissions],
        now: Int64
    ) throws(UnreadableAuthority) {
        (self.proposal, self.approvals) = (proposal, approvals)
        isExpired = Int64(proposal.transaction.expiration.seconds) < now
        isDelayed =
            proposal.transaction.delaySec > 0
            && proposal.earliestExecution.map { Int64($0.seconds) > now } ?? true
        let approved = Set(approvals.approved.map(\.level))
        permissions = try Self.check(proposal, approved, accounts)
        neverMet = try Self.check(proposal, approved.union(approvals.missing), accounts)
            .filter { [.notMet, .noSuchPermission].contains($0.status) }.map(\.level)
    }

    private static func check(
        _ proposal: ProposedTransaction, _ approved: Set<PermissionLevel>, _ accounts: [AccountPermissions]
    ) throws(UnreadableAuthority) -> [CheckedPermission] {
        var checker = AuthorityChecker(
            keys: [], approved: approved, delay: proposal.transaction.delaySec, accounts: accounts,
            comparesUsedKeys: false)
        return try proposal.transaction.permissions.map { level throws(UnreadableAuthority) in
            try checker.check(level)
        }
    }

    /// True if the transaction has context-free actions: the contract does not execute it.
    package var hasContextFreeActions: Bool { !proposal.transaction.contextFreeActions.isEmpty }

    /// How many seconds after the last needed approval the contract executes the transaction.
    package var delay: UInt32 { proposal.transaction.delaySec }

    /// True if the approvals are enough, the transaction has not expired, and its delay is over.
    package var isExecutable: Bool {
        !isExpired && !hasContextFreeActions && !isDelayed && !permissions.isEmpty
            && permissions.allSatisfy { $0.status == .met }
    }
}
