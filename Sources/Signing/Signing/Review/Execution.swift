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
    /// A payment with the index of its action.
    typealias Paid = (payment: Payment, execution: Execution, action: Int)

    private(set) var actions: [ReviewedAction] = []
    /// The execution of each action.
    private(set) var executions: [Execution]
    /// The payments of all actions, in the order of the actions.
    private(set) var payments: [Paid] = []
    /// The accounts that authorize the actions; the same account not twice in succession.
    private(set) var actors: [Name] = []

    /// - Parameter hasNested: True if an action contains or refers to a transaction.
    init(contextFree: [ReviewedAction], _ actions: [ReviewedAction], hasNested: Bool) {
        let all = contextFree.isEmpty ? actions : contextFree + actions
        payments.reserveCapacity(all.count)
        guard hasNested else {
            self.actions = all
            executions = Array(repeating: .direct, count: all.count)
            let list = all.span
            for index in list.indices { addContent(of: list[index], .direct, at: index) }
            return
        }
        executions = []
        append(all, .direct, RunningActions(all))
    }

    private mutating func append(
        _ actions: [ReviewedAction], _ execution: Execution, _ running: RunningActions
    ) {
        for action in actions {
            addContent(of: action, execution, at: self.actions.count)
            self.actions.append(action)
            executions.append(execution)
            guard let nested = action.nested else { continue }
            let runs = execution != .proposed && running.runsTransaction(of: action)
            append(nested.contextFreeActions + nested.actions, runs ? .executed : .proposed, running)
        }
    }

    private mutating func addContent(of action: ReviewedAction, _ execution: Execution, at index: Int) {
        if let value = action.value {
            Payment.forEach(in: action.action, value) { payments.append(($0, execution, index)) }
        }
        for level in action.action.authorization where level.actor != actors.last {
            actors.append(level.actor)
        }
    }
}

/// The actions that run with the transaction, at every level, and the proposals that they execute.
/// In doubt, a proposal counts as executed: its payments must not look as if they ran later.
private struct RunningActions: Sendable {
    private struct Proposal: Hashable {
        let contract, proposer, name: Name
    }

    /// The place of each action that runs and contains a transaction, in the order in which
    /// actions run.
    private var places: [ObjectIdentifier: Int] = [:]
    private var place = 0
    /// The place of the last `exec` of each proposal.
    private var executed: [Proposal: Int] = [:]
    /// The place of the last `exec` whose data can't be decoded, by contract.
    private var unknown: [Name: Int] = [:]
    /// The proposals that were not executed yet.
    private var waiting: [ReviewedAction] = []

    init(_ actions: [ReviewedAction]) {
        run(actions)
        // An executed proposal may execute another one.
        var isChanged = true
        while isChanged, !waiting.isEmpty {
            let proposals = waiting
            waiting = []
            isChanged = false
            for action in proposals {
                guard let nested = action.nested, runsTransaction(of: action) else {
                    waiting.append(action)
                    continue
                }
                isChanged = true
                run(nested.contextFreeActions + nested.actions)
            }
        }
    }

    private mutating func run(_ actions: [ReviewedAction]) {
        for action in actions {
            place += 1
            if let nested = action.nested {
                places[ObjectIdentifier(action)] = place
                if nested.role == .wrapped {
                    run(nested.contextFreeActions + nested.actions)
                } else {
                    waiting.append(action)
                }
            } else if action.action.name == .exec {
                if let proposal = Self.proposal(of: action) {
                    executed[proposal] = place
                } else if action.value == nil {
                    unknown[action.action.account] = place
                }
            }
        }
    }

    /// True if the transaction in the data of an action runs with this transaction, if the action
    /// itself runs.
    func runsTransaction(of action: ReviewedAction) -> Bool {
        if action.nested?.role == .wrapped { return true }
        guard let place = places[ObjectIdentifier(action)] else { return false }
        let last = Self.proposal(of: action).flatMap { executed[$0] } ?? 0
        return max(last, unknown[action.action.account] ?? 0) > place
    }

    /// The proposal that `propose`, `approve` or `exec` refers to. Contracts ignore bytes after the
    /// data, so the part that can be decoded counts too.
    private static func proposal(of action: ReviewedAction) -> Proposal? {
        (action.value ?? action.partial?.value)?.proposal.map {
            Proposal(contract: action.action.account, proposer: $0.proposer, name: $0.name)
        }
    }
}
