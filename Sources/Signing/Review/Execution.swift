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

/// The actions of a review and its payments, each with its execution, in the order in which they
/// are shown.
struct ExecutedActions: Sendable {
    private(set) var actions: [ReviewedAction] = []
    /// The execution of each action.
    private(set) var executions: [Execution] = []
    /// The payments of all actions, each with the index of its action.
    private(set) var payments: [(payment: Payment, execution: Execution, action: Int)] = []
    /// The accounts that authorize the actions; the same account not twice in succession.
    private(set) var actors: [Name] = []

    init(contextFree: [ReviewedAction], _ actions: [ReviewedAction]) {
        self.actions.reserveCapacity(contextFree.count + actions.count)
        append(contextFree, .direct)
        append(actions, .direct)
    }

    private struct Proposal: Hashable {
        let contract, proposer, name: Name
    }

    private mutating func append(_ actions: [ReviewedAction], _ execution: Execution) {
        lazy var executed = Self.executedProposals(actions)
        for (index, action) in actions.enumerated() {
            for payment in action.payments { payments.append((payment, execution, self.actions.count)) }
            for level in action.action.authorization where level.actor != actors.last { actors.append(level.actor) }
            self.actions.append(action)
            executions.append(execution)
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
        for (index, action) in actions.enumerated() where action.action.name == .exec {
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
