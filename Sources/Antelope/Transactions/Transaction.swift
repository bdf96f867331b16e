import ABICodec
import Codecs

/// The part that a chain executes: header, actions, extensions, without signatures and context-free
/// data (AntelopeIO/spring, libraries/chain/include/eosio/chain/transaction.hpp).
package struct Transaction: Hashable, Sendable {
    /// The chain refuses the transaction from this time on.
    package let expiration: TimePointSec
    /// TAPOS: the low 16 bits of the number of a recent block.
    package let refBlockNum: UInt16
    /// TAPOS: 32 bits of the id of the same block.
    package let refBlockPrefix: UInt32
    /// In units of 8 bytes; 0 for no limit in the transaction.
    package let maxNetUsageWords: UInt32
    /// 0 for no limit in the transaction.
    package let maxCPUUsageMS: UInt8
    package let delaySec: UInt32
    package let contextFreeActions: [Action]
    package let actions: [Action]
    package let extensions: [TransactionExtension]
}

extension Transaction {
    /// A transaction without limits and without an expiration, as a template has it.
    package init(actions: [Action]) {
        self.init(
            expiration: TimePointSec(seconds: 0), refBlockNum: 0, refBlockPrefix: 0, maxNetUsageWords: 0,
            maxCPUUsageMS: 0, delaySec: 0, contextFreeActions: [], actions: actions, extensions: [])
    }

    /// The same transaction with another expiration, other actions and, unless it is nil, another
    /// reference block.
    package func replacing(
        expiration: TimePointSec, reference: (blockNumber: UInt16, prefix: UInt32)?, actions: [Action]
    ) -> Transaction {
        Transaction(
            expiration: expiration, refBlockNum: reference?.blockNumber ?? refBlockNum,
            refBlockPrefix: reference?.prefix ?? refBlockPrefix, maxNetUsageWords: maxNetUsageWords,
            maxCPUUsageMS: maxCPUUsageMS, delaySec: delaySec, contextFreeActions: contextFreeActions,
            actions: actions,
            extensions: extensions)
    }
}

extension Transaction {
    /// Unpacks all of `bytes`. Padded numbers are refused, so `packed` returns the same bytes
    /// again.
    package init(packed bytes: [UInt8]) throws(TransactionError) {
        self = try converting(TransactionError.bytes, ByteReader.readAll(bytes, Transaction.init(from:)))
    }

    /// Unpacks a transaction that a contract stored. Bytes after it are allowed, because eosio.msig
    /// stores them, and executes the transaction before them.
    /// - Returns: The transaction and the number of bytes after it.
    package static func stored(
        _ bytes: [UInt8]
    ) throws(TransactionError) -> (transaction: Transaction, trailingCount: Int) {
        do {
            return try ByteReader.read(bytes) { reader throws(CodecError) in
                (try Transaction(from: &reader), reader.remaining)
            }
        } catch { throw .bytes(error) }
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        self.init(
            expiration: TimePointSec(seconds: try reader.readInteger()),
            refBlockNum: try reader.readInteger(),
            refBlockPrefix: try reader.readInteger(), maxNetUsageWords: try reader.readVaruint32(),
            maxCPUUsageMS: try reader.readByte(), delaySec: try reader.readVaruint32(),
            contextFreeActions: try reader.readList(Action.init(from:)),
            actions: try reader.readList(Action.init(from:)),
            extensions: try reader.readList(TransactionExtension.init(from:)))
    }

    /// The SHA-256 of the actions as the packed transaction has them, with their count. Two
    /// transactions with this hash do the same, whatever their headers and nonces are.
    package var actionsHash: [UInt8] {
        var writer = ByteWriter()
        writer.write(list: actions) { $0.write(to: &$1) }
        return HashFunction.sha256.hash(writer.bytes)
    }

    /// The bytes that are hashed, signed and sent.
    package var packed: [UInt8] {
        var writer = ByteWriter()
        writer.write(integer: expiration.seconds)
        writer.write(integer: refBlockNum)
        writer.write(integer: refBlockPrefix)
        writer.write(varuint32: maxNetUsageWords)
        writer.write(byte: maxCPUUsageMS)
        writer.write(varuint32: delaySec)
        writer.write(list: contextFreeActions) { $0.write(to: &$1) }
        writer.write(list: actions) { $0.write(to: &$1) }
        writer.write(list: extensions) { $0.write(to: &$1) }
        return writer.bytes
    }
}

extension Transaction {
    /// The permissions that its actions name, each once, in their order.
    package var permissions: [PermissionLevel] {
        var seen: Set<PermissionLevel> = []
        return actions.flatMap(\.authorization).filter { seen.insert($0).inserted }
    }
}
