import Keys
import Transactions
import WalletAPI

/// The requests that wait for the vault, and the last ones that were signed.
///
/// libcurl sends a request again if a connection ends before the answer. The same transaction with
/// the same keys is one request: it is asked, signed, recorded and counted once.
struct Requests {
    /// What makes two requests the same: the digest has the transaction and the chain.
    struct Identity: Hashable {
        private let digest: [UInt8]
        private let keys: [PublicKey]
        private let signatures: [String]

        init(_ call: SigningCall) {
            digest = call.transaction.digest(for: call.chain).bytes
            keys = call.keys
            signatures = call.transaction.signatures.map(\.text)
        }
    }

    private struct Waiting {
        let job: Job
        var clients: [UInt64]
        let identity: Identity?
    }

    private struct Done {
        let answer: WalletAnswer
        let time: Double
    }

    /// How long a signed request is remembered, in seconds, and how many, and their bytes.
    private static let (duration, doneLimit, sizeLimit) = (120.0, 512, 4 << 20)

    private var waiting: [UInt64: Waiting] = [:]
    private var tickets: [Identity: UInt64] = [:]
    private var done: [Identity: Done] = [:]
    /// The signed requests, the oldest first.
    private var order: [Identity] = []
    private var size = 0
    /// The number of locks when the last request was remembered.
    private var epoch: UInt64 = 0
    private var lastTicket: UInt64 = 0

    var count: Int { waiting.count }

    /// True for a call of the agent's own.
    func isOwn(_ ticket: UInt64) -> Bool { waiting[ticket]?.job.isOwn ?? false }

    mutating func makeTicket() -> UInt64 {
        lastTicket += 1
        return lastTicket
    }

    /// The answer to the same request, if it was signed a short time ago and no lock came since.
    mutating func answer(to identity: Identity, epoch: UInt64, at now: Double) -> WalletAnswer? {
        if epoch != self.epoch { forget(at: epoch) }
        guard let found = done[identity], now - found.time < Self.duration else { return nil }
        return found.answer
    }

    /// Lets a client wait for the same request that another one sent.
    /// - Returns: false if there is none.
    mutating func join(_ client: UInt64, _ identity: Identity) -> Bool {
        guard let ticket = tickets[identity], let job = waiting[ticket]?.job else { return false }
        // Its first client may have gone, and it may be signed at this moment.
        job.want()
        waiting[ticket]?.clients.append(client)
        return true
    }

    mutating func add(_ job: Job, from client: UInt64, _ identity: Identity?) {
        waiting[job.ticket] = Waiting(job: job, clients: [client], identity: identity)
        if let identity { tickets[identity] = job.ticket }
    }

    /// A client has gone. A request that nobody waits for any more is withdrawn.
    mutating func remove(client: UInt64) {
        for ticket in waiting.keys where waiting[ticket]?.clients.contains(client) == true {
            waiting[ticket]?.clients.removeAll { $0 == client }
            if waiting[ticket]?.clients.isEmpty == true { waiting[ticket]?.job.withdraw() }
        }
    }

    /// The vault is done with a request.
    /// - Parameter remembered: true if the same request is to get the same answer.
    /// - Returns: the clients that wait for the answer.
    mutating func end(
        _ ticket: UInt64, _ answer: WalletAnswer, remembered: Bool, epoch: UInt64, at now: Double
    ) -> [UInt64] {
        guard let ended = waiting.removeValue(forKey: ticket) else { return [] }
        guard let identity = ended.identity else { return ended.clients }
        if tickets[identity] == ticket { tickets[identity] = nil }
        if remembered { remember(identity, Done(answer: answer, time: now), epoch) }
        return ended.clients
    }

    private mutating func remember(_ identity: Identity, _ answer: Done, _ epoch: UInt64) {
        if epoch != self.epoch { forget(at: epoch) }
        guard done.updateValue(answer, forKey: identity) == nil else { return }
        order.append(identity)
        size += answer.answer.body.count
        while order.count > Self.doneLimit || size > Self.sizeLimit {
            size -= done.removeValue(forKey: order.removeFirst())?.answer.body.count ?? 0
        }
    }

    private mutating func forget(at epoch: UInt64) {
        (done, order, size, self.epoch) = ([:], [], 0, epoch)
    }
}
