import Codecs
import Curves
import Digests

/// A transaction in its bytes, with its context-free data and the signatures it bears, none or
/// more.
///
/// The bytes come first: `transaction` is decoded from `packed`, and `packed` is what is hashed and
/// signed.
package struct SignedTransaction: Sendable {
    package let packed: [UInt8]
    package let transaction: Transaction
    package let contextFreeData: [[UInt8]]
    public private(set) var signatures: [Signature]
    /// The chain that the input names; see `expectChain`.
    public internal(set) var statedChain: ChainID?
    /// Actions whose decoded data in the input could not be compared with their bytes, since no ABI
    /// is known: the bytes are what counts.
    public internal(set) var uncheckedData: [ActionPlace] = []

    /// - Parameter packed: The packed transaction, uncompressed.
    package init(packed: [UInt8], contextFreeData: [[UInt8]] = [], signatures: [Signature] = [])
        throws(TransactionError)
    {
        self.packed = packed
        self.contextFreeData = contextFreeData
        self.signatures = signatures
        transaction = try Transaction(packed: packed)
    }

    package mutating func append(_ signature: Signature) { signatures.append(signature) }

    /// Throws when the input names a chain other than the one that it is to be signed for.
    package func expectChain(_ chain: ChainID) throws(TransactionError) {
        if let statedChain, statedChain != chain { throw .otherChain(stated: statedChain) }
    }

    /// SHA-256 of the packed transaction, as hex: what explorers and nodeos call the transaction.
    package var id: String { Hex.encode(idBytes) }
    package var idBytes: [UInt8] { HashFunction.sha256.hash(packed) }

    /// The context-free data as it is packed; empty when there is none.
    package var packedContextFreeData: [UInt8] {
        guard !contextFreeData.isEmpty else { return [] }
        var writer = ByteWriter()
        writer.write(list: contextFreeData) { $1.write(prefixed: $0) }
        return writer.bytes
    }

    /// What is signed: SHA-256 of chain id ‖ packed transaction ‖ SHA-256 of the packed
    /// context-free data, or 32 zero bytes without any (`transaction::sig_digest` in
    /// AntelopeIO/spring, libraries/chain/transaction.cpp).
    package func digest(for chain: ChainID) -> SigningDigest {
        let contextFree =
            contextFreeData.isEmpty
            ? [UInt8](repeating: 0, count: 32) : HashFunction.sha256.hash(packedContextFreeData)
        return SigningDigest(sha256: chain.bytes + packed + contextFree)
    }
}

/// Where an action is in a transaction.
package struct ActionPlace: Hashable, Sendable {
    package let isContextFree: Bool
    /// From 0 on.
    package let index: Int

    package init(isContextFree: Bool, index: Int) {
        self.isContextFree = isContextFree
        self.index = index
    }
}
