import ABICodec
import Transactions

/// A sum of payments and their number.
struct PaymentSum {
    private(set) var amount: UInt128 = 0
    private(set) var count: UInt128 = 0

    /// A sum that does not fit is the greatest one, which no limit allows.
    mutating func add(_ amount: UInt128, count: UInt128) {
        let (sum, overflow) = self.amount.addingReportingOverflow(amount)
        self.amount = overflow ? .max : sum
        self.count += count
    }

    mutating func add(_ other: PaymentSum) { add(other.amount, count: other.count) }

    func value(of measure: Limit.Measure) -> UInt128 {
        switch measure {
        case .amount: amount
        case .count: count
        }
    }
}

/// The payments of a transaction, by token and recipient.
struct RequestedSpending {
    /// In the order of their first payment.
    private(set) var tokens: [Token] = []
    private var recipients: [Token: [Name]] = [:]
    private var sums: [Token: [Name: PaymentSum]] = [:]

    /// Stake that its owner takes back, and tokens that come back, are not spent. The magnitude of
    /// a negative amount counts, so that it can't reduce a sum.
    mutating func add(_ payment: Payment) {
        guard payment.kind != .unstake, payment.kind != .withdraw else { return }
        add(
            UInt128(payment.quantity.amount.magnitude),
            of: Token(symbol: payment.quantity.symbol, contract: payment.contract), to: payment.recipient)
    }

    mutating func add(_ amount: UInt128, of token: Token, to recipient: Name) {
        if sums[token] == nil { tokens.append(token) }
        if sums[token]?[recipient] == nil { recipients[token, default: []].append(recipient) }
        sums[token, default: [:]][recipient, default: PaymentSum()].add(amount, count: 1)
    }

    /// - Parameter recipient: nil for all recipients.
    func sum(of token: Token, to recipient: Name?) -> PaymentSum {
        if let recipient { return sums[token]?[recipient] ?? PaymentSum() }
        return (sums[token] ?? [:]).values.reduce(into: PaymentSum()) { $0.add($1) }
    }

    func contains(_ token: Token) -> Bool { sums[token] != nil }

    /// The recipients of a token, in the order of their first payment.
    func recipients(of token: Token) -> [Name] { recipients[token] ?? [] }
}
