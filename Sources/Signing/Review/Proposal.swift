import ABICodec
import Codecs
import JSON
import Transactions

/// A proposed transaction as eosio.msig stores it: the bytes of the action `propose` after the list
/// of permission levels (VaultaFoundation/system-contracts, contracts/eosio.msig/src/eosio.msig.cpp).
package struct Proposal: Sendable {
    package let bytes: [UInt8]

    /// SHA-256 of all bytes: the `proposal_hash` of an approval.
    package var hash: ABIHash { ABIHash(raw: bytes) }

    /// Reads a proposal in one of these forms: the answer of get_table_rows with one row of the
    /// table `proposal`, or this row; the `packed_transaction` of the row, in hex; a transaction in
    /// any form that `SignedTransaction` reads. A transaction whose only action is `propose` is
    /// replaced by the transaction inside.
    package init(reading contents: [UInt8], abis: ContractABIs) throws(TransactionError) {
        if let hex = Self.storedHex(contents) {
            do { bytes = try Hex.decode(hex) } catch { throw .hex(error) }
            return
        }
        let file = try SignedTransaction(reading: contents, abis: abis)
        bytes = Self.proposed(by: file.transaction) ?? file.packed
    }

    /// The bytes that the only action of a transaction proposes; nil for any other transaction.
    private static func proposed(by transaction: Transaction) -> [UInt8]? {
        guard transaction.actions.count == 1, let action = transaction.actions.first, action.name.text == "propose"
        else { return nil }
        return action.dataAfter(names: 2, permissionLevels: true)
    }

    /// The hex of a table row, or of a file that has nothing else.
    private static func storedHex(_ contents: [UInt8]) -> String? {
        let text = String(decoding: contents, as: UTF8.self)
        let trimmed = text.hasSuffix("\n") ? String(text.dropLast()) : text
        if !trimmed.isEmpty, trimmed.utf8.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }) {
            return trimmed
        }
        guard let json = try? JSONValue.parse(contents) else { return nil }
        let rows = json["rows"]?.array
        guard rows == nil || rows?.count == 1 else { return nil }
        return (rows?.first ?? json)["packed_transaction"]?.string
    }

    /// The transaction in the bytes.
    /// - Throws: `bytes` for bytes that follow it, or that are not a transaction.
    package func transaction() throws(TransactionError) -> SignedTransaction { try SignedTransaction(packed: bytes) }
}
