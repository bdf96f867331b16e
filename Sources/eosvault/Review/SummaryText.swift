import ABICodec
import Signing
import TerminalText
import Transactions

/// The summary of one or many transactions as at most `maximumRows` rows.
struct SummaryText {
    let summary: Summary
    let chain: ChainID?
    let width: Int
    let maximumRows: Int
    /// Where the lines are for which there is no room.
    let place: String

    init(review: Review, width: Int, maximumRows: Int = Self.maximumRows) {
        self.init(summary: review.summary, chain: review.chain, width: width, maximumRows: maximumRows)
    }

    init(
        summary: Summary, chain: ChainID?, width: Int, maximumRows: Int = Self.maximumRows,
        place: String = "the actions above"
    ) {
        (self.summary, self.chain, self.width) = (summary, chain, width)
        (self.maximumRows, self.place) = (maximumRows, place)
    }

    static let maximumRows = 8

    var rows: [String] {
        let groups = groups(summary)
        let changes = changes(summary)
        if summary.kinds.count <= 1, groups.count + changes.count == 1, groups.first?.details.isEmpty ?? true {
            var rows = Rows(width: width)
            let line = groups.first?.text ?? changes.first ?? ""
            rows.append(named: "SUMMARY", parts: [count(summary), line], separator: "    ")
            if rows.rows.count <= 2, rows.rows.allSatisfy({ $0.columns <= width }) { return rows.rows }
        }
        let heading = heading(summary, atMost: maximumRows - min(groups.count + changes.count, 2))
        // Each payer and token has a row before any of them has details.
        for detailed in (0...min(groups.count, maximumRows)).reversed() {
            let lines = lines(of: groups, detailed: detailed, changes)
            if let rows = fitted(lines, after: heading, mustFit: detailed > 0) { return rows }
        }
        return heading.rows
    }

    /// The greatest payments, the changes, and the other payments: neither hides the other.
    private func lines(of groups: [Group], detailed: Int, _ changes: [String]) -> [Line] {
        var lines = groups.enumerated().map { index, group in
            index < detailed && !group.details.isEmpty
                ? [Line(text: group.text + ":")] + group.details.map { Line(text: $0, isDetail: true) }
                : [Line(text: group.text + group.greatest)]
        }
        let others = lines.dropFirst(Self.firstGroups).flatMap(\.self)
        lines = Array(lines.prefix(Self.firstGroups))
        return lines.flatMap(\.self) + changes.map { Line(text: $0) } + others
    }

    /// The payers and tokens that are shown before the changes.
    private static let firstGroups = 3

    /// The rows of the lines; nil if they do not fit and must.
    private func fitted(_ lines: [Line], after heading: Rows, mustFit: Bool) -> [String]? {
        var rows = heading
        for (index, line) in lines.enumerated() {
            var next = rows
            next.append(line.isDetail ? "       " : "  ", words: line.text, indent: line.isDetail ? 11 : 6)
            let isLast = index == lines.count - 1
            guard next.rows.count <= maximumRows - (isLast ? 0 : 1) else {
                guard !mustFit else { return nil }
                let count = lines.count - index
                let place = rows.isNarrow ? " above" : ": see \(place)"
                rows.append("  ", words: "and \(Amount.count(count, "more line"))\(place)", indent: 6)
                break
            }
            rows = next
        }
        return rows.rows
    }

    /// The number of actions and the rarest kinds of them, as many as there is room for.
    private func heading(_ summary: Summary, atMost limit: Int) -> Rows {
        var rows = Rows(width: width)
        for shown in (0...Self.shownKinds).reversed() {
            rows = Rows(width: width)
            rows.append(named: "SUMMARY", words: count(summary) + kinds(summary, shown))
            if rows.rows.count <= limit { break }
        }
        return rows
    }

    private struct Line {
        let text: String
        /// Whether the line explains the line before it.
        var isDetail = false
    }

    // MARK: - actions

    private func count(_ summary: Summary) -> String {
        var text = Amount.count(summary.actionCount, "action")
        if summary.innerCount > 0 { text += ", \(Amount.text(summary.innerCount)) inner" }
        if summary.omittedCount > 0 {
            let noun = summary.omittedCount == 1 ? "payment or change" : "payments or changes"
            text += ", \(Amount.text(summary.omittedCount)) \(noun) NOT LISTED"
        }
        let blind = summary.kinds.filter { !$0.isDecoded }
        guard let first = blind.first else { return text }
        let names = blind.count == 1 ? first.text : "\(first.text) and \(Amount.count(blind.count - 1, "more kind"))"
        return text + ", \(Amount.text(blind.reduce(0) { $0 + $1.count })) NOT DECODED: \(names)"
    }

    private static let shownKinds = 4

    /// The kinds of actions, the rarest first: a single action among many must be seen.
    private func kinds(_ summary: Summary, _ shown: Int) -> String {
        guard summary.kinds.count > 1 || summary.actionCount > 1 else {
            return summary.kinds.first.map { $0.isDecoded ? ": \($0.text)" : "" } ?? ""
        }
        let sorted = summary.kinds.enumerated().sorted { left, right in
            left.element.count != right.element.count
                ? left.element.count < right.element.count : left.offset < right.offset
        }.map(\.element)
        let texts = sorted.prefix(shown).map { "\(Amount.text($0.count)) \($0.isInner ? "inner " : "")\($0.text)" }
        let rest = sorted.count - texts.count
        let more = "\(Amount.text(rest)) \(texts.isEmpty ? "" : "more ")\(rest == 1 ? "kind" : "kinds")"
        return ": " + texts.joined(separator: ", ") + (rest > 0 ? (texts.isEmpty ? "" : " and ") + more : "")
    }

    // MARK: - payments

    /// The payments of one payer, kind and token.
    private struct Group {
        let text: String
        /// The recipients of the greatest amounts; none if the text names the only one.
        var details: [String] = []
        /// The recipient of the greatest amount, in place of the details.
        var greatest = ""
    }

    private func groups(_ summary: Summary) -> [Group] {
        grouped(summary).map { text(of: $0.totals, sum: $0.sum) }
    }

    /// Transfers come first, then known tokens, then the greatest amounts in whole tokens.
    private func grouped(_ summary: Summary) -> [(totals: [Summary.Total], sum: Int128)] {
        var groups: [[Summary.Total]] = []
        var rest = summary.totals[...]
        while let first = rest.first {
            let group = rest.prefix { $0.isSameGroup(as: first) }
            rest = rest.dropFirst(group.count)
            groups.append(Array(group))
        }
        let keyed = groups.enumerated().compactMap { offset, group in
            group.first.map { first in
                (
                    group: group, isTransfer: first.kind == .transfer,
                    isKnown: chain.isKnown(first.symbol, at: first.contract),
                    sum: group.reduce(0) { $0 + $1.amount }, unit: first.symbol.unit, offset: offset
                )
            }
        }
        let sorted = keyed.sorted { left, right in
            if left.isTransfer != right.isTransfer { return left.isTransfer }
            if left.isKnown != right.isKnown { return left.isKnown }
            let (leftWhole, rightWhole) = (left.sum / left.unit, right.sum / right.unit)
            if leftWhole != rightWhole { return leftWhole > rightWhole }
            return left.sum != right.sum ? left.sum > right.sum : left.offset < right.offset
        }
        return sorted.map { ($0.group, $0.sum) }
    }

    /// The recipients of one payer and token that are shown.
    private static let shownRecipients = 3

    private func text(of group: [Summary.Total], sum: Int128) -> Group {
        guard let first = group.first else { return Group(text: "") }
        let condition = first.execution.condition.map { "\($0): " } ?? ""
        guard group.count > 1 else { return Group(text: condition + text(first)) }
        // One recipient is named rather than counted.
        let shown = group.count == Self.shownRecipients + 1 ? group.count : Self.shownRecipients
        var details = group.prefix(shown).map { recipient($0, of: sum) }
        let others = group.dropFirst(shown)
        if !others.isEmpty {
            let new = others.count { $0.isFirst }
            details.append(
                "\(amount(others.reduce(0) { $0 + $1.amount }, first)) to \(Amount.text(others.count)) others"
                    + (new > 0 ? " (\(Amount.text(new)) first time)" : ""))
        }
        return Group(
            text: condition + "\(first.payerText) \(amount(sum, first)) "
                + "\(first.kind.preposition) \(Self.accounts(of: group))",
            details: details, greatest: ", \(amount(first.amount, first)) to \(first.recipientText)")
    }

    /// The number of the recipients, of which not all may be listed.
    private static func accounts(of group: [Summary.Total]) -> String {
        let listed = group.count { $0.recipient != nil }
        return (listed < group.count ? "more than " : "") + Amount.count(listed, "account")
    }

    private func recipient(_ total: Summary.Total, of sum: Int128) -> String {
        let percent = sum > 0 && total.amount > 0 ? " (\(Self.percent(total.amount, of: sum)))" : ""
        return "\(amount(total.amount, total)) to \(total.recipientText)\(times(total))\(percent)" + firstTime(total)
    }

    private func text(_ total: Summary.Total) -> String {
        "\(total.payerText) \(amount(total.amount, total)) \(total.kind.preposition) "
            + "\(total.recipientText)\(times(total))\(firstTime(total))"
    }

    private func firstTime(_ total: Summary.Total) -> String {
        total.isFirst ? " (first time)" : ""
    }

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

    /// All payments, one row for each recipient of a payer and token.
    var payments: [String] {
        var rows = Rows(width: width)
        for group in grouped(summary) {
            for (index, total) in group.totals.enumerated() {
                if index == 0, group.totals.count > 1 {
                    rows.append("", words: text(of: group.totals, sum: group.sum).text + ":", indent: 4)
                }
                let isAlone = group.totals.count == 1
                let line = isAlone ? text(of: [total], sum: group.sum).text : recipient(total, of: group.sum)
                rows.append(isAlone ? "" : "  ", words: line, indent: 6)
            }
        }
        return rows.rows
    }

    // MARK: - changes

    private func changes(_ summary: Summary) -> [String] {
        var order: [Name] = []
        var texts: [Name: [String]] = [:]
        for (change, execution) in summary.changes {
            if texts[change.account] == nil { order.append(change.account) }
            texts[change.account, default: []].append(change.text + (execution.condition.map { " (\($0))" } ?? ""))
        }
        let shown = 4
        return order.map { account in
            let list = texts[account] ?? []
            let more = list.count > shown ? " and \(Amount.count(list.count - shown, "more change"))" : ""
            return "\(account.shown): " + list.prefix(shown).joined(separator: ", ") + more
        }
    }
}

extension Name {
    /// The name, or words for the name without letters.
    var shown: String { rawValue == 0 ? "(empty)" : text }
}

extension Execution {
    /// When an action inside runs; nil for an action of the transaction itself.
    fileprivate var condition: String? {
        switch self {
        case .direct: nil
        case .executed: "inside exec"
        case .proposed: "if approved"
        }
    }
}

extension Summary.Total {
    fileprivate var recipientText: String { recipient?.shown ?? "accounts that are not listed" }

    /// The payer and the verb. A payer that does not authorize the payment does not pay.
    fileprivate var payerText: String {
        payer.shown + " " + (isAuthorized ? kind.verb : "does not authorize: \(kind.verb)")
    }

    fileprivate func isSameGroup(as other: Summary.Total) -> Bool {
        (kind, execution, isAuthorized) == (other.kind, other.execution, other.isAuthorized)
            && contract == other.contract && payer == other.payer
            && symbol == other.symbol && (amount < 0) == (other.amount < 0)
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

extension AccountChange {
    fileprivate var text: String {
        switch kind {
        case .created: "new account"
        case .permissionReplaced(let name): "\(name.text) permission changed"
        case .permissionDeleted(let name): "\(name.text) permission deleted"
        case .linked(let contract, let action, let permission):
            "\(contract.text)::\(action?.text ?? "*") linked to \(permission.text)"
        case .unlinked(let contract, let action): "\(contract.text)::\(action?.text ?? "*") unlinked"
        case .codeReplaced: "code replaced"
        case .codeRemoved: "code removed"
        case .abiReplaced: "ABI replaced"
        case .privilegesChanged: "privileges changed"
        }
    }
}

extension Symbol {
    /// The amount of one whole token.
    fileprivate var unit: Int128 { (0..<precision).reduce(1) { unit, _ in 10 * unit } }
}
