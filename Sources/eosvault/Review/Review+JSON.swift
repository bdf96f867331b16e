import ABICodec
import Codecs
import Curves
import JSON
import KeyText
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
        var members = [JSONMember("transaction_id", .string(transaction.id))]
        if let chain {
            members.append(JSONMember("chain_id", .string(chain.text)))
            members.append(JSONMember("chain", chain.chain.map { .string($0.name) } ?? .null))
        }
        if let digest { members.append(JSONMember("signing_digest", .string(Hex.encode(digest.bytes)))) }
        members += [
            JSONMember("expiration", .string(header.expiration.text)),
            JSONMember("expires_in_seconds", .number("\(remaining(now: now))")),
            JSONMember("ref_block_num", .number("\(header.refBlockNum)")),
            JSONMember("ref_block_prefix", .number("\(header.refBlockPrefix)")),
            JSONMember("max_net_usage_words", .number("\(header.maxNetUsageWords)")),
            JSONMember("max_cpu_usage_ms", .number("\(header.maxCPUUsageMS)")),
            JSONMember("delay_sec", .number("\(header.delaySec)")),
            JSONMember("context_free_actions", .array(contextFreeActions.map(\.json))),
            JSONMember("actions", .array(actions.map(\.json))),
            JSONMember("transaction_extensions", .array(header.extensions.map(\.json))),
            JSONMember("context_free_data", .array(transaction.contextFreeData.map { .string(Hex.encode($0)) })),
            JSONMember("signatures", .array(transaction.signatures.map { .string($0.text) })),
            JSONMember("signers", .array(signers.map { signer in signer.key.map { .string($0.text) } ?? .null })),
            JSONMember("summary", summary.json),
            JSONMember("warnings", .array(MergedWarning.all(warnings(now: now, own: own)).map(\.json))),
        ]
        return .object(members)
    }
}

extension ReviewedAction {
    fileprivate var json: JSONValue {
        var members = [
            JSONMember("account", .string(action.account.text)), JSONMember("name", .string(action.name.text)),
            JSONMember("authorization", .array(action.authorization.map(\.json))),
        ]
        switch content {
        case .decoded(let source):
            members.append(JSONMember("data", value?.json ?? .null))
            members.append(JSONMember("abi", .string(source.code)))
            if let hash = source.hash { members.append(JSONMember("abi_sha256", .string(hash.text))) }
        case .blind:
            members.append(JSONMember("data", .null))
            members.append(JSONMember("abi", .null))
        }
        members.append(JSONMember("hex_data", .string(Hex.encode(action.data))))
        if let nested { members.append(JSONMember("inner", nested.json)) }
        return .object(members)
    }
}

extension NestedTransaction {
    fileprivate var json: JSONValue {
        let header = transaction.transaction
        return .object([
            JSONMember("role", .string(role.rawValue)), JSONMember("hash", .string(Hex.encode(hash))),
            JSONMember("expiration", .string(header.expiration.text)),
            JSONMember("ref_block_num", .number("\(header.refBlockNum)")),
            JSONMember("ref_block_prefix", .number("\(header.refBlockPrefix)")),
            JSONMember("delay_sec", .number("\(header.delaySec)")),
            JSONMember("context_free_actions", .array(contextFreeActions.map(\.json))),
            JSONMember("actions", .array(actions.map(\.json))),
        ])
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
        .object([
            JSONMember("action_count", .number("\(actionCount)")), JSONMember("inner_count", .number("\(innerCount)")),
            JSONMember("actions", .array(kinds.map(\.json))),
            JSONMember("payments", .array(totals.map(\.json))), JSONMember("not_listed", .number(omittedCount)),
        ])
    }
}

extension Summary.Kind {
    fileprivate var json: JSONValue {
        .object([
            JSONMember("account", .string(contract.text)), JSONMember("name", .string(action.text)),
            JSONMember("inner", .boolean(isInner)), JSONMember("decoded", .boolean(isDecoded)),
            JSONMember("count", .number("\(count)")),
        ])
    }
}

extension Summary.Total {
    fileprivate var json: JSONValue {
        let first = isFirst ? [JSONMember("first_time", .boolean(true))] : []
        return .object(
            [
                JSONMember("kind", .string(kind.rawValue)), JSONMember("contract", .string(contract.text)),
                JSONMember("payer", .string(payer.text)),
                JSONMember("recipient", recipient.map { .string($0.text) } ?? .null),
                JSONMember("symbol", .string(symbol.text)), JSONMember("amount", .string("\(amount)")),
                JSONMember("inner", .boolean(execution != .direct)), JSONMember("count", .number("\(count)")),
                JSONMember("if_approved", .boolean(execution == .proposed)),
            ] + first)
    }
}
