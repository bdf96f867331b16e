import ABICodec
import Codecs
import JSON

/// Who was asked to approve a proposal, and who has approved it: a row of the table `approvals2` of
/// eosio.msig, as get_table_rows prints it.
///
/// The contract moves a permission from the requested to the provided ones when it approves
/// (VaultaFoundation/system-contracts, contracts/eosio.msig/src/eosio.msig.cpp, `approve`).
package struct ProposalApprovals: Sendable {
    package struct Approval: Sendable {
        package let level: PermissionLevel
        /// When it was given.
        package let time: TimePointSec
    }

    /// The name of the proposal.
    package let name: Name
    package let approved: [Approval]
    package let missing: [PermissionLevel]

    /// Reads a row, or a node's answer to get_table_rows with such rows.
    /// - Parameter proposal: the name of the proposal; nil if it is not known.
    package init(reading text: [UInt8], proposal: Name?) throws(BuildError) {
        var row = try JSONMembers.parsed(text)
        if let rows = row.text("rows") { row = try ProposedTransaction.row(rows, proposal) }
        (name, approved, missing) = try row.building { row throws(TransactionError) in
            (
                try row.required("proposal_name") { value throws(ABIError) in try Name(value.expectText()) },
                try row.required("provided_approvals", Self.approvals),
                try row.required("requested_approvals", Self.approvals).map(\.level)
            )
        }
        if let proposal, name != proposal { throw .proposal(.noRow(proposal)) }
        var levels: Set<PermissionLevel> = []
        for level in approved.map(\.level) + missing where !levels.insert(level).inserted {
            throw .proposal(.approvalTwice(level))
        }
    }

    private static func approvals(_ list: JSONValue) throws(ABIError) -> [Approval] {
        try list.expectList { element throws(ABIError) in
            try element.expectMembers(["level", "time"])
            let (level, time) = (try element.member("level"), try element.member("time"))
            return Approval(
                level: try inside("level") { () throws(ABIError) in try PermissionLevel(json: level) },
                time: try inside("time") { () throws(ABIError) in
                    try TimePointSec(roundingDown: time.expectText())
                })
        }
    }
}
