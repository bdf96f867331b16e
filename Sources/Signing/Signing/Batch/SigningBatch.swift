import ABICodec
import KeyVault
import Keys
import Policy
import Transactions

/// Many transactions that the same keys sign for the same chain, with one review and one unlock.
///
/// Each transaction is decided alone, as `SigningRequest.authorize` decides for a script: a danger
/// is refused unless an allowance names it. A person who confirms the summary of many transactions
/// can't type a word for each danger.
///
/// What all transactions share (policies, pinned ABIs and keys) is verified once for each
/// transaction of the vault, and the payment history is kept in memory.
package struct SigningBatch: Sendable {
    private let chain: ChainID
    private let abis: ContractABIs
    private let keys: [ChosenKey]
    private let own: OwnKeys?
    private let allowances: [Allowance]
    private let actions: AllowedActions?
    private let refused: RefusedWarnings
    private let blind: Set<ActionPattern>
    private let proposals: [GivenProposal]

    /// - Parameters:
    ///   - keys: in the order of the signatures to append. Without a key, the transactions are only
    ///     reviewed: none is refused because of a danger.
    ///   - own: the keys of the vault, not verified; nil without a vault.
    ///   - actions: what may be signed without a person; nil if a person confirms the review.
    ///   - warnings: the warnings that refuse a transaction, also with consent.
    package init(
        chain: ChainID, abis: ContractABIs, keys: [ChosenKey], own: OwnKeys?, allowances: [Allowance],
        actions: AllowedActions? = nil, refusing warnings: RefusedWarnings = .none, blind: Set<ActionPattern> = [],
        proposals: [GivenProposal] = []
    ) {
        (self.chain, self.abis, self.keys, self.own) = (chain, abis, keys, own)
        (self.allowances, self.actions, refused) = (allowances, actions, warnings)
        (self.blind, self.proposals) = (blind, proposals)
    }

    /// Whether a vault is asked what it signed before.
    package var hasVault: Bool { own != nil }

    /// What decides about a transaction: what was signed before.
    package struct History: Sendable {
        package var payments: PaymentLedger
        package var policies: PolicyLedger

        package init(payments: PaymentLedger, policies: PolicyLedger) {
            (self.payments, self.policies) = (payments, policies)
        }
    }

    /// A transaction of this batch that was decoded and allowed. Only `request` makes one.
    package struct Request: Sendable {
        fileprivate let request: SigningRequest

        package var review: Review { request.review }

        /// Whether every key has already signed.
        package let isComplete: Bool
        /// Whether the vault made the signature of every key before, according to the history.
        package let wasSignedBefore: Bool

        /// - Parameter now: seconds since 1970.
        package func warnings(now: Int64) -> [Warning] { review.warnings(now: now, own: request.own) }

        fileprivate let allowances: [PublicKey: PolicyAllowance]

        /// Adds the signatures to the history that the next transactions of the batch are reviewed
        /// with.
        /// - Parameter time: seconds since 1970.
        package func add(to history: inout History, at time: Int64) {
            history.policies.add(allowances)
            // The author of a batch chooses its payers, so those of earlier lines are not known.
            guard let subject = review.historySubject(signedBy: []) else { return }
            for key in request.missing {
                history.payments.add(request.remembered(of: key.publicKey), of: subject, at: time)
            }
        }
    }

    /// Decodes a transaction of the text and decides whether it may be signed.
    /// - Parameter history: the history, with what the batch signed before this transaction.
    /// - Throws: what `SignedTransaction(reading:)`, `Review` and `authorize` throw.
    package func request(reading text: [UInt8], history: History) throws(SigningError) -> Request {
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
        let authorized = try request.authorize(history.policies, consent: .script(allowances), refusing: refused)
        try expectAllowed(request, authorized.allowances)
        return Request(
            request: authorized.request, isComplete: request.isComplete,
            wasSignedBefore: review.history.map(request.wasSigned) ?? false, allowances: authorized.allowances)
    }

    /// - Parameter allowances: what the policies of the keys allow.
    /// - Throws: `actionsNotAllowed`.
    private func expectAllowed(
        _ request: SigningRequest, _ allowances: [PublicKey: PolicyAllowance]
    ) throws(SigningError) {
        guard let actions else { return }
        let byPolicies = request.missing.allSatisfy { allowances[$0.publicKey] != nil }
        let refused = actions.refused(of: request.review, byPolicies: byPolicies)
        guard refused.isEmpty else { throw .actionsNotAllowed(refused) }
    }

    /// Decodes a transaction of the text, and decides nothing.
    /// - Throws: what `SignedTransaction(reading:)` and `Review` throw.
    package func review(reading text: [UInt8]) throws(SigningError) -> Review {
        let transaction: SignedTransaction
        do { transaction = try SignedTransaction(reading: text, abis: abis) } catch { throw .transaction(error) }
        return try Review(of: transaction, chain: chain, abis: abis, blind: blind, proposals: proposals)
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
        /// Whether the vault made the signature of every key before, according to its verified
        /// history.
        package let wasSignedBefore: Bool
    }

    /// The part of a batch that one transaction of the vault signs.
    package struct Part: ~Copyable {
        fileprivate let batch: SigningBatch
        fileprivate let keys: [(chosen: ChosenKey, verified: VaultTransaction.VerifiedEntry)]
        fileprivate var policies: PolicyLedger
        /// How many transactions policies refused.
        package private(set) var refusals: [PolicyRefusals.Kind: Int64] = [:]

        /// Counts a transaction that `request` refused, if a policy did.
        package mutating func count(_ error: SigningError) {
            if case .policy(let refusal) = error { refusals[refusal.kind, default: 0] += 1 }
        }

        /// Signs one transaction with each key that has not signed yet. The result must not be
        /// released before the transaction of the vault is committed.
        /// - Returns: the signed transaction, or `policy`, `historyChangedSinceReview` or
        ///   `changedSinceReview` if this transaction is refused alone.
        /// - Throws: errors that end the whole part.
        package mutating func sign(
            _ request: Request, in transaction: inout VaultTransaction
        ) throws(SigningError) -> Result<Signed, SigningError> {
            let request = request.request
            let wasSigned = try wasSigned(request, in: transaction)
            guard !request.isComplete else {
                return .success(Signed(transaction: request.review.transaction, wasSignedBefore: wasSigned))
            }
            // Nothing of this transaction is written before these comparisons.
            let allowances: [PublicKey: PolicyAllowance]
            do throws(SigningError) {
                // The rules of a script apply: a person who confirms many transactions at once has
                // not confirmed each one.
                allowances = try policies.allowances(
                    for: request.missing, of: request.policyRequest(for: policies), consent: .script([]))
                try batch.expectAllowed(request, allowances)
                try request.expectStored(by: &transaction)
            } catch {
                switch error {
                case .policy:
                    count(error)
                    return .failure(error)
                case .historyChangedSinceReview, .changedSinceReview, .actionsNotAllowed: return .failure(error)
                default: throw error
                }
            }
            let missing = Set(request.missing.map(\.publicKey))
            let keys = keys.filter { missing.contains($0.chosen.publicKey) }
            let signed = try request.signed(request.signatures(by: &transaction, with: keys))
            policies.add(allowances)
            return .success(Signed(transaction: signed, wasSignedBefore: wasSigned))
        }

        private func wasSigned(
            _ request: SigningRequest, in transaction: borrowing VaultTransaction
        ) throws(SigningError) -> Bool {
            guard let subject = request.review.historySubject(signedBy: []) else { return false }
            return try request.wasSigned(transaction.history(of: subject))
        }

        /// Ends the part, and counts its signatures in the windows of the policies.
        /// - Returns: the payment history after it, for the next part.
        package consuming func end(in transaction: inout VaultTransaction) throws(SigningError) -> PaymentLedger {
            transaction.closeKeys()
            try policies.store(in: &transaction)
            do throws(VaultError) { return try transaction.releaseHistory() } catch { throw .vault(error) }
        }
    }

    /// Begins to sign in a transaction of the vault, and verifies what all transactions share.
    /// - Parameter history: the history after the previous part, if there was one.
    /// - Throws: `pinsChangedSinceReview`, `changedSinceReview`,
    ///   `keyAddedMeanwhile`, `vault`.
    package func begin(
        in transaction: inout VaultTransaction, after history: PaymentLedger?
    ) throws(SigningError) -> Part {
        try abis.expectPins(transaction.pinnedABIs(of: chain))
        do throws(VaultError) { try transaction.holdHistory(history) } catch { throw .vault(error) }
        transaction.keepKeysOpen()
        var verified: [(chosen: ChosenKey, verified: VaultTransaction.VerifiedEntry)] = []
        for key in keys where !verified.contains(where: { $0.chosen.publicKey == key.publicKey }) {
            verified.append((key, try key.verified(by: &transaction)))
        }
        let policies = try transaction.policies(of: keys.map(\.publicKey), parsedIn: .empty)
        return Part(batch: self, keys: verified, policies: policies)
    }
}
