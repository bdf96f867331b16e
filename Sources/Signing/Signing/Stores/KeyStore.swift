import Codecs
import Keys
import Policy
import Transactions

/// A place where private keys are: a vault, a hardware token, a remote signer. It provides a
/// signer; ``AuthorizedRequest`` and ``SigningBatch`` alone decide what is signed, and check each
/// signature.
package protocol KeyStore: ~Copyable {
    /// The store's payment history in memory.
    associatedtype Memory: PaymentMemory = NoPayments

    /// Runs `use` with a signer, once, and returns its outcome. The signer's records are durable
    /// before this returns. When `use` throws, nothing is recorded.
    /// - Parameter recording: false for a store that can't record signatures.
    borrowing func lendSigner<Use: SignerUse>(
        to use: Use, recording: Bool
    ) throws(SigningError) -> Use.Outcome where Use.Memory == Memory

    /// Counts requests that policies refused; nothing by default. A failure is ignored: the
    /// refusals are reported in any case.
    borrowing func count(_ refusals: [PolicyRefusal.Kind: Int64])
}

extension KeyStore where Self: ~Copyable {
    package borrowing func count(_ refusals: [PolicyRefusal.Kind: Int64]) {}
}

/// An operation with the signer of a store: any signer, whose type only the store knows.
package protocol SignerUse {
    associatedtype Memory: PaymentMemory
    associatedtype Outcome

    func run<Signer: DigestSigner & ~Copyable>(
        with signer: inout Signer
    ) throws(SigningError) -> Outcome where Signer.Memory == Memory
}

/// The signer of a key store for one request, or for a part of a batch. A store that has only keys
/// implements `verifiedKey`, `description`, `sign` and `recordSignature`.
package protocol DigestSigner: ~Copyable {
    /// A key that the store verified.
    associatedtype VerifiedKey
    /// The memory of its store.
    associatedtype Memory: PaymentMemory = NoPayments

    // MARK: keys

    /// Repeats the choice of a key among the verified keys of the store.
    /// - Throws: `keyAddedMeanwhile`, and errors of the store.
    mutating func verifiedKey(_ chosen: ChosenKey) throws(SigningError) -> VerifiedKey

    /// The key as the store describes it now. It must equal the description that the review showed.
    func description(of key: VerifiedKey) throws(SigningError) -> KeyDescription

    /// Signs a digest with any nonce. The signature is not released before the public key recovered
    /// from it equals the requested one.
    mutating func sign(_ digest: SigningDigest, with key: VerifiedKey) throws(SigningError) -> MadeSignature

    /// Starts a signature. A store whose keys are elsewhere makes it while the program goes on.
    mutating func start(
        _ digest: SigningDigest, with key: VerifiedKey
    ) throws(SigningError) -> StartedSignature

    /// Waits for a signature that was started.
    mutating func finish(_ started: StartedSignature) throws(SigningError) -> MadeSignature

    /// States the process that requests the next signatures, for their records; ignored by default.
    mutating func begin(for requester: Requester?)

    /// Runs a step that reads the store often: a store that makes a key accessible for each reading
    /// can do it once for all of them.
    mutating func readingOften<Result>(
        _ body: (inout Self) throws(SigningError) -> Result
    ) throws(SigningError) -> Result

    /// Records a signature that is released when the store's work is durable.
    mutating func recordSignature(
        by key: PublicKey, of review: Review, on chain: ChainID
    ) throws(SigningError)

    // MARK: policies

    /// True if the store can record signatures and count them; the default.
    var canRecord: Bool { get }

    /// The verified policies of keys, with the keys' uses of the limits; none by default.
    /// - Parameter known: A policy with the same text need not be parsed again.
    func policies(of keys: [PublicKey], parsedIn known: PolicyLedger) throws(SigningError) -> PolicyLedger

    /// Stores a key's uses of the limits of its policy. They are durable with the signatures. It is
    /// called only for keys with a policy.
    mutating func store(_ uses: LimitUses, _ times: PolicyLedger.Times, of key: PublicKey)
        throws(SigningError)

    // MARK: review data

    /// The ABIs that the store pins for a chain, verified; none by default. They must equal the
    /// ABIs of the review.
    func pinnedABIs(of chain: ChainID) throws(SigningError) -> [PinnedContractABI]

    /// The verified name that the store gives to a chain that is not built in; none by default. It
    /// must equal the name in the review.
    func name(of chain: ChainID) throws(SigningError) -> String?

    /// The store's verified history of the transaction's recipients and actions; empty by default.
    /// It must equal the history that the review showed.
    func history(of subject: PaymentHistory.Subject) throws(SigningError) -> PaymentHistory

    /// Remembers a signature that is released, for the history of later transactions.
    mutating func remember(
        _ signature: PaymentHistory.Signature, of subject: PaymentHistory.Subject
    ) throws(SigningError)

    // MARK: batches

    /// Prepares for many signatures, until `endBatch`: keys may stay open, and the history in
    /// memory.
    /// - Parameter memory: the memory after the previous part of the batch, if there was one.
    mutating func beginBatch(after memory: consuming Memory?) throws(SigningError)

    /// Wipes the open keys, and writes what was remembered.
    /// - Returns: the memory after this part of the batch.
    mutating func endBatch() throws(SigningError) -> Memory
}

/// A signature of a store.
package enum MadeSignature {
    /// With a private key in this process. The key was recovered from it.
    case checked(NewSignature)
    /// Elsewhere. The key is recovered before the signature is released.
    case unchecked(Signature)

    /// The signature, if it is of the digest and the key.
    /// - Throws: `recoveredOtherKey`, `curve`.
    package func checked(over digest: SigningDigest, by key: PublicKey) throws(SigningError) -> Signature {
        switch self {
        case .checked(let new):
            // Recovering is a function of the signature and the digest: the result is known.
            guard new.digest == digest, new.publicKey == key else { throw .recoveredOtherKey }
            return new.signature
        case .unchecked(let signature):
            guard try converting(SigningError.curve, signature.recover(digest)) == key else {
                throw .recoveredOtherKey
            }
            return signature
        }
    }
}

/// A signature that a store has made, or is making.
package enum StartedSignature {
    case made(MadeSignature)
    /// What the store needs to finish it.
    case pending(AnyObject)
}

extension DigestSigner where Self: ~Copyable {
    package mutating func start(
        _ digest: SigningDigest, with key: VerifiedKey
    ) throws(SigningError) -> StartedSignature { .made(try sign(digest, with: key)) }

    package mutating func finish(_ started: StartedSignature) throws(SigningError) -> MadeSignature {
        guard case .made(let signature) = started else { throw .recoveredOtherKey }
        return signature
    }

    package var canRecord: Bool { true }

    package mutating func begin(for requester: Requester?) {}

    package mutating func readingOften<Result>(
        _ body: (inout Self) throws(SigningError) -> Result
    ) throws(SigningError) -> Result {
        try body(&self)
    }

    package func policies(of keys: [PublicKey], parsedIn known: PolicyLedger) throws(SigningError)
        -> PolicyLedger
    {
        .empty
    }

    package mutating func store(
        _ uses: LimitUses, _ times: PolicyLedger.Times, of key: PublicKey
    ) throws(SigningError) {}

    package func pinnedABIs(of chain: ChainID) throws(SigningError) -> [PinnedContractABI] { [] }

    package func name(of chain: ChainID) throws(SigningError) -> String? { nil }

    package func history(of subject: PaymentHistory.Subject) throws(SigningError) -> PaymentHistory {
        PaymentHistory()
    }

    package mutating func remember(
        _ signature: PaymentHistory.Signature, of subject: PaymentHistory.Subject
    ) throws(SigningError) {}
}

extension DigestSigner where Self: ~Copyable, Memory == NoPayments {
    package mutating func beginBatch(after memory: consuming NoPayments?) throws(SigningError) {}
    package mutating func endBatch() throws(SigningError) -> NoPayments { NoPayments() }
}

/// A key as a store describes it and a review shows it.
package struct KeyDescription: Equatable, Sendable {
    package let publicKey: PublicKey
    package let label: String?
    /// True if a verified backup contains the key; nil for a store without backups.
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
