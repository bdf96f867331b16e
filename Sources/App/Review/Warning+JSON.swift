import ABICodec
import JSON
import Keys
import Shell
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
        let head: JSONValue = [
            "code": .string(first.code.rawValue), "message": .string(first.text),
            "severity": .string(first.severity.rawValue),
        ]
        let allow = Danger(first).map { "\($0.code.rawValue)=\($0.subject)" }
        let members = head.adding(allow.map { ["allow": .string($0)] }).adding(first.fields)
        guard warnings.count > 1 else { return members }
        var seen: Set<String> = []
        // One action can have several warnings of a kind.
        let paths = warnings.compactMap { $0.action?.path }.filter { seen.insert($0).inserted }
        return members.adding([
            "warning_count": .number(warnings.count),
            "actions": .array(paths.prefix(Self.listedActions).map { .string($0) }),
        ])
    }
}

extension Warning {
    fileprivate var signatureIndex: Int? {
        guard case .signature(let index, _) = self else { return nil }
        return index
    }

    /// What the warning is about. `list` and `index` are the place in the transaction's JSON.
    fileprivate var fields: JSONValue {
        switch self {
        case .transaction(let warning): warning.fields
        case .nested(let action, let warning): action.fields.adding(warning.fields)
        case .signature(let index, let warning):
            (["list": .string("signatures"), "index": .number(index)] as JSONValue).adding(warning.fields)
        case .permission(let action, let level, let warning):
            action.fields.adding(["permission": .string(level.text)]).adding(warning.fields)
        case .action(let action, let warning): action.fields.adding(warning.fields)
        }
    }
}

extension TransactionWarning {
    fileprivate var fields: JSONValue {
        switch self {
        case .expired(let seconds): ["seconds_ago": .number(seconds)]
        case .shortWindow(let seconds): ["expires_in_seconds": .number(seconds)]
        case .tooEarly(let seconds): ["pushable_in_seconds": .number(seconds)]
        case .beyondTAPOS(let seconds): ["expires_in_seconds": .number(seconds)]
        case .delay(let seconds): ["delay_sec": .number(seconds)]
        case .extensions(let count): ["count": .number(count)]
        case .limits(let words, let milliseconds):
            ["max_net_usage_words": .number(words), "max_cpu_usage_ms": .number(milliseconds)]
        case .noActions, .contextFreeActions, .nonce, .contextFreeDataWithoutActions, .unknownChain: [:]
        case .foreignSystemContract(let account), .unpinnedABI(let account), .unusedABI(let account):
            ["account": .string(account.text)]
        case .abiOverride(let override):
            [
                "account": .string(override.account.text), "abi_sha256": .string(override.given.text),
                (override.isPinned ? "pinned_abi_sha256" : "built_in_abi_sha256"): .string(override.replaced.text),
            ]
        case .senderABI(let difference):
            ([
                "account": .string(difference.account.text), "sender_abi_sha256": .string(difference.stated.text),
            ] as JSONValue).adding(difference.source.hash.map { ["abi_sha256": .string($0.text)] })
        case .signedBefore(let id, let expiration):
            ["transaction_id": .string(id), "expiration": .string(expiration.text)]
        // Only the text of a review has it.
        case .summaryCut: [:]
        }
    }
}

extension SignatureWarning {
    fileprivate var fields: JSONValue {
        switch self {
        case .nonCanonical, .unknownSigner, .duplicateSigner: [:]
        case .foreignSigner(let key): ["public_key": .string(key.text)]
        case .otherChain(let key, let chain):
            ["public_key": .string(key.text), "chain": .string(chain.name)]
        }
    }
}

extension PermissionWarning {
    fileprivate var fields: JSONValue {
        switch self {
        case .ownerUsed, .duplicateAuthorization, .codeAuthorization, .systemAuthorization, .changed(nil), .deleted,
            .keysNotCompared, .lockout, .refusedAuthority:
            [:]
        case .changed(let share?):
            ([
                "own_weight": .number(share.weight), "threshold": .number(share.threshold),
                "missing_weight": .number(share.missing),
            ] as JSONValue).adding(share.others.fields)
        case .openAfterWait(let seconds): ["delay_sec": .number(seconds)]
        case .foreignKeys(let count, let all, let reach):
            (["foreign_keys": .number(count), "keys": .number(all)] as JSONValue).adding(reach.fields)
        case .unreachableThreshold(let threshold, let weights):
            ["threshold": .number(threshold), "weights": .number(weights)]
        case .account(let added), .code(let added):
            ([
                "added": .string(added.level.text), "weight": .number(added.weight),
                "threshold": .number(added.threshold),
            ] as JSONValue).adding(added.reach.fields)
        case .notBackedUp(let key): ["public_key": .string(key.text)]
        case .lookAlikeKey(let key, let imitated):
            ["public_key": .string(key), "imitated_key": .string(imitated.text)]
        case .linked(let link):
            ["contract": .string(link.contract.text), "linked_action": .string(link.action.text)]
        case .linkedToAll(let contract): ["contract": .string(contract.text)]
        }
    }
}

extension AuthorityReach {
    /// What others can do without the vault.
    fileprivate var fields: JSONValue {
        switch self {
        case .now: ["others_act": .string("now")]
        case .after(let seconds): ["others_act": .string("after"), "delay_sec": .number(seconds)]
        case .never: ["others_act": .string("never")]
        }
    }
}

extension ActionWarning {
    fileprivate var fields: JSONValue {
        switch self {
        case .blind, .uncheckedData, .nullKey, .noAuthorization, .exchange, .zeroAmount, .negativeAmount, .ramMoved,
            .destroysTokens,
            .emptyRecipient,
            .innerTransaction, .otherMultisig:
            [:]
        case .olderABI(let date): ["abi_date": .string(date)]
        case .manyAuthorizations(let count): ["count": .number(count)]
        case .unlinked(let account), .permissionLimits(let account), .codeChange(let account),
            .abiChange(let account), .privileged(let account), .developmentKey(let account):
            ["changed_account": .string(account.text)]
        case .linkedToAny(let account, let contract):
            ["changed_account": .string(account.text), "contract": .string(contract.text)]
        case .otherToken(let symbol, let contract, let known):
            [
                "symbol": .string(symbol.text), "contract": .string(contract.text),
                "known_symbol": .string(known.symbol.text), "known_contract": .string(known.contract.text),
            ]
        case .systemRecipient(let account), .stakeGiven(let account):
            ["recipient": .string(account.text)]
        case .outlier(let quantity, let recipient):
            ["quantity": .string(quantity.text), "recipient": .string(recipient.text)]
        case .payerAbsent(let payer): ["payer": .string(payer.text)]
        case .lookAlikeAccount(let account, let imitated):
            ["recipient": .string(account.text), "imitated": .string(imitated.text)]
        case .approvalWithoutHash(let proposer): ["proposer": .string(proposer.text)]
        case .unseenProposal(let proposer, let name), .unseenExecution(let proposer, let name):
            ["proposer": .string(proposer.text), "proposal": .string(name.text)]
        }
    }
}

extension ActionReference {
    /// For example `actions[0].inner.actions[2]`.
    fileprivate var path: String { (outer + [place]).map(\.path).joined(separator: ".inner.") }

    fileprivate var fields: JSONValue {
        let first = outer.first ?? place
        let members: JSONValue = [
            "account": .string(account.text), "name": .string(name.text),
            "list": .string(first.list), "index": .number(first.index),
        ]
        return outer.isEmpty ? members : members.adding(["path": .string(path)])
    }
}
