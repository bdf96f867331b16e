import ABICodec
import JSON
import Keys
package import Transactions

/// A chain, by its id.
public struct ChainID: Hashable, Sendable, CustomStringConvertible {
    package let value: Transactions.ChainID

    package init(_ value: Transactions.ChainID) { self.value = value }

    /// - Parameter text: 64 hex digits, or the name of a known chain, such as `eos`, `jungle4`,
    ///   `wax` or `telos`. `eosvault chains` lists them.
    /// - Throws: `unknown-chain`.
    public init(_ text: String) throws(EOSError) {
        value = try reporting { () throws(ChainError) in try Transactions.ChainID(text) }
    }

    /// 64 hex digits.
    public var description: String { value.text }
}

/// The call of a contract that a transaction makes.
public struct Action: Hashable, Sendable {
    /// The account of the contract.
    public let account: Name
    public let name: Name
    public let authorization: [PermissionLevel]
    /// Packed by the ABI of the contract.
    public let data: [UInt8]

    public init(account: Name, name: Name, authorization: [PermissionLevel], data: [UInt8]) {
        (self.account, self.name, self.authorization, self.data) = (account, name, authorization, data)
    }

    package init(_ action: Transactions.Action) {
        self.init(
            account: Name(action.account), name: Name(action.name),
            authorization: action.authorization.map {
                PermissionLevel(actor: Name($0.actor), permission: Name($0.permission))
            }, data: action.data)
    }

    package var value: Transactions.Action {
        Transactions.Action(
            account: account.value, name: name.value,
            authorization: authorization.map {
                Transactions.PermissionLevel(actor: $0.actor.value, permission: $0.permission.value)
            }, data: data)
    }
}

/// The block that a transaction refers to (TAPOS). A chain that does not have it refuses the
/// transaction.
public struct BlockReference: Hashable, Sendable {
    package let value: Transactions.BlockReference

    /// - Parameter id: the block's id: 64 hex digits.
    /// - Throws: `invalid-value`.
    public init(id: String) throws(EOSError) {
        value = try reporting { () throws(BuildError) in try Transactions.BlockReference(id: id) }
    }

    /// Reads a node's answer to `get_info`, of which the last irreversible block is used, or to
    /// `get_block`.
    /// - Parameters:
    ///   - json: the answer, in UTF-8.
    ///   - chain: the answer must be of this chain, if it states one.
    /// - Throws: `other-chain`, `invalid-json`, `wrong-fields`.
    public init(answer json: [UInt8], chain: ChainID) throws(EOSError) {
        value = try reporting { () throws(BuildError) in
            try Transactions.BlockReference(answer: json, chain: chain.value)
        }
    }
}

/// A transaction with its packed bytes and its signatures, which may be none.
public struct Transaction: Sendable {
    package private(set) var value: SignedTransaction

    package init(_ value: SignedTransaction) { self.value = value }

    /// Makes a transaction without signatures. The chain limits what it may use of its resources,
    /// and executes it at once.
    /// - Parameters:
    ///   - actions: executed in this order; all or none.
    ///   - expiration: seconds since 1970.
    ///   - block: a recent block, which the chain must have.
    /// - Throws: `not-a-transaction`.
    public init(actions: [Action], expiration: UInt32, block: BlockReference) throws(EOSError) {
        let actions = actions.map(\.value)
        let packed = Transactions.Transaction(actions: actions).replacing(
            expiration: TimePointSec(seconds: expiration),
            reference: (block.value.number, block.value.prefix), actions: actions
        ).packed
        value = try reporting { () throws(TransactionError) in try SignedTransaction(packed: packed) }
    }

    /// Reads a transaction in any form that tools write: unpacked JSON with data as JSON or hex,
    /// packed JSON, a transaction of a node's block, eosjs's serialized transaction, or packed hex.
    /// - Parameters:
    ///   - text: the contents of a file or of an answer.
    ///   - abis: pack data that is given as JSON.
    /// - Throws: `not-a-transaction`; `disagreement` if two parts of the text do not match; and the
    ///   errors of the JSON and of its values.
    public init(reading text: [UInt8], abis: ContractABIs = ContractABIs()) throws(EOSError) {
        value = try reporting { () throws(TransactionError) in
            try SignedTransaction(reading: text, abis: abis.value)
        }
    }

    /// Reads the packed bytes of a transaction without signatures.
    /// - Throws: `invalid-encoding`.
    public init(packed bytes: [UInt8]) throws(EOSError) {
        value = try reporting { () throws(TransactionError) in try SignedTransaction(packed: bytes) }
    }

    /// The bytes that are hashed and signed, without signatures.
    public var packed: [UInt8] { value.packed }
    /// The transaction id: 64 hex digits.
    public var id: String { value.id }
    /// Seconds since 1970.
    public var expiration: UInt32 { value.transaction.expiration.seconds }
    public var actions: [Action] { value.transaction.actions.map { Action($0) } }
    public var contextFreeActions: [Action] { value.transaction.contextFreeActions.map { Action($0) } }
    public var signatures: [Signature] { value.signatures.map { Signature($0) } }

    /// The digest that keys sign: SHA-256 of the chain id, the packed bytes, and the hash of the
    /// context-free data (AntelopeIO/spring, libraries/chain/transaction.cpp, `sig_digest`).
    public func digest(for chain: ChainID) -> Digest { Digest(value.digest(for: chain.value)) }

    /// The public keys that made the signatures, in their order.
    /// - Throws: `invalid-signature` for a signature that no key made.
    public func signers(for chain: ChainID) throws(EOSError) -> [PublicKey] {
        let digest = digest(for: chain)
        return try signatures.map { signature throws(EOSError) in try signature.publicKey(over: digest) }
    }

    /// Adds a signature to the end.
    public mutating func append(_ signature: Signature) { value.append(signature.value) }

    /// The transaction as `cleos sign` prints it, with data in hex.
    public var json: String { value.json.text() }
    /// The transaction as `/v1/chain/send_transaction` accepts it.
    public var packedJSON: String { value.packedJSON.text() }
}
