import ABICodec
import Shell
import Signing
import Transactions

/// The summary of one or many transactions as at most `maximumRows` rows.
///
/// The author of a transaction must not decide what is shown. The parts that run with the
/// transaction come before the parts that are only proposed. Each payer has a row for each token,
/// and each kind of change has a row, before any row has details. ``cut`` counts the rows that have
/// no room.
struct SummaryText {
    let summary: Summary
    let chain: ChainID?
    let width: Int
    var maximumRows: Int
    /// Where the lines are for which there is no room.
    let place: String
    /// The keys of the vault; nil if the review is not for a vault.
    let own: OwnKeys?
    private let payments: SummaryPayments
    /// True if changes of permissions have their new authority.
    var showsAuthorities = true

    init(review: Review, own: OwnKeys?, width: Int, maximumRows: Int = Self.maximumRows) {
        self.init(
            summary: review.summary, chain: review.chain, own: own, width: width, maximumRows: maximumRows)
    }

    init(
        summary: Summary, chain: ChainID?, own: OwnKeys? = nil, width: Int,
        maximumRows: Int = Self.maximumRows,
        place: String = "the actions above", payments: SummaryPayments? = nil
    ) {
        self.payments = payments ?? SummaryPayments(summary, chain: chain)
        (self.summary, self.chain, self.own, self.width) = (summary, chain, own, width)
        (self.maximumRows, self.place) = (maximumRows, place)
    }

    /// The rows of a summary that has details.
    static let maximumRows = 8

    /// The rows that have no room, and that are about a payer, a token or a kind of change that no
    /// other row shows.
    struct Cut: Equatable {
        var payments = 0
        var changes = 0

        var warning: Warning { .summaryCut(payments: payments, changes: changes) }
    }

    var rows: [String] { layout.rows }

    /// The omitted rows; nil for none.
    var cut: Cut? { layout.cut }

    private var layout: (rows: [String], cut: Cut?) {
        let lines = self.lines
        if summary.kinds.count <= 1, lines.count <= 1, lines.first?.details.isEmpty ?? true {
            var rows = Rows(width: width)
            rows.append(
                named: "SUMMARY", parts: [count(summary), lines.first?.text ?? ""], separator: "    ")
            let isShort =
                rows.rows.count <= min(2, maximumRows) && rows.rows.allSatisfy { $0.columns <= width }
            if !lines.isEmpty, isShort { return (rows.rows, nil) }
        }
        let room = min(maximumRows, Self.maximumRows)
        let roomy = heading(summary, atMost: room - min(lines.count, 2))
        for detailed in (0...min(lines.count, room)).reversed() where detailed > 0 {
            if let rows = fitted(lines, detailed: detailed, after: roomy, atMost: room) { return (rows, nil) }
        }
        if let rows = fitted(lines, detailed: 0, after: roomy, atMost: room) { return (rows, nil) }
        // More rows than `room` are only for payers, tokens and kinds of changes.
        let short = heading(summary, kinds: 0)
        return fitted(lines, detailed: 0, after: short, atMost: maximumRows).map { ($0, nil) }
            ?? shortened(lines)
    }

    /// The lines for the transaction itself, then the lines for proposals: in each part the first
    /// payers and tokens, each kind of change, then the other payers and tokens.
    private var lines: [Line] {
        let running = payments.runningCount
        return [0..<running, running..<payments.count].enumerated().flatMap { part, groups in
            let changes = SummaryChanges(
                summary.changes.filter { ($0.execution == .proposed) == (part == 1) },
                showsAuthorities ? ShownAuthorities(summary.authorities, own) : nil
            ).lines
            // No terminal has room for more. The others are only counted.
            let lines = groups.prefix(Self.mostLines).map { payments[$0].line }
            let rest = groups.count - lines.count
            return lines.prefix(Self.firstGroups) + changes + lines.dropFirst(Self.firstGroups)
                + (rest > 0 ? [Line(text: "", count: rest)] : [])
        }
    }

    private static let mostLines = 100

    /// The payers and tokens that are shown before the changes.
    private static let firstGroups = 3

    /// The rows of the lines, the first ones with details; nil if they do not fit.
    private func fitted(_ lines: [Line], detailed: Int, after heading: Rows, atMost room: Int) -> [String]? {
        var rows = heading
        for (index, line) in lines.enumerated() {
            if index < detailed, !line.details.isEmpty {
                append(line.heading + ":", to: &rows)
                for detail in line.details { rows.append("       ", words: detail, indent: 11) }
            } else {
                append(line.text, to: &rows)
            }
            guard rows.rows.count <= room else { return nil }
        }
        return rows.rows.count <= room ? rows.rows : nil
    }

    private func append(_ text: String, to rows: inout Rows) { rows.append("  ", words: text, indent: 6) }

    /// As many lines as there is room for, and the number of the others.
    private func shortened(_ lines: [Line]) -> (rows: [String], cut: Cut?) {
        var rows = heading(summary, kinds: 0)
        var shown = 0
        for line in lines {
            var next = rows
            append(line.text, to: &next)
            guard next.rows.count < maximumRows || shown == 0 && next.rows.count <= maximumRows + 1 else {
                break
            }
            rows = next
            shown += 1
        }
        let rest = lines.dropFirst(shown)
        let count = rest.reduce(0) { $0 + ($1.count ?? 1) }
        let place = rows.isNarrow ? " above" : ": see \(place)"
        append("and \(Amount.count(count, "more line"))\(place)", to: &rows)
        let changes = rest.count(where: \.isChange)
        return (rows.rows, Cut(payments: count - changes, changes: changes))
    }

    /// The number of actions and the rarest kinds of them, as many as there is room for.
    private func heading(_ summary: Summary, atMost limit: Int) -> Rows {
        for shown in (1...Self.shownKinds).reversed() {
            let rows = heading(summary, kinds: shown)
            if rows.rows.count <= limit { return rows }
        }
        return heading(summary, kinds: 0)
    }

    private func heading(_ summary: Summary, kinds shown: Int) -> Rows {
        var rows = Rows(width: width)
        rows.append(named: "SUMMARY", words: count(summary) + kinds(summary, shown))
        return rows
    }

    /// A payer and a token, or a kind of change.
    struct Line {
        /// The text without details.
        let text: String
        /// The number of payers and tokens that the line only counts.
        var count: Int?
        /// The text before the details.
        var heading = ""
        var details: [String] = []
        var isChange = false
    }

    // MARK: - actions

    private func count(_ summary: Summary) -> String {
        var text = Amount.count(summary.actionCount, "action")
        if summary.innerCount > 0 { text += ", \(Amount.text(summary.innerCount)) inner" }
        let blind = summary.kinds.filter { !$0.isDecoded }
        guard let first = blind.first else { return text }
        let names =
            blind.count == 1 ? first.text : "\(first.text) and \(Amount.count(blind.count - 1, "more kind"))"
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
        let texts = sorted.prefix(shown).map {
            "\(Amount.text($0.count)) \($0.isInner ? "inner " : "")\($0.text)"
        }
        let rest = sorted.count - texts.count
        let more = "\(Amount.text(rest)) \(texts.isEmpty ? "" : "more ")\(rest == 1 ? "kind" : "kinds")"
        return ": " + texts.joined(separator: ", ") + (rest > 0 ? (texts.isEmpty ? "" : " and ") + more : "")
    }
}

extension Name {
    /// The name, or words for the name without letters.
    var shown: String { rawValue == 0 ? "(empty)" : text }
}

extension Execution {
    /// When an action inside runs; nil for an action of the transaction itself.
    var condition: String? {
        switch self {
        case .direct: nil
        case .executed: "inside exec"
        case .proposed: "if approved"
        }
    }
}
