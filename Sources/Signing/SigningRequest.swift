import Codecs
import Curves
import KeyText
import KeyVault
import Transactions

/// A reviewed transaction and the keys that are to sign it for the review's chain.
///
/// No other code combines a key, a transaction and a vault:
/// ```swift
/// // Given transaction: SignedTransaction, chain: ChainID, abis: ContractABIs
/// // Given keys: [ChosenKey], hasPolicies: Bool, vault: borrowing UnlockedVault
/// let review = try Review(of: transaction, chain: chain, abis: abis)
/// let request = try SigningRequest(review, keys: keys).authorize(hasPolicies: hasPolicies)
/// // show the review, ask
/// let signed = try request.sign(with: vault)
/// ```
public struct SigningRequest: Sendable {
    public let review: Review
    private let chain: ChainID
    /// The digest that was computed when the transaction was decoded for the review.
    private let digest: SigningDigest
    private let keys: [ChosenKey]

    /// - Parameter keys: In the order of the signatures to append. Repeated keys are ignored.
    /// - Throws: `noChain` for a review without a chain.
    public init(_ review: Review, keys: [ChosenKey]) throws(SigningError) {
        guard let chain = review.chain, let digest = review.digest else { throw .noChain }
        self.review = review
        self.chain = chain
        self.digest = digest
        self.keys = keys.reduce(into: []) { keys, key in
            if !keys.contains(where: { $0.publicKey == key.publicKey }) { keys.append(key) }
        }
    }

    /// The keys that have not signed yet. A signature that is not canonical does not count, because
    /// the chain refuses it.
    public var missing: [ChosenKey] {
        keys.filter { key in !review.signers.contains(.key(key.publicKey)) }
    }

    /// Whether every key has already signed. Then no PIN is needed.
    public var isComplete: Bool { missing.isEmpty }

    /// Only `AuthorizedRequest` calls this.
    func signatures(by transaction: inout VaultTransaction) throws(SigningError) -> [Signature] {
        var signatures: [Signature] = []
        for key in missing {
            let verified = try key.verified(in: &transaction)
            guard verified == key.entry else { throw .changedSinceReview(name: key.entry.name) }
            signatures.append(
                try transaction.withKey(key.publicKey) { privateKey throws(SigningError) in
                    try Self.sign(digest, privateKey, expecting: key.publicKey) {
                        review.transaction.digest(for: chain)
                    }
                })
            let event = AuditEvent.signed(
                key: key.publicKey.text, chain: chain.bytes, transaction: review.transaction.idBytes)
            try converting(SigningError.vault, transaction.record(event))
        }
        return signatures
    }

    /// Signs, and checks once more that the key recovered from the signature is the requested one.
    /// - Parameters:
    ///   - digest: The digest from the time of the review.
    ///   - hash: Computes the digest again from the bytes that are released with the signature. If
    ///     the bytes or the digest changed after the review, the signature is refused.
    static func sign(
        _ digest: SigningDigest, _ privateKey: borrowing PrivateKey, expecting publicKey: PublicKey,
        hash: () -> SigningDigest
    ) throws(SigningError) -> Signature {
        let signature: Signature
        let recovered: PublicKey
        do {
            signature = try privateKey.sign(digest).signature
            recovered = try signature.recover(hash())
        } catch { throw .curve(error) }
        guard recovered == publicKey else { throw .recoveredOtherKey }
        return signature
    }

    /// The signatures of the requested keys, in the order of the keys. Includes those that the
    /// transaction had before.
    public func signatures(in signed: SignedTransaction) -> [Signature] {
        let signers = Signer.all(of: signed, over: digest)
        return keys.compactMap { key in
            signers.firstIndex(of: .key(key.publicKey)).map { signed.signatures[$0] }
        }
    }
}
