import ABICodec
import Codecs
import JSON

/// Makes an unsigned transaction from actions that a user describes, without a node.
///
/// The data of each action is encoded by the newest built-in ABI, or by a given one.
package struct TransactionBuilder {
    private let chain: ChainID
    private let abis: ContractABIs
    private var actions: [Action] = []

    package init(chain: ChainID, abis: ContractABIs) {
        self.chain = chain
        self.abis = abis
    }

    /// Encodes an action and adds it to the end.
    package mutating func add(_ action: NewAction) throws(BuildError) {
        let data = try converting(
            BuildError.transaction,
            abis.encode(
                action.data, account: action.account, action: action.name, field: "data", expecting: nil))
        actions.append(
            Action(
                account: action.account, name: action.name, authorization: action.authorization, data: data))
    }

    /// The transaction with all added actions. It states its chain, so that `sign` refuses it for
    /// another one.
    package func transaction(
        expiration: TimePointSec, reference: BlockReference
    ) throws(BuildError) -> SignedTransaction {
        let transaction = Transaction(actions: actions).replacing(
            expiration: expiration, reference: (reference.number, reference.prefix), actions: actions)
        var signed = try converting(BuildError.transaction, SignedTransaction(packed: transaction.packed))
        signed.statedChain = chain
        return signed
    }
}

extension SignedTransaction {
    /// `json` with the chain that the transaction is for. cleos and nodeos ignore this member.
    package var jsonWithChain: JSONValue {
        guard let statedChain else { return json }
        return json.adding(["chain_id": .string(statedChain.text)])
    }
}
