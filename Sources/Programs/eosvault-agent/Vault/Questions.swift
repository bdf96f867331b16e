import ABICodec
import App
import Files
import Messages
import Shell
import Signing
import Transactions
import WalletAPI

/// Who accepts the requests.
enum Confirmation: Sendable {
    /// A person at the terminal of the agent.
    case terminal
    /// The policies of the keys, and nobody else.
    case policy
    /// A program, within this number of seconds.
    case program(ConsentProgram, timeout: Double)

    var name: String {
        switch self {
        case .terminal: "terminal"
        case .policy: "policy"
        case .program: "program"
        }
    }

    /// The consent that a request needs.
    var consent: any Consent {
        switch self {
        case .terminal: PersonConsent()
        case .policy: PolicyConsent()
        case .program: ProgramConsent()
        }
    }

    /// How many requests are asked about at once.
    var askedAtOnce: Int {
        switch self {
        case .terminal: 1
        case .policy: 0
        case .program: ConsentProgram.maximumCount
        }
    }
}

/// A request that waits for an answer.
struct Question: Sendable {
    let job: Job
    let wanted: SignatureWanted
    let request: AuthorizedRequest
}

/// Asks about requests. No lock of the vault is held meanwhile, and no other request waits.
final class Questions: Sendable {
    private let confirmation: Confirmation
    private let waiting: Mailbox<Question>
    private let lock: VaultLock
    /// Takes the accepted requests.
    private let accepted: @Sendable (Question) -> Void
    /// Takes the others.
    private let refused: @Sendable (Question, WalletError) -> Void

    init(
        _ confirmation: Confirmation, _ waiting: Mailbox<Question>, _ lock: VaultLock,
        accepted: @escaping @Sendable (Question) -> Void,
        refused: @escaping @Sendable (Question, WalletError) -> Void
    ) {
        (self.confirmation, self.waiting, self.lock) = (confirmation, waiting, lock)
        (self.accepted, self.refused) = (accepted, refused)
    }

    /// Asks until no more questions follow.
    func run() {
        while let question = waiting.next() {
            do {
                try question.expectValid(lock)
                try ask(question)
                try question.expectValid(lock)
                accepted(question)
            } catch { refused(question, WalletError(refused: error, isOwn: question.job.isOwn)) }
        }
    }

    /// - Throws: why the request was not accepted.
    private func ask(_ question: Question) throws {
        let review = SigningQuestion(question.request)
        switch confirmation {
        case .policy: throw review.declined
        case .terminal:
            guard try ask(question, review) else { throw review.declined }
        case .program(let program, let timeout):
            let (consent, lock) = (ProgramConsent(), lock)
            let answer = program.ask(
                json: Array(Printable.json(review.json).utf8),
                limit: ProgramConsent.maximumSize(for: question.request), timeout: timeout,
                isWithdrawn: { !question.isValid(lock) })
            // The lock, or the end of the client, is the reason then.
            if answer.end == .withdrawn { try question.expectValid(lock) }
            guard consent.isAccepted(question.request, status: answer.status, output: answer.output) else {
                throw AgentError.programRefused(answer.reason)
            }
        }
    }

    private func ask(_ question: Question, _ review: SigningQuestion) throws -> Bool {
        var terminal = try Terminal.open(for: .confirmation)
        guard terminal.isInForeground else { throw AgentError.inBackground }
        terminal.write(Words.request(by: question.job.requester, others: waiting.count) + "\n")
        terminal.isWithdrawn = { [lock] in !question.isValid(lock) }
        do { return try terminal.confirm(review) } catch Terminal.Failure.withdrawn {
            terminal.write("\n" + Words.withdrawn + "\n")
            throw Terminal.Failure.withdrawn
        }
    }
}

extension Question {
    private var isExpired: Bool {
        let review = request.request.review
        return !review.isLogin && review.remaining(now: Clock.now) <= 0
    }

    /// False if nobody wants the signature any more, or the vault was locked.
    func isWanted(_ lock: VaultLock) -> Bool { job.isWanted && lock.isUnlocked(since: job.epoch) }

    /// The same, and false if the transaction has expired.
    func isValid(_ lock: VaultLock) -> Bool { isWanted(lock) && !isExpired }

    func expectValid(_ lock: VaultLock) throws { if !isValid(lock) { throw reason(lock) } }

    /// Why the request is not valid.
    func reason(_ lock: VaultLock) -> any Error {
        lock.isUnlocked(since: job.epoch) ? AgentError.expired : job.isLocked
    }
}

extension Job {
    /// The error for a request after a lock.
    var isLocked: WalletError { isOwn ? WalletError(Words(.locked)) : .isLocked }
}

extension Words {
    fileprivate static let withdrawn = "The request was withdrawn: nothing was signed."

    /// The line before a review at the terminal of the agent.
    fileprivate static func request(by requester: Requester?, others: Int) -> String {
        let source = requester.map { "\(Printable.line($0.program)), user \($0.uid)" } ?? "an unknown process"
        return "\nRequest from \(source)"
            + (others > 0 ? "; \(Words.count(others, "other request")) wait" + (others == 1 ? "s" : "") : "")
    }
}
