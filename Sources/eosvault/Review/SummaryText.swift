import ABICodec
import Signing
import Transactions

/// The summary of a review as at most `maximumRows` rows.
struct SummaryText {
    let review: Review
    let width: Int
    var maximumRows = Self.maximumRows

    static let maximumRows = 8

    var rows: [String] {
        let summary = review.summary
        let lines = payments(summary) + changes(summary).map { Line(text: $0) }
        var rows = Rows(width: width)
        if summary.kinds.count <= 1, lines.count == 1 {
            rows.append("SUMMARY      ", parts: [count(summary), lines[0].text], separator: "    ", indent: 13)
            if rows.rows.count <= 2, rows.rows.allSatisfy({ $0.count <= width }) { return rows.rows }
            rows = Rows(width: width)
        }
        rows = heading(summary, atMost: maximumRows - min(lines.count, 2))
        for (index, line) in lines.enumerated() {
            var next = rows
            next.append(line.isDetail ? "       " : "  ", words: line.text, indent: line.isDetail ? 11 : 6)
            let isLast = index == lines.count - 1
            guard next.rows.count <= maximumRows - (isLast ? 0 : 1) else {
                rows.append(
                    "  and \(Amount.text(lines.count - index)) more \(isLast ? "line" : "lines"): see the actions above"
                )
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
            rows.append("SUMMARY      ", words: count(summary) + kinds(summary, shown), indent: 13)
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
        var text = "\(Amount.text(summary.actionCount)) \(summary.actionCount == 1 ? "action" : "actions")"
        if summary.innerCount > 0 { text += ", \(Amount.text(summary.innerCount)) inner" }
        let blind = summary.kinds.filter { !$0.isDecoded }
        guard let first = blind.first else { return text }
        let names = blind.count == 1 ? first.text : "\(first.text) and \(Words.count(blind.count - 1, "more kind"))"
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

    /// A line for each payer and token, and lines for the greatest amounts of it.
    private func payments(_ summary: Summary) -> [Line] {
        var lines: [Line] = []
        var rest = summary.totals[...]
        while let first = rest.first {
            let group = rest.prefix { $0.isSameGroup(as: first) }
            rest = rest.dropFirst(group.count)
            lines += self.lines(of: Array(group))
        }
        return lines
    }

    /// The recipients of one payer and token that are shown.
    private static let shownRecipients = 3

    private func lines(of group: [Summary.Total]) -> [Line] {
        guard let first = group.first else { return [] }
        guard group.count > 1 else { return [Line(text: condition(first) + text(first))] }
        let sum = group.reduce(0) { $0 + $1.amount }
        var lines = [
            Line(
                text: condition(first) + "\(first.payer.text) \(first.kind.verb) \(amount(sum, first)) "
                    + "\(first.kind.preposition) \(Amount.text(group.count)) accounts:")
        ]
        for total in group.prefix(Self.shownRecipients) {
            let percent = sum > 0 && total.amount > 0 ? " (\(Self.percent(total.amount, of: sum)))" : ""
            let text =
                "\(amount(total.amount, total)) to \(total.recipient.text)\(times(total))\(percent)"
                + firstTime(total)
            lines.append(Line(text: text, isDetail: true))
        }
        if group.count > Self.shownRecipients {
            let others = group.dropFirst(Self.shownRecipients)
            let text = "\(amount(others.reduce(0) { $0 + $1.amount }, first)) to \(Amount.text(others.count)) others"
            lines.append(Line(text: text, isDetail: true))
        }
        return lines
    }

    private func condition(_ total: Summary.Total) -> String { total.isInner ? "\(innerCondition): " : "" }

    /// When the actions inside run: with the action itself, or if the proposal is approved.
    private var innerCondition: String {
        review.allActions.allSatisfy { ($0.nested?.role ?? .wrapped) == .wrapped } ? "inside exec" : "if approved"
    }

    private func text(_ total: Summary.Total) -> String {
        "\(total.payer.text) \(total.kind.verb) \(amount(total.amount, total)) \(total.kind.preposition) "
            + "\(total.recipient.text)\(times(total))\(firstTime(total))"
    }

    private func firstTime(_ total: Summary.Total) -> String {
        review.isFirst(total) ? " (first time)" : ""
    }

    private func times(_ total: Summary.Total) -> String {
        total.kind == .transfer && total.count > 1 ? " in \(Amount.text(total.count)) payments" : ""
    }

    /// The amount, and the token's contract if it is not the chain's known token.
    private func amount(_ amount: Int128, _ total: Summary.Total) -> String {
        Amount.text(amount, total.symbol)
            + (review.chain.isKnown(total.symbol, at: total.contract) ? "" : "@\(total.contract.text)")
    }

    /// With two decimals, rounded down.
    private static func percent(_ part: Int128, of whole: Int128) -> String {
        let (product, overflow) = part.multipliedReportingOverflow(by: 10_000)
        guard !overflow, whole > 0 else { return "" }
        let value = product / whole
        let decimals = value % 100
        return "\(value / 100).\(decimals < 10 ? "0" : "")\(decimals) %"
    }

    // MARK: - changes

    private func changes(_ summary: Summary) -> [String] {
        var order: [Name] = []
        var texts: [Name: [String]] = [:]
        for (change, isInner) in summary.changes {
            if texts[change.account] == nil { order.append(change.account) }
            texts[change.account, default: []].append(change.text + (isInner ? " (\(innerCondition))" : ""))
        }
        let shown = 4
        return order.map { account in
            let list = texts[account] ?? []
            let more = list.count > shown ? " and \(Words.count(list.count - shown, "more change"))" : ""
            return "\(account.text): " + list.prefix(shown).joined(separator: ", ") + more
        }
    }
}

extension Summary.Total {
    fileprivate func isSameGroup(as other: Summary.Total) -> Bool {
        (kind, isInner) == (other.kind, other.isInner) && contract == other.contract && payer == other.payer
            && symbol == other.symbol
    }
}

extension Payment.Kind {
    fileprivate var verb: String {
        switch self {
        case .transfer: "pays"
        case .stake: "stakes"
        case .buyRAM: "buys RAM with"
        case .powerUp: "rents resources with at most"
        }
    }

    fileprivate var preposition: String {
        switch self {
        case .transfer: "to"
        case .stake: "for"
        case .buyRAM, .powerUp: "for"
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
