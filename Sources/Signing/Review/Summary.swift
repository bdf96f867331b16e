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
        package internal(set) var count: Int

        /// `ACCOUNT::ACTION`
        package var text: String { "\(contract.text)::\(action.text)" }
    }

    /// The payments of one kind of one token, from one account to another.
    package struct Total: Equatable, Sendable {
        package let kind: Payment.Kind
        package let contract: Name
        package let symbol: Symbol
        package let payer: Name
        /// Who or what gets the use of the tokens, if it is not the recipient.
        package let beneficiary: Name?
        /// nil for all accounts that are not listed, because there are too many.
        package let recipient: Name?
        /// The payments of a proposal are not added to those that run with the transaction.
        package let execution: Execution
        /// Whether the payer authorizes the payments.
        package let isAuthorized: Bool
        /// In the smallest unit of the symbol. The sum of many amounts can be more than 64 bits.
        package internal(set) var amount: Int128
        /// The number of payments.
        package internal(set) var count: Int
        /// Whether the vault made no signature for a transfer to the recipient before.
        package internal(set) var isFirst = false

        init(_ payment: Payment, to recipient: Name?, _ execution: Execution) {
            (kind, contract, symbol) = (payment.kind, payment.contract, payment.quantity.symbol)
            (payer, self.recipient, self.execution) = (payment.payer, recipient, execution)
            beneficiary = recipient == nil ? nil : payment.beneficiary
            isAuthorized = payment.isAuthorized
            (amount, count) = (0, 0)
        }
    }

    /// The equal changes of one kind, for one account.
    package struct Change: Sendable {
        package let account: Name
        package let kind: AccountChange.Kind
        package let execution: Execution
        /// The sum of the bytes of RAM; nil for a change without a number.
        package internal(set) var amount: Int128?
        package internal(set) var count = 0
    }

    /// In the order of their first occurrence.
    package let kinds: [Kind]
    /// Of each payer and token, the greatest amount first.
    package let totals: [Total]
    /// In the order of their first occurrence.
    package let changes: [Change]
    /// The payers for which the keys signed before, according to the history of the vault.
    package let knownPayers: Set<Name>
    package let actionCount: Int
    package let innerCount: Int
    /// The payments, changes and kinds of actions that are in none of these lists, because there
    /// are too many different ones.
    package let omittedCount: Int

    init(of review: Review) {
        var running = RunningSummary()
        running.add(review)
        self = running.summary
    }

    init(_ running: RunningSummary) {
        (kinds, changes) = (running.kinds.values, running.changes.values)
        (actionCount, innerCount) = (running.actionCount, running.innerCount)
        (omittedCount, knownPayers) = (running.omittedCount, running.knownPayers)
        totals = Self.sorted(running.totals.values)
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

    private struct GroupKey: Hashable {
        let kind: Payment.Kind
        let contract, payer: Name
        let symbol: Symbol
        let execution: Execution
        let isNegative, isAuthorized: Bool

        init(_ total: Total) {
            (isNegative, isAuthorized) = (total.amount < 0, total.isAuthorized)
            (kind, contract, payer) = (total.kind, total.contract, total.payer)
            (symbol, execution) = (total.symbol, total.execution)
        }
    }
}

extension Review {
    package var summary: Summary { Summary(of: self) }
}
