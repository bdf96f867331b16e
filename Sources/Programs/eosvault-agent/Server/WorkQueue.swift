import Signing
import Synchronization
import WalletAPI

/// A request that needs the vault.
final class Job: Sendable {
    /// The connection or the repeated request that waits for the answer.
    let ticket: UInt64
    /// The process at the other end of the connection.
    let requester: Requester?
    /// The number of locks when the request arrived.
    let epoch: UInt64
    /// True for a call of the agent's own, whose errors have stable codes.
    let isOwn: Bool
    /// True for a PIN or another secret to try.
    let isUnlock: Bool
    private let operation: Mutex<WalletOperation?>
    private let wanted = Atomic(true)

    init(
        _ operation: consuming WalletOperation, ticket: UInt64, by requester: Requester?,
        epoch: UInt64
    ) {
        (isOwn, isUnlock) = (operation.isOwn, operation.isUnlock)
        self.operation = Mutex(consume operation)
        (self.ticket, self.requester, self.epoch) = (ticket, requester, epoch)
    }

    /// The operation, for the first caller.
    func take() -> WalletOperation? { operation.withLock { $0.take() } }

    /// False after the last client that waits for the answer has gone.
    var isWanted: Bool { wanted.load(ordering: .relaxed) }

    func withdraw() { wanted.store(false, ordering: .relaxed) }

    /// Another client waits for the answer.
    func want() { wanted.store(true, ordering: .relaxed) }
}

/// What the thread of the vault does next.
enum Work: Sendable {
    case job(Job)
    /// A request that was asked about and accepted.
    case accepted(Question)

    var job: Job {
        switch self {
        case .job(let job): job
        case .accepted(let question): question.job
        }
    }
}

/// Values that one thread gives to another, in order.
final class Mailbox<Element: Sendable>: Sendable {
    let bell: Bell
    private let elements = Mutex<(waiting: [Element], isClosed: Bool)>(([], false))

    init(_ bell: Bell) { self.bell = bell }

    func add(_ element: Element) {
        elements.withLock { $0.waiting.append(element) }
        bell.ring()
    }

    /// No more elements follow.
    func close() {
        elements.withLock { $0.isClosed = true }
        bell.ring()
    }

    /// Waits for an element, and takes it. Several threads can wait.
    /// - Returns: nil after the last one.
    func next() -> Element? {
        while true {
            let (element, isOver, hasMore) = elements.withLock { elements in
                let element = elements.waiting.isEmpty ? nil : elements.waiting.removeFirst()
                return (element, elements.isClosed, !elements.waiting.isEmpty)
            }
            // One ring wakes one thread at least.
            if hasMore || isOver { bell.ring() }
            if let element { return element }
            if isOver { return nil }
            bell.wait(seconds: nil)
        }
    }

    var isClosed: Bool { elements.withLock { $0.isClosed } }

    var count: Int { elements.withLock { $0.waiting.count } }

    /// Takes all elements; none if there are none yet.
    func takeAll() -> [Element] {
        elements.withLock { elements in
            defer { elements.waiting = [] }
            return elements.waiting
        }
    }
}
