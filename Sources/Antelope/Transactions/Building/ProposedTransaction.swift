import ABICodec
import Codecs
import JSON

/// The transaction of a proposal, as the bytes that eosio.msig stores.
///
/// eosio.msig stores all bytes after `requested` in the data of `propose`, including bytes after
/// the transaction (VaultaFoundation/system-contracts 9edc8bc,
/// contracts/eosio.msig/src/eosio.msig.cpp, `multisig::propose`). The hash in an approval is the
/// hash of these bytes (`multisig::approve`).
package struct ProposedTransaction: Hashable, Sendable {
    package let stored: [UInt8]
    /// The name of the proposal; nil if the file does not state it.
    package let name: Name?
    /// The transaction at the start of the bytes.
    package let transaction: Transaction
    /// The number of bytes after it.
    package let trailingCount: Int
    /// The time from which the contract executes a transaction with a delay, as its row states,
    /// rounded up to a whole second. Nil before the approvals are enough, and for a file without
    /// this time.
    package private(set) var earliestExecution: TimePointSec?

    package init(stored: [UInt8], name: Name? = nil) throws(BuildError) {
        (self.stored, self.name) = (stored, name)
        (transaction, trailingCount) = try converting(BuildError.transaction, Transaction.stored(stored))
    }

    /// SHA-256 of the stored bytes: the `proposal_hash` of an approval.
    package var hash: [UInt8] { HashFunction.sha256.hash(stored) }

    /// A hash as text: 64 hex digits.
    package static func hash(_ text: String) throws(BuildError) -> [UInt8] {
        try converting(BuildError.value, JSONValue.string(text).hexBytes(count: HashFunction.sha256.size))
    }

    /// Reads a proposal from a file with one of these:
    ///
    /// - a row of the table `proposal`, or a node's answer to get_table_rows with such rows
    /// - the bytes of its member `packed_transaction`, in hex; refused if their only action is
    ///   `propose`, because they can also be the transaction that proposes
    /// - a propose action as JSON, or a transaction whose only action is a propose action
    /// - the transaction in any other form that `SignedTransaction` reads
    /// - Parameter name: the name of the proposal, if the caller knows it. A row with another name
    ///   is refused.
    package init(reading text: [UInt8], name: Name?, abis: ContractABIs) throws(BuildError) {
        guard text.first(where: { !SignedTransaction.isJSONSpace($0) }) == UInt8(ascii: "{") else {
            let line = text.last == UInt8(ascii: "\n") ? Array(text.dropLast()) : text
            try self.init(stored: converting({ BuildError.transaction(.hex($0)) }, Hex.decode(utf8: line)))
            // The bytes of a row, or a packed transaction that makes the row.
            guard !(transaction.actions.count == 1 && transaction.actions[0].isPropose) else {
                throw .proposal(.ambiguousHex)
            }
            return
        }
        let members = try JSONMembers.parsed(text)
        if let rows = members.text("rows") {
            try self.init(row: Self.row(rows, name), name: name)
        } else if members.text("packed_transaction") != nil {
            try self.init(row: members, name: name)
        } else if members.text("account") != nil {
            let action = try converting(BuildError.transaction, ActionJSON(text, abis: abis)).action
            guard action.isPropose else { throw .proposal(.notPropose) }
            try self.init(propose: action, name: name)
        } else {
            let signed = try converting(BuildError.transaction, SignedTransaction(reading: text, abis: abis))
            let actions = signed.transaction.actions
            if actions.count == 1, actions[0].isPropose {
                try self.init(propose: actions[0], name: name)
            } else {
                try self.init(stored: signed.packed)
            }
        }
    }

    // MARK: - table rows

    private init(row: JSONMembers, name: Name?) throws(BuildError) {
        let stated = try row.building { row throws(TransactionError) in
            try row.optional("proposal_name", name) { value throws(ABIError) in try Name(value.expectText()) }
        }
        if let name, stated != name { throw .proposal(.noRow(name)) }
        let bytes = try row.building { row throws(TransactionError) in
            try row.required("packed_transaction") { value throws(ABIError) in try value.hexBytes() }
        }
        try self.init(stored: bytes, name: stated)
        earliestExecution = try row.building { row throws(TransactionError) in
            try row.optional("earliest_exec_time", nil) { value throws(ABIError) in
                if case .null = value { return nil }
                let text = try value.expectText()
                let time = try TimePointSec(roundingDown: text)
                // A later time than 2106 has other digits here.
                guard text.hasPrefix(time.text) else { throw ABIError(.invalidTime(type: "time_point")) }
                return TimePointSec(seconds: UInt32(clamping: Int64(time.seconds) + 1))
            }
        }
    }

    /// The row of the proposal; without a name, the only row.
    static func row(_ rows: [UInt8], _ name: Name?) throws(BuildError) -> JSONMembers {
        do throws(TransactionError) {
            let parts = try JSONMembers.parts(of: rows, .array, as: .array)
            var found: [JSONMembers] = []
            for (index, part) in parts.enumerated() {
                do throws(TransactionError) {
                    let row = try JSONMembers(part.text)
                    let stated = try row.required("proposal_name") { value throws(ABIError) in
                        try Name(value.expectText())
                    }
                    if name == nil || stated == name { found.append(row) }
                } catch { throw error.inside([.field("rows"), .element(index)]) }
            }
            if found.count == 1 { return found[0] }
        } catch { throw .transaction(error) }
        guard let name else { throw .proposal(.severalRows) }
        throw .proposal(.noRow(name))
    }

    // MARK: - the propose action

    private init(propose action: Action, name: Name?) throws(BuildError) {
        let content = try converting(
            { BuildError.value(ABIError.bytes($0).inside(.field("data"))) }, Self.proposal(in: action.data))
        if let name, content.name != name { throw .proposal(.noRow(name)) }
        try self.init(stored: content.stored, name: content.name)
    }

    /// The name of the proposal, and the bytes that the contract stores.
    private static func proposal(in data: [UInt8]) throws(CodecError) -> (name: Name, stored: [UInt8]) {
        try ByteReader.read(data) { reader throws(CodecError) in
            let _: UInt64 = try reader.readInteger()
            let name = Name(rawValue: try reader.readInteger())
            _ = try reader.readList(PermissionLevel.init(from:))
            return (name, try reader.readBytes(reader.remaining))
        }
    }
}

extension Action {
    /// The account is not compared: other contracts have the interface of eosio.msig.
    fileprivate var isPropose: Bool { name.text == "propose" }
}
