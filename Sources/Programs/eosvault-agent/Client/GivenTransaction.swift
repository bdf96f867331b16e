import ABICodec
import App
import Codecs
import JSON
import Keys
import Shell
import Transactions

/// A transaction as it is sent to the agent, and what the answer must be.
struct GivenTransaction {
    /// In any form.
    let text: [UInt8]
    /// Nil if only the vault has the ABI of an action.
    let transaction: SignedTransaction?

    /// - Throws: for text that can't be sent: the agent would get another text.
    init(_ text: [UInt8], _ contracts: ContractABIs) throws(ClientError) {
        guard String(validating: text, as: UTF8.self) != nil else { throw .notText }
        self.text = text
        transaction = try? SignedTransaction(contents: text, contracts)
    }

    init(_ transaction: SignedTransaction) {
        (text, self.transaction) = (Array(Printable.json(transaction.packedJSON).utf8), transaction)
    }

    /// True if the agent signed this transaction. The data of an action whose ABI only the vault
    /// has can't be compared.
    func isSigned(in answer: SignedTransaction) -> Bool {
        guard let given = transaction ?? completed(by: answer) else { return false }
        return given.packed == answer.packed && given.packedContextFreeData == answer.packedContextFreeData
            && answer.signatures.starts(with: given.signatures)
    }

    /// The transaction of the text, with the packed data of the answer instead of JSON.
    private func completed(by answer: SignedTransaction) -> SignedTransaction? {
        guard let value = try? JSONValue.parse(text) else { return nil }
        let completed = Self.replacingData(in: value, by: answer.json)
        return try? SignedTransaction(reading: Array(completed.text().utf8), abis: ContractABIs())
    }

    private static func replacingData(in value: JSONValue, by answer: JSONValue) -> JSONValue {
        .object(
            (value.object ?? []).map { member in
                switch member.key {
                case "actions", "context_free_actions":
                    let packed = answer[member.key]?.array ?? []
                    let actions = member.value.array ?? []
                    guard packed.count == actions.count else { return member }
                    return JSONMember(
                        member.key, .array(zip(actions, packed).map { replacingData(of: $0, by: $1) }))
                case "transaction": return JSONMember(member.key, replacingData(in: member.value, by: answer))
                default: return member
                }
            })
    }

    private static func replacingData(of action: JSONValue, by packed: JSONValue) -> JSONValue {
        guard let members = action.object, let data = packed["data"] else { return action }
        return .object(
            members.filter { $0.key != "hex_data" }.map { $0.key == "data" ? JSONMember("data", data) : $0 })
    }
}

/// A signed transaction that was compared with what was asked for.
struct SignedAnswer {
    let transaction: SignedTransaction
    let chain: ChainID
    /// The signatures of the keys that were asked for.
    let signatures: [Signature]
    /// True if the vault made all these signatures before.
    let wasSignedBefore: Bool
    /// True if a signature was added.
    let isNew: Bool

    /// - Throws: `wrongAnswer`, `otherSignature`.
    init(_ answer: JSONValue, to given: GivenTransaction, _ order: OrderTemplate) throws(ClientError) {
        guard let packed = answer["packed"],
            let signed = try? SignedTransaction(reading: Array(packed.text().utf8), abis: ContractABIs()),
            let chain = answer["chain_id"]?.string.flatMap({ try? ChainID($0) }),
            let keys = answer["keys"]?.array?.map({ $0.string.flatMap { try? PublicKey($0) } }),
            let already = answer["already"]?.isTrue
        else { throw .wrongAnswer }
        let digest = signed.digest(for: chain)
        let signers = signed.signatures.map { try? $0.recover(digest) }
        var signatures: [Signature] = []
        for key in keys {
            guard let key, let index = signers.firstIndex(of: key) else { throw .otherSignature }
            signatures.append(signed.signatures[index])
        }
        let wanted = order.keys.compactMap { try? PublicKey($0) }
        guard given.isSigned(in: signed), order.chain == nil || order.chain == chain, !keys.isEmpty,
            wanted.allSatisfy(keys.contains), Set(keys).count <= max(1, Set(order.keys).count),
            order.expect == nil || order.expect?.lowercased() == signed.id
        else { throw .otherSignature }
        (transaction, self.chain, self.signatures) = (signed, chain, signatures)
        wasSignedBefore = already
        isNew = given.transaction.map { $0.signatures.count < signed.signatures.count } ?? true
    }
}
