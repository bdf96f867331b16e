import ABICodec
import Codecs
import Shell
import Signing
import Transactions

/// The payments of a summary, by payer and token. It is a class because it keeps the group that was
/// shown last: a group can have a million recipients, of which each part of the list shows some.
final class SummaryPayments {
    private let payments: PaymentTotals
    private let chain: ChainID?
    /// The places of all sums. The sums of a group, and of each of its kinds, follow each other.
    private let places: [UInt32]
    private let runs: [Run]
    /// For each run, the number of the sums before it in the list of all payments.
    private let positions: [Int]
    private var last: (index: Int, group: Group)?

    /// The sums of one payer and token: their places, and the values that decide their order.
    private struct Run {
        let start, end: UInt32
        let sum: Int128
        let unit: Int128
        let first: UInt32
        let isProposed, isOwn, isKnown: Bool
    }

    /// Payers for which the keys signed before come first: offline, nothing else shows whose
    /// account it is. Then come known tokens, then the greatest amounts in whole tokens.
    init(_ summary: Summary, chain: ChainID?) {
        (payments, self.chain) = (summary.payments, chain)
        let (payments, places) = (summary.payments, summary.payments.sortedPlaces)
        self.places = places
        var runs: [Run] = []
        var start = 0
        while start < places.count {
            var (end, sum, earliest) = (start, Int128(0), UInt32.max)
            while end < places.count, payments.isSamePayerAndToken(Int(places[start]), Int(places[end])) {
                sum += payments.amount(at: Int(places[end]))
                earliest = min(earliest, places[end])
                end += 1
            }
            let total = payments[Int(places[start])]
            runs.append(
                Run(
                    start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end), sum: sum,
                    unit: total.symbol.unit, first: earliest, isProposed: total.execution == .proposed,
                    isOwn: summary.knownPayers.contains(total.payer),
                    isKnown: chain.isKnown(total.symbol, at: total.contract)))
            start = end
        }
        runs.sort { left, right in
            if left.isProposed != right.isProposed { return right.isProposed }
            if left.isOwn != right.isOwn { return left.isOwn }
            if left.isKnown != right.isKnown { return left.isKnown }
            let (leftWhole, rightWhole) = (left.sum / left.unit, right.sum / right.unit)
            if leftWhole != rightWhole { return leftWhole > rightWhole }
            return left.sum != right.sum ? left.sum > right.sum : left.first < right.first
        }
        self.runs = runs
        positions = runs.reduce(into: [0]) { $0.append(($0.last ?? 0) + Int($1.end - $1.start)) }
    }

    var count: Int { runs.count }

    /// The number of the groups that run with the transaction. They are first.
    var runningCount: Int { runs.prefix { !$0.isProposed }.count }

    subscript(index: Int) -> Group {
        if let last, last.index == index { return last.group }
        let run = runs[index]
        var kinds: [Kind] = []
        var rest = places[Int(run.start)..<Int(run.end)]
        while let first = rest.first {
            let totals = rest.prefix { payments.isSameKind(Int(first), Int($0)) }
            rest = rest.dropFirst(totals.count)
            kinds.append(Kind(places: totals, sum: totals.reduce(0) { $0 + payments.amount(at: Int($1)) }))
        }
        let group = Group(
            kinds: kinds.sorted { $0.sum.magnitude > $1.sum.magnitude }, payments: payments, chain: chain)
        last = (index, group)
        return group
    }

    /// The payments of one kind, from one payer in one token. The greatest amount is first.
    struct Kind {
        let places: ArraySlice<UInt32>
        let sum: Int128

        /// Calls `body` with the target of each sum, and whether it is the first one of the target.
        /// An index needs less memory than a set.
        fileprivate func forEachTarget(_ payments: PaymentTotals, _ body: (Target, Bool) -> Void) {
            let hashes = IndexTable()
            var index = hashes
            func target(_ position: Int) -> Target {
                let place = Int(places[position])
                return Target(
                    recipient: payments.recipient(at: place), beneficiary: payments.beneficiary(at: place))
            }
            for position in places.indices {
                let found = target(position)
                let hash = hashes.hash { $0.combine(found) }
                let isNew = index.find(hash) { target($0) == found } == nil
                if isNew { index.add(position) { place in hashes.hash { $0.combine(target(place)) } } }
                body(found, isNew)
            }
        }
    }

    /// An account that gets tokens, and who or what gets their use.
    fileprivate struct Target: Hashable {
        let recipient: Name
        let beneficiary: Name?
    }

    // MARK: - all payments

    /// The sums of a part of the list of all payments.
    static let partSize = 1_000

    /// How many parts the list of all payments has. A payer and token begins in one part, and may
    /// go on in the next ones.
    var partCount: Int { (places.count + Self.partSize - 1) / Self.partSize }

    /// A part of the list of all payments: one row for each recipient and memo of a payer and
    /// token.
    func rows(of part: Int, width: Int) -> [String] {
        var rows = Rows(width: width)
        let range = part * Self.partSize..<(part + 1) * Self.partSize
        var index = run(at: range.lowerBound)
        while index < runs.count, positions[index] < range.upperBound {
            let (position, count) = (positions[index], positions[index + 1] - positions[index])
            let group = self[index]
            index += 1
            if position >= range.lowerBound {
                rows.append("", words: count == 1 ? group.line.text : group.line.heading + ":", indent: 4)
            }
            guard count > 1 else { continue }
            let first = max(0, range.lowerBound - position)
            for row in group.rows(first..<min(count, range.upperBound - position)) {
                rows.append("  ", words: row, indent: 6)
            }
        }
        return rows.rows
    }

    /// The run with a sum of the list.
    private func run(at position: Int) -> Int {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if positions[middle + 1] <= position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension SummaryPayments {
    /// The payments of one payer in one token.
    struct Group {
        /// The kind with the greatest sum is first.
        private let kinds: [Kind]
        private let payments: PaymentTotals
        private let chain: ChainID?
        /// The places of all recipients, the greatest amount first.
        private let recipients: ArraySlice<UInt32>
        /// The recipients with several sums of one kind, which have other memos.
        private let repeated: Set<Target>

        fileprivate init(kinds: [Kind], payments: PaymentTotals, chain: ChainID?) {
            (self.kinds, self.payments, self.chain) = (kinds, payments, chain)
            recipients =
                kinds.count == 1
                ? kinds[0].places
                : kinds.flatMap(\.places).sorted { left, right in
                    payments.amount(at: Int(left)).magnitude > payments.amount(at: Int(right)).magnitude
                }[...]
            repeated = kinds.reduce(into: []) { repeated, kind in
                kind.forEachTarget(payments) { if !$1 { repeated.insert($0) } }
            }
        }

        var line: SummaryText.Line {
            SummaryText.Line(
                text: start + kinds.map { text(of: $0) }.joined(separator: ", "),
                heading: start + kinds.map { heading(of: $0) }.joined(separator: ", "),
                details: kinds.contains { $0.places.count > 1 } ? details : [])
        }

        /// The rows of some recipients.
        func rows(_ range: Range<Int>) -> [String] {
            let places = recipients
            return places[(places.startIndex + range.lowerBound)..<(places.startIndex + range.upperBound)]
                .map(row)
        }

        private var start: String { kinds.first.flatMap(first).map(\.start) ?? "" }

        private func first(of kind: Kind) -> Summary.Total? { kind.places.first.map { payments[Int($0)] } }

        /// The recipients of one payer and token that are shown.
        private static let shownRecipients = 3

        private var details: [String] {
            let all = recipients
            // One recipient is named rather than counted.
            let shown = all.count == Self.shownRecipients + 1 ? all.count : Self.shownRecipients
            let rows = all.prefix(shown).map(row)
            let others = all.dropFirst(shown)
            guard let first = others.first.map({ payments[Int($0)] }) else { return rows }
            let new = others.count { payments[Int($0)].isFirst }
            let sum = amount(others.reduce(0) { $0 + payments.amount(at: Int($1)) }, first)
            return rows + [
                "\(sum) to \(Amount.text(others.count)) others, at most \(amount(first.amount, first))"
                    + (new > 0 ? " (\(Amount.text(new)) first time)" : "")
            ]
        }

        private func row(_ place: UInt32) -> String {
            let total = payments[Int(place)]
            guard kinds.count == 1, let kind = kinds.first else {
                return "\(total.kind.verb) \(text(total))" + memo(of: total)
            }
            let percent =
                kind.sum > 0 && total.amount > 0 ? " (\(Self.percent(total.amount, of: kind.sum)))" : ""
            return
                "\(amount(total.amount, total)) to \(total.recipientText)\(memo(of: total))\(times(total))\(percent)"
                + firstTime(total)
        }

        /// The memo, if the recipient gets payments with several ones: an exchange finds its
        /// customer by the memo.
        private func memo(of total: Summary.Total) -> String {
            let target = Target(recipient: total.recipient, beneficiary: total.beneficiary)
            guard repeated.contains(target) else { return "" }
            return " memo " + QuotedText.quoted(total.memo) + (total.isMemoCut ? "..." : "")
        }

        /// The payments of one kind: the only one, or their number, sum and greatest amount.
        private func text(of kind: Kind) -> String {
            guard kind.places.count > 1, let first = first(of: kind) else { return heading(of: kind) }
            let preposition = first.beneficiary == nil ? "to" : first.kind.preposition
            return heading(of: kind)
                + ", \(amount(first.amount, first)) \(preposition) \(first.recipientText)"
        }

        private func heading(of kind: Kind) -> String {
            guard let first = first(of: kind) else { return "" }
            guard kind.places.count > 1 else { return "\(first.kind.verb) \(text(first))" }
            return "\(first.kind.verb) \(amount(kind.sum, first)) \(first.kind.preposition) "
                + recipients(of: kind, first)
        }

        /// The number of the recipients, and of their memos if these are more.
        private func recipients(of kind: Kind, _ first: Summary.Total) -> String {
            var (count, isOneRecipient) = (0, true)
            kind.forEachTarget(payments) { target, isNew in
                count += isNew ? 1 : 0
                isOneRecipient = isOneRecipient && target.recipient == first.recipient
            }
            let memos =
                kind.places.count > count ? " with \(Amount.text(kind.places.count)) different memos" : ""
            guard count > 1 else { return first.recipientText + memos }
            // The tokens go to one contract, for several accounts or names.
            let names = isOneRecipient ? "\(first.recipient.shown) for \(Amount.count(count, "name"))" : nil
            return (names ?? Amount.count(count, "account")) + memos
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
        recipient.shown + (beneficiary.map { " for \($0.shown)" } ?? "")
    }

    /// The condition and the payer. A payer that does not authorize the payment does not pay.
    fileprivate var start: String {
        (execution.condition.map { "\($0): " } ?? "") + payer.shown + " "
            + (isAuthorized ? "" : "does not authorize: ")
    }
}

extension Payment.Kind {
    var verb: String {
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

    var preposition: String {
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
