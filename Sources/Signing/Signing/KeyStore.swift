import KeyVault
import Keys
import Policy
import Transactions

/// A place where private keys are: a vault, a hardware token, a remote signer. It lends a signer;
/// ``AuthorizedRequest`` alone decides what is signed and checks each signature.
package protocol KeyStore: ~Copyable {
    /// Calls `request.signatures(by:)` with a signer, once, and returns the result. What the signer
    /// recorded is durable before this returns. When that call throws, nothing is recorded.
    /// - Parameter recording: false for a store that can't record signatures.
    borrowing func signatures(
        for request: AuthorizedRequest, recording: Bool
    ) throws(SigningError) -> SigningRequest.CheckedSignatures
}

/// What a key store lends for one request.
package protocol DigestSigner: ~Copyable {
    /// A key that the store verified.
    associatedtype VerifiedKey

    /// Whether the store can record signatures and count them.
    var canRecord: Bool { get }

    /// The policies of keys and what they used of the limits, verified. A store without policies
    /// returns an empty ledger.
    /// - Parameter known: A policy with the same text need not be parsed again.
    func policies(of keys: [PublicKey], parsedIn known: PolicyLedger) throws(SigningError) -> PolicyLedger

    /// Stores what a key used of the limits of its policy. It is durable with the signatures.
    mutating func store(_ uses: LimitUses, _ times: PolicyUses.Times, of key: PublicKey) throws(SigningError)

    /// The ABIs that the store pins for a chain, verified. They must be those of the review.
    func pinnedABIs(of chain: ChainID) throws(SigningError) -> [PinnedContractABI]

    /// What the store remembers of the transaction's recipients and actions, verified. It must be
    /// what the review showed. A store that remembers nothing returns an empty history.
    func history(of subject: PaymentHistory.Subject) throws(SigningError) -> PaymentHistory

    /// Repeats the choice of a key among the verified keys of the store.
    /// - Throws: `keyAddedMeanwhile`, and errors of the store.
    mutating func verifiedKey(_ chosen: ChosenKey) throws(SigningError) -> VerifiedKey

    /// The key as the store describes it now. It must equal what the review showed.
    func description(of key: VerifiedKey) throws(SigningError) -> KeyDescription

    /// Signs a digest. The signature is not released before the public key recovered from it
    /// equals the requested one.
    mutating func sign(_ digest: SigningDigest, with key: VerifiedKey) throws(SigningError) -> Signature

    /// Records a signature that is released when the store's work is durable.
    /// - Parameter transaction: the transaction id, 32 bytes.
    mutating func recordSignature(
        by key: PublicKey, chain: ChainID, transaction: [UInt8], actions: SignedActions
    ) throws(SigningError)

    /// Remembers a signature that is released, for the history of later transactions.
    mutating func remember(
        _ signature: PaymentHistory.Signature, of subject: PaymentHistory.Subject
    ) throws(SigningError)
}

/// A key as a store describes it: what the review shows of it.
package struct KeyDescription: Equatable, Sendable {
    package let publicKey: PublicKey
    package let label: String?
    /// Whether a verified backup contains the key; nil for a store without backups.
    package let isBackedUp: Bool?

    package init(_ publicKey: PublicKey, label: String?, isBackedUp: Bool? = nil) {
        self.publicKey = publicKey
        self.label = label
        self.isBackedUp = isBackedUp
    }

    /// Labels are compared byte by byte, as in the vault: two spellings of one letter differ.
    package static func == (left: KeyDescription, right: KeyDescription) -> Bool {
        left.publicKey == right.publicKey && left.isBackedUp == right.isBackedUp
            && left.label.map { Array($0.utf8) } == right.label.map { Array($0.utf8) }
    }
}
