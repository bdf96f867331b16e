import Codecs
import Keys
import Transactions

/// Signatures of a transaction that the receiver has already.
package struct SignaturesMessage: Equatable, Sendable {
    private enum Key {
        static let chain: UInt64 = 1
        static let id: UInt64 = 2
        static let signatures: UInt64 = 3
    }

    private static let idSize = 32

    package let chain: ChainID
    /// The id of the transaction: 32 bytes.
    package let id: [UInt8]
    package let signatures: [Signature]

    package init(chain: ChainID, transaction: SignedTransaction, signatures: [Signature]) {
        self.chain = chain
        self.id = transaction.idBytes
        self.signatures = signatures
    }

    package init(cbor: [UInt8]) throws(AirGapError) {
        var chain: ChainID?
        var id: [UInt8]?
        var signatures: [Signature]?
        try MessageMap.read(cbor, known: Key.chain...Key.signatures) { key, reader throws(AirGapError) in
            switch key {
            case Key.chain: chain = try ChainID(reading: &reader, member: key)
            case Key.id:
                id = try converting(AirGapError.sequence, reader.byteString(limit: Self.idSize))
                guard id?.count == Self.idSize else { throw .invalidValue(member: key) }
            default: signatures = try [Signature](reading: &reader, member: key)
            }
        }
        self.chain = try chain.required(Key.chain)
        self.id = try id.required(Key.id)
        self.signatures = try signatures.required(Key.signatures)
    }

    package var cbor: [UInt8] {
        CBORWriter.map([
            Key.chain: { $0.byteString(chain.bytes) }, Key.id: { $0.byteString(id) },
            Key.signatures: { $0.write(signatures) },
        ])
    }
}
