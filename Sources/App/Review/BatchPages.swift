import ABICodec
import JSON
import Policy
import Shell
import Signing
import Transactions

/// The lines of a batch as rows, for any number of lines: a block of the file is read again when
/// one of its lines is shown. It must have the same SHA-256 as at the first reading.
final class BatchPages {
    private let batch: SigningBatch
    private let source: LineSource
    private let review: BatchReview
    private let now: Int64
    /// The first part of each block, and the number of all parts.
    private let firstParts: [Int]
    /// The block that was read last.
    private var last: (index: Int, block: LineBlocks.Block)?

    /// The lines of a part.
    static let partSize = 100

    init(_ batch: SigningBatch, of source: LineSource, _ review: BatchReview, now: Int64) {
        (self.batch, self.source, self.review, self.now) = (batch, source, review, now)
        firstParts = review.blocks.reduce(into: [0]) { parts, block in
            parts.append((parts.last ?? 0) + (block.lineCount + Self.partSize - 1) / Self.partSize)
        }
    }

    var count: Int { firstParts.last ?? 0 }

    /// The part with a line; nil if there is no such line.
    func part(ofLine line: Int) -> Int? {
        guard line > 0, line <= review.lineCount,
            let block = review.blocks.lastIndex(where: { $0.place.lineCount < line })
        else { return nil }
        return firstParts[block] + (line - 1 - review.blocks[block].place.lineCount) / Self.partSize
    }

    /// - Throws: `linesChanged`, errors of reading.
    func rows(_ part: Int, width: Int) throws -> [String] {
        var rows: [String] = []
        try forEachLine(of: part) { line, id, content in
            rows += LineText(batch: batch, review: review, line: line, id: id, now: now, width: width).rows(
                content)
        }
        return rows
    }

    /// Calls `body` with the number and the transaction of each line of a part.
    /// - Throws: `linesChanged`, errors of reading, and the errors of `body`.
    func forEachLine(of part: Int, _ body: (Int, JSONValue?, Result<Review, any Error>) throws -> Void) throws
    {
        guard let index = firstParts.dropLast().lastIndex(where: { $0 <= part }) else { return }
        let block = try block(index)
        let first = (part - firstParts[index]) * Self.partSize
        for line in first..<min(first + Self.partSize, block.lines.count) {
            let read = Result { () throws in try BatchLine(block.line(line)) }
            let content = read.flatMap { line in
                Result { () throws in try batch.review(reading: line.transaction) }
            }
            try body(block.firstLine + line, (try? read.get())?.id, content)
        }
    }

    /// The review of one line, as `inspect` shows it.
    func text(of review: Review) -> ReviewText {
        ReviewText(review: review, now: now, own: batch.ownKeys(of: review))
    }

    private func block(_ index: Int) throws -> LineBlocks.Block {
        if let last, last.index == index { return last.block }
        let expected = review.blocks[index]
        var blocks = LineBlocks(source, at: expected.place)
        guard let block = try blocks.next(), block.digest == expected.digest else {
            throw CommandError.linesChanged(line: expected.place.lineCount + 1)
        }
        last = (index, block)
        return block
    }
}

/// One line of a batch as rows. A plain payment is one row; any other transaction is shown as
/// `inspect` shows it.
private struct LineText {
    let batch: SigningBatch
    let review: BatchReview
    let line: Int
    let id: JSONValue?
    let now: Int64
    let width: Int

    func rows(_ content: Result<Review, any Error>) -> [String] {
        switch content {
        case .failure(let error):
            let words = Words(ofLine: error)
            return row(["REFUSED \(words.code.name):"] + words.message.split(separator: " ").map(String.init))
        case .success(let transaction): return rows(transaction)
        }
    }

    /// The reason that the line is not signed; empty for a line to sign.
    private var state: [String] {
        switch review.state(of: line) {
        case .signable: []
        case .complete: ["signed already:"]
        case .refused(let refusal): ["REFUSED \(refusal.words.code.name):"]
        }
    }

    private func rows(_ transaction: Review) -> [String] {
        let own = batch.ownKeys(of: transaction)
        let warnings = transaction.warnings(now: now, own: own)
        if let payment = transaction.plainPayment {
            let (amount, memo) = (payment.payment.quantity, payment.memo)
            let isKnown = transaction.chain.isKnown(amount.symbol, at: payment.payment.contract)
            let contract = isKnown ? "" : "@\(payment.payment.contract.text)"
            let codes = Set(warnings.filter { $0.action != nil && $0.severity != .note }.map(\.code.rawValue))
                .sorted()
            return row(
                state + [
                    "\(payment.payment.payer.text) pays \(Amount.text(amount))\(contract) to "
                        + payment.payment.recipient.shown,
                    "memo \(QuotedText.quoted(memo))",
                ] + (codes.isEmpty ? [] : ["WARNING \(codes.joined(separator: ", "))"]), separator: "  ")
        }
        var text = ReviewText(review: transaction, now: now, own: own)
        text.width = width
        let all = WarningText(warnings, review: transaction, width: width).rows(atMost: .max).rows
        return row(state + ["transaction \(transaction.transaction.id)"]) + text.contents + all
            + (all.isEmpty ? [] : [""])
    }

    private func row(_ parts: [String], separator: String = " ") -> [String] {
        var rows = Rows(width: width)
        let name = "line \(Amount.text(line))"
        let id = id.map { ["id " + ($0.string.map(QuotedText.quoted) ?? $0.number ?? "")] } ?? []
        rows.append(
            (width < 60 ? name : name.padded(to: 12)) + " ", parts: parts + id, separator: separator,
            indent: width < 60 ? 2 : 13)
        return rows.rows
    }
}

extension Review {
    /// The payment of a transaction that does nothing else: one transfer, authorized by its payer's
    /// active permission, decoded without a given ABI, in a transaction without anything unusual.
    fileprivate var plainPayment: (payment: Payment, memo: String)? {
        let header = transaction.transaction
        guard contextFreeActions.isEmpty, actions.count == 1, let action = actions.first,
            action.nested == nil,
            let payment = action.payments.first, payment.kind == .transfer,
            action.value?.fields?.map(\.name) == ["from", "to", "quantity", "memo"],
            case .text(let memo)? = action.value?.fields?.last?.value,
            action.action.authorization.map(\.text) == ["\(payment.payer.text)@active"],
            header.extensions.isEmpty, header.delaySec == 0, header.maxNetUsageWords == 0,
            header.maxCPUUsageMS == 0,
            transaction.contextFreeData.isEmpty, transaction.signatures.isEmpty
        else { return nil }
        switch action.content {
        case .decoded(.builtIn), .decoded(.pinned): return (payment, memo)
        default: return nil
        }
    }
}
