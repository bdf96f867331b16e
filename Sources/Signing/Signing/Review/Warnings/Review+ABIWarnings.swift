import ABICodec
import JSON
import Policy
import Transactions

// Warnings about the chain, and about the ABIs that decode the actions.

extension Warning {
    static let unknownChain = Warning(
        .unknownChain, .transaction, text: "the chain id is not one of the built-in public chains")

    /// The built-in ABI describes Vaulta's system contract. This chain has another system contract,
    /// or may have one.
    static func foreignSystemContract(_ account: Name) -> Warning {
        Warning(
            .foreignSystemContract, .abi(account),
            text:
                "\(account.text) is decoded with the built-in ABI, but this chain's system contract may differ: "
                + "compare its abi_hash with several nodes, then pin this chain's ABI with `eosvault abi pin`"
        )
    }

    /// A given ABI replaces the pinned or built-in one and decodes actions differently.
    package static func abiOverride(_ override: ContractABIs.Override) -> Warning {
        let hash = JSONValue.string(override.replaced.text)
        return Warning(
            .abiOverride, .abi(override.account),
            [
                .string(override.given.text), override.isPinned ? hash : .null,
                override.isPinned ? .null : hash,
            ],
            text: "the given ABI of \(override.account.text), SHA-256 \(override.given.text), replaces the "
                + "\(override.isPinned ? "pinned" : "built-in") one, SHA-256 \(override.replaced.text), and decodes "
                + "actions differently: the review is only as reliable as the given ABI")
    }

    /// The sender of the transaction used another ABI: it may have meant something else.
    static func senderABI(_ difference: ContractABIs.Difference) -> Warning {
        let used =
            switch difference.source {
            case .given(let hash): "the given one, SHA-256 \(hash?.text ?? "unknown")"
            case .pinned(let hash): "the pinned one, SHA-256 \(hash.text)"
            case .builtIn, .builtInOlder: "the built-in one"
            }
        return Warning(
            .senderABI, .abi(difference.account),
            [.string(difference.stated.text), .string(difference.source.hash?.text)],
            text:
                "the sender used another ABI of \(difference.account.text), SHA-256 \(difference.stated.text), than "
                + "this review, which uses \(used): the sender may mean something else; compare the SHA-256 with "
                + "several nodes, then pin the ABI of the chain with `eosvault abi pin`")
    }

    static func unpinnedABI(_ account: Name) -> Warning {
        Warning(
            .unpinnedABI, .abi(account),
            text:
                "the actions of \(account.text) are decoded with an unverified ABI: compare its abi_hash with "
                + "several nodes, then run `eosvault abi pin \(account.text) FILE --chain CHAIN`")
    }

    static func unusedABI(_ account: Name) -> Warning {
        Warning(
            .unusedABI, .abi(account),
            text: "the transaction does not use the given ABI of \(account.text): check the name in --abi")
    }

    /// The data was decoded by an older built-in ABI. The contract that a chain runs today may read
    /// the data differently.
    static func olderABI(_ action: ActionReference, date: String) -> Warning {
        Warning(
            .olderABI, .action(action), [.string(date)],
            text: "\(action.text) is decoded with an ABI of \(date): the contract may now decode these bytes "
                + "differently")
    }

    /// The input has decoded data next to the action's bytes, but no ABI to compare them. The bytes
    /// are signed.
    package static func uncheckedData(_ action: ActionReference) -> Warning {
        Warning(
            .uncheckedData, .action(action),
            text: "the file also has decoded data of \(action.text), which is ignored: "
                + "without an ABI it can't be compared with the bytes that are signed")
    }
}

extension Review {
    var abiWarnings: [Warning] {
        var warnings: [Warning] = []
        if let chain, chain.chain == nil, chainName == nil { warnings.append(.unknownChain) }
        warnings += overrides.map { .abiOverride($0) }
        warnings += senderDifferences.map { .senderABI($0) }
        let overridden = Set(overrides.map(\.account))
        var seen: Set<Name> = []
        let unchecked = Set(transaction.uncheckedData)
        for reviewed in allActions {
            let account = reviewed.action.account
            switch reviewed.content {
            case .blind:
                if reviewed.outer.isEmpty, unchecked.contains(reviewed.place) {
                    warnings.append(.uncheckedData(reviewed.reference))
                }
            case .decoded(.builtIn):
                guard SystemContract.has(account), chain?.hasVaultaSystemContract == false,
                    seen.insert(account).inserted
                else {
                    continue
                }
                warnings.append(.foreignSystemContract(account))
            case .decoded(.builtInOlder(let date)): warnings.append(.olderABI(reviewed.reference, date: date))
            case .decoded(.pinned): continue
            case .decoded(.given):
                guard reviewed.isUnpinned, !overridden.contains(account), seen.insert(account).inserted else {
                    continue
                }
                warnings.append(.unpinnedABI(account))
            }
        }
        guard !givenAccounts.isEmpty else { return warnings }
        let used = Set(allActions.map(\.action.account))
        return warnings + givenAccounts.filter { !used.contains($0) }.map { .unusedABI($0) }
    }
}

extension ReviewedAction {
    /// True if the data was decoded by an ABI that was given for this run, for an account without a
    /// built-in ABI. `ContractABIs` compares a given ABI with a built-in or pinned one.
    package var isUnpinned: Bool {
        guard case .decoded(.given) = content else { return false }
        return BuiltInABI.all(for: action.account).isEmpty
    }
}

extension ChainID {
    /// True if the chain is known to run the system contracts whose ABIs are built in.
    fileprivate var hasVaultaSystemContract: Bool {
        chain.map { ["eos", "jungle4", "kylin"].contains($0.name) } ?? false
    }
}
