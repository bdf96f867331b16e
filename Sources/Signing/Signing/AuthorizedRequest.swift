import Keys
import Policy
import Transactions

/// A signing request that was allowed. Only `SigningRequest.authorize` makes one, and nothing else
/// signs.
package struct AuthorizedRequest: Sendable {
    package private(set) var request: SigningRequest
    private let consent: any Consent
    private let refused: RefusedWarnings
    /// The allowances of the keys' policies; none for a key without a policy.
    package let allowances: [PublicKey: PolicyAllowance]

    private let policies: PolicyLedger
    /// The process that requests the signature in a group; nil for this one.
    package var requester: Requester?

    fileprivate init(
        _ request: SigningRequest, _ consent: any Consent, _ refused: RefusedWarnings,
        _ policies: PolicyLedger,
        _ allowances: [PublicKey: PolicyAllowance]
    ) {
        (self.request, self.consent, self.refused) = (request, consent, refused)
        (self.policies, self.allowances) = (policies, allowances)
    }

    /// Why a person must confirm the signature, other than the dangers. Each occurs once.
    package var confirmations: [PolicyConfirmation] {
        request.missing.reduce(into: []) { list, key in
            for confirmation in allowances[key.publicKey]?.confirmations ?? []
            where !list.contains(confirmation) {
                list.append(confirmation)
            }
        }
    }

    /// The longest step of the clock that a policy requires a person to confirm.
    package var clockStep: UInt32? {
        confirmations.compactMap { confirmation in
            if case .clockStep(let seconds) = confirmation { return seconds }
            return nil
        }.max()
    }

    /// Signs with each key that has not signed yet. Either all keys sign or none does. A signature
    /// is released only after the store's work is durable, and only if the key recovered from it is
    /// the requested one. The store records each signature that is released.
    /// - Throws: Also the errors of `authorize` for the verified policies of the store.
    package func sign(with store: borrowing some KeyStore & ~Copyable) throws(SigningError)
        -> SignedTransaction
    {
        try signed(with: store, recording: true)
    }

    /// Signs with a store that can't be written, without a record.
    /// - Throws: Also the errors of `authorize` for the verified policies of the store.
    package func signWithoutRecord(
        with store: borrowing some KeyStore & ~Copyable
    ) throws(SigningError) -> SignedTransaction {
        try signed(with: store, recording: false)
    }

    private func signed<Store: KeyStore & ~Copyable>(
        with store: borrowing Store, recording: Bool
    ) throws(SigningError) -> SignedTransaction {
        do {
            return try request.signed(
                store.lendSigner(to: Use<Store.Memory>(request: self), recording: recording))
        } catch {
            if recording, case .policy(let refusal) = error { store.count([refusal.kind: 1]) }
            throw error
        }
    }

    private struct Use<Memory: PaymentMemory>: SignerUse {
        let request: AuthorizedRequest

        func run<Signer: DigestSigner & ~Copyable>(
            with signer: inout Signer
        ) throws(SigningError) -> SigningRequest.CheckedSignatures where Signer.Memory == Memory {
            let keys = request.request.missing.map(\.publicKey)
            var group = try SigningGroup(of: keys, parsedIn: request.policies, in: &signer)
            let signatures = try request.signatures(by: &signer, in: &group).get()
            try group.end(in: &signer)
            return signatures
        }
    }

    /// The request as the store's history of this moment shows it, if nobody answers for a review
    /// that was shown.
    func renewed(
        by signer: borrowing some DigestSigner & ~Copyable
    ) throws(SigningError) -> AuthorizedRequest {
        guard !consent.isAsked else { return self }
        var renewed = self
        renewed.request = try request.withHistory(of: signer)
        return renewed
    }

    /// Compares the pinned ABIs and the name of the chain with the review, and repeats the
    /// decision. The ABIs, the name and the policies were read unverified before the PIN was known.
    /// Then signs.
    func signatures<Signer: DigestSigner & ~Copyable>(
        by signer: inout Signer, in group: inout SigningGroup<Signer>
    ) throws(SigningError) -> Result<SigningRequest.CheckedSignatures, SigningError> {
        do throws(SigningError) {
            let chain = try group.facts(of: request.chain, in: &signer)
            try request.review.expectPins(chain.pins)
            try request.review.expectChainName(chain.name)
        } catch { return .failure(error) }
        return try group.sign(request, in: &signer) { policies throws(SigningError) in
            let verified = try request.authorize(policies, consent: consent, refusing: refused)
            // The person confirmed what the unverified file required.
            guard verified.steps.isSubset(of: steps) else { throw .policiesChangedSinceReview }
            return verified.allowances
        }
    }

    /// The keys whose policies require a confirmation because of a step of the clock.
    private var steps: Set<PublicKey> {
        Set(
            allowances.filter { _, allowance in
                allowance.confirmations.contains { confirmation in
                    if case .clockStep = confirmation { true } else { false }
                }
            }.keys)
    }
}

extension SigningRequest {
    /// Decides whether the request may be signed. The decision is about the whole request: every
    /// action of the review, the chain and the keys. It precedes the question and the PIN.
    /// - Parameters:
    ///   - policies: The policies of the keys.
    ///   - consent: Who accepts the request.
    ///   - warnings: The warnings that refuse the request, also with consent.
    /// - Throws: `policy`, `warningRefused`, `dangerNotAllowed`, `actionsNotAllowed`.
    package func authorize(
        _ policies: PolicyLedger, consent: any Consent = PersonConsent(),
        refusing warnings: RefusedWarnings = .none
    ) throws(SigningError) -> AuthorizedRequest {
        let allowances = try policies.allowances(
            for: missing, of: policyRequest(for: policies), consent: consent)
        try warnings.expectNone(in: review, own: own)
        // A rule with `blind` also accepts the danger `blind` of its action.
        let blind = policies.blindActions(for: missing.map(\.publicKey))
        let accepted = Set(
            review.allActions.filter { $0.value == nil }.map { ActionPattern($0.action) }
                .filter(blind.contains).map { Allowance(blind: $0) })
        let dangers = review.dangers(own: own).filter { danger in
            !accepted.contains { $0.accepts(danger) }
        }
        let refused = consent.refused(dangers)
        guard refused.isEmpty else { throw .dangerNotAllowed(refused) }
        try expectAllowed(by: consent, allowances)
        return AuthorizedRequest(self, consent, warnings, policies, allowances)
    }

    /// - Parameter allowances: the allowances of the keys' policies.
    /// - Throws: `actionsNotAllowed`.
    func expectAllowed(
        by consent: any Consent, _ allowances: [PublicKey: PolicyAllowance]
    ) throws(SigningError) {
        let byPolicies = missing.allSatisfy { allowances[$0.publicKey] != nil }
        let refused = consent.refusedActions(of: review, byPolicies: byPolicies)
        guard refused.isEmpty else { throw .actionsNotAllowed(refused) }
    }

    /// The request that the policies decide on. The warnings are found only if a policy refuses
    /// some.
    func policyRequest(for policies: PolicyLedger) -> PolicyRequest? {
        guard missing.contains(where: { policies[$0.publicKey]?.policy.refusedWarnings.isEmpty == false })
        else {
            return review.policyRequest
        }
        var request = review.policyRequest
        var codes = Set(review.warnings(now: Int64(policies.clock), own: own).map(\.code.rawValue))
        // A name of the vault needs no second unlock method, so it must not loosen a policy.
        if review.chainName != nil { codes.insert(WarningCode.unknownChain.rawValue) }
        request?.warnings = codes
        return request
    }
}
