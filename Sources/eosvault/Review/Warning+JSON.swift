import ABICodec
import JSON
import KeyText
import Signing
import Transactions

/// Warnings with the same code and severity about the same account, action or signature.
struct MergedWarning {
    private let warnings: [Warning]
    private let first: Warning

    static func all(_ warnings: [Warning]) -> [MergedWarning] {
        var order: [String] = []
        var groups: [String: [Warning]] = [:]
        for warning in warnings {
            let subject = warning.account?.text ?? warning.action?.text ?? "\(warning.signatureIndex ?? 0)"
            let key = "\(warning.code.rawValue) \(warning.severity.rawValue) \(subject)"
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(warning)
        }
        return order.compactMap { key in
            groups[key].flatMap { list in list.first.map { MergedWarning(warnings: list, first: $0) } }
        }
    }

    /// More indices are not listed; `warning_count` has their number.
    private static let listedActions = 100

    var json: JSONValue {
        var members = [
            JSONMember("code", .string(first.code.rawValue)), JSONMember("message", .string(first.text)),
            JSONMember("severity", .string(first.severity.rawValue)),
        ]
        if let danger = Danger(first) {
            members.append(JSONMember("allow", .string("\(danger.code.rawValue)=\(danger.subject)")))
        }
        members += first.fields
        if warnings.count > 1 {
            members.append(JSONMember("warning_count", .number("\(warnings.count)")))
            var seen: Set<String> = []
            // One action can have several warnings of a kind.
            let paths = warnings.compactMap { $0.action?.path }.filter { seen.insert($0).inserted }
            members.append(JSONMember("actions", .array(paths.prefix(Self.listedActions).map { .string($0) })))
        }
        return .object(members)
    }
}

extension Warning {
    fileprivate var signatureIndex: Int? {
        guard case .signature(let index, _) = self else { return nil }
        return index
    }

    /// What the warning is about. `list` and `index` are the place in the transaction's JSON.
    fileprivate var fields: [JSONMember] {
        switch self {
        case .transaction(let warning): warning.fields
        case .signature(let index, let warning):
            [JSONMember("list", .string("signatures")), JSONMember("index", .number("\(index)"))] + warning.fields
        case .permission(let action, let level, let warning):
            action.fields + [JSONMember("permission", .string(level.text))] + warning.fields
        case .action(let action, let warning): action.fields + warning.fields
        }
    }
}

extension TransactionWarning {
    fileprivate var fields: [JSONMember] {
        switch self {
        case .expired(let seconds): [JSONMember("seconds_ago", .number("\(seconds)"))]
        case .shortWindow(let seconds): [JSONMember("expires_in_seconds", .number("\(seconds)"))]
        case .tooEarly(let seconds): [JSONMember("pushable_in_seconds", .number("\(seconds)"))]
        case .beyondTAPOS(let seconds): [JSONMember("expires_in_seconds", .number("\(seconds)"))]
        case .delay(let seconds): [JSONMember("delay_sec", .number("\(seconds)"))]
        case .extensions(let count): [JSONMember("count", .number("\(count)"))]
        case .limits(let words, let milliseconds):
            [
                JSONMember("max_net_usage_words", .number("\(words)")),
                JSONMember("max_cpu_usage_ms", .number("\(milliseconds)")),
            ]
        case .noActions, .contextFreeActions, .nonce, .contextFreeDataWithoutActions, .unknownChain: []
        case .foreignSystemContract(let account), .unpinnedABI(let account), .unusedABI(let account):
            [JSONMember("account", .string(account.text))]
        case .abiOverride(let override):
            [
                JSONMember("account", .string(override.account.text)),
                JSONMember("abi_sha256", .string(override.given.text)),
                JSONMember(
                    override.isPinned ? "pinned_abi_sha256" : "built_in_abi_sha256", .string(override.replaced.text)),
            ]
        case .senderABI(let difference):
            [
                JSONMember("account", .string(difference.account.text)),
                JSONMember("sender_abi_sha256", .string(difference.stated.text)),
            ] + (difference.source.hash.map { [JSONMember("abi_sha256", .string($0.text))] } ?? [])
        case .signedBefore(let id, let expiration):
            [JSONMember("transaction_id", .string(id)), JSONMember("expiration", .string(expiration.text))]
        }
    }
}

extension SignatureWarning {
    fileprivate var fields: [JSONMember] {
        switch self {
        case .nonCanonical, .unknownSigner, .duplicateSigner: []
        case .foreignSigner(let key): [JSONMember("public_key", .string(key.text))]
        case .otherChain(let key, let chain):
            [JSONMember("public_key", .string(key.text)), JSONMember("chain", .string(chain.name))]
        }
    }
}

extension PermissionWarning {
    fileprivate var fields: [JSONMember] {
        switch self {
        case .ownerUsed, .duplicateAuthorization, .codeAuthorization, .systemAuthorization, .changed, .deleted,
            .keysNotCompared, .lockout:
            []
        case .foreignKeys(let count, let all):
            [JSONMember("foreign_keys", .number("\(count)")), JSONMember("keys", .number("\(all)"))]
        case .unreachableThreshold(let threshold, let weights):
            [JSONMember("threshold", .number("\(threshold)")), JSONMember("weights", .number("\(weights)"))]
        case .account(let added), .code(let added): [JSONMember("added", .string(added.text))]
        case .lookAlikeKey(let key, let imitated):
            [JSONMember("public_key", .string(key)), JSONMember("imitated_key", .string(imitated.text))]
        case .linked(let link):
            [
                JSONMember("contract", .string(link.contract.text)),
                JSONMember("linked_action", .string(link.action.text)),
            ]
        case .linkedToAll(let contract): [JSONMember("contract", .string(contract.text))]
        }
    }
}

extension ActionWarning {
    fileprivate var fields: [JSONMember] {
        switch self {
        case .blind, .uncheckedData, .nullKey, .noAuthorization, .exchange, .zeroAmount, .negativeAmount, .ramMoved,
            .destroysTokens,
            .emptyRecipient,
            .innerTransaction, .unseenProposal, .unseenExecution, .otherMultisig:
            []
        case .olderABI(let date): [JSONMember("abi_date", .string(date))]
        case .manyAuthorizations(let count): [JSONMember("count", .number("\(count)"))]
        case .unlinked(let account), .permissionLimits(let account), .codeChange(let account),
            .abiChange(let account), .privileged(let account):
            [JSONMember("changed_account", .string(account.text))]
        case .linkedToAny(let account, let contract):
            [
                JSONMember("changed_account", .string(account.text)),
                JSONMember("contract", .string(contract.text)),
            ]
        case .otherToken(let symbol, let contract, let known):
            [
                JSONMember("symbol", .string(symbol.text)), JSONMember("contract", .string(contract.text)),
                JSONMember("known_symbol", .string(known.symbol.text)),
                JSONMember("known_contract", .string(known.contract.text)),
            ]
        case .systemRecipient(let account), .stakeGiven(let account):
            [JSONMember("recipient", .string(account.text))]
        case .outlier(let quantity, let recipient):
            [JSONMember("quantity", .string(quantity.text)), JSONMember("recipient", .string(recipient.text))]
        case .lookAlikeAccount(let account, let imitated):
            [JSONMember("recipient", .string(account.text)), JSONMember("imitated", .string(imitated.text))]
        case .approvalWithoutHash(let proposer): [JSONMember("proposer", .string(proposer.text))]
        }
    }
}

extension ActionReference {
    /// For example `actions[0].inner.actions[2]`.
    fileprivate var path: String { (outer + [place]).map(\.path).joined(separator: ".inner.") }

    fileprivate var fields: [JSONMember] {
        let first = outer.first ?? place
        let members = [
            JSONMember("account", .string(account.text)), JSONMember("name", .string(name.text)),
            JSONMember("list", .string(first.list)), JSONMember("index", .number("\(first.index)")),
        ]
        return outer.isEmpty ? members : members + [JSONMember("path", .string(path))]
    }
}
