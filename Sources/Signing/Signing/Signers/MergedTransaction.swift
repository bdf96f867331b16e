import Codecs
import Keys
import Messages
import Transactions

/// A transaction with the signatures of several copies of it, which several machines signed.
package struct MergedTransaction: Sendable {
    package private(set) var transaction: SignedTransaction
    /// The keys of the signatures, in their order.
    package private(set) var keys: [PublicKey] = []
    /// How many signatures were left out because their key has already signed. A chain refuses two
    /// signatures of one key.
    package private(set) var duplicateCount = 0
    private let digest: SigningDigest

    /// - Throws: as `add`.
    package init(_ first: SignedTransaction, chain: ChainID) throws(MergeError) {
        do throws(TransactionError) {
            transaction = try SignedTransaction(packed: first.packed, contextFreeData: first.contextFreeData)
        } catch { throw .transaction(error) }
        digest = first.digest(for: chain)
        try add(first)
    }

    /// Adds the signatures of another copy. Each one must recover to a key and be one that chains
    /// accept. Which keys are the right ones is not known here: a signature of another transaction
    /// recovers to a key that nobody has.
    package mutating func add(_ copy: SignedTransaction) throws(MergeError) {
        guard copy.packed == transaction.packed else {
            throw .otherTransaction(id: copy.id, first: transaction.id)
        }
        guard copy.contextFreeData == transaction.contextFreeData else { throw .otherContextFreeData }
        try add(copy.signatures)
    }

    /// Adds signatures that came without their transaction.
    /// - Parameter id: the 32 bytes of the transaction's id.
    package mutating func add(_ signatures: [Signature], of id: [UInt8]) throws(MergeError) {
        guard id == transaction.idBytes else {
            throw .otherTransaction(id: Hex.encode(id), first: transaction.id)
        }
        try add(signatures)
    }

    private mutating func add(_ signatures: [Signature]) throws(MergeError) {
        guard signatures.count <= Review.maximumSignatureCount - keys.count else {
            throw .tooManySignatures(limit: Review.maximumSignatureCount)
        }
        // A refused copy changes nothing.
        var next = self
        for (index, (signature, signer)) in zip(signatures, Signer.all(signatures, over: digest)).enumerated()
        {
            switch signer {
            case .unknown(let error): throw .notRecovered(index: index, error)
            case .nonCanonical: throw .notCanonical(index: index)
            case .key(let key) where next.keys.contains(key): next.duplicateCount += 1
            case .key(let key):
                next.keys.append(key)
                next.transaction.append(signature)
            }
        }
        self = next
    }
}

/// Why signatures can't be merged. An index counts the signatures of the refused copy from 0.
package enum MergeError: Error, Equatable {
    case transaction(TransactionError)
    /// The packed transactions differ. Both ids are hex.
    case otherTransaction(id: String, first: String)
    case otherContextFreeData
    case notRecovered(index: Int, CurveError)
    /// Chains refuse the signature.
    case notCanonical(index: Int)
    case tooManySignatures(limit: Int)
}

extension MergeError: WordedError {
    package var words: Words {
        let hint = "merge only copies of one transaction"
        let words =
            switch self {
            case .transaction(let error): error.words
            case .otherTransaction(let id, let first):
                Words(
                    .otherTransaction, "the transaction id is \(id), but the first transaction has \(first)",
                    hint: hint)
            case .otherContextFreeData:
                Words(
                    .otherTransaction, "the context-free data differs from the first transaction", hint: hint)
            case .notRecovered(let index, let error):
                Words(.unusableSignature, "signature \(index + 1): \(error.words.message)")
            case .notCanonical(let index):
                Words(.unusableSignature, "signature \(index + 1) is not canonical: chains refuse it")
            case .tooManySignatures(let limit): SigningError.tooManySignatures(limit: limit).words
            }
        return words.advised(for: self)
    }
}
