import ABICodec
import ArgumentParser
import Codecs
import JSON
import Keys
import SecureMemory
import Signing
import Transactions

/// Compares a review, with its warnings and its summary, with the work that it can't avoid:
/// decoding the same data, or recovering the same signatures.
enum ReviewRates {
    private static let now: Int64 = 1_796_000_000

    private static func transaction(_ actions: [String], signatures: [Signature] = []) throws
        -> SignedTransaction
    {
        let list = signatures.map { "\"\($0.text)\"" }.joined(separator: ",")
        let text = """
            {"expiration":"2026-12-01T00:00:00","ref_block_num":1,"ref_block_prefix":1,\
            "actions":[\(actions.joined(separator: ","))],"signatures":[\(list)]}
            """
        return try SignedTransaction(reading: Array(text.utf8), abis: ContractABIs())
    }

    /// One action that sets a code of 200 KB.
    static func code(_ name: String) throws -> Rate? {
        let code = Hex.encode((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let data = "{\"account\":\"alice\",\"vmtype\":0,\"vmversion\":0,\"code\":\"\(code)\"}"
        return try rate(name, transaction([TransferRates.action("eosio", "setcode", data)]))
    }

    static func transfers(_ name: String) throws -> Rate? {
        let actions = (1...1_000).map { number in
            let text = String(decoding: TransferRates.text(amount: number), as: UTF8.self)
            return TransferRates.action("eosio.token", "transfer", text)
        }
        return try rate(name, transaction(actions))
    }

    private static func rate(_ name: String, _ transaction: SignedTransaction) throws -> Rate {
        let (chain, abis) = (try ChainID("eos"), ContractABIs())
        let actions = transaction.transaction.actions
        let types = try actions.map { try abis.type(account: $0.account, action: $0.name).type }
        var writer = JSONWriter()
        return try Rate.compare(name, with: "decoding the same data", count: 1) {
            try review(transaction, for: chain, abis)
        } yardstick: {
            for (action, type) in zip(actions, types) {
                writer.removeAll()
                try type.decode(action.data, into: &writer)
            }
        }
    }

    private static func review(
        _ transaction: SignedTransaction, for chain: ChainID, _ abis: ContractABIs
    ) throws {
        let review = try Review(of: transaction, chain: chain, abis: abis)
        let summary = review.summary
        guard summary.actionCount == transaction.transaction.actions.count,
            review.warnings(now: now).count < 100
        else {
            throw ExitCode.failure
        }
    }

    /// 100 signatures of one transfer, each by another key.
    static func signatures(_ name: String) throws -> Rate? {
        let transfer = TransferRates.action(
            "eosio.token", "transfer", String(decoding: TransferRates.text(), as: UTF8.self))
        let chain = try ChainID("eos")
        let digest = try transaction([transfer]).digest(for: chain)
        let signatures = try (1...100).map { number in
            let scalar = [UInt8](repeating: UInt8(number), count: 32)
            return try PrivateKey(curve: .k1, scalar: SecureBytes(copyingPublic: scalar)).sign(digest)
                .signature
        }
        let (signed, abis) = (try transaction([transfer], signatures: signatures), ContractABIs())
        return try Rate.compare(name, with: "recovering the keys", count: 1) {
            try review(signed, for: chain, abis)
        } yardstick: {
            for signature in signatures { _ = try signature.recover(digest) }
        }
    }
}
