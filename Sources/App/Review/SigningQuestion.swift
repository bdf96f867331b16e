import JSON
import Policy
import Shell
import Signing
import Transactions

/// A review and the question after it.
package protocol ReviewQuestion {
    /// The rows that may be longer than the screen, in parts that are made when they are shown.
    var pages: ReviewPages { get }
    /// The rows that a person reads before answering.
    func tail(width: Int) -> [String]
    /// - Parameter isPaged: true if the review was longer than the screen, so that `v` shows it
    ///   again.
    func prompt(isPaged: Bool, width: Int) -> String
    /// The word that accepts the review as it was shown; nil if `yes` does.
    func word(width: Int) -> String?
}

/// The question after a review: yes or no, or a word to type if there is a danger.
package struct SigningQuestion: ReviewQuestion {
    let text: ReviewText
    /// The first danger; nil if there is none.
    let danger: Danger?
    private let dangerCount: Int

    init(_ request: SigningRequest, _ text: ReviewText) {
        self.text = text
        let dangers = request.review.dangers(own: request.own)
        danger = dangers.first
        dangerCount = dangers.count
    }

    /// - Parameter asked: the signing request that the transaction comes from.
    package init(_ authorized: AuthorizedRequest, of asked: RequestReview? = nil) {
        let request = authorized.request
        self.init(request, ReviewText(request, asked, clockStep: authorized.clockStep))
    }

    /// The review for a program, as `inspect --json` prints it.
    package var json: JSONValue { text.json }

    /// The error if the answer was not the one that accepts.
    package var declined: any WordedError {
        danger.map { CommandError.dangerDeclined(word: $0.subject) } ?? CommandError.declined
    }

    /// The subject of the first danger. If the summary omits something, the number of the actions
    /// follows, which a person reads in the review.
    package func word(width: Int) -> String? {
        let number = text(width).cut == nil ? nil : String(text.review.summary.actionCount)
        let words = [danger?.subject, number].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    package var pages: ReviewPages { ReviewPages { width in text(width).body } }

    package func tail(width: Int) -> [String] { text(width).tail }

    private func text(_ width: Int) -> ReviewText {
        var text = text
        text.width = width
        text.question = { width in
            let prompts = [false, true].map { prompt(isPaged: true, isCut: $0, width: width) }
            return prompts.max { $0.columns < $1.columns } ?? ""
        }
        return text
    }

    package func prompt(isPaged: Bool, width: Int) -> String {
        prompt(isPaged: isPaged, isCut: text(width).cut != nil, width: width)
    }

    private func prompt(isPaged: Bool, isCut: Bool, width: Int) -> String {
        let review = text.review
        let (count, inner) = (review.summary.actionCount, review.summary.innerCount)
        let chain = review.chain?.title(named: review.chainName) ?? ""
        let innerText = inner > 0 ? " (\(Amount.text(inner)) inner)" : ""
        let again = isPaged ? width < 60 ? " (v: review)" : " (v shows the review again)" : ""
        let these = count == 1 ? "this action" : "these \(Amount.text(count)) actions"
        // The word to type is always next to the place where it is typed.
        let start = "To sign \(these)\(innerText) for \(chain)\(again),"
        func typed(_ word: String) -> String {
            let request = "type \(word): "
            return start + (start.columns + 1 + request.columns < width ? " " : "\n") + request
        }
        guard let danger else {
            guard !isCut else { return typed("the number of actions") }
            if let login = text.request?.login {
                return "Sign this LOGIN \(login), for \(chain)\(again)? [y/N] "
            }
            let question = count == 1 ? "Sign this 1 action" : "Sign \(these)"
            return "\(question)\(innerText) for \(chain)\(again)? [y/N] "
        }
        let isProposal = [.approvalWithoutHash, .unseenProposal, .unseenExecution].contains(danger.code)
        let whose = isProposal ? "proposer" : "account"
        let account = dangerCount == 1 ? "the \(whose)'s name" : "the \(whose) of \(danger.code.rawValue)"
        let word = danger.subject.contains("::") ? danger.subject : account
        return typed(isCut ? "\(word), a space and the number of actions" : word)
    }

}

extension ReviewText {
    /// The review of a request, at this time.
    /// - Parameter asked: the signing request that the transaction comes from.
    init(_ request: SigningRequest, _ asked: RequestReview?, clockStep: UInt32?) {
        self.init(
            review: request.review, now: Clock.now, own: request.own,
            keys: request.missing.map(\.description), request: asked, clockStep: clockStep)
    }
}

extension Terminal {
    /// Shows a review and asks. A review that is longer than the screen is shown page by page.
    /// - Throws: `Failure`, and the errors of the pages.
    package borrowing func confirm(_ question: some ReviewQuestion) throws -> Bool {
        var width = size.columns
        let pages = question.pages
        let isPaged =
            try hasControlSequences && height(of: pages, before: question.tail(width: width)) + 2 > size.rows
        if !isPaged { for part in 0..<pages.count { write(try pages.rows(part, width).lines) } }
        while true {
            if isPaged {
                try page(Pager(size: size, pages))
                width = size.columns
            }
            write(question.tail(width: width).lines)
            let answer = try decide(question.prompt(isPaged: isPaged, width: width))
            let word = question.word(width: width)
            guard isPaged, answer == "v", word != "v" else {
                // The number of actions is shown with commas. No name has one.
                return word.map { answer.filter { $0 != "," } == $0 }
                    ?? ["y", "yes"].contains(answer.lowercased())
            }
        }
    }
}

extension Terminal {
    /// The rows that the pages and the rows after them need, or more than the screen has.
    private borrowing func height(of pages: ReviewPages, before tail: [String]) throws -> Int {
        let size = size
        var height = tail.height(at: size.columns)
        for part in 0..<pages.count where height <= size.rows {
            height += try pages.rows(part, size.columns).height(at: size.columns)
        }
        return height
    }
}

extension String {
    /// The rows of a question. The cursor needs a column after it.
    func questionHeight(at width: Int) -> Int {
        split(separator: "\n").reduce(0) { $0 + ($1.columns + width - 2) / (width - 1) }
    }
}

extension [String] {
    fileprivate var lines: String { map { $0 + "\n" }.joined() }
}
