import App
import Files
import Glibc
import Hardening
import KeyVault
import Keys
import Shell
import Synchronization
import WalletAPI

/// The parts of a running agent, and its threads.
final class Agent: Sendable {
    /// What is made before the sandbox begins.
    struct Ends: Sendable {
        let socket: AgentSocket
        /// Other users whose processes are served.
        let allowed: Set<UInt32>
        let notify: Notify
        /// Wakes the loop.
        let results: Bell
        /// Wakes the thread of the vault.
        let jobs: Bell
        /// Wakes the thread of signals and time.
        let watch: Bell
        /// Wakes the threads that ask.
        let questions: Bell

        /// What the agent needs of it in the sandbox.
        var access: FileAccess {
            let bells =
                [results, jobs, watch, questions].map(\.descriptor) + [notify.descriptor].compactMap(\.self)
            // The names of the programs at the other ends of connections.
            return bells.reduce(socket.access + .readingBeneath("/proc")) { $0 + .descriptor($1) }
        }
    }

    private let ends: Ends
    private let lock: VaultLock
    private let jobs: Mailbox<Work>
    private let results: Mailbox<(ticket: UInt64, outcome: Outcome)>
    private let confirmation: Confirmation
    private let questions: Mailbox<Question>
    private let isStopping = Atomic(false)
    private let isOver = Atomic(false)

    init(_ ends: Ends, _ confirmation: Confirmation, timeout: Int64, digestKeys: Set<PublicKey>) {
        (self.ends, self.confirmation) = (ends, confirmation)
        lock = VaultLock(timeout: timeout, digestKeys: digestKeys, waking: ends.results)
        (jobs, results) = (Mailbox(ends.jobs), Mailbox(ends.results))
        questions = Mailbox(ends.questions)
    }

    /// Serves until a call or a signal stops it.
    /// - Parameters:
    ///   - tpm: opens the vault together with a PIN; nil for a PIN alone.
    ///   - tokens: makes a connection to tokens at each unlock; nil if their keys are not used.
    ///   - open: opens the vault, again after another program replaced its file.
    func run(
        tpm: DeviceName?, tokens: ((KeyCustody) -> TokenKeys)?,
        opening open: @escaping @Sendable () throws -> LockedVault
    ) throws {
        // They stop a process that uses its terminal from the background, and a stopped agent can't
        // lock the vault.
        for signal in [SIGTTIN, SIGTTOU] { _ = Glibc.signal(signal, SIG_IGN) }
        // Only the thread of signals takes them.
        let held = HeldSignals()
        defer { held.release() }
        let signals = try held.makeDescriptor()
        let first = try open()
        let (lock, jobs, results, confirmation) = (lock, jobs, results, confirmation)
        let name = first.name
        let loop = try AgentLoop(ends.socket, allowing: ends.allowed, lock, jobs: jobs, results: results) {
            waiting in
            AgentStatus(
                version: Release.version, vault: name,
                unlocked: lock.secondsLeft.map { (Int64($0), lock.now.wallet.keys?.count ?? 0) },
                confirmation: confirmation.name, waitingCount: waiting)
        }
        nonisolated(unsafe) let vault = VaultThread(
            first, lock, jobs: jobs, results: results, asking: confirmation, questions, tpm: tpm,
            tokens: tokens,
            opening: open)
        guard let watch = Thread({ self.watch(signals) }), let work = Thread({ unsafe vault.run() }) else {
            throw AgentError.noThread
        }
        let asking = Questions(confirmation, questions, lock) { question in
            jobs.add(.accepted(question))
        } refused: { question, error in
            results.add((question.job.ticket, .refused(error)))
        }
        for _ in 0..<confirmation.askedAtOnce {
            guard Thread({ asking.run() }) != nil else { throw AgentError.noThread }
        }
        ends.notify.ready()
        loop.run { isStopping.load(ordering: .relaxed) }
        ends.notify.stopping()
        ends.socket.remove()
        lock.lock()
        jobs.close()
        questions.close()
        isOver.store(true, ordering: .relaxed)
        ends.watch.ring()
        work.join()
        watch.join()
    }

    /// Locks when the time is over, and does what signals ask for. Nothing else that the agent does
    /// delays it.
    private func watch(_ signals: FileDescriptor) {
        while !isOver.load(ordering: .relaxed) {
            lock.lockIfOver()
            // While the machine sleeps, poll(2) does not count the time: it looks again every
            // second.
            let seconds = lock.secondsLeft.map { min($0, 1) } ?? 60
            var waited = [signals.number, ends.watch.descriptor].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            _ = unsafe poll(&waited, 2, Int32(seconds * 1_000) + 1)
            ends.watch.clear()
            while let signal = Self.next(signals) { handle(signal) }
        }
    }

    private func handle(_ signal: Int32) {
        switch signal {
        case SIGUSR1: lock.lock()
        case SIGTSTP:
            // A stopped process could not lock at the end of the time.
            lock.lock()
            kill(getpid(), SIGSTOP)
        case SIGCONT, SIGUSR2: break
        default:
            lock.lock()
            isStopping.store(true, ordering: .relaxed)
            ends.results.ring()
        }
    }

    /// The number of the next signal; nil if none has arrived.
    private static func next(_ signals: FileDescriptor) -> Int32? {
        // struct signalfd_siginfo has 128 bytes, and begins with the number.
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = bytes.withMutableRawSpan { span in
            (try? signals.read(into: &span, in: 0..<128)) ?? 0
        }
        guard count == 128 else { return nil }
        return unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: Int32.self) }
    }
}
