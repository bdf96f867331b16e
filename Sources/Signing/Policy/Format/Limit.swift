import ABICodec

/// A limit of a transaction, or of all transactions in a time.
package struct Limit: Hashable, Sendable {
    package enum Period: String, CaseIterable, Sendable {
        case transaction
        case hour = "1h"
        case day = "24h"
        case week = "7d"
        case month = "30d"

        /// nil for a transaction.
        package var seconds: UInt32? {
            switch self {
            case .transaction: nil
            case .hour: 3_600
            case .day: 86_400
            case .week: 604_800
            case .month: 2_592_000
            }
        }
    }

    package enum Measure: Hashable, Sendable {
        /// The sum of the payments of a token, in its smallest unit.
        case amount(Int64, Token)
        /// The number of payments of a token; of transactions if no token is given.
        case count(UInt32, Token?)

        package var token: Token? {
            switch self {
            case .amount(_, let token): token
            case .count(_, let token): token
            }
        }

        /// The greatest sum or number that is allowed.
        package var limit: UInt128 {
            switch self {
            case .amount(let amount, _): UInt128(amount.magnitude)
            case .count(let count, _): UInt128(count)
            }
        }

        /// The member in the file.
        package var name: String {
            switch self {
            case .amount: "amount"
            case .count: "count"
            }
        }

        /// A value of this measure, for messages: `100.0000 EOS`, `3`.
        package func text(of value: UInt128) -> String {
            switch self {
            case .amount(_, let token): token.text(of: value)
            case .count: String(value)
            }
        }
    }

    /// For messages.
    package let name: String?
    package let measure: Measure
    package let period: Period
    /// True if the limit is for each recipient, not for all of them together.
    package let isForEachRecipient: Bool
}

/// An amount in the data of an action that the program does not sum by itself.
package struct DeclaredAmount: Hashable, Sendable {
    package let contract: Name
    package let action: Name
    /// An amount with the symbol of the token, or an integer of its smallest unit.
    package let amount: FieldPointer
    package let token: Token
    /// A name; nil for the contract.
    package let recipient: FieldPointer?

    /// A key that no two amounts of a policy share.
    var key: String { "\(contract.text)::\(action.text) \(amount.text) \(token.text)" }
}
