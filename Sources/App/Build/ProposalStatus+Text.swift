import ABICodec
import Codecs
import JSON
import Shell
import Signing
import Transactions

// The output of `msig status`.

extension ProposalStatus: JSONDescribed {
    var text: String {
        var rows = [
            ("proposal", approvals.name.text), ("hash", Hex.encode(proposal.hash)),
            ("expires", "\(proposal.transaction.expiration.text) UTC" + (isExpired ? ", EXPIRED" : "")),
        ]
        rows += approvals.approved.map { ("approved", "\($0.level.text)  \($0.time.text) UTC") }
        rows += approvals.missing.map { ("missing", $0.text) }
        return rows.map { $0.padded(to: 13) + $1 + "\n" }.joined() + permissions.map(\.text).joined()
            + "\(result)\n"
    }

    private var result: String {
        if isExecutable {
            return "ok   the approvals are enough: `eosvault build msig-exec` executes the proposal"
        }
        if isExpired { return "FAIL the transaction has expired: propose it again" }
        if hasContextFreeActions {
            return "FAIL the transaction has context-free actions, which eosio.msig does not execute"
        }
        if permissions.isEmpty { return "FAIL no action has an authorization: chains refuse the transaction" }
        if !neverMet.isEmpty {
            let levels = neverMet.map(\.text).joined(separator: ", ")
            return "FAIL all requested permissions together are not enough for \(levels): cancel the proposal"
        }
        if permissions.allSatisfy({ $0.status == .met }) {
            return "WAIT the approvals are enough; the proposal can be executed "
                + (proposal.earliestExecution.map { "from \($0.text) UTC on" }
                    ?? "\(Amount.duration(Int64(delay))) after the last needed approval")
        }
        return permissions.contains { $0.status == .unknown }
            ? "UNKNOWN the given files do not show enough approvals: give --authority for the accounts named above"
            : "FAIL more approvals are needed"
    }

    static let object = JSONObject<ProposalStatus>([
        .text("proposal", "the name of the proposal") { $0.approvals.name.text },
        .text("proposal_hash", "the SHA-256 of the packed transaction") { Hex.encode($0.proposal.hash) },
        .text("expires", "when the transaction expires, in UTC") { $0.proposal.transaction.expiration.text },
        .boolean("expired", "whether it has expired") { $0.isExpired },
        .list("approved", of: approval, "the permissions that have approved") { $0.approvals.approved },
        .texts("missing", "the permissions that were asked and have not approved") {
            $0.approvals.missing.map(\.text)
        },
        .list("permissions", of: CheckedPermission.object, "the permissions that the actions name") {
            $0.permissions
        },
        .texts("never_met", "the permissions that are not met if all requested permissions approve") {
            $0.neverMet.map(\.text)
        },
        .boolean(
            "executable",
            "whether the approvals are enough, the transaction has not expired, and its delay is over"
        ) {
            $0.isExecutable
        },
    ])

    private static let approval = JSONObject<ProposalApprovals.Approval>([
        .text("permission", "`account@permission`") { $0.level.text },
        .text("time", "when it approved, in UTC") { $0.time.text },
    ])
}
