import App
import Hardening
import KeyVault
import Keys
import Messages
import Policy
import SecureMemory
import Shell
import Signing
import Transactions
import WalletAPI

/// What a request led to.
enum Outcome: Sendable {
    case answer(WalletAnswer)
    /// For the agent's own call, the answer states the request too.
    case signed(SigningRequest, SignedTransaction)
    case refused(WalletError)
}

/// The thread of the vault: it alone has the file open, derives keys and signs.
///
/// Requests that wait are signed together and share one COMMIT. While a group is committed, the
/// next one arrives.
final class VaultThread {
    /// The most requests of a group.
    static let groupLimit = 64
    /// The most secrets that wait to be tried.
    private static let unlockLimit = 8

    private var file: LockedVault
    /// Opens the file.
    private let open: () throws -> LockedVault
    private let tpm: DeviceName?
    private let tokens: ((KeyCustody) -> TokenKeys)?
    private let lock: VaultLock
    private let jobs: Mailbox<Work>
    private let results: Mailbox<(ticket: UInt64, outcome: Outcome)>
    private let confirmation: Confirmation
    private let questions: Mailbox<Question>
    private var vault: UnlockedVault?
    private var facts: ReviewFacts?
    /// The last policies that were read: equal texts are not parsed again.
    private var policies = PolicyLedger.empty
    /// The secrets to try, in order.
    private var unlocks: [Job] = []
    /// What of the vault the loop knows.
    private var published: Vault.ReviewState?
    /// When the file is checked again, in seconds since the machine was started.
    private var nextCheck = 0.0

    init(
        _ file: LockedVault, _ lock: VaultLock, jobs: Mailbox<Work>,
        results: Mailbox<(ticket: UInt64, outcome: Outcome)>, asking confirmation: Confirmation,
        _ questions: Mailbox<Question>, tpm: DeviceName?, tokens: ((KeyCustody) -> TokenKeys)?,
        opening open: @escaping () throws -> LockedVault
    ) {
        (self.tpm, self.tokens) = (tpm, tokens)
        (self.file, self.lock, self.jobs, self.results, self.open) = (file, lock, jobs, results, open)
        (self.confirmation, self.questions) = (confirmation, questions)
    }

    /// Works until no more jobs follow.
    func run() {
        var lastWork: Double?
        while true {
            let waiting = jobs.takeAll()
            dropIfLocked()
            checkFile()
            for group in waiting.groups { run(group) }
            // At most once a second, after the answers. A request that arrives meanwhile waits.
            file.vault.writeWitness(after: 1)
            let seconds = tryUnlocks()
            guard waiting.isEmpty else {
                lastWork = Clock.sinceBoot
                continue
            }
            if jobs.isClosed { break }
            if let last = lastWork, Clock.sinceBoot - last >= 1 {
                // They come back when they are used again.
                ThisProcess.dropReadOnlyPages()
                lastWork = nil
            }
            // Another program may change the file at any time.
            jobs.bell.wait(seconds: vault == nil ? seconds : 1)
        }
        drop()
    }

    /// Tries the secrets that wait, after the delay that wrong ones require. Nothing else waits for
    /// them: while the vault is locked, the loop refuses what needs it.
    /// - Returns: how long the next one has to wait, in seconds; nil without one.
    private func tryUnlocks() -> Double? {
        while let job = unlocks.first {
            guard job.isWanted, job.epoch == lock.now.epoch else {
                unlocks.removeFirst()
                _ = job.take()
                fail(job, job.isLocked)
                continue
            }
            do {
                let delay = vault == nil ? try file.vault.unlockDelay() : 0
                guard delay == 0 else { return Double(delay) }
                unlocks.removeFirst()
                try unlock(for: job)
            } catch {
                if unlocks.first === job { unlocks.removeFirst() }
                fail(job, error)
            }
        }
        return nil
    }

    /// Once a second: locks the vault if another program changed its keys or replaced its file, and
    /// reads what else changed.
    private func checkFile() {
        guard vault != nil, Clock.sinceBoot >= nextCheck else { return }
        nextCheck = Clock.sinceBoot + 1
        do {
            let change = try withVault { try $0.fileChange() }
            guard case .none = change else {
                lock.lock()
                return
            }
            let state = try file.vault.unverifiedReviewState()
            if state != published { try publish(state) }
        } catch {
            // The next use finds what is wrong.
        }
    }

    /// Gives the loop the keys that exist.
    private func publish(_ state: Vault.ReviewState) throws {
        try withVault { vault in lock.setKeys(try vault.signingKeys(), of: vault.custody) }
        published = state
    }

    private func run(_ work: [Work]) {
        dropIfLocked()
        var signing: [(Job, SignatureWanted)] = []
        for work in work {
            let job = work.job
            guard case .job = work else { continue }
            guard !job.isUnlock else {
                addUnlock(job)
                continue
            }
            guard let operation = job.take() else { continue }
            switch consume operation {
            case .signTransaction(let call): signing.append((job, .call(call)))
            case .signOrder(let order): signing.append((job, .order(order)))
            case .signDigest(let digest, let key): sign(digest, with: key, for: job)
            case .createKey(let curve): createKey(curve, for: job)
            case .importKey(let key): insert(key, .imported, for: job) { _ in .imported }
            case .signRequest(let order): sign(order, for: job)
            // The loop does the rest.
            default: end(job, .refused(job.isLocked))
            }
        }
        var authorized = authorize(signing)
        for case .accepted(let question) in work { authorized.append(question) }
        commit(authorized)
    }

    private func end(_ job: Job, _ outcome: Outcome) { results.add((job.ticket, outcome)) }

    private func fail(_ job: Job, _ error: any Error) {
        end(job, .refused(WalletError(refused: error, isOwn: job.isOwn)))
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
        if vault?.custody.isLocked == true { drop() }
    }

    private func drop() {
        guard vault != nil else { return }
        vault = nil
        facts = nil
        file.vault.writeWitness()
        try? file.vault.keepJournal(false)
    }

    private func addUnlock(_ job: Job) {
        guard unlocks.count < Self.unlockLimit else {
            _ = job.take()
            return fail(job, AgentError.tooManyUnlocks)
        }
        unlocks.append(job)
    }

    private func unlock(for job: Job) throws {
        guard let operation = job.take() else { return }
        switch consume operation {
        case .unlock(let password): try unlock(.pin(PIN(password)), for: job)
        case .unlockVault(let secret): try unlock(UnlockMethod(secret), for: job)
        default: break
        }
    }

    private func unlock(_ method: consuming UnlockMethod, for job: Job) throws {
        guard vault == nil else { throw job.isOwn ? WalletError.vaultIsUnlocked : .isUnlocked }
        let epoch = lock.beginUnlock()
        defer { lock.endUnlock() }
        // Another program may have replaced the file.
        file = try open()
        facts = nil
        let unlocked = try file.vault.unlock(method.withTPM(tpm))
        // From here on, a lock wipes the keys at once, also while a token is slow.
        guard lock.adopt(unlocked.custody, since: epoch) else { throw AgentError.lockedMeanwhile }
        if let tokens { try unlocked.openTokens(by: tokens) }
        let keys = try unlocked.signingKeys()
        guard lock.unlocked(unlocked.custody, keys, since: epoch) else { throw AgentError.lockedMeanwhile }
        published = try file.vault.unverifiedReviewState()
        nextCheck = Clock.sinceBoot + 1
        vault = consume unlocked
        // The pages of the program that the unlock used come back when they are used again.
        ThisProcess.dropReadOnlyPages()
        file.vault.defersWitness = true
        try? file.vault.keepJournal(true)
        let seconds = Int64(lock.secondsLeft ?? 0)
        end(job, .answer(job.isOwn ? WalletAnswer(unlockedFor: seconds, keyCount: keys.count) : .done))
    }

    // MARK: keys

    private func createKey(_ curve: Curve, for job: Job) {
        do {
            insert(try .generate(curve), .created, for: job) { WalletAnswer(created: $0) }
        } catch { fail(job, error) }
    }

    private func sign(_ digest: SigningDigest, with key: PublicKey, for job: Job) {
        do {
            file.vault.requester = job.requester
            let signature = try withVault { try $0.sign(digest: digest, with: key) }
            lock.extend()
            end(job, .answer(WalletAnswer(signature: signature)))
        } catch { fail(job, error) }
    }

    private func sign(_ order: CredentialOrder, for job: Job) {
        do {
            let (file, request) = (file, order.request)
            file.vault.requester = job.requester
            let signed = try withVault { vault in
                try CredentialSigner.sign(
                    request, by: order.credential, window: order.window, keepsBody: order.keepsBody, of: file,
                    in: vault)
            }
            lock.extend()
            end(job, .answer(WalletAnswer(request: signed)))
        } catch { fail(job, error) }
    }

    private func insert(
        _ key: consuming PrivateKey, _ origin: KeyOrigin, for job: Job,
        answering answer: (PublicKey) -> WalletAnswer
    ) {
        guard let unlocked = vault.take() else { return fail(job, job.isLocked) }
        file.vault.requester = job.requester
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
    private func authorize(_ calls: [(Job, SignatureWanted)]) -> [Question] {
        guard !calls.isEmpty else { return [] }
        var authorized: [Question] = []
        do {
            try file.snapshot {
                let state = try file.vault.unverifiedReviewState()
                if state != published { nextCheck = 0 }
                var facts =
                    try self.facts.flatMap { $0.state == state ? $0 : nil }
                    ?? ReviewFacts(of: file, state)
                for (job, wanted) in calls {
                    do {
                        let request = try review(wanted, with: &facts)
                        if request.isComplete {
                            end(job, .signed(request, request.review.transaction))
                        } else {
                            let question = Question(
                                job: job, wanted: wanted,
                                request: try authorize(request, wanted.refused(), for: job))
                            if isAsking {
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

    /// Reviews a transaction, and reads the policies of its keys. They state which data of a call
    /// may be signed without decoding it; a client command states this itself.
    private func review(
        _ wanted: SignatureWanted, with facts: inout ReviewFacts
    ) throws -> SigningRequest {
        switch wanted {
        case .call(let call):
            try readPolicies(of: call.keys)
            let blind = policies.blindActions(for: call.keys)
            return try facts.request(for: call, in: file, isShown: isAsking, blind: blind)
        case .order(let order):
            let request = try facts.request(for: order, in: file, isShown: isAsking)
            try readPolicies(of: request.missing.map(\.publicKey))
            return request
        }
    }

    private func readPolicies(of keys: [PublicKey]) throws {
        policies = try file.policies(of: keys, parsedIn: policies, readingUses: isAsking)
    }

    private func authorize(
        _ request: SigningRequest, _ refused: RefusedWarnings, for job: Job
    ) throws -> AuthorizedRequest {
        var authorized = try request.authorize(policies, consent: confirmation.consent, refusing: refused)
        authorized.requester = job.requester
        return authorized
    }

    /// Signs requests in one transaction of the vault, and answers them when it is durable. If the
    /// vault changed after a review that nobody saw, it is reviewed again.
    private func commit(_ requests: [Question], isRepeated: Bool = false) {
        guard !requests.isEmpty else { return }
        var changed: [(Job, SignatureWanted)] = []
        do {
            let outcomes = try withVault { vault in
                try AuthorizedRequest.sign(requests.map(\.request), with: vault) { [self] index in
                    let request = requests[index]
                    return isAsking ? request.isValid(lock) : request.isWanted(lock)
                }
            }
            for (request, outcome) in zip(requests, outcomes) {
                switch outcome {
                case .success(let signed)?:
                    lock.extend()
                    end(request.job, .signed(signed.request, signed.transaction))
                case .failure(let error)? where error.isChange && !isAsking && !isRepeated:
                    changed.append((request.job, request.wanted))
                case .failure(let error)?: fail(request.job, error)
                // Another client sent it again after it was omitted.
                case nil where request.isWanted(lock) && !isRepeated:
                    changed.append((request.job, request.wanted))
                case nil: fail(request.job, request.reason(lock))
                }
            }
        } catch {
            // The error may be one of a changed file, which locks.
            nextCheck = 0
            checkFile()
            let isLocked = lock.now.wallet.keys == nil
            for request in requests { fail(request.job, isLocked ? request.job.isLocked : error) }
        }
        facts = changed.isEmpty ? facts : nil
        commit(authorize(changed), isRepeated: true)
    }

    private var isAsking: Bool { confirmation.askedAtOnce > 0 }
}

extension [Work] {
    /// In order, each at most as large as a group.
    fileprivate var groups: [[Work]] {
        stride(from: 0, to: count, by: VaultThread.groupLimit).map { start in
            Array(self[start..<Swift.min(start + VaultThread.groupLimit, count)])
        }
    }
}
