import ABICodec
import Signing
import Transactions

/// The payments of a summary, by payer and token.
struct SummaryPayments {
    let summary: Summary
    let chain: ChainID?

    var groups: [Group] { sorted.map { Group(kinds: $0, chain: chain) } }

    /// The payments of one kind, from one payer in one token. The greatest amount is first.
    typealias Kind = (totals: ArraySlice<Summary.Total>, sum: Int128)

    private struct Key: Hashable {
        let contract, payer: Name
        let symbol: Symbol
        let execution: Execution
        let isAuthorized, isNegative: Bool

        init(_ total: Summary.Total) {
            (contract, payer, symbol, execution) = (total.contract, total.payer, total.symbol, total.execution)
            (isAuthorized, isNegative) = (total.isAuthorized, total.amount < 0)
        }
    }

    /// Payers for which the keys signed before come first: offline, nothing else shows whose
    /// account it is.
    /// Then come known tokens, then the greatest amounts in whole tokens.
    private var sorted: [[Kind]] {
        var order: [Key] = []
        var groups: [Key: [Kind]] = [:]
        // The totals of one payer, kind and token follow each other.
        var rest = summary.totals[...]
        while let first = rest.first {
            let key = Key(first)
            let totals = rest.prefix { $0.kind == first.kind && Key($0) == key }
            rest = rest.dropFirst(totals.count)
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append((totals, totals.reduce(0) { $0 + $1.amount }))
        }
        let keyed = order.enumerated().compactMap { offset, key in
            groups[key].map { kinds in
                (
                    kinds: kinds.sorted { $0.sum.magnitude > $1.sum.magnitude },
                    isOwn: summary.knownPayers.contains(key.payer),
                    isKnown: chain.isKnown(key.symbol, at: key.contract), sum: kinds.reduce(0) { $0 + $1.sum },
                    unit: key.symbol.unit, offset: offset
                )
            }
        }
        return keyed.sorted { left, right in
            if left.isOwn != right.isOwn { return left.isOwn }
            if left.isKnown != right.isKnown { return left.isKnown }
            let (leftWhole, rightWhole) = (left.sum / left.unit, right.sum / right.unit)
            if leftWhole != rightWhole { return leftWhole > rightWhole }
            return left.sum != right.sum ? left.sum > right.sum : left.offset < right.offset
        }.map(\.kinds)
    }
}

extension SummaryPayments {
    /// The payments of one payer in one token.
    struct Group {
        /// The kind with the greatest sum is first.
        let kinds: [Kind]
        let chain: ChainID?

        var isProposed: Bool { kinds.first?.totals.first?.execution == .proposed }

        var line: SummaryText.Line {
            SummaryText.Line(
                text: start + kinds.map { text(of: $0) }.joined(separator: ", "),
                heading: start + kinds.map { heading(of: $0) }.joined(separator: ", "),
                details: kinds.contains { $0.totals.count > 1 } ? details : [])
        }

        /// One row for each recipient.
        var rows: [String] { recipients.map(row) }

        private var start: String { kinds.first?.totals.first?.start ?? "" }

        /// All recipients, the greatest amount first.
        private var recipients: ArraySlice<Summary.Total> {
            guard kinds.count > 1 else { return kinds.first?.totals ?? [] }
            return kinds.flatMap(\.totals).sorted { $0.amount.magnitude > $1.amount.magnitude }[...]
        }

        /// The recipients of one payer and token that are shown.
        private static let shownRecipients = 3

        private var details: [String] {
            let all = recipients
            // One recipient is named rather than counted.
            let shown = all.count == Self.shownRecipients + 1 ? all.count : Self.shownRecipients
            let rows = all.prefix(shown).map(row)
            let others = all.dropFirst(shown)
            guard let first = others.first else { return rows }
            let new = others.count { $0.isFirst }
            let sum = amount(others.reduce(0) { $0 + $1.amount }, first)
            return rows + [
                "\(sum) to \(Amount.text(others.count)) others, at most \(amount(first.amount, first))"
                    + (new > 0 ? " (\(Amount.text(new)) first time)" : "")
            ]
        }

        private func row(_ total: Summary.Total) -> String {
            kinds.count > 1 ? "\(total.kind.verb) \(text(total))" : recipient(total, of: kinds.first?.sum ?? 0)
        }

        /// The payments of one kind: the only one, or their number, sum and greatest amount.
        private func text(of kind: Kind) -> String {
            guard kind.totals.count > 1, let first = kind.totals.first else { return heading(of: kind) }
            return heading(of: kind) + ", \(amount(first.amount, first)) to \(first.recipientText)"
        }

        private func heading(of kind: Kind) -> String {
            guard let first = kind.totals.first else { return "" }
            guard kind.totals.count > 1 else { return "\(first.kind.verb) \(text(first))" }
            return "\(first.kind.verb) \(amount(kind.sum, first)) \(first.kind.preposition) "
                + accounts(of: kind.totals)
        }

        /// The number of the recipients, of which not all may be listed.
        private func accounts(of totals: ArraySlice<Summary.Total>) -> String {
            let listed = totals.count { $0.recipient != nil }
            return (listed < totals.count ? "more than " : "") + Amount.count(listed, "account")
        }

        private func recipient(_ total: Summary.Total, of sum: Int128) -> String {
            let percent = sum > 0 && total.amount > 0 ? " (\(Self.percent(total.amount, of: sum)))" : ""
            return "\(amount(total.amount, total)) to \(total.recipientText)\(times(total))\(percent)"
                + firstTime(total)
        }

        private func text(_ total: Summary.Total) -> String {
            "\(amount(total.amount, total)) \(total.kind.preposition) "
                + "\(total.recipientText)\(times(total))\(firstTime(total))"
        }

        private func firstTime(_ total: Summary.Total) -> String { total.isFirst ? " (first time)" : "" }

        private func times(_ total: Summary.Total) -> String {
            total.kind == .transfer && total.count > 1 ? " in \(Amount.text(total.count)) payments" : ""
        }

        /// The amount, and the token's contract if it is not the chain's known token.
        private func amount(_ amount: Int128, _ total: Summary.Total) -> String {
            Amount.text(amount, total.symbol)
                + (chain.isKnown(total.symbol, at: total.contract) ? "" : "@\(total.contract.text)")
        }

        /// With two decimals, rounded down.
        private static func percent(_ part: Int128, of whole: Int128) -> String {
            let (product, overflow) = part.multipliedReportingOverflow(by: 10_000)
            guard !overflow, whole > 0 else { return "" }
            let value = product / whole
            let decimals = value % 100
            return "\(value / 100).\(decimals < 10 ? "0" : "")\(decimals) %"
        }
    }
}

extension Summary.Total {
    fileprivate var recipientText: String {
        (recipient?.shown ?? "accounts that are not listed") + (beneficiary.map { " for \($0.shown)" } ?? "")
    }

    /// The condition and the payer. A payer that does not authorize the payment does not pay.
    fileprivate var start: String {
        (execution.condition.map { "\($0): " } ?? "") + payer.shown + " "
            + (isAuthorized ? "" : "does not authorize: ")
    }
}

extension Payment.Kind {
    fileprivate var verb: String {
        switch self {
        case .transfer: "pays"
        case .stake: "stakes"
        case .buyRAM: "buys RAM with"
        case .exchange: "exchanges"
        case .spend: "spends"
        case .powerUp: "rents resources with at most"
        case .unstake: "unstakes"
        case .withdraw: "withdraws"
        case .sell: "sells"
        case .issue: "issues"
        case .retire: "destroys"
        }
    }

    fileprivate var preposition: String {
        switch self {
        case .transfer, .sell, .issue: "to"
        case .spend, .retire: "at"
        case .unstake, .withdraw: "from"
        case .stake, .buyRAM, .powerUp, .exchange: "for"
        }
    }
}

extension Symbol {
    /// The amount of one whole token.
    fileprivate var unit: Int128 { (0..<precision).reduce(1) { unit, _ in 10 * unit } }
}
