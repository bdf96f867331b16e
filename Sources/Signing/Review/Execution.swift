import ABICodec
import Transactions

/// When an action of a review runs.
package enum Execution: Hashable, Sendable {
    /// It is an action of the transaction itself.
    case direct
    /// It is in a transaction inside, which runs with this transaction: `exec` of eosio.wrap, or a
    /// proposal that this transaction also executes.
    case executed
    /// It is in a proposal, which runs later if it is approved.
    case proposed
}

/// The actions of a review, each with its execution, in the order in which they are shown.
struct ExecutedActions {
    private(set) var list: [(action: ReviewedAction, execution: Execution)] = []

    init(of review: Review) {
        append(review.contextFreeActions, .direct)
        append(review.actions, .direct)
    }

    private struct Proposal: Hashable {
        let contract, proposer, name: Name
    }

    private static let exec = try? Name("exec")

    private mutating func append(_ actions: [ReviewedAction], _ execution: Execution) {
        let executed = Self.executedProposals(actions)
        for (index, action) in actions.enumerated() {
            list.append((action, execution))
            guard let nested = action.nested else { continue }
            let runs = nested.role == .wrapped || Self.proposal(of: action).flatMap { executed[$0] } ?? 0 > index
            let inner: Execution = execution == .proposed || !runs ? .proposed : .executed
            append(nested.contextFreeActions, inner)
            append(nested.actions, inner)
        }
    }

    /// The proposals that `exec` of eosio.msig runs, and the index of the last such action.
    private static func executedProposals(_ actions: [ReviewedAction]) -> [Proposal: Int] {
        var executed: [Proposal: Int] = [:]
        for (index, action) in actions.enumerated() where action.action.name == exec {
            if let proposal = proposal(of: action) { executed[proposal] = index }
        }
        return executed
    }

    /// The proposal that `propose`, `approve` or `exec` names.
    private static func proposal(of action: ReviewedAction) -> Proposal? {
        guard let proposer = action.value?["proposer"]?.name, let name = action.value?["proposal_name"]?.name else {
            return nil
        }
        return Proposal(contract: action.action.account, proposer: proposer, name: name)
    }
}
