import ABICodec
import Codecs
import Curves
import KeyText
import KeyVault
import Transactions

/// A reviewed transaction and the keys that are to sign it for the review's chain.
///
/// No other code combines a key, a transaction and a key store:
/// ```swift
/// // Given transaction: SignedTransaction, chain: ChainID, abis: ContractABIs
/// // Given keys: [ChosenKey], hasPolicies: Bool, vault: borrowing UnlockedVault
/// let review = try Review(of: transaction, chain: chain, abis: abis)
/// let request = try SigningRequest(review, keys: keys).authorize(hasPolicies: hasPolicies)
/// // show the review, ask
/// let signed = try request.sign(with: vault)
/// ```
package struct SigningRequest: Sendable {
    package let review: Review
    let chain: ChainID
    /// The digest that was computed when the transaction was decoded for the review.
    private let digest: SigningDigest
    private let keys: [ChosenKey]
    /// The keys of the store that the review was compared with; nil if it was not.
    package let own: OwnKeys?

    /// - Parameters:
    ///   - keys: In the order of the signatures to append. Repeated keys are ignored.
    ///   - own: The keys of the store, not verified.
    /// - Throws: `noChain` for a review without a chain.
    package init(_ review: Review, keys: [ChosenKey], own: OwnKeys? = nil) throws(SigningError) {
        guard let chain = review.chain, let digest = review.digest else { throw .noChain }
        self.review = review
        self.chain = chain
        self.digest = digest
        self.own = own
        self.keys = keys.reduce(into: []) { keys, key in
            if !keys.contains(where: { $0.publicKey == key.publicKey }) { keys.append(key) }
        }
    }

    /// The keys that have not signed yet. A signature that is not canonical does not count, because
    /// the chain refuses it.
    package var missing: [ChosenKey] {
        keys.filter { key in !review.signers.contains(.key(key.publicKey)) }
    }

    /// Whether every key has already signed. Then no PIN is needed.
    package var isComplete: Bool { missing.isEmpty }

    /// Signatures whose keys were recovered and compared. Only `signatures(by:)` makes them.
    package struct CheckedSignatures {
        fileprivate let signatures: [Signature]
        fileprivate let digest: SigningDigest
        fileprivate let keys: [PublicKey]
    }

    /// - Throws: `recoveredOtherKey` for signatures of another request, which a faulty store kept.
    func signed(_ checked: CheckedSignatures) throws(SigningError) -> SignedTransaction {
        guard checked.digest == digest, checked.keys == missing.map(\.publicKey) else { throw .recoveredOtherKey }
        var signed = review.transaction
        for signature in checked.signatures { signed.append(signature) }
        return signed
    }

    /// Signs with each key that has not signed yet, checks each signature and records it. Only
    /// `AuthorizedRequest` calls this.
    func signatures(by signer: inout some DigestSigner & ~Copyable) throws(SigningError) -> CheckedSignatures {
        var signatures: [Signature] = []
        let subject = review.historySubject
        let actions = SignedActions(review.transaction.transaction)
        if let subject { try review.expectHistory(signer.history(of: subject)) }
        // The review called these keys the vault's own. They were read before the PIN was known.
        for description in own.map(review.ownKeys) ?? [] {
            _ = try verified(ChosenKey(description, choice: .publicKey), by: &signer)
        }
        for chosen in missing {
            let key = try verified(chosen, by: &signer)
            let signature = try signer.sign(digest, with: key)
            // The digest is computed again from the bytes that are released with the signature. If
            // the bytes or the digest changed after the review, the signature is refused.
            try Self.check(signature, over: review.transaction.digest(for: chain), expecting: chosen.publicKey)
            signatures.append(signature)
            let id = review.transaction.idBytes
            try signer.recordSignature(by: chosen.publicKey, chain: chain, transaction: id, actions: actions)
            guard let subject else { continue }
            try signer.remember(
                PaymentHistory.Signature(
                    key: EntryName(chosen.publicKey), transaction: id,
                    expiration: review.transaction.transaction.expiration.seconds), of: subject)
        }
        return CheckedSignatures(signatures: signatures, digest: digest, keys: missing.map(\.publicKey))
    }

    /// The store's verified key, if the store describes it as the review did.
    private func verified<Signer: DigestSigner & ~Copyable>(
        _ chosen: ChosenKey, by signer: inout Signer
    ) throws(SigningError) -> Signer.VerifiedKey {
        let key = try signer.verifiedKey(chosen)
        guard try signer.description(of: key) == chosen.description else {
            throw .changedSinceReview(name: chosen.publicKey.text)
        }
        return key
    }

    /// - Throws: `recoveredOtherKey` when the key recovered from the signature is not the requested
    ///   one; `curve`.
    static func check(
        _ signature: Signature, over digest: SigningDigest, expecting publicKey: PublicKey
    ) throws(SigningError) {
        let recovered = try converting(SigningError.curve, signature.recover(digest))
        guard recovered == publicKey else { throw .recoveredOtherKey }
    }

    /// The signatures of the requested keys, in the order of the keys. Includes those that the
    /// transaction had before.
    package func signatures(in signed: SignedTransaction) -> [Signature] {
        let signers = Signer.all(of: signed, over: digest)
        return keys.compactMap { key in
            signers.firstIndex(of: .key(key.publicKey)).map { signed.signatures[$0] }
        }
    }
}
