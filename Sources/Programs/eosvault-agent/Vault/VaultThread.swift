import App
import KeyVault
import Keys
import SecureMemory
import Shell
import Signing
import Transactions
import WalletAPI

/// What a request led to.
enum Outcome: Sendable {
    case answer(WalletAnswer)
    case signed(SignedTransaction)
    case refused(WalletError)
}

/// The thread of the vault: it alone has the file open, derives keys and signs.
///
/// Requests that wait are signed together and share one COMMIT. While a group is committed, the
/// next one arrives.
final class VaultThread {
    /// The most requests of a group.
    static let groupLimit = 64

    private var file: LockedVault
    /// Opens the file.
    private let open: () throws -> LockedVault
    private let lock: VaultLock
    private let jobs: Mailbox<Work>
    private let results: Mailbox<(ticket: UInt64, outcome: Outcome)>
    private let confirmation: Confirmation
    private let questions: Mailbox<Question>
    private var vault: UnlockedVault?
    private var facts: ReviewFacts?

    init(
        _ file: LockedVault, _ lock: VaultLock, jobs: Mailbox<Work>,
        results: Mailbox<(ticket: UInt64, outcome: Outcome)>, asking confirmation: Confirmation,
        _ questions: Mailbox<Question>, opening open: @escaping () throws -> LockedVault
    ) {
        (self.file, self.lock, self.jobs, self.results, self.open) = (file, lock, jobs, results, open)
        (self.confirmation, self.questions) = (confirmation, questions)
    }

    /// Works until no more jobs follow.
    func run() {
        while true {
            let waiting = jobs.takeAll()
            if waiting.isEmpty {
                if jobs.isClosed { break }
                dropIfLocked()
                jobs.bell.wait(seconds: nil)
                continue
            }
            for group in waiting.groups { run(group) }
        }
        vault = nil
    }

    private func run(_ work: [Work]) {
        dropIfLocked()
        var signing: [(Job, SigningCall)] = []
        for work in work {
            let job = work.job
            guard case .job = work, let operation = job.take() else { continue }
            switch consume operation {
            case .signTransaction(let call): signing.append((job, call))
            case .unlock(let password): unlock(password, for: job)
            case .createKey: createKey(for: job)
            case .importKey(let key): insert(key, .imported, for: job) { _ in .imported }
            // The loop does the rest.
            default: end(job, .refused(.isLocked))
            }
        }
        var authorized = authorize(signing)
        for case .accepted(let question) in work { authorized.append(question) }
        commit(authorized)
    }

    private func end(_ job: Job, _ outcome: Outcome) { results.add((job.ticket, outcome)) }

    private func fail(_ job: Job, _ error: any Error) {
        end(job, .refused(error as? WalletError ?? WalletError(refused: error)))
    }

    /// Lends the unlocked vault.
    /// - Throws: `isLocked`, and the errors of `body`.
    private func withVault<Result>(_ body: (borrowing UnlockedVault) throws -> Result) throws -> Result {
        guard let unlocked = vault.take() else { throw WalletError.isLocked }
        let result = Swift.Result { try body(unlocked) }
        vault = consume unlocked
        return try result.get()
    }

    // MARK: locking

    /// Another thread locked the vault: what is left of it is dropped.
    private func dropIfLocked() {
        guard vault?.custody.isLocked == true else { return }
        vault = nil
        facts = nil
    }

    private func unlock(_ password: consuming SecureBytes, for job: Job) {
        guard vault == nil else { return fail(job, WalletError.isUnlocked) }
        let epoch = lock.beginUnlock()
        defer { lock.endUnlock() }
        do {
            // Another program may have replaced the file.
            file = try open()
            let unlocked = try file.vault.unlock(PIN(password))
            lock.unlocked(unlocked.custody, try unlocked.signingKeys(), since: epoch)
            vault = consume unlocked
            end(job, .answer(.done))
        } catch { fail(job, error) }
    }

    // MARK: keys

    private func createKey(for job: Job) {
        do {
            insert(try .generate(.k1), .created, for: job) { WalletAnswer(created: $0) }
        } catch { fail(job, error) }
    }

    private func insert(
        _ key: consuming PrivateKey, _ origin: KeyOrigin, for job: Job,
        answering answer: (PublicKey) -> WalletAnswer
    ) {
        guard let unlocked = vault.take() else { return fail(job, WalletError.isLocked) }
        do {
            let entry = try unlocked.insert(key, label: nil, createdAt: Clock.now, origin: origin)
            facts = nil
            lock.setKeys(try unlocked.signingKeys(), of: unlocked.custody)
            lock.extend()
            end(job, entry.name.publicKey.map { .answer(answer($0)) } ?? .refused(.isLocked))
        } catch { fail(job, error) }
        vault = consume unlocked
    }

    // MARK: signing

    /// Reviews requests and decides about them, with what the vault's file states. Those that are
    /// asked about are passed on.
    /// - Returns: the requests that policies allow.
    private func authorize(_ calls: [(Job, SigningCall)]) -> [Question] {
        guard !calls.isEmpty else { return [] }
        var authorized: [Question] = []
        do {
            try file.snapshot {
                var facts = try self.facts ?? ReviewFacts(of: file)
                for (job, call) in calls {
                    do {
                        let request = try facts.request(for: call, in: file)
                        if request.isComplete {
                            end(job, .signed(call.transaction))
                        } else {
                            let question = Question(job: job, request: try authorize(request, for: job))
                            if confirmation.askedAtOnce > 0 {
                                questions.add(question)
                            } else {
                                authorized.append(question)
                            }
                        }
                    } catch { fail(job, error) }
                }
                self.facts = facts
            }
        } catch {
            for (job, _) in calls { fail(job, error) }
            return []
        }
        return authorized
    }

    private func authorize(_ request: SigningRequest, for job: Job) throws -> AuthorizedRequest {
        let isAsked = confirmation.askedAtOnce > 0
        var authorized = try request.authorize(
            file.policies(of: request.missing.map(\.publicKey), readingUses: isAsked),
            consent: confirmation.consent)
        authorized.requester = job.requester
        return authorized
    }

    /// Signs requests in one transaction of the vault, and answers them when it is durable.
    private func commit(_ requests: [Question]) {
        guard !requests.isEmpty else { return }
        do {
            let outcomes = try withVault { vault in
                try AuthorizedRequest.sign(requests.map(\.request), with: vault) { index in
                    let job = requests[index].job
                    return job.isWanted && lock.isUnlocked(since: job.epoch)
                }
            }
            for (request, outcome) in zip(requests, outcomes) {
                switch outcome {
                case .success(let signed)?: end(request.job, .signed(signed))
                case .failure(let error)?: fail(request.job, error)
                case nil: fail(request.job, WalletError.isLocked)
                }
            }
            lock.extend()
        } catch {
            for request in requests { fail(request.job, error) }
        }
    }
}

extension [Work] {
    /// In order, each at most as large as a group.
    fileprivate var groups: [[Work]] {
        stride(from: 0, to: count, by: VaultThread.groupLimit).map { start in
            Array(self[start..<Swift.min(start + VaultThread.groupLimit, count)])
        }
    }
}

extension UnlockedVault {
    /// The public keys of the private keys, verified.
    fileprivate borrowing func signingKeys() throws(VaultError) -> [PublicKey] {
        try entries().filter(\.isKey).compactMap { $0.name.publicKey }
    }
}
