import ABICodec
import Transactions

/// What a whole transaction does: the parts that a person compares with the intention.
package struct Summary: Sendable {
    /// How often an action occurs.
    package struct Kind: Equatable, Sendable {
        package let contract: Name
        package let action: Name
        /// Whether the actions are in a nested transaction.
        package let isInner: Bool
        package let isDecoded: Bool
        package fileprivate(set) var count: Int

        /// `ACCOUNT::ACTION`
        package var text: String { "\(contract.text)::\(action.text)" }
    }

    /// The payments of one kind of one token, from one account to another.
    package struct Total: Equatable, Sendable {
        package let kind: Payment.Kind
        package let contract: Name
        package let symbol: Symbol
        package let payer: Name
        package let recipient: Name
        /// The payments of a proposal are not added to those that run with the transaction.
        package let execution: Execution
        /// In the smallest unit of the symbol. The sum of many amounts can be more than 64 bits.
        package fileprivate(set) var amount: Int128
        /// The number of payments.
        package fileprivate(set) var count: Int
        /// The first of the actions.
        package let first: ActionReference

        fileprivate init(_ payment: Payment, _ execution: Execution, first: ActionReference) {
            (kind, contract, symbol) = (payment.kind, payment.contract, payment.quantity.symbol)
            (payer, recipient, self.execution) = (payment.payer, payment.recipient, execution)
            (amount, count, self.first) = (0, 0, first)
        }
    }

    /// In the order of their first occurrence.
    package let kinds: [Kind]
    /// Of each payer and token, the greatest amount first.
    package let totals: [Total]
    package let changes: [(change: AccountChange, execution: Execution)]
    package let actionCount: Int
    package let innerCount: Int

    init(of review: Review) {
        let executed = review.executed
        actionCount = review.contextFreeActions.count + review.actions.count
        innerCount = executed.actions.count - actionCount
        var kinds = Collected<KindKey, Kind>()
        var totals = Collected<TotalKey, Total>()
        var changes: [(change: AccountChange, execution: Execution)] = []
        var seen: Set<ChangeKey> = []
        for (action, execution) in zip(executed.actions, executed.executions) {
            let isInner = execution != .direct
            let (contract, name, isDecoded) = (action.action.account, action.action.name, action.value != nil)
            kinds.update(
                KindKey(contract: contract, action: name, isInner: isInner, isDecoded: isDecoded),
                Kind(contract: contract, action: name, isInner: isInner, isDecoded: isDecoded, count: 0)
            ) { $0.count += 1 }
            for change in action.changes where seen.insert(ChangeKey(change: change, execution: execution)).inserted {
                changes.append((change, execution))
            }
        }
        for (payment, execution, action) in executed.payments {
            totals.update(
                TotalKey(payment, execution), Total(payment, execution, first: executed.actions[action].reference)
            ) {
                $0.amount += Int128(payment.quantity.amount)
                $0.count += 1
            }
        }
        self.kinds = kinds.values
        self.changes = changes
        self.totals = Self.sorted(totals.values)
    }

    /// Payer and token in the order of their first payment; within them, the greatest amount first.
    private static func sorted(_ totals: [Total]) -> [Total] {
        var groups = Collected<GroupKey, [Total]>()
        for total in totals { groups.update(GroupKey(total), []) { $0.append(total) } }
        return groups.values.flatMap { group in
            group.enumerated().sorted { left, right in
                left.element.amount != right.element.amount
                    ? left.element.amount > right.element.amount : left.offset < right.offset
            }.map(\.element)
        }
    }

    private struct KindKey: Hashable {
        let contract, action: Name
        let isInner, isDecoded: Bool
    }

    private struct ChangeKey: Hashable {
        let change: AccountChange
        let execution: Execution
    }

    private struct TotalKey: Hashable {
        let kind: Payment.Kind
        let contract, payer, recipient: Name
        let symbol: Symbol
        let execution: Execution

        init(_ payment: Payment, _ execution: Execution) {
            kind = payment.kind
            (contract, payer, recipient) = (payment.contract, payment.payer, payment.recipient)
            (symbol, self.execution) = (payment.quantity.symbol, execution)
        }
    }

    private struct GroupKey: Hashable {
        let kind: Payment.Kind
        let contract, payer: Name
        let symbol: Symbol
        let execution: Execution

        init(_ total: Total) {
            (kind, contract, payer) = (total.kind, total.contract, total.payer)
            (symbol, execution) = (total.symbol, total.execution)
        }
    }
}

extension Review {
    package var summary: Summary { Summary(of: self) }
}
