import Codecs
import JSON
import Keys
import Shell
import Signing
import Transactions

/// Signs each line of a file with one review and one unlock.
///
/// The file is read twice. The first reading makes the review and keeps the SHA-256 of each block
/// of lines. The second reading compares a block with its SHA-256, signs its lines at once, and
/// prints their results when the signatures are recorded. So every printed signature is in the
/// audit log, and every signed line was reviewed.
struct SignLines<Memory: PaymentMemory> {
    private let batch: SigningBatch
    private let blocks: LineSource
    /// The history in the file, with what this run adds: the review of a line shows what the lines
    /// before it do.
    private let history: SigningBatch.History<Memory>
    /// True to print each signed transaction as packed JSON too.
    private let printsPacked: Bool

    init(
        _ batch: SigningBatch, of lines: LineSource, history: SigningBatch.History<Memory>,
        printsPacked: Bool = false
    ) {
        (self.batch, blocks, self.history, self.printsPacked) = (batch, lines, history, printsPacked)
    }

    // MARK: the first reading

    /// - Throws: `empty`, `idTwice`, `tooManyTotals`, and errors of reading.
    func review() throws -> BatchReview {
        var (review, history, ids) = (BatchReview(), history, BatchIDs())
        var lines = LineBlocks(blocks)
        var progress = ProgressCounter(what: "reviewing", noun: "line")
        defer { progress.end() }
        let now = Clock.now
        var place = lines.place
        while let block = try lines.next() {
            for index in block.lines.indices {
                let line = block.firstLine + index
                let (id, request) = request(block, index, history)
                if let id, let first = ids.add(id, line: line) {
                    throw CommandError.idTwice(line: line, first: first)
                }
                try review.add(request, line: line, now: now)
                if case .success(let request) = request { request.add(to: &history, at: now) }
                progress.count += 1
            }
            history.payments.dropChanges()
            review.add(block, at: place)
            place = lines.place
        }
        guard !review.blocks.isEmpty else { throw InputFile.Failure.empty }
        review.hash = Hex.encode(lines.sha256())
        if batch.hasVault {
            review.history = (self.history.payments.storedCount, self.history.payments.completeSince)
        }
        return review
    }

    /// The id of a line, and the allowed request of the line or why it is refused.
    private func request(
        _ block: LineBlocks.Block, _ index: Int, _ history: SigningBatch.History<Memory>
    ) -> (id: JSONValue?, Result<SigningBatch.Request, any Error>) {
        do {
            let line = try BatchLine(block.line(index))
            return (line.id, Result { try batch.request(reading: line.transaction, history: history) })
        } catch { return (nil, .failure(error)) }
    }

    /// The rows of the lines, for the review.
    func pages(of review: BatchReview) -> BatchPages { BatchPages(batch, of: blocks, review, now: Clock.now) }

    // MARK: the second reading

    /// The state of the second reading. A copy of the history would double its memory.
    fileprivate final class State {
        /// The history that the next line is reviewed with, as at the first reading.
        var reviewed: SigningBatch.History<Memory>
        /// The verified payment history after the last part that was signed.
        var verified: Memory?
        var output: SignedLines
        var signedCount = 0

        init(_ reviewed: SigningBatch.History<Memory>, _ output: SignedLines) {
            (self.reviewed, self.output) = (reviewed, output)
        }
    }

    /// Signs the lines and prints one line for each of them.
    /// - Parameters:
    ///   - reviewed: the blocks of the first reading. The rest of the review needs memory.
    ///   - needsSignature: true if any line does.
    ///   - unlock: unlocks the store. It is not called if no line needs a signature.
    /// - Throws: `ExitStatus` if a line was refused.
    func sign<Store: KeyStore & ~Copyable>(
        _ reviewed: [BatchReview.Block], needsSignature: Bool, unlocking unlock: () throws -> Store
    ) throws where Store.Memory == Memory {
        let state = State(history, SignedLines(printsPacked: printsPacked))
        if !needsSignature {
            try forEachBlock(of: reviewed, state) { block in
                for index in block.lines.indices { copy(block, index, to: state) }
            }
        } else {
            let store = try unlock()
            try forEachBlock(of: reviewed, state) { block in try sign(block, with: store, state) }
        }
        if let status = state.output.status(hasSigned: state.signedCount > 0) { throw status }
    }

    /// Calls `body` with each block that is the same as at the first reading, then prints the
    /// results.
    private func forEachBlock(
        of reviewed: [BatchReview.Block], _ state: State, _ body: (LineBlocks.Block) throws -> Void
    ) throws {
        var lines = LineBlocks(blocks)
        var progress = ProgressCounter(what: "signing", noun: "line")
        defer { progress.end() }
        var printedCount = 0
        do {
            for expected in reviewed {
                guard let block = try lines.next(), block.digest == expected.digest else {
                    throw CommandError.linesChanged(line: progress.count + 1)
                }
                try body(block)
                try print(state)
                printedCount = state.signedCount
                progress.count += block.lines.count
            }
            guard try lines.next() == nil else { throw CommandError.linesChanged(line: progress.count + 1) }
        } catch {
            progress.end()
            if printedCount > 0 { Messages.note(Words.linesSigned(printedCount)) }
            throw error
        }
    }

    private func print(_ state: State) throws {
        try delivering(state.signedCount > 0 ? .signatures : nil, to: nil) { try state.output.print() }
    }

    /// Prints a line that needs no signature.
    private func copy(_ block: LineBlocks.Block, _ index: Int, to state: State) {
        let (id, request) = request(block, index, state.reviewed)
        state.output.begin(line: block.firstLine + index, id)
        switch request {
        case .success(let request):
            state.output.end(request.review.transaction, already: request.wasSignedBefore)
        case .failure(let error): state.output.end(error)
        }
    }

    /// Signs a block at once.
    private func sign<Store: KeyStore & ~Copyable>(
        _ block: LineBlocks.Block, with store: borrowing Store, _ state: State
    ) throws(SigningError) where Store.Memory == Memory {
        let now = Clock.now
        state.verified = try batch.signPart(with: store, after: state.verified.take()) {
            sign throws(SigningError) in
            for index in block.lines.indices {
                let (id, request) = request(block, index, state.reviewed)
                let line = block.firstLine + index
                let isAccepted = try sign(request) { result in
                    state.output.begin(line: line, id)
                    switch result {
                    case .success(let signed):
                        state.output.end(signed.transaction, already: signed.wasSignedBefore)
                    case .failure(let error): state.output.end(error)
                    }
                }
                guard isAccepted, case .success(let accepted) = request else { continue }
                accepted.add(to: &state.reviewed, at: now)
                state.signedCount += accepted.isComplete ? 0 : 1
            }
            state.reviewed.payments.dropChanges()
        }
    }
}
