import ABICodec
import Codecs
import Keys
import Transactions

/// A transaction for one chain, with the signatures that it has. Before it is signed, it has none.
package struct TransactionMessage: Sendable {
    /// The SHA-256 of the ABI that the sender used for a contract. A message contains no ABI,
    /// because the sender of a transaction must not choose how it is shown.
    package struct ABIHash: Equatable, Sendable {
        package let account: Name
        package let sha256: [UInt8]
    }

    private enum Key {
        static let chain: UInt64 = 1
        static let packed: UInt64 = 2
        static let contextFreeData: UInt64 = 3
        static let signatures: UInt64 = 4
        static let abiHashes: UInt64 = 5
    }

    /// More contracts than a review shows.
    private static let maximumHashes = 256
    private static let hashSize = 32

    package let chain: ChainID
    package let transaction: SignedTransaction
    package let abiHashes: [ABIHash]

    package init(chain: ChainID, transaction: SignedTransaction, abiHashes: [ABIHash] = []) {
        self.chain = chain
        self.transaction = transaction
        self.abiHashes = abiHashes
    }

    /// The transaction, which states its chain and the ABIs that the sender used.
    package var stated: SignedTransaction {
        var transaction = transaction
        transaction.state(chain)
        let hashes = abiHashes.compactMap { hash in
            ABICodec.ABIHash(sha256: hash.sha256).map { (hash.account, $0) }
        }
        transaction.state(Dictionary(hashes) { first, _ in first })
        return transaction
    }

    package init(cbor: [UInt8]) throws(AirGapError) {
        var chain: ChainID?
        var packed: [UInt8]?
        var (contextFreeData, signatures, hashes): ([[UInt8]], [Signature], [ABIHash]) = ([], [], [])
        try MessageMap.read(cbor, known: Key.chain...Key.abiHashes) { key, reader throws(AirGapError) in
            switch key {
            case Key.chain: chain = try ChainID(reading: &reader, member: key)
            case Key.packed: packed = try Self.bytes(&reader)
            case Key.contextFreeData:
                let packed = try Self.bytes(&reader)
                contextFreeData = try Self.transaction(SignedTransaction.contextFreeData(packed: packed))
                guard !contextFreeData.isEmpty else { throw .invalidValue(member: key) }
            case Key.signatures: signatures = try [Signature](reading: &reader, member: key)
            default: hashes = try Self.hashes(&reader)
            }
        }
        self.chain = try chain.required(Key.chain)
        let bytes = try packed.required(Key.packed)
        transaction = try Self.transaction(
            SignedTransaction(packed: bytes, contextFreeData: contextFreeData, signatures: signatures))
        abiHashes = hashes
    }

    package var cbor: [UInt8] {
        let (contextFree, signatures) = (transaction.packedContextFreeData, transaction.signatures)
        return CBORWriter.map([
            Key.chain: { $0.byteString(chain.bytes) }, Key.packed: { $0.byteString(transaction.packed) },
            Key.contextFreeData: contextFree.isEmpty ? nil : { $0.byteString(contextFree) },
            Key.signatures: signatures.isEmpty ? nil : { $0.write(signatures) },
            Key.abiHashes: abiHashes.isEmpty ? nil : { $0.write(abiHashes) },
        ])
    }

    private static func bytes(_ reader: inout CBORReader) throws(AirGapError) -> [UInt8] {
        try converting(AirGapError.sequence, reader.byteString(limit: UniformResource.maximumLength))
    }

    private static func transaction<Value>(
        _ value: @autoclosure () throws(TransactionError) -> Value
    ) throws(AirGapError) -> Value {
        do { return try value() } catch { throw .transaction }
    }

    private static func hashes(_ reader: inout CBORReader) throws(AirGapError) -> [ABIHash] {
        let count = try converting(AirGapError.sequence, reader.array(limit: maximumHashes))
        guard count > 0 else { throw .invalidValue(member: Key.abiHashes) }
        var hashes: [ABIHash] = []
        for _ in 0..<count {
            let (pair, value) = (
                try converting(AirGapError.sequence, reader.array(limit: 2)),
                try converting(AirGapError.sequence, reader.unsigned())
            )
            let hash = try converting(AirGapError.sequence, reader.byteString(limit: hashSize))
            let account = Name(rawValue: value)
            guard pair == 2, hash.count == hashSize, hashes.last.map({ $0.account.rawValue < value }) ?? true
            else {
                throw .invalidValue(member: Key.abiHashes)
            }
            hashes.append(ABIHash(account: account, sha256: hash))
        }
        return hashes
    }
}

extension CBORWriter {
    fileprivate mutating func write(_ hashes: [TransactionMessage.ABIHash]) {
        array(hashes.count)
        for hash in hashes {
            array(2)
            unsigned(hash.account.rawValue)
            byteString(hash.sha256)
        }
    }
}
