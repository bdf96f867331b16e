import ABICodec
import JSON
import Policy
import Transactions

// Warnings about transactions in actions, and about proposals of eosio.msig.

extension Warning {
    static func innerTransaction(_ action: ActionReference) -> Warning {
        Warning(
            .innerTransaction, .action(action),
            text: "the actions marked | run when the inner transaction is executed")
    }

    static func approvalWithoutHash(_ action: ActionReference, proposer: Name) -> Warning {
        Warning(
            .approvalWithoutHash, .action(action, account: proposer), [.string(proposer.text)],
            text: "approves without proposal_hash: \(proposer.text) can replace the proposal before it runs")
    }

    static func unseenProposal(_ action: ActionReference, proposer: Name, name: Name) -> Warning {
        Warning(
            .unseenProposal, .action(action, account: proposer),
            [.string(proposer.text), .string(name.text)],
            text:
                "approves \(name.text) of \(proposer.text), which is not shown: give it with --proposal FILE")
    }

    static func unseenExecution(_ action: ActionReference, proposer: Name, name: Name) -> Warning {
        Warning(
            .unseenExecution, .action(action, account: proposer),
            [.string(proposer.text), .string(name.text)],
            text:
                "runs the proposal \(name.text) of \(proposer.text) as it is on the chain: check it there before "
                + "you sign")
    }

    /// A contract with the interface of eosio.msig or eosio.wrap.
    static func otherMultisig(_ action: ActionReference) -> Warning {
        Warning(
            .otherMultisig, .action(action),
            text: "\(action.account.text) is not eosio.msig: it may treat this action differently")
    }
}

extension ActionWarnings {
    func appendNesting(_ value: TypedValue, to warnings: inout [Warning]) {
        let start = warnings.count
        if reviewed.nested != nil { warnings.append(.innerTransaction(reference)) }
        if let approval = ProposalApproval.find(in: reviewed.action, value) {
            if approval.hash == nil {
                warnings.append(.approvalWithoutHash(reference, proposer: approval.proposer))
            } else if reviewed.nested == nil {
                warnings.append(
                    .unseenProposal(reference, proposer: approval.proposer, name: approval.proposal))
            }
        }
        if let execution = ProposalExecution.find(in: reviewed.action, value) {
            warnings.append(
                .unseenExecution(reference, proposer: execution.proposer, name: execution.proposal))
        }
        let account = reviewed.action.account
        if warnings.count > start, account != .multisig, account != .wrap {
            warnings.append(.otherMultisig(reference))
        }
    }
}
