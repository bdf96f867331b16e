import ABICodec
import Transactions

/// Adds up what the transactions of one or many reviews do.
package struct RunningSummary: Sendable {
    /// The most entries of each list, unless a test sets another number. What is beyond it is
    /// counted, so that a file of any length needs limited memory.
    static let maximumCount = 1_000_000

    private let limit: Int
    private(set) var kinds = Collected<KindKey, Summary.Kind>()
    private(set) var totals = Collected<TotalKey, Summary.Total>()
    private(set) var changes = Collected<ChangeKey, Summary.Change>()
    private(set) var knownPayers: Set<Name> = []
    private(set) var actionCount = 0
    private(set) var innerCount = 0
    private(set) var omittedCount = 0

    package init() { self.init(limit: Self.maximumCount) }

    init(limit: Int) { self.limit = limit }

    package var summary: Summary { Summary(self) }

    package mutating func add(_ review: Review) {
        let executed = review.executed
        let count = review.contextFreeActions.count + review.actions.count
        actionCount += count
        innerCount += executed.actions.count - count
        let actions = executed.actions.span
        for index in actions.indices {
            let execution = executed.executions[index]
            add(actions[index], execution)
            for change in actions[index].changes { add(change, execution) }
        }
        for (payment, execution, _) in executed.payments {
            add(payment, execution, isFirst: review.isFirst(payment, execution))
        }
    }

    private mutating func add(_ action: ReviewedAction, _ execution: Execution) {
        let isInner = execution != .direct
        let (contract, name, isDecoded) = (action.action.account, action.action.name, action.value != nil)
        let isCounted = kinds.update(
            KindKey(contract: contract, action: name, isInner: isInner, isDecoded: isDecoded),
            Summary.Kind(contract: contract, action: name, isInner: isInner, isDecoded: isDecoded, count: 0),
            limit: limit
        ) { $0.count += 1 }
        if !isCounted { omittedCount += 1 }
    }

    private mutating func add(_ change: AccountChange, _ execution: Execution) {
        let isCounted = changes.update(
            ChangeKey(account: change.account, kind: change.kind, execution: execution),
            Summary.Change(account: change.account, kind: change.kind, execution: execution, amount: nil), limit: limit
        ) {
            $0.count += 1
            // A negative number is refused by the contract: it must not reduce a sum.
            if let amount = change.amount { $0.amount = ($0.amount ?? 0) + max(0, Int128(amount)) }
        }
        if !isCounted { omittedCount += 1 }
    }

    private mutating func add(_ payment: Payment, _ execution: Execution, isFirst: Bool) {
        if add(payment, to: payment.recipient, execution, isFirst: isFirst, limit: limit) { return }
        // The sum of the token stays exact.
        if !add(payment, to: nil, execution, isFirst: false, limit: 2 * limit) { omittedCount += 1 }
    }

    private mutating func add(
        _ payment: Payment, to recipient: Name?, _ execution: Execution, isFirst: Bool, limit: Int
    ) -> Bool {
        let new = Summary.Total(payment, to: recipient, execution)
        // Negative amounts are refused by token contracts: they must not reduce a sum.
        let key = TotalKey(new, isNegative: payment.quantity.amount < 0)
        return totals.update(key, new, limit: limit) {
            $0.amount += Int128(payment.quantity.amount)
            $0.count += 1
            $0.isFirst = $0.isFirst || isFirst
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

    struct TotalKey: Hashable {
        let kind: Payment.Kind
        let contract, payer: Name
        let recipient, beneficiary: Name?
        let symbol: Symbol
        let execution: Execution
        let isNegative, isAuthorized: Bool

        init(_ total: Summary.Total, isNegative: Bool) {
            (self.isNegative, isAuthorized) = (isNegative, total.isAuthorized)
            (kind, contract) = (total.kind, total.contract)
            (payer, recipient, beneficiary) = (total.payer, total.recipient, total.beneficiary)
            (symbol, execution) = (total.symbol, total.execution)
        }
    }
}
