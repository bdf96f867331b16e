import ABICodec
import Transactions

/// Adds up what the transactions of one or many reviews do. The sums are exact.
package struct RunningSummary: Sendable {
    /// The most sums of payments, changes and kinds of actions.
    /// A batch with more is refused, so that a file of any length needs limited memory.
    package static let maximumCount = 1_000_000

    private let limit: Int
    private(set) var kinds = Collected<KindKey, Summary.Kind>()
    private(set) var payments = PaymentTotals()
    private(set) var changes = Collected<ChangeKey, Summary.Change>()
    private(set) var knownPayers: Set<Name> = []
    private(set) var authorities = SummaryAuthorities()
    private(set) var actionCount = 0
    private(set) var innerCount = 0

    package init() { self.init(limit: Self.maximumCount) }

    init(limit: Int) { self.limit = limit }

    package var summary: Summary { Summary(self) }

    /// - Returns: false if there is no room for everything that the review does. Then the summary
    ///   must not be used.
    package mutating func add(_ review: Review) -> Bool {
        let executed = review.executed
        let count = review.contextFreeActions.count + review.actions.count
        actionCount += count
        innerCount += executed.actions.count - count
        let actions = executed.actions.span
        for index in actions.indices {
            let execution = executed.executions[index]
            guard add(actions[index], execution) else { return false }
            for change in actions[index].changes {
                guard add(change, execution) else { return false }
            }
            authorities.add(actions[index], execution)
        }
        knownPayers.formUnion(review.knownPayers)
        for (payment, execution, _) in executed.payments {
            let isFirst = review.isFirst(payment)
            guard payments.add(payment, execution, isFirst: isFirst, limit: limit) else { return false }
        }
        return true
    }

    private mutating func add(_ action: ReviewedAction, _ execution: Execution) -> Bool {
        let isInner = execution != .direct
        let (contract, name, isDecoded) = (action.action.account, action.action.name, action.value != nil)
        return kinds.update(
            KindKey(contract: contract, action: name, isInner: isInner, isDecoded: isDecoded),
            Summary.Kind(contract: contract, action: name, isInner: isInner, isDecoded: isDecoded, count: 0),
            limit: limit
        ) { $0.count += 1 }
    }

    private mutating func add(_ change: AccountChange, _ execution: Execution) -> Bool {
        changes.update(
            ChangeKey(account: change.account, kind: change.kind, execution: execution),
            Summary.Change(account: change.account, kind: change.kind, execution: execution, amount: nil),
            limit: limit
        ) {
            $0.count += 1
            // A negative number is refused by the contract: it must not reduce a sum.
            if let amount = change.amount { $0.amount = ($0.amount ?? 0) + max(0, Int128(amount)) }
        }
    }

    struct KindKey: Hashable {
        let contract, action: Name
        let isInner, isDecoded: Bool
    }

    struct ChangeKey: Hashable {
        let account: Name
        let kind: AccountChange.Kind
        let execution: Execution
    }
}
