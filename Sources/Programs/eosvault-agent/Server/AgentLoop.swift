import Files
import Glibc
import SecureMemory
import Shell
import Signing
import Synchronization
import WalletAPI

/// The thread of the connections: it reads requests, decides them, and sends the answers. It never
/// waits for the vault, a person or a disk.
final class AgentLoop {
    /// The most connections at once.
    static let clientLimit = 256
    /// The most bytes of bodies that are read or wait for their answer. Above it, only the oldest
    /// such request is read further.
    static let bodyLimit = 4 << 20
    /// A body is read up to this size in any case, so that large ones delay no other request.
    static let smallBody = 64 << 10
    /// How long the answers to the last requests may take, in seconds.
    static let endLimit = 2.0

    private let listener: AgentSocket
    /// Other users whose processes are served.
    private let allowed: Set<UInt32>
    private let status: (_ waitingCount: Int) -> AgentStatus
    private let lock: VaultLock
    private let jobs: Mailbox<Work>
    private let results: Mailbox<(ticket: UInt64, outcome: Outcome)>

    /// By their numbers: the oldest is first.
    private var clients: [Client] = []
    private var lastClient: UInt64 = 0
    private var acceptAfter = 0.0
    private var buffer: ReusedBytes
    private var requests = Requests()
    /// The clients whose answer follows when the keys are wiped.
    private var lockWaiters: [(client: UInt64, wipe: VaultLock.Wipe)] = []
    /// When the agent ends at the latest, once it stops.
    private var end: Double?

    /// - Throws: errors of memory.
    init(
        _ listener: AgentSocket, allowing allowed: Set<UInt32>, _ lock: VaultLock, jobs: Mailbox<Work>,
        results: Mailbox<(ticket: UInt64, outcome: Outcome)>,
        status: @escaping (_ waitingCount: Int) -> AgentStatus
    ) throws(SecureMemoryError) {
        (self.status, self.allowed) = (status, allowed)
        (self.listener, self.lock, self.jobs, self.results) = (listener, lock, jobs, results)
        buffer = try ReusedBytes(capacity: 64 << 10)
    }

    /// Answers requests until `stop`, or until `isStopping`.
    func run(until isStopping: () -> Bool) {
        while true {
            if end == nil, isStopping() { stop() }
            if let end, clients.isEmpty || Clock.sinceBoot >= end { return }
            let ready = wait()
            let now = Clock.sinceBoot
            answerResults(at: now)
            serve(ready[2...], at: now)
            removeClosed()
            if ready[0] { accept(at: now) }
        }
    }

    /// Locks the vault, answers what waits, and takes no more requests.
    private func stop() {
        lock.lock()
        end = Clock.sinceBoot + Self.endLimit
        for client in clients where client.connection.isIdle { client.connection.close() }
        removeClosed()
    }

    // MARK: waiting

    /// Waits until a socket or the vault has something.
    /// - Returns: whether each is ready: the listener, the results, then each client.
    private func wait() -> [Bool] {
        let isFull = clients.reduce(0) { $0 + $1.connection.bodySize } >= Self.bodyLimit
        let oldest = clients.first { $0.connection.isReading && $0.connection.bodySize > 0 }
        var waited = [
            pollfd(fd: isAccepting ? listener.descriptor.number : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: results.bell.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        for client in clients {
            let isReading = !isFull || client === oldest || client.connection.bodySize < Self.smallBody
            waited.append(
                pollfd(fd: client.socket, events: client.events(isReading: isReading), revents: 0))
        }
        let deadlines = clients.compactMap { $0.connection.deadline } + [end].compactMap(\.self)
        var seconds = deadlines.min().map { max(0, $0 - Clock.sinceBoot) } ?? 60
        // The thread that uses a key wipes it within this time.
        if !lockWaiters.isEmpty { seconds = min(seconds, 0.005) }
        if end == nil, !isAccepting { seconds = min(seconds, 0.1) }
        _ = unsafe poll(&waited, nfds_t(waited.count), Int32(clamping: Int64(seconds * 1_000) + 1))
        if waited[1].revents != 0 { results.bell.clear() }
        return waited.map { $0.revents != 0 }
    }

    /// False while the agent ends, and for a moment after it had no descriptor for a connection.
    private var isAccepting: Bool { end == nil && Clock.sinceBoot >= acceptAfter }

    private func accept(at now: Double) {
        while true {
            let socket: FileDescriptor
            do throws(FileError) {
                guard let accepted = try listener.accept() else { return }
                socket = accepted
            } catch {
                acceptAfter = now + 0.1
                return
            }
            lastClient += 1
            guard let peer = try? Peer(of: socket), peer.isAllowed(by: allowed) else {
                close(socket.number)
                continue
            }
            let client = Client(socket.number, number: lastClient, requester: peer.requester)
            if clients.count >= Self.clientLimit {
                guard let idle = clients.firstIndex(where: { $0.connection.isIdle }) else {
                    client.refuse(.busy)
                    continue
                }
                clients.remove(at: idle)
            }
            clients.append(client)
        }
    }

    private func removeClosed() {
        for client in clients where client.connection.isClosed {
            requests.remove(client: client.number)
            lockWaiters.removeAll { $0.client == client.number }
        }
        clients.removeAll { $0.connection.isClosed }
    }

    // MARK: requests

    private func serve(_ ready: ArraySlice<Bool>, at now: Double) {
        for (client, isReady) in zip(clients, ready) {
            if isReady {
                if client.connection.isReading { receive(from: client, at: now) } else { client.notice() }
                client.send(at: now)
            }
            client.connection.expire(at: now)
            client.send(at: now)
            if end != nil, client.connection.isIdle { client.connection.close() }
        }
    }

    private func receive(from client: Client, at now: Double) {
        switch buffer.lend(64 << 10, { client.receive(in: &$0, at: now) }) {
        case .none: break
        case .request(let request): decide(request, of: client, at: now)
        }
    }

    private func decide(_ request: consuming ReceivedRequest, of client: Client, at now: Double) {
        let (wallet, epoch) = lock.now
        let decision: WalletDecision
        do throws(WalletError) { decision = try wallet.decide(request) } catch {
            return answer(client, WalletAnswer(error), at: now)
        }
        switch consume decision {
        case .answer(let answer): self.answer(client, answer, at: now)
        case .run(let operation): run(operation, for: client, epoch, at: now)
        }
    }

    private func run(
        _ operation: consuming WalletOperation, for client: Client, _ epoch: UInt64, at now: Double
    ) {
        switch consume operation {
        case .lock: lock(for: client, at: now)
        case .stop:
            stop()
            lock(for: client, at: now)
        case .status:
            let waiting = requests.count
            answer(client, WalletAnswer(status(waiting)), at: now)
        case .setTimeout(let seconds):
            lock.setTimeout(seconds: seconds)
            answer(client, .done, at: now)
        case .signTransaction(let call):
            let identity = Requests.Identity(call)
            if let known = requests.answer(to: identity, epoch: epoch, at: now) {
                return answer(client, known, at: now)
            }
            if requests.join(client.number, identity) { return }
            add(.signTransaction(call), for: client, epoch, identity)
        case let operation: add(operation, for: client, epoch, nil)
        }
    }

    private func add(
        _ operation: consuming WalletOperation, for client: Client, _ epoch: UInt64,
        _ identity: Requests.Identity?
    ) {
        let job = Job(operation, ticket: requests.makeTicket(), by: client.requester, epoch: epoch)
        requests.add(job, from: client.number, identity)
        jobs.add(.job(job))
    }

    private func lock(for client: Client, at now: Double) {
        lockWaiters.append((client.number, lock.lock()))
        answerResults(at: now)
    }

    // MARK: answers

    private func answer(_ client: Client, _ answer: WalletAnswer, at now: Double) {
        client.connection.answer(answer, at: now, closing: end != nil)
        client.send(at: now)
    }

    private func answer(_ number: UInt64, _ answer: WalletAnswer, at now: Double) {
        guard let client = clients.first(where: { $0.number == number }) else { return }
        self.answer(client, answer, at: now)
    }

    private func answerResults(at now: Double) {
        for (ticket, outcome) in results.takeAll() {
            let answer = outcome.answer(isOwn: requests.isOwn(ticket))
            let clients = requests.end(
                ticket, answer, remembered: outcome.isSigned, epoch: lock.now.epoch, at: now)
            for client in clients { self.answer(client, answer, at: now) }
        }
        let done = lockWaiters.filter { lock.isDone($0.wipe) }.map(\.client)
        lockWaiters.removeAll { done.contains($0.client) }
        for client in done { answer(client, .done, at: now) }
    }
}

extension Outcome {
    fileprivate func answer(isOwn: Bool) -> WalletAnswer {
        switch self {
        case .answer(let answer): answer
        case .signed(let request, let transaction) where isOwn:
            WalletAnswer(
                SignedOrder(
                    transaction: transaction, chain: request.chain, keys: request.publicKeys,
                    wasSignedBefore: request.wasSignedBefore))
        case .signed(_, let transaction): WalletAnswer(signed: transaction)
        case .refused(let error): WalletAnswer(error)
        }
    }

    fileprivate var isSigned: Bool { if case .signed = self { true } else { false } }
}
