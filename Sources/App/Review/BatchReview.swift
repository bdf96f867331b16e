import ABICodec
import JSON
import Keys
import Policy
import Shell
import Signing
import Transactions

/// The results of the first reading of the file of `sign --lines`.
struct BatchReview {
    /// The blocks of lines, which each other reading must find again.
    private(set) var blocks: [Block] = []
    /// The state of each line: 0 if it can be signed, 1 if it was signed already, or 2 and the
    /// index of its refusal.
    private var states: [UInt8] = []
    private(set) var summary: BatchSummary
    /// The errors of refused lines, by code and kind of rule, in the order of their first lines.
    private(set) var refusals: [Refusal] = []
    /// The SHA-256 of the file, in hex.
    var hash = ""
    /// The vault's history of earlier signatures: their number, and since when it has all of them;
    /// nil without a vault.
    var history: (storedCount: Int, completeSince: Int64?)?

    struct Block {
        let place: LineBlocks.Place
        let lineCount: Int
        let digest: [UInt8]
    }

    enum LineState {
        case signable, complete
        case refused(Refusal)
    }

    struct Refusal {
        let words: Words
        let line: Int
        fileprivate(set) var count = 1

        /// The code, and for a refusal by a policy the member that refused, without the number of a
        /// rule or limit: `policy-rule /rules/#`.
        fileprivate static func kind(_ words: Words) -> String {
            let member = words.members?["policy"]?["member"]?.string ?? ""
            let parts = member.split(separator: "/").prefix(2).map { Int($0) == nil ? "/\($0)" : "/#" }
            return "\(words.code.name) \(parts.joined())"
        }
    }

    init(_ summary: BatchSummary = BatchSummary()) { self.summary = summary }

    var lineCount: Int { states.count }

    /// - Parameter line: the number of a line, from 1.
    func state(of line: Int) -> LineState {
        let state = Int(states[line - 1])
        return state < 2 ? (state == 0 ? .signable : .complete) : .refused(refusals[state - 2])
    }

    mutating func add(_ block: LineBlocks.Block, at place: LineBlocks.Place) {
        blocks.append(Block(place: place, lineCount: block.lines.count, digest: block.digest))
    }

    /// `3 earlier signatures`, and how far back they reach if older ones were removed.
    fileprivate var historyText: String? {
        history.map { history in
            Amount.count(history.storedCount, "earlier signature")
                + (history.completeSince.map { ", complete since \(Clock.rfc3339($0))" } ?? "")
        }
    }

    var refusedCount: Int { refusals.reduce(0) { $0 + $1.count } }

    /// - Throws: `tooManyTotals`.
    mutating func add(
        _ result: Result<SigningBatch.Request, any Error>, line: Int, now: Int64
    ) throws(CommandError) {
        switch result {
        case .success(let request):
            states.append(request.isComplete ? 1 : 0)
            guard summary.add(request, line: line, now: now) else { throw .tooManyTotals(line: line) }
        case .failure(let error):
            let words = Words(ofLine: error)
            let kind = Refusal.kind(words)
            if let index = refusals.firstIndex(where: { Refusal.kind($0.words) == kind }) {
                refusals[index].count += 1
                states.append(UInt8(index + 2))
            } else {
                states.append(UInt8(refusals.count + 2))
                refusals.append(Refusal(words: words, line: line))
            }
        }
    }
}

extension Words {
    /// The words of an error in one line of a file. The number of the line is stated with them, so
    /// they state only the column.
    package init(ofLine error: any Error) {
        let words = Words(for: error)
        self.init(
            words.code, words.message.replacing("line 1, column", with: "column"), hint: words.hint,
            members: words.members)
    }
}

/// The review of many transactions and one question for all of them.
struct BatchQuestion: ReviewQuestion, JSONDescribed {
    let review: BatchReview
    private let summary: Summary
    private let payments: SummaryPayments
    private let chain: ChainID
    private let chainName: String?
    private let keys: [KeyDescription]
    private let lines: BatchPages

    /// - Parameters:
    ///   - lines: the rows of each line.
    ///   - keys: none if the lines are only reviewed.
    init(_ review: BatchReview, _ lines: BatchPages, of batch: SigningBatch, keys: [KeyDescription]) {
        (self.review, self.lines, self.keys) = (review, lines, keys)
        (chain, chainName) = (batch.chain, batch.chainName)
        summary = review.summary.running.summary
        payments = SummaryPayments(summary, chain: chain)
    }

    private static let shownWarnings = 5
    private static let shownRefusals = 3

    /// If the summary omits something, the number of the actions, which a person reads in it.
    func word(width: Int) -> String? {
        summaryText(width: width).cut == nil ? nil : String(summary.actionCount)
    }

    func prompt(isPaged: Bool, width: Int) -> String {
        let name = chain.title(named: chainName)
        let again = isPaged ? " (v shows the review again)" : ""
        let count = Amount.count(review.summary.signableCount, "transaction")
        guard word(width: width) == nil else {
            return "To sign \(count) for \(name)\(again),\ntype the number of actions: "
        }
        return "Sign \(count) for \(name)\(again)? [y/N] "
    }

    /// Each line, then the payments to each recipient, and all warnings and refusals.
    var pages: ReviewPages {
        ReviewPages(
            lines: lines.count + payments.partCount + 1, estimate: BatchPages.partSize, part: lines.part,
            rows: { part, width in
                guard part < lines.count else { return totals(part - lines.count, width: width) }
                return try (part == 0 ? head(width: width) : []) + lines.rows(part, width: width)
            })
    }

    private func head(width: Int) -> [String] {
        var rows = Rows(width: width)
        rows.append(named: "chain", words: chain.line(named: chainName))
        rows.append("")
        return rows.rows
    }

    /// A part of the payments, or after them all warnings and refusals.
    private func totals(_ part: Int, width: Int) -> [String] {
        guard part == payments.partCount else {
            return (part == 0 ? ["", "all payments:"] : []) + payments.rows(of: part, width: width)
        }
        var rows = Rows(width: width)
        rows.append("")
        if warnings.count > Self.shownWarnings || refusals.count > Self.shownRefusals {
            rows.append("all warnings and refused lines:")
            for words in warnings + refusals { rows.append("", words: words, indent: 13) }
            rows.append("")
        }
        return rows.rows
    }

    func tail(width: Int) -> [String] {
        let text = summaryText(width: width)
        let question = prompt(isPaged: true, width: width).questionHeight(at: width)
        let (summary, notices, rest) = (text.rows, notices(text.cut, width: width), facts(width: width))
        let height = summary.height(at: width) + notices.height(at: width) + rest.height(at: width) + question
        // Rows that have no room come before the summary: the last screen always has the summary.
        return height <= Self.lastRows ? summary + notices + rest : notices + rest + summary
    }

    private static let lastRows = 24

    private var warnings: [String] {
        review.summary.warnings.map { $0.first.line(at: "\(Self.place($0.line, $0.count)): ") }
    }

    private var refusals: [String] {
        review.refusals.map { refusal in
            "REFUSED \(refusal.words.code.name): \(Self.place(refusal.line, refusal.count)): "
                + refusal.words.message
        }
    }

    /// `line 7`, `3 lines, first line 7`
    private static func place(_ line: Int, _ count: Int) -> String {
        count == 1 ? "line \(line)" : "\(Amount.text(count)) lines, first line \(line)"
    }

    /// The first refused lines and warnings.
    private func notices(_ cut: SummaryText.Cut?, width: Int) -> [String] {
        let (warnings, refusals) = (warnings, refusals)
        var rows = Rows(width: width)
        let shown = refusals.prefix(Self.shownRefusals) + warnings.prefix(Self.shownWarnings)
        for words in (cut.map { [$0.warning.line()] } ?? []) + shown {
            rows.append("", words: words, indent: 13)
        }
        let rest = warnings.count + refusals.count - shown.count
        if rest > 0 { rows.append("", words: "and \(Amount.count(rest, "more kind")): see above", indent: 2) }
        return rows.rows
    }

    /// The numbers of the lines, the times, the hash and the keys.
    private func facts(width: Int) -> [String] {
        var rows = Rows(width: width)
        rows.append(named: "lines", words: counts)
        if let expirations = review.summary.expirations {
            let (first, last) = (Self.date(expirations.lowerBound), Self.date(expirations.upperBound))
            rows.append(named: "expire", words: first == last ? "\(first) UTC" : "\(first) to \(last) UTC")
        }
        if let history = review.historyText { rows.append(named: "history", words: history) }
        rows.append(named: "sha256", words: review.hash)
        if chain.chain == nil, chainName == nil { rows.append(named: "chain", words: chain.text) }
        for (index, key) in keys.enumerated() {
            let label = key.label.map { [Printable.label($0)] } ?? []
            rows.append(named: index == 0 ? "signs with" : "", parts: [key.publicKey.text] + label)
        }
        return rows.rows
    }

    /// The rows of the summary at most.
    private static let summaryRows = 10

    private func summaryText(width: Int) -> SummaryText {
        SummaryText(
            summary: summary, chain: chain, width: width, maximumRows: Self.summaryRows,
            place: "the lines above",
            payments: payments)
    }

    /// Writes the whole review, in parts.
    func write(width: Int, _ write: (String) throws -> Void) throws {
        let pages = pages
        for part in 0..<pages.count { try write(pages.rows(part, width).map { $0 + "\n" }.joined()) }
        try write(tail(width: width).map { $0 + "\n" }.joined())
    }

    /// `1,000: 998 to sign, 1 signed already, 1 refused`
    private var counts: String {
        var parts = ["\(Amount.text(review.summary.signableCount)) \(keys.isEmpty ? "shown" : "to sign")"]
        if review.summary.repeatedCount > 0 {
            parts.append("\(Amount.text(review.summary.repeatedCount)) of them signed before")
        }
        if review.summary.completeCount > 0 {
            parts.append("\(Amount.text(review.summary.completeCount)) signed already")
        }
        if review.refusedCount > 0 { parts.append("\(Amount.text(review.refusedCount)) refused") }
        return "\(Amount.text(review.lineCount)): \(parts.joined(separator: ", "))"
    }

    private static func date(_ seconds: UInt32) -> String { ReviewText.date(TimePointSec(seconds: seconds)) }

    /// Writes a JSON object for each line, then the summary.
    func writeJSON(_ write: (JSONValue) throws -> Void) throws {
        for part in 0..<lines.count {
            try lines.forEachLine(of: part) { line, id, content in
                switch content {
                case .success(let review):
                    try write(Self.line.json(Line(number: line, id: id, review: lines.text(of: review))))
                case .failure(let error):
                    try write(Self.line.json(Line(number: line, id: id, refusal: Words(ofLine: error))))
                }
            }
        }
        try write(Self.line.json(Line(batch: self)))
    }

    /// A line of `inspect --lines`; the last one has the review.
    struct Line {
        var number: Int?
        var id: JSONValue?
        var review: ReviewText?
        var refusal: Words?
        var batch: BatchQuestion?
    }

    static let line = JSONObject<Line>([
        .number("line?", "the number of the line, from 1") { $0.number },
        .any("id?", "the text or the integer of the line") { $0.id },
    ]).adding(ReviewText.object, ifAny: { $0.review }).adding([
        .error("error?", "why the line can't be signed") { $0.refusal },
        .any("review?", "after all lines: the review of `sign --lines`") { $0.batch?.json },
    ])

    /// For programs: the object of `{"review": …}`.
    static let object = JSONObject<BatchQuestion>([
        .number("lines", "the number of lines in the file") { $0.review.lineCount },
        .number("to_sign", "the number of lines to sign") { $0.review.summary.signableCount },
        .number("signed_already", "the number of lines that all chosen keys have signed already") {
            $0.review.summary.completeCount
        },
        .number("signed_before", "the number of lines to sign that this vault signed before") {
            $0.review.summary.repeatedCount
        },
        .number("refused", "the number of refused lines") { $0.review.refusedCount },
        .text("sha256", "the SHA-256 of the file") { $0.review.hash },
        .text("chain_id", "the chain") { $0.chain.text },
        .text(orNull: "chain", "its name; null for an unknown chain") {
            $0.chain.chain?.name ?? $0.chainName
        },
        .number(
            orNull: "history",
            "the number of earlier signatures that the vault remembers; null without a vault"
        ) { $0.review.history?.storedCount },
        .text(
            orNull: "history_complete_since", "when older ones were removed: since when it has each signature"
        ) { $0.review.history?.completeSince.map { Clock.rfc3339($0) } },
        .object("summary", Summary.object, "what the transactions do together") { $0.summary },
        .list("warnings", of: flagged, "the warnings, each kind once") { $0.review.summary.warnings },
        .list("errors", of: refusal, "why lines are refused") { $0.review.refusals },
        .texts("keys", "the signing keys") { $0.keys.map(\.publicKey.text) },
    ])

    private static let flagged = JSONObject<BatchSummary.Flagged>([
        .text("code", "its code") { $0.code.rawValue },
        .text("severity", "note, warning or danger") { $0.severity.rawValue },
        .text("message", "for people, of the first line") { $0.first.text },
        .number("line", "the first line with this warning") { $0.line },
        .number("count", "the number of lines with this warning") { $0.count },
    ])

    private static let refusal = JSONObject<BatchReview.Refusal>([]).adding(described: .error) {
        Words($0.words.code, $0.words.message, hint: $0.words.hint).json
    }.adding(
        [
            .number("line", "the first line with this error") { $0.line },
            .number("count", "the number of lines with this error") { $0.count },
        ])
}
