import KeyVault
import Transactions

/// A signing request that was allowed. Only `SigningRequest.authorize` makes one, and nothing else
/// signs.
package struct AuthorizedRequest: Sendable {
    package let request: SigningRequest
    private let consent: Consent

    fileprivate init(_ request: SigningRequest, _ consent: Consent) {
        self.request = request
        self.consent = consent
    }

    /// Signs with each key that has not signed yet. Either all keys sign or none does. A signature
    /// is released only after the store's work is durable, and only if the key recovered from it is
    /// the requested one. The store records each signature that is released.
    /// - Throws: Also what `authorize` throws for the verified policies of the store.
    package func sign(with store: borrowing some KeyStore & ~Copyable) throws(SigningError) -> SignedTransaction {
        try request.signed(store.signatures(for: self, recording: true))
    }

    /// Signs with a store that can't be written, without a record.
    /// - Throws: Also what `authorize` throws for the verified policies of the store.
    package func signWithoutRecord(
        with store: borrowing some KeyStore & ~Copyable
    ) throws(SigningError) -> SignedTransaction {
        try request.signed(store.signatures(for: self, recording: false))
    }

    /// Compares the pinned ABIs with those that decoded the review, and repeats the decision: pins
    /// and policies were read unverified before the PIN was known. Then signs.
    package func signatures(
        by signer: inout some DigestSigner & ~Copyable
    ) throws(SigningError) -> SigningRequest.CheckedSignatures {
        try request.review.expectPins(signer.pinnedABIs(of: request.chain))
        return try request.authorize(hasPolicies: signer.hasPolicies(), consent: consent)
            .request.signatures(by: &signer)
    }
}

extension SigningRequest {
    /// Decides whether the request may be signed. The decision is about the whole request: every
    /// action of the review, the chain and the keys. It precedes the question and the PIN.
    /// - Parameters:
    ///   - hasPolicies: Whether the vault has policies. This version does not interpret them, so it
    ///     signs nothing with such a vault.
    ///   - consent: How the dangers of the review are accepted.
    /// - Throws: `vault(.input(.policySet))`, `dangerNotAllowed`.
    package func authorize(hasPolicies: Bool, consent: Consent = .person) throws(SigningError) -> AuthorizedRequest {
        guard !hasPolicies else { throw .vault(.input(.policySet)) }
        let refused = consent.refused(review.dangers(own: own))
        guard refused.isEmpty else { throw .dangerNotAllowed(refused) }
        return AuthorizedRequest(self, consent)
    }
}
