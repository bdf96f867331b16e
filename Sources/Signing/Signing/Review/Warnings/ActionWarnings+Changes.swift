import ABICodec
import JSON
import Messages
import Policy
import Transactions

// Warnings about changes of accounts, and about other actions of the system contracts.

extension Warning {
    /// - Parameter share: The part of the vault; nil if no vault is compared.
    static func permissionChange(_ action: ActionReference, _ level: PermissionLevel, _ share: OwnShare?)
        -> Warning
    {
        let code: WarningCode =
            switch level.permission.text {
            case "owner": .ownerChange
            case "active": .activeChange
            default: .permissionChange
            }
        return Warning(
            code, .permission(action, level), share?.values ?? [],
            text: "replaces who controls \(level.text)\(share?.text ?? "")")
    }

    static func permissionDelete(_ action: ActionReference, _ level: PermissionLevel) -> Warning {
        Warning(.permissionDelete, .permission(action, level), text: "deletes the permission \(level.text)")
    }

    static func link(_ action: ActionReference, _ level: PermissionLevel, _ link: LinkedAction) -> Warning {
        Warning(
            .link, .permission(action, level), [.string(link.contract.text), .string(link.action.text)],
            isDanger: !level.isControlling && link.isRisky,
            text: link.isRefused
                ? "links \(link.text) to \(level.text): chains refuse this link"
                : "\(level.text) can authorize \(link.text) from now on")
    }

    static func linkedToAll(_ action: ActionReference, _ level: PermissionLevel, contract: Name) -> Warning {
        Warning(
            .wideLink, .permission(action, level), [.null, .string(contract.text)],
            text: "\(level.text) can authorize all actions of \(contract.text) from now on")
    }

    /// Every permission of the account may authorize the actions (`eosio.any`).
    static func linkedToAny(_ action: ActionReference, _ account: Name, contract: Name) -> Warning {
        Warning(
            .wideLink, .action(action, account: account), [.string(account.text), .string(contract.text)],
            text:
                "links to eosio.any: every permission of \(account.text) can authorize actions of \(contract.text)"
        )
    }

    static func unlink(_ action: ActionReference, _ account: Name) -> Warning {
        changed(
            account, .unlink, action, "removes a link between an action and a permission of \(account.text)")
    }

    static func codeChange(_ action: ActionReference, _ account: Name) -> Warning {
        changed(
            account, .codeChange, action,
            "replaces or removes the code of \(account.text): new code can control its assets; check the sha256"
        )
    }

    static func abiChange(_ action: ActionReference, _ account: Name) -> Warning {
        changed(
            account, .abiChange, action, "wallets will decode actions of \(account.text) with the new ABI")
    }

    static func privileged(_ action: ActionReference, _ account: Name) -> Warning {
        changed(
            account, .privileged, action,
            "\(action.text) changes the system: only a system account can authorize it")
    }

    static func permissionLimits(_ action: ActionReference, _ account: Name) -> Warning {
        changed(
            account, .permissionLimits, action,
            "limits which permissions can change the permissions of \(account.text)")
    }

    private static func changed(
        _ account: Name, _ code: WarningCode, _ action: ActionReference, _ text: String
    ) -> Warning {
        Warning(code, .action(action, account: account), [.string(account.text)], text: text)
    }

    static func ramMoved(_ action: ActionReference) -> Warning {
        Warning(.ramMoved, .action(action), text: "\(action.text) moves, sells or destroys RAM")
    }

    static func stakeGiven(_ action: ActionReference, recipient: Name) -> Warning {
        Warning(
            .stakeGiven, .action(action, account: recipient), [.string(recipient.text)],
            text: "the staked tokens will belong to \(recipient.text)")
    }
}

extension OwnShare {
    fileprivate var values: [JSONValue] {
        [.number(weight), .number(threshold), .number(missing)] + others.values
    }

    /// Follows the permission that is replaced.
    fileprivate var text: String {
        // A vault without a weight can't prevent anything.
        let othersText =
            accounts.isEmpty || weight == 0
            ? nil : others.when.map { "the other keys and accounts can act without this vault" + $0 }
        let facts = [missing > 0 ? missingText : nil, othersText].compactMap(\.self)
        return facts.isEmpty ? "" : ": " + facts.joined(separator: "; ")
    }

    /// How much weight the vault has, and who has the rest.
    private var missingText: String {
        var sources = otherKeys > 0 ? [Amount.count(otherKeys, "other key")] : []
        sources += accounts.prefix(Self.shownAccounts).map(\.text)
        let rest = accounts.count - Self.shownAccounts
        if rest > 0 { sources.append(Amount.count(rest, "more account")) }
        if waits > 0 { sources.append(Amount.count(waits, "wait")) }
        let missing = Amount.text(Int(clamping: missing))
        return
            "this vault's keys have weight \(Amount.text(Int(clamping: weight))) of \(Amount.text(Int(threshold))); "
            + (sources.isEmpty
                ? "nobody has the other \(missing)"
                : "the other \(missing) must come from " + sources.joined(separator: ", "))
    }

    private static let shownAccounts = 3
}

extension ActionWarnings {
    func change(_ change: AccountChange) -> [Warning] {
        let account = change.account
        func level(_ permission: Name) -> PermissionLevel {
            PermissionLevel(actor: account, permission: permission)
        }
        switch change.kind {
        case .created, .effect: return []
        case .permissionReplaced(let name):
            let authority = reviewed.authorityChanges.first { $0.level.permission == name }?.counted
            let share = context.own.flatMap { own in authority.map { OwnShare(of: $0, own) } }
            return [.permissionChange(reference, level(name), share)]
        case .permissionDeleted(let name): return [.permissionDelete(reference, level(name))]
        case .linked(let contract, _, let name) where name.text == "eosio.any":
            return [.linkedToAny(reference, account, contract: contract)]
        case .linked(let contract, nil, let name):
            return [.linkedToAll(reference, level(name), contract: contract)]
        case .linked(let contract, let action?, let name):
            return [.link(reference, level(name), LinkedAction(contract: contract, action: action))]
        case .unlinked: return [.unlink(reference, account)]
        case .codeReplaced, .codeRemoved: return [.codeChange(reference, account)]
        case .abiReplaced: return [.abiChange(reference, account)]
        case .privilegesChanged: return [.privileged(reference, account)]
        }
    }

    /// The actions of eosio that only the system may run (eosio.system.abi: the actions that
    /// require the authority of eosio itself).
    private static let privileged: Set<String> = [
        "activate", "cfgpowerup", "delschedule", "denyhashadd", "denyhashrm", "denynames", "undenynames",
        "init",
        "onblock", "onerror", "rmvproducer", "setacctcpu", "setacctnet", "setacctram", "setalimits",
        "setglimits",
        "setinflation", "setparams", "setpayfactor", "setprods", "setram", "setramrate", "setrex",
        "setrexmature",
        "setschedule", "switchtosvnn", "unvest", "updtrevision", "wasmcfg",
    ]

    func system(_ value: TypedValue) -> [Warning] {
        let name = reviewed.action.name.text
        if Self.privileged.contains(name) { return [.privileged(reference, reviewed.action.account)] }
        switch name {
        case "giftram", "ramtransfer", "ungiftram", "ramburn", "sellram", "buyramburn":
            return [.ramMoved(reference)]
        case "donatetorex": return [.tokensDestroyed(reference)]
        case "limitauthchg": return value["account"]?.name.map { [.permissionLimits(reference, $0)] } ?? []
        case "delegatebw":
            guard value["transfer"]?.plain == "true" || value["transfer"]?.plain == "1",
                let recipient = value["receiver"]?.name
            else { return [] }
            return [.stakeGiven(reference, recipient: recipient)]
        default: return []
        }
    }
}
