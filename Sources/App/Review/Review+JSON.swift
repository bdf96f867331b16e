import ABICodec
import Codecs
import JSON
import Keys
import Shell
import Signing
import Transactions

extension ReviewText {
    /// The review as JSON.
    var json: JSONValue {
        let json = review.json(now: now, own: own)
        return request.map { json.adding(["request": $0.json]) } ?? json
    }
}

extension Review {
    fileprivate func json(now: Int64, own: OwnKeys?) -> JSONValue {
        let header = transaction.transaction
        let id: JSONValue = ["transaction_id": .string(transaction.id)]
        return id.adding(chain.map { ["chain_id": .string($0.text), "chain": .string($0.chain?.name)] })
            .adding(digest.map { ["signing_digest": .string(Hex.encode($0.bytes))] })
            .adding([
                "expiration": .string(header.expiration.text), "expires_in_seconds": .number(remaining(now: now)),
                "ref_block_num": .number(header.refBlockNum), "ref_block_prefix": .number(header.refBlockPrefix),
                "max_net_usage_words": .number(header.maxNetUsageWords),
                "max_cpu_usage_ms": .number(header.maxCPUUsageMS), "delay_sec": .number(header.delaySec),
                "context_free_actions": .array(contextFreeActions.map(\.json)), "actions": .array(actions.map(\.json)),
                "transaction_extensions": .array(header.extensions.map(\.json)),
                "context_free_data": .array(transaction.contextFreeData.map { .string(Hex.encode($0)) }),
                "signatures": .array(transaction.signatures.map { .string($0.text) }),
                "signers": .array(signers.map { signer in .string(signer.key?.text) }), "summary": summary.json,
                "warnings": .array(WarningGroup.bySubject(warnings(now: now, own: own)).map(\.json)),
            ])
    }
}

extension ReviewedAction {
    fileprivate var json: JSONValue {
        let members: JSONValue = [
            "account": .string(action.account.text), "name": .string(action.name.text),
            "authorization": .array(action.authorization.map(\.json)), "data": value?.json ?? .null,
            "abi": .string(source?.code),
        ]
        return members.adding(source?.hash.map { ["abi_sha256": .string($0.text)] })
            .adding(["hex_data": .string(Hex.encode(action.data))]).adding(nested.map { ["inner": $0.json] })
            .adding(stated.map { ["stated": $0.transaction.json.adding(["file": .string($0.file)])] })
    }

    /// The source of the ABI that decoded the data; nil if it is signed as bytes.
    private var source: ContractABIs.Source? {
        if case .decoded(let source) = content { source } else { nil }
    }
}

extension NestedTransaction {
    fileprivate var json: JSONValue {
        let header = transaction.transaction
        return [
            "role": .string(role.rawValue), "hash": .string(Hex.encode(hash)),
            "expiration": .string(header.expiration.text), "ref_block_num": .number(header.refBlockNum),
            "ref_block_prefix": .number(header.refBlockPrefix), "delay_sec": .number(header.delaySec),
            "context_free_actions": .array(contextFreeActions.map(\.json)), "actions": .array(actions.map(\.json)),
        ]
    }
}

extension ContractABIs.Source {
    fileprivate var code: String {
        switch self {
        case .given: "given"
        case .pinned: "pinned"
        case .builtIn: "built in"
        case .builtInOlder: "built in, older"
        }
    }
}

extension Summary {
    var json: JSONValue {
        [
            "action_count": .number(actionCount), "inner_count": .number(innerCount),
            "actions": .array(kinds.map(\.json)),
            "payments": .array(totals.map(\.json)), "changes": .array(changes.map(\.json)),
        ]
    }
}

extension Summary.Kind {
    fileprivate var json: JSONValue {
        [
            "account": .string(contract.text), "name": .string(action.text), "inner": .boolean(isInner),
            "decoded": .boolean(isDecoded), "count": .number(count),
        ]
    }
}

extension Summary.Total {
    fileprivate var json: JSONValue {
        let total: JSONValue =
            [
                "kind": .string(kind.rawValue), "contract": .string(contract.text), "payer": .string(payer.text),
                "recipient": .string(recipient.text), "for": .string(beneficiary?.text),
                "symbol": .string(symbol.text), "amount": .string("\(amount)"),
                "inner": .boolean(execution != .direct), "count": .number(count),
                "if_approved": .boolean(execution == .proposed),
            ]
        return total.adding(memo.isEmpty ? nil : ["memo": .string(memo + (isMemoCut ? "..." : ""))])
            .adding(isFirst ? ["first_time": .boolean(true)] : nil)
    }
}

extension Summary.Change {
    fileprivate var json: JSONValue {
        let head: JSONValue = [
            "kind": .string(kind.code), "account": .string(account.text), "count": .number(count),
            "inner": .boolean(execution != .direct), "if_approved": .boolean(execution == .proposed),
        ]
        return head.adding(amount.map { ["bytes": .string("\($0)")] }).adding(kind.fields)
    }
}

extension AccountChange.Kind {
    fileprivate var fields: JSONValue {
        switch self {
        case .created, .codeRemoved, .abiReplaced, .privilegesChanged: [:]
        case .permissionReplaced(let name), .permissionDeleted(let name): ["permission": .string(name.text)]
        case .linked(let contract, let action, let permission):
            [
                "contract": .string(contract.text), "action": .string(action?.text),
                "permission": .string(permission.text),
            ]
        case .unlinked(let contract, let action):
            ["contract": .string(contract.text), "action": .string(action?.text)]
        case .codeReplaced(let size): ["size": .number(size)]
        case .effect(let effect):
            (effect.receiver.map { ["receiver": .string($0.text)] } ?? [:] as JSONValue)
                .adding(effect.details.isEmpty ? nil : ["details": .array(effect.details.map(\.json))])
        }
    }
}
