import ABICodec
import Keys
import Policy
import Transactions

/// Many transactions that the same keys sign for the same chain, with one review and one unlock.
///
/// Each transaction is decided alone, as `SigningRequest.authorize` decides for a script: a danger
/// is refused unless an allowance specifies it. A person who confirms the summary of many
/// transactions can't type a word for each danger, and has not confirmed each one.
///
/// The shared policies, pinned ABIs and keys are verified once for each part that a store signs at
/// once. The payment history is kept in memory.
package struct SigningBatch: Sendable {
    package let chain: ChainID
    /// The name that the vault gives to a chain that is not built in.
    package let chainName: String?
    private let abis: ContractABIs
    private let keys: [ChosenKey]
    private let own: OwnKeys?
    private let consent: ScriptConsent
    private let refused: RefusedWarnings
    private let blind: Set<ActionPattern>
    private let proposals: [GivenProposal]

    /// - Parameters:
    ///   - chainName: the name that the vault gives to the chain.
    ///   - keys: in the order of the signatures to append. Without a key, the transactions are only
    ///     reviewed: none is refused because of a danger.
    ///   - own: the keys of the store, not verified; nil without a store.
    ///   - consent: the accepted dangers and actions of each transaction.
    ///   - warnings: the warnings that refuse a transaction, also with consent.
    package init(
        chain: ChainID, chainName: String? = nil, abis: ContractABIs, keys: [ChosenKey], own: OwnKeys?,
        consent: ScriptConsent,
        refusing warnings: RefusedWarnings = .none, blind: Set<ActionPattern> = [],
        proposals: [GivenProposal] = []
    ) {
        (self.chain, self.chainName, self.abis, self.keys, self.own) = (chain, chainName, abis, keys, own)
        (self.consent, refused) = (consent, warnings)
        (self.blind, self.proposals) = (blind, proposals)
    }

    /// True if a vault is asked what it signed before.
    package var hasVault: Bool { own != nil }

    /// The earlier signatures, which decide about a transaction.
    package struct History<Memory: PaymentMemory>: Sendable {
        package var payments: Memory
        package var policies: PolicyLedger

        package init(payments: Memory, policies: PolicyLedger) {
            (self.payments, self.policies) = (payments, policies)
        }
    }

    /// A transaction of this batch that was decoded and allowed. Only `request` makes one.
    package struct Request: Sendable {
        fileprivate let request: SigningRequest

        package var review: Review { request.review }

        /// True if every key has already signed.
        package let isComplete: Bool
        /// True if the vault made the signature of every key before, according to the history.
        package let wasSignedBefore: Bool

        /// - Parameter now: seconds since 1970.
        package func warnings(now: Int64) -> [Warning] { review.warnings(now: now, own: request.own) }

        fileprivate let allowances: [PublicKey: PolicyAllowance]

        /// Adds the signatures to the history that the next transactions of the batch are reviewed
        /// with.
        /// - Parameter time: seconds since 1970.
        package func add(to history: inout History<some PaymentMemory>, at time: Int64) {
            history.policies.add(allowances)
            // The author of a batch chooses its payers, so payers of earlier lines are not known.
            guard let subject = review.historySubject(signedBy: []) else { return }
            for key in request.missing {
                history.payments.add(request.remembered(of: key.publicKey), of: subject, at: time)
            }
        }
    }

    /// Decodes a transaction of the text and decides whether it may be signed.
    /// - Parameter history: the history, with what the batch signed before this transaction.
    /// - Throws: the errors of `SignedTransaction(reading:)`, `Review` and `authorize`.
    package func request(reading text: [UInt8], history: History<some PaymentMemory>) throws(SigningError)
        -> Request
    {
        var review = try review(reading: text)
        // Without a vault, nothing is known of the recipients.
        if own != nil {
            let subject = review.lookedUpSubject(signedBy: keys.map(\.publicKey))
            review.history = subject.map(history.payments.history)
        }
        let request = try SigningRequest(review, keys: keys, own: ownKeys(of: review))
        guard !keys.isEmpty else {
            return Request(
                request: request, isComplete: false, wasSignedBefore: false, allowances: [:])
        }
        let authorized = try request.authorize(history.policies, consent: consent, refusing: refused)
        return Request(
            request: authorized.request, isComplete: request.isComplete,
            wasSignedBefore: review.history.map(request.wasSigned) ?? false, allowances: authorized.allowances
        )
    }

    /// Decodes a transaction of the text, and decides nothing.
    /// - Throws: the errors of `SignedTransaction(reading:)` and `Review`.
    package func review(reading text: [UInt8]) throws(SigningError) -> Review {
        let transaction: SignedTransaction
        do { transaction = try SignedTransaction(reading: text, abis: abis) } catch {
            throw .transaction(error)
        }
        var review = try Review(
            of: transaction, chain: chain, abis: abis, blind: blind, proposals: proposals)
        review.chainName = chainName
        return review
    }

    /// The warnings of a transaction that do not depend on what was signed before.
    /// - Parameter now: seconds since 1970.
    package func warnings(of review: Review, now: Int64) -> [Warning] {
        review.warnings(now: now, own: ownKeys(of: review))
    }

    /// The keys that the review of a transaction is compared with.
    package func ownKeys(of review: Review) -> OwnKeys? { review.comparesKeys ? own : nil }

    // MARK: signing

    /// A signed transaction of the batch.
    package struct Signed: Sendable {
        package let transaction: SignedTransaction
        /// True if the store made the signature of every key before, according to its verified
        /// history.
        package let wasSignedBefore: Bool
    }

    /// Signs one transaction of a part.
    /// - Parameters:
    ///   - request: the result or the error of `request` for the transaction.
    ///   - finish: takes the signed transaction, or why this transaction alone is refused. It is
    ///     called in the order of the transactions, maybe after the next ones were decided.
    /// - Returns: false if the transaction is refused.
    /// - Throws: errors that end the whole part.
    package typealias SignOne = (
        _ request: Result<Request, any Error>, _ finish: @escaping (Result<Signed, any Error>) -> Void
    ) throws(SigningError) -> Bool

    /// Signs a part of the batch at once, and verifies the data that all transactions share. The
    /// results of `body` must not be released before this returns: only then are they recorded.
    /// - Parameters:
    ///   - memory: the memory after the previous part, if there was one.
    ///   - body: signs each transaction.
    /// - Returns: the memory for the next part.
    /// - Throws: `pinsChangedSinceReview`, `changedSinceReview`, `keyAddedMeanwhile`, errors of the
    ///   store.
    package func signPart<Store: KeyStore & ~Copyable>(
        with store: borrowing Store, after memory: consuming Store.Memory?,
        _ body: @escaping (SignOne) throws(SigningError) -> Void
    ) throws(SigningError) -> Store.Memory {
        let (next, refusals) = try store.lendSigner(
            to: PartUse(batch: self, memory: Moved(memory), body: body), recording: true)
        // The signatures are recorded, so they are released also if the refusals can't be counted.
        store.count(refusals)
        return next
    }

    /// Hands a value over without a copy: a change of a copied memory would double it.
    private final class Moved<Value> {
        var value: Value?

        init(_ value: consuming Value?) { self.value = value }
    }

    /// The part of a batch that a store signs at once.
    private struct PartUse<Memory: PaymentMemory>: SignerUse {
        let batch: SigningBatch
        let memory: Moved<Memory>
        let body: (SignOne) throws(SigningError) -> Void

        func run<Signer: DigestSigner & ~Copyable>(
            with signer: inout Signer
        ) throws(SigningError) -> (Memory, [PolicyRefusal.Kind: Int64]) where Signer.Memory == Memory {
            try batch.abis.expectPins(signer.pinnedABIs(of: batch.chain))
            guard try signer.name(of: batch.chain) == batch.chainName else {
                throw .chainNameChangedSinceReview
            }
            try signer.beginBatch(after: memory.value.take())
            var part = try Part(batch, in: &signer)
            try body { request, finish throws(SigningError) in
                try part.sign(request, in: &signer, finish)
            }
            try part.end(in: &signer)
            return (try signer.endBatch(), part.refusals)
        }
    }

    /// The transactions of a part, which share their keys.
    private struct Part<Signer: DigestSigner & ~Copyable> {
        private let batch: SigningBatch
        private var group: SigningGroup<Signer>
        /// How many transactions policies refused.
        private(set) var refusals: [PolicyRefusal.Kind: Int64] = [:]
        /// Transactions that are being signed, or wait for one before them.
        private var waiting: [Waiting] = []
        /// Why the part ended.
        private var failure: SigningError?

        private struct Waiting {
            let result: Result<Started, any Error>
            let finish: (Result<Signed, any Error>) -> Void

            var isPending: Bool {
                guard case .success(let started) = result else { return false }
                return started.signatures?.isPending == true
            }
        }

        private struct Started {
            let request: SigningRequest
            let wasSigned: Bool
            /// Nil if it needs no signature.
            let signatures: SigningRequest.StartedSignatures?

            func finished(by signer: inout Signer) throws(SigningError) -> Signed {
                guard let signatures else {
                    return Signed(transaction: request.review.transaction, wasSignedBefore: wasSigned)
                }
                let made = try request.finish(signatures, by: &signer)
                return Signed(transaction: try request.signed(made), wasSignedBefore: wasSigned)
            }
        }

        /// How many transactions are decided before the signature of the first one is needed.
        /// Meanwhile a token signs.
        private static var depth: Int { 8 }

        init(_ batch: SigningBatch, in signer: inout Signer) throws(SigningError) {
            self.batch = batch
            group = try SigningGroup(of: batch.keys.map(\.publicKey), parsedIn: .empty, in: &signer)
            try group.verify(batch.keys, in: &signer)
        }

        /// Finishes all transactions, and stores what the policies counted.
        mutating func end(in signer: inout Signer) throws(SigningError) {
            if let failure { throw failure }
            try finish(leaving: 0, in: &signer)
            try group.end(in: &signer)
        }

        /// Finishes the first transactions: those that wait for nothing, and so many others that
        /// only `count` are left.
        private mutating func finish(leaving count: Int, in signer: inout Signer) throws(SigningError) {
            while let first = waiting.first, waiting.count > count || !first.isPending {
                waiting.removeFirst()
                switch first.result {
                case .failure(let error): first.finish(.failure(error))
                case .success(let started): first.finish(.success(try started.finished(by: &signer)))
                }
            }
        }

        /// Counts a refusal, if a policy refused.
        private mutating func refusal(_ error: any Error) -> Result<Started, any Error> {
            if case .policy(let refusal)? = error as? SigningError { refusals[refusal.kind, default: 0] += 1 }
            return .failure(error)
        }

        /// - Returns: false if the request is refused.
        mutating func sign(
            _ request: Result<Request, any Error>, in signer: inout Signer,
            _ finish: @escaping (Result<Signed, any Error>) -> Void
        ) throws(SigningError) -> Bool {
            if let failure { throw failure }
            do throws(SigningError) {
                let result: Result<Started, any Error>
                switch request {
                case .success(let request): result = try start(request.request, in: &signer)
                case .failure(let error): result = refusal(error)
                }
                waiting.append(Waiting(result: result, finish: finish))
                try self.finish(leaving: Self.depth, in: &signer)
                if case .failure = result { return false }
                return true
            } catch {
                failure = error
                throw error
            }
        }

        /// Starts to sign one transaction with each key that has not signed yet. `policy`,
        /// `historyChangedSinceReview`, `changedSinceReview` and `actionsNotAllowed` refuse it
        /// alone.
        private mutating func start(
            _ request: SigningRequest, in signer: inout Signer
        ) throws(SigningError) -> Result<Started, any Error> {
            let wasSigned = try wasSigned(request, in: signer)
            guard !request.isComplete else {
                return .success(Started(request: request, wasSigned: wasSigned, signatures: nil))
            }
            let consent = batch.consent
            let signatures = try group.start(request, in: &signer) { policies throws(SigningError) in
                let allowances = try policies.allowances(
                    for: request.missing, of: request.policyRequest(for: policies), consent: consent)
                try request.expectAllowed(by: consent, allowances)
                return allowances
            }
            switch signatures {
            case .success(let signatures):
                return .success(Started(request: request, wasSigned: wasSigned, signatures: signatures))
            case .failure(let error):
                switch error {
                case .policy, .historyChangedSinceReview, .changedSinceReview, .actionsNotAllowed:
                    return refusal(error)
                default: throw error
                }
            }
        }

        private func wasSigned(
            _ request: SigningRequest, in signer: borrowing Signer
        ) throws(SigningError) -> Bool {
            guard let subject = request.review.historySubject(signedBy: []) else { return false }
            return try request.wasSigned(signer.history(of: subject))
        }
    }
}
