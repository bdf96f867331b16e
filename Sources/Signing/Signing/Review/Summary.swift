import ABICodec
import Transactions

/// The effects of a whole transaction: the parts that a person compares with the intention.
package struct Summary: Sendable {
    /// How often an action occurs.
    package struct Kind: Equatable, Sendable {
        package let contract: Name
        package let action: Name
        /// True if the actions are in a nested transaction.
        package let isInner: Bool
        package let isDecoded: Bool
        package internal(set) var count: Int

        /// `ACCOUNT::ACTION`
        package var text: String { "\(contract.text)::\(action.text)" }
    }

    /// The payments of one kind and one token with one memo, from one account to another.
    package struct Total: Equatable, Sendable {
        package let kind: Payment.Kind
        package let contract: Name
        package let symbol: Symbol
        package let payer, recipient: Name
        /// Who or what gets the use of the tokens, if it is not the recipient.
        package let beneficiary: Name?
        /// The payments of a proposal are not added to payments that run with the transaction.
        package let execution: Execution
        /// True if the payer authorizes the payments.
        package let isAuthorized: Bool
        /// The memo, or its beginning if it is long.
        package let memo: String
        package let isMemoCut: Bool
        /// In the smallest unit of the symbol. The sum of many amounts can be more than 64 bits.
        package let amount: Int128
        /// The number of payments.
        package let count: Int
        /// True if the vault made no signature for a transfer to the recipient before.
        package let isFirst: Bool
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
    package let payments: PaymentTotals
    /// In the order of their first occurrence.
    package let changes: [Change]
    /// The payers for which the keys signed before, according to the history of the vault.
    package let knownPayers: Set<Name>
    package let authorities: SummaryAuthorities
    package let actionCount: Int
    package let innerCount: Int
    init(of review: Review) {
        var running = RunningSummary(limit: .max)
        _ = running.add(review)
        self = running.summary
    }

    init(_ running: RunningSummary) {
        (kinds, changes, authorities) = (running.kinds.values, running.changes.values, running.authorities)
        (actionCount, innerCount) = (running.actionCount, running.innerCount)
        (payments, knownPayers) = (running.payments, running.knownPayers)
    }

    /// All sums of payments, in the order of the first ones.
    package var totals: [Total] { (0..<payments.count).map { payments[$0] } }
}

extension Review {
    package var summary: Summary { Summary(of: self) }
}
