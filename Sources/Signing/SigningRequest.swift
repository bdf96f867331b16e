import Curves
import KeyText
import KeyVault
import Transactions

/// A reviewed transaction and the keys that are to sign it for the review's chain.
///
/// The only place where a key, a transaction and a vault meet:
/// ```swift
/// // Given transaction: SignedTransaction, chain: ChainID, abis: ContractABIs
/// // Given keys: [ChosenKey], vault: borrowing UnlockedVault
/// let review = try Review(of: transaction, chain: chain, abis: abis)
/// // show it, ask
/// let signed = try SigningRequest(review, keys: keys).sign(with: vault)
/// ```
package struct SigningRequest: Sendable {
    package let review: Review
    private let chain: ChainID
    /// As it was when the transaction was decoded to be shown.
    private let digest: SigningDigest
    private let keys: [ChosenKey]

    /// - Parameter keys: In the order their signatures are appended in; one named twice counts
    ///   once.
    /// - Throws: `noChain` for a review without one.
    package init(_ review: Review, keys: [ChosenKey]) throws(SigningError) {
        guard let chain = review.chain, let digest = review.digest else { throw .noChain }
        self.review = review
        self.chain = chain
        self.digest = digest
        self.keys = keys.reduce(into: []) { keys, key in
            if !keys.contains(where: { $0.publicKey == key.publicKey }) { keys.append(key) }
        }
    }

    /// The keys that have not signed yet. A signature of theirs that is not canonical does not
    /// count: the chain refuses it.
    package var missing: [ChosenKey] {
        keys.filter { key in !review.signers.contains(.key(key.publicKey)) }
    }

    /// Whether each key has signed already: then there is nothing to do, and no PIN is needed.
    package var isComplete: Bool { missing.isEmpty }

    /// Signs with each key that has not signed yet. All or none: a signature leaves the vault's
    /// transaction only after its COMMIT, and only when the key recovered from it is the one asked
    /// for. The vault's audit log tells of each signature that is released.
    package func sign(with vault: borrowing UnlockedVault) throws(SigningError) -> SignedTransaction {
        signed(
            try vault.transaction { (transaction: inout VaultTransaction) throws(SigningError) in
                try signatures(by: &transaction)
            })
    }

    /// The same with a vault that can't be written, whose audit log tells nothing of it.
    /// - Throws: `vault(.policySet)` where a policy wants its records.
    package func signWithoutRecord(with vault: borrowing UnlockedVault) throws(SigningError) -> SignedTransaction {
        signed(
            try vault.withoutRecord { (transaction: inout VaultTransaction) throws(SigningError) in
                try signatures(by: &transaction)
            })
    }

    private func signed(_ signatures: [Signature]) -> SignedTransaction {
        var signed = review.transaction
        for signature in signatures { signed.append(signature) }
        return signed
    }

    private func signatures(by transaction: inout VaultTransaction) throws(SigningError) -> [Signature] {
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
            try lifted { () throws(VaultError) in try transaction.record(event) }
        }
        return signatures
    }

    /// The key that is recovered from a signature is compared here once more, with the one that was
    /// asked for.
    /// - Parameters:
    ///   - digest: As it was when the review was made.
    ///   - hash: Hashes anew what goes out with the signature: bytes that changed since the review,
    ///     or a digest that did, give a signature of something else.
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

    /// The signatures of the keys asked for, in their order: also those that a transaction bore
    /// before.
    package func signatures(in signed: SignedTransaction) -> [Signature] {
        let signers = Signer.all(of: signed, over: digest)
        return keys.compactMap { key in
            signers.firstIndex(of: .key(key.publicKey)).map { signed.signatures[$0] }
        }
    }
}

private func lifted<Result>(_ step: () throws(VaultError) -> Result) throws(SigningError) -> Result {
    do { return try step() } catch { throw .vault(error) }
}
