import ABICodec
import Codecs
import Keys
import Transactions

/// A reviewed transaction and the keys that are to sign it for the review's chain.
///
/// No other code combines a key, a transaction and a key store:
/// ```swift
/// // Given transaction: SignedTransaction, chain: ChainID, abis: ContractABIs
/// // Given keys: [ChosenKey], policies: PolicyLedger, store: borrowing some KeyStore
/// let review = try Review(of: transaction, chain: chain, abis: abis)
/// let request = try SigningRequest(review, keys: keys).authorize(policies)
/// // show the review, ask
/// let signed = try request.sign(with: store)
/// ```
package struct SigningRequest: Sendable {
    package private(set) var review: Review
    package let chain: ChainID
    /// The digest that was computed when the transaction was decoded for the review.
    private let digest: SigningDigest
    private let keys: [ChosenKey]
    /// True if the store verified the history of the review when it was about to sign.
    private var hasVerifiedHistory = false
    /// The keys of the store that the review was compared with; nil if it was not.
    package let own: OwnKeys?

    /// - Parameters:
    ///   - keys: In the order of the signatures to append. Repeated keys are ignored.
    ///   - own: The keys of the store, not verified.
    /// - Throws: `noChain` for a review without a chain; `keyNotRequired`.
    package init(_ review: Review, keys: [ChosenKey], own: OwnKeys? = nil) throws(SigningError) {
        guard let chain = review.chain, let digest = review.digest else { throw .noChain }
        self.review = review
        self.chain = chain
        self.digest = digest
        self.own = own
        self.keys = keys.reduce(into: []) { keys, key in
            if !keys.contains(where: { $0.publicKey == key.publicKey }) { keys.append(key) }
        }
        let required = review.transaction.requiredKeys
        for key in publicKeys where required?.contains(key) == false {
            throw .keyNotRequired(key, required: required ?? [])
        }
    }

    /// The keys that have not signed yet. A signature that is not canonical does not count, because
    /// the chain refuses it.
    package var missing: [ChosenKey] {
        keys.filter { key in !review.signers.contains(.key(key.publicKey)) }
    }

    /// The keys that are to sign, including keys that have signed already.
    package var publicKeys: [PublicKey] { keys.map(\.publicKey) }

    /// True if every key has already signed. Then no PIN is needed.
    package var isComplete: Bool { missing.isEmpty }

    /// Signatures whose keys were recovered and compared. Only `signatures(by:with:)` makes them.
    package struct CheckedSignatures {
        fileprivate let signatures: [Signature]
        fileprivate let digest: SigningDigest
        fileprivate let keys: [PublicKey]
    }

    /// - Throws: `recoveredOtherKey` for signatures of another request, which a faulty store kept.
    func signed(_ checked: CheckedSignatures) throws(SigningError) -> SignedTransaction {
        guard checked.digest == digest, checked.keys == missing.map(\.publicKey) else {
            throw .recoveredOtherKey
        }
        var signed = review.transaction
        for signature in checked.signatures { signed.append(signature) }
        return signed
    }

    /// The same request, reviewed with the store's history of this moment. Nobody saw the review
    /// with the history before.
    func withHistory(
        of signer: borrowing some DigestSigner & ~Copyable
    ) throws(SigningError) -> SigningRequest {
        guard let subject = review.lookedUpSubject(signedBy: publicKeys) else { return self }
        var request = self
        request.review.history = try signer.history(of: subject)
        request.hasVerifiedHistory = true
        return request
    }

    /// Compares what the review showed of the store, except for the keys that sign: the history,
    /// and the keys that it called the vault's own.
    /// - Throws: `historyChangedSinceReview`, `changedSinceReview`, errors of the store.
    func expectStored(by signer: inout some DigestSigner & ~Copyable) throws(SigningError) {
        if !hasVerifiedHistory, let subject = review.lookedUpSubject(signedBy: publicKeys) {
            try review.expectHistory(signer.history(of: subject))
        }
        // These keys were read before the PIN was known.
        for key in own.map(review.ownKeys) ?? [] {
            _ = try ChosenKey(key, choice: .publicKey).verified(by: &signer)
        }
    }

    /// Signs with each key and checks each signature. The store is not changed.
    /// - Parameter keys: the keys of `missing` with the store's verified keys.
    func signatures<Signer: DigestSigner & ~Copyable>(
        by signer: inout Signer, with keys: [(chosen: ChosenKey, verified: Signer.VerifiedKey)]
    ) throws(SigningError) -> CheckedSignatures {
        var signatures: [Signature] = []
        for (chosen, key) in keys {
            signatures.append(try checked(signer.sign(digest, with: key), of: chosen.publicKey))
        }
        return CheckedSignatures(signatures: signatures, digest: digest, keys: keys.map(\.chosen.publicKey))
    }

    /// The digest is computed again from the bytes that are released with the signature. If the
    /// bytes or the digest changed after the review, the signature is refused.
    private func checked(_ made: MadeSignature, of key: PublicKey) throws(SigningError) -> Signature {
        try made.checked(over: review.transaction.digest(for: chain), by: key)
    }

    /// The signatures of keys that were started, in their order.
    struct StartedSignatures {
        fileprivate let parts: [(key: PublicKey, started: StartedSignature)]

        /// True if a key that is elsewhere is making one.
        var isPending: Bool { parts.contains { if case .pending = $0.started { true } else { false } } }
    }

    /// Starts a signature with each key.
    func start<Signer: DigestSigner & ~Copyable>(
        by signer: inout Signer, with keys: [(chosen: ChosenKey, verified: Signer.VerifiedKey)]
    ) throws(SigningError) -> StartedSignatures {
        var parts: [(key: PublicKey, started: StartedSignature)] = []
        for (chosen, key) in keys { parts.append((chosen.publicKey, try signer.start(digest, with: key))) }
        return StartedSignatures(parts: parts)
    }

    /// Waits for each signature and checks it.
    func finish(
        _ started: StartedSignatures, by signer: inout some DigestSigner & ~Copyable
    ) throws(SigningError) -> CheckedSignatures {
        var signatures: [Signature] = []
        for (key, started) in started.parts {
            signatures.append(try checked(signer.finish(started), of: key))
        }
        return CheckedSignatures(signatures: signatures, digest: digest, keys: started.parts.map(\.key))
    }

    /// Records the signature of each key that has not signed yet.
    func record(in signer: inout some DigestSigner & ~Copyable) throws(SigningError) {
        for key in missing.map(\.publicKey) {
            try signer.recordSignature(by: key, of: review, on: chain)
            if let subject = review.historySubject(signedBy: [key]) {
                try signer.remember(remembered(of: key), of: subject)
            }
        }
    }

    /// True if each key signed this transaction before, according to the review.
    package var wasSignedBefore: Bool { review.history.map(wasSigned) ?? false }

    /// True if each key signed this transaction before, according to the history.
    func wasSigned(_ history: PaymentHistory) -> Bool {
        let id = review.transaction.idBytes
        let signers = Set(history.signatures.filter { $0.isFor(id) }.map(\.key))
        return keys.allSatisfy { signers.contains($0.publicKey) }
    }

    /// The history's record of a signature by this key.
    func remembered(of key: PublicKey) -> PaymentHistory.Signature {
        PaymentHistory.Signature(
            key: key, transaction: review.transaction.idBytes,
            expiration: review.transaction.transaction.expiration.seconds)
    }

    /// The signatures of the requested keys, in the order of the keys. Includes signatures that the
    /// transaction had before.
    package func signatures(in signed: SignedTransaction) -> [Signature] {
        let signers = Signer.all(of: signed, over: digest)
        return keys.compactMap { key in
            signers.firstIndex(of: .key(key.publicKey)).map { signed.signatures[$0] }
        }
    }
}
