import ABICodec
import Codecs
import Curves
import JSON
import KeyText
import Signing
import Transactions

extension Review {
    /// The review as JSON.
    func json(now: Int64) -> JSONValue {
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
            JSONMember("warnings", .array(warnings(now: now).map(\.json))),
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
        case .decoded(let value, let source):
            members.append(JSONMember("data", value))
            members.append(JSONMember("abi", .string(source.code)))
            if let hash = source.hash { members.append(JSONMember("abi_sha256", .string(hash.text))) }
        case .blind:
            members.append(JSONMember("data", .null))
            members.append(JSONMember("abi", .null))
        }
        members.append(JSONMember("hex_data", .string(Hex.encode(action.data))))
        return .object(members)
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

extension Warning {
    fileprivate var json: JSONValue {
        .object([JSONMember("code", .string(code.rawValue)), JSONMember("message", .string(text))] + fields)
    }

    /// What the warning is about. `list` and `index` are the place in the transaction's JSON.
    private var fields: [JSONMember] {
        switch self {
        case .expired(let seconds): [JSONMember("seconds_ago", .number("\(seconds)"))]
        case .tooEarly(let seconds): [JSONMember("pushable_in_seconds", .number("\(seconds)"))]
        case .delay(let seconds): [JSONMember("delay_sec", .number("\(seconds)"))]
        case .extensions(let count): [JSONMember("count", .number("\(count)"))]
        case .noActions, .contextFreeActions, .contextFreeDataWithoutActions, .unknownChain: []
        case .blindAction(let action), .innerActions(let action), .nullKey(let action), .uncheckedData(let action):
            action.fields
        case .olderABI(let action, let date): action.fields + [JSONMember("abi_date", .string(date))]
        case .foreignSystemContract(let account): [JSONMember("account", .string(account.text))]
        case .nonCanonicalSignature(let index), .unknownSigner(let index), .duplicateSigner(let index):
            [JSONMember("list", .string("signatures")), JSONMember("index", .number("\(index)"))]
        case .abiOverride(let override):
            [
                JSONMember("account", .string(override.account.text)),
                JSONMember("abi_sha256", .string(override.given.text)),
                JSONMember(
                    override.isPinned ? "pinned_abi_sha256" : "built_in_abi_sha256", .string(override.replaced.text)),
            ]
        }
    }
}

extension ActionReference {
    fileprivate var fields: [JSONMember] {
        [
            JSONMember("account", .string(account.text)), JSONMember("name", .string(name.text)),
            JSONMember("list", .string(place.list)), JSONMember("index", .number("\(place.index)")),
        ]
    }
}
