import ABICodec
import Codecs
import Keys

/// A transaction as bytes, with its context-free data and its signatures, if any.
///
/// The bytes are authoritative: `transaction` is decoded from `packed`, and `packed` is hashed and
/// signed.
package struct SignedTransaction: Sendable {
    /// The maximum that nodeos inflates, separately for the transaction and for its context-free
    /// data (`read_limiter<1*1024*1024>` in AntelopeIO/spring, libraries/chain/transaction.cpp).
    package static let maximumInflated = 1 << 20

    package let packed: [UInt8]
    /// SHA-256 of the packed transaction: the transaction id of explorers and nodeos.
    package let idBytes: [UInt8]
    package let transaction: Transaction
    package let contextFreeData: [[UInt8]]
    package private(set) var signatures: [Signature]
    /// The chain that the input states; see `expectChain`.
    package internal(set) var statedChain: ChainID?
    /// The keys that must sign according to the input; nil if it states none. They only restrict:
    /// the input never chooses a key.
    package internal(set) var requiredKeys: [PublicKey]?
    /// The ABIs that the sender of the input used, by account.
    package private(set) var statedABIs: [Name: ABIHash] = [:]
    /// Actions whose decoded data in the input could not be compared with their bytes, because no
    /// known ABI can encode it. The bytes are used.
    package internal(set) var uncheckedData: [ActionPlace] = []

    /// - Parameter packed: The packed transaction, uncompressed.
    package init(packed: [UInt8], contextFreeData: [[UInt8]] = [], signatures: [Signature] = [])
        throws(TransactionError)
    {
        self.packed = packed
        idBytes = HashFunction.sha256.hash(packed)
        self.contextFreeData = contextFreeData
        self.signatures = signatures
        transaction = try Transaction(packed: packed)
    }

    package mutating func append(_ signature: Signature) { signatures.append(signature) }

    /// Records the chain that the input states.
    package mutating func state(_ chain: ChainID) { statedChain = chain }

    /// Records the ABIs whose hashes the input states.
    package mutating func state(_ abis: [Name: ABIHash]) { statedABIs = abis }

    /// Throws if the input states a chain other than `chain`.
    package func expectChain(_ chain: ChainID) throws(TransactionError) {
        if let statedChain, statedChain != chain { throw .otherChain(stated: statedChain) }
    }

    /// The transaction id in hex.
    package var id: String { Hex.encode(idBytes) }

    /// The packed form of the context-free data; empty if there is none.
    package var packedContextFreeData: [UInt8] {
        guard !contextFreeData.isEmpty else { return [] }
        var writer = ByteWriter()
        writer.write(list: contextFreeData) { $1.write(prefixed: $0) }
        return writer.bytes
    }

    /// The digest to sign: SHA-256 of chain id ‖ packed transaction ‖ SHA-256 of the packed
    /// context-free data, or 32 zero bytes if there is none (`transaction::sig_digest` in
    /// AntelopeIO/spring, libraries/chain/transaction.cpp).
    package func digest(for chain: ChainID) -> SigningDigest {
        let contextFree =
            contextFreeData.isEmpty
            ? [UInt8](repeating: 0, count: 32) : HashFunction.sha256.hash(packedContextFreeData)
        return SigningDigest(sha256: chain.bytes + packed + contextFree)
    }
}

/// The position of an action in a transaction.
package struct ActionPlace: Hashable, Sendable {
    package let isContextFree: Bool
    /// Counted from 0.
    package let index: Int

    /// The member of the transaction's JSON that has the action.
    package var list: String { isContextFree ? "context_free_actions" : "actions" }
    /// For example `actions[2]`.
    package var path: String { "\(list)[\(index)]" }

    package init(isContextFree: Bool, index: Int) {
        self.isContextFree = isContextFree
        self.index = index
    }
}
