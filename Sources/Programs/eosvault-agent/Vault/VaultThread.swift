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
    private let jobs: Mailbox<Job>
    private let results: Mailbox<(ticket: UInt64, outcome: Outcome)>
    private var vault: UnlockedVault?
    private var facts: ReviewFacts?

    init(
        _ file: LockedVault, _ lock: VaultLock, jobs: Mailbox<Job>,
        results: Mailbox<(ticket: UInt64, outcome: Outcome)>, opening open: @escaping () throws -> LockedVault
    ) {
        (self.file, self.lock, self.jobs, self.results, self.open) = (file, lock, jobs, results, open)
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

    private func run(_ jobs: [Job]) {
        dropIfLocked()
        var signing: [(Job, SigningCall)] = []
        for job in jobs {
            guard let operation = job.take() else { continue }
            switch consume operation {
            case .signTransaction(let call): signing.append((job, call))
            case .unlock(let password): unlock(password, for: job)
            case .createKey: createKey(for: job)
            case .importKey(let key): insert(key, .imported, for: job) { _ in .imported }
            // The loop does the rest.
            default: end(job, .refused(.isLocked))
            }
        }
        if !signing.isEmpty { sign(signing) }
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

    private func sign(_ calls: [(Job, SigningCall)]) {
        var authorized: [(job: Job, request: AuthorizedRequest)] = []
        do {
            try file.snapshot {
                var facts = try self.facts ?? ReviewFacts(of: file)
                for (job, call) in calls {
                    do {
                        let request = try facts.request(for: call, in: file)
                        if request.isComplete {
                            end(job, .signed(call.transaction))
                        } else {
                            var request = try authorize(request)
                            request.requester = job.requester
                            authorized.append((job, request))
                        }
                    } catch { end(job, .refused(WalletError(refused: error))) }
                }
                self.facts = facts
            }
        } catch {
            for (job, _) in calls { end(job, .refused(WalletError(refused: error))) }
            return
        }
        commit(authorized)
    }

    private func authorize(_ request: SigningRequest) throws -> AuthorizedRequest {
        try request.authorize(
            file.policies(of: request.missing.map(\.publicKey), readingUses: false),
            consent: PolicyConsent())
    }

    private func commit(_ requests: [(job: Job, request: AuthorizedRequest)]) {
        guard !requests.isEmpty else { return }
        do {
            let outcomes = try withVault { vault in
                try AuthorizedRequest.sign(requests.map(\.request), with: vault) { index in
                    let job = requests[index].job
                    return job.isWanted && lock.isUnlocked(since: job.epoch)
                }
            }
            for ((job, _), outcome) in zip(requests, outcomes) {
                switch outcome {
                case .success(let signed)?: end(job, .signed(signed))
                case .failure(let error)?: fail(job, error)
                case nil: fail(job, WalletError.isLocked)
                }
            }
            lock.extend()
        } catch {
            for (job, _) in requests { fail(job, error) }
        }
    }
}

extension [Job] {
    /// In order, each at most as large as a group.
    fileprivate var groups: [[Job]] {
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
