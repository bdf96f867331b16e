import Codecs
import Curves
import KeyVault
import Transactions

/// A signing request that was allowed. Only `SigningRequest.authorize` makes one, and nothing else
/// signs.
public struct AuthorizedRequest: Sendable {
    public let request: SigningRequest

    fileprivate init(_ request: SigningRequest) { self.request = request }

    /// Signs with each key that has not signed yet. Either all keys sign or none does. A signature
    /// is released only after COMMIT of the vault's transaction, and only if the key recovered from
    /// it is the requested one. The audit log records each signature that is released.
    /// - Throws: Also what `authorize` throws for the verified policies of the vault.
    public func sign(with vault: borrowing UnlockedVault) throws(SigningError) -> SignedTransaction {
        signed(
            try vault.transaction { (transaction: inout VaultTransaction) throws(SigningError) in
                try signatures(by: &transaction)
            })
    }

    /// Signs with a vault that can't be written, without an entry in the audit log.
    /// - Throws: Also what `authorize` throws for the verified policies of the vault.
    public func signWithoutRecord(with vault: borrowing UnlockedVault) throws(SigningError) -> SignedTransaction {
        signed(
            try vault.withoutRecord { (transaction: inout VaultTransaction) throws(SigningError) in
                try signatures(by: &transaction)
            })
    }

    private func signed(_ signatures: [Signature]) -> SignedTransaction {
        var signed = request.review.transaction
        for signature in signatures { signed.append(signature) }
        return signed
    }

    /// Repeats the decision, because the policies were read unverified before the PIN was known.
    private func signatures(by transaction: inout VaultTransaction) throws(SigningError) -> [Signature] {
        let hasPolicies = try converting(SigningError.vault, transaction.hasPolicies())
        return try request.authorize(hasPolicies: hasPolicies).request.signatures(by: &transaction)
    }
}

extension SigningRequest {
    /// Decides whether the request may be signed. The decision is about the whole request: every
    /// action of the review, the chain and the keys. It precedes the question and the PIN.
    /// - Parameter hasPolicies: Whether the vault has policies. This version does not interpret
    ///   them, so it signs nothing with such a vault.
    /// - Throws: `vault(.input(.policySet))`.
    public func authorize(hasPolicies: Bool) throws(SigningError) -> AuthorizedRequest {
        guard !hasPolicies else { throw .vault(.input(.policySet)) }
        return AuthorizedRequest(self)
    }
}
