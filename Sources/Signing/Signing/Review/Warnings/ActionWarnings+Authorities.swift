import ABICodec
import JSON
import Keys
import Messages
import Policy
import Transactions

// Warnings about new authorities.

extension Warning {
    /// Keys of the new authority that are not in the vault, and their reach without it.
    static func foreignKeys(
        _ action: ActionReference, _ level: PermissionLevel, count: Int, of all: Int, _ reach: AuthorityReach
    ) -> Warning {
        let text =
            switch (count, all) {
            case (1, 1):
                "the key of \(level.text) is not in this vault: check who controls \(level.actor.text)"
            case (all, _):
                "none of the keys of \(level.text) is in this vault: check who controls \(level.actor.text)"
            default:
                "\(Amount.text(count)) of the \(Amount.text(all)) keys of \(level.text) "
                    + "\(count == 1 ? "is" : "are") not in this vault" + reach.text
            }
        return Warning(
            .foreignKey, .permission(action, level), [.number(count), .number(all)] + reach.values,
            isDanger: !level.isControlling, text: text)
    }

    /// Without a vault, keys can't be compared.
    static func keysNotCompared(_ action: ActionReference, _ level: PermissionLevel) -> Warning {
        Warning(
            .foreignKey, .permission(action, level),
            text: "check that you own the keys of \(level.text): no vault is open to compare them with")
    }

    /// A key whose ends equal the ends of a key of the vault.
    static func lookAlikeKey(
        _ action: ActionReference, _ level: PermissionLevel, _ key: String, imitated: PublicKey
    ) -> Warning {
        Warning(
            .lookAlikeKey, .permission(action, level), [.string(key), .string(imitated.text)],
            text: "\(key) in \(level.text) is not your key, but looks like your key \(imitated.text)")
    }

    /// The authority can be satisfied, but no key of the vault is needed for it; or nothing
    /// satisfies it.
    static func lockout(_ action: ActionReference, _ level: PermissionLevel) -> Warning {
        Warning(
            .lockout, .permission(action, level),
            text: "\(level.text) will need no key of this vault: you may lose control of it")
    }

    /// Waits alone satisfy the authority: anyone can propose a transaction with this delay.
    static func openAfterWait(_ action: ActionReference, _ level: PermissionLevel, seconds: UInt32) -> Warning
    {
        Warning(
            .openAfterWait, .permission(action, level), [.number(seconds)],
            text: "anyone can act as \(level.text) without a key: waits alone reach the threshold, after "
                + Amount.duration(Int64(seconds)))
    }

    static func unreachableThreshold(
        _ action: ActionReference, _ level: PermissionLevel, threshold: UInt32, weights: UInt64
    ) -> Warning {
        Warning(
            .unreachableThreshold, .permission(action, level), [.number(threshold), .number(weights)],
            text: threshold == 0
                ? "the threshold of \(level.text) is 0: chains refuse it"
                : "the threshold \(threshold) of \(level.text) can't be reached, because the weights that count sum to "
                    + "\(weights): nobody could use the permission")
    }

    static func refusedAuthority(_ action: ActionReference, _ level: PermissionLevel) -> Warning {
        Warning(
            .refusedAuthority, .permission(action, level),
            text:
                "chains refuse the authority of \(level.text): sort its keys, accounts and waits, each only once, "
                + "and use no wait of 0")
    }

    static func notBackedUp(_ action: ActionReference, _ level: PermissionLevel, _ key: PublicKey) -> Warning
    {
        Warning(
            .notBackedUp, .permission(action, level), [.string(key.text)],
            text:
                "\(level.text) depends on \(key.text), which no verified backup contains: run `eosvault backup` "
                + "first")
    }

    static func account(_ action: ActionReference, _ level: PermissionLevel, _ added: AddedPermission)
        -> Warning
    {
        .added(added, .foreignAccount, added.level.text, action, level)
    }

    /// The code of a contract can use the permission.
    static func code(_ action: ActionReference, _ level: PermissionLevel, _ added: AddedPermission) -> Warning
    {
        .added(
            added, .codePermission, "the contract code of \(added.level.actor.text) (eosio.code)", action,
            level)
    }

    /// - Parameter who: Who gets the permission.
    private static func added(
        _ added: AddedPermission, _ code: WarningCode, _ who: String, _ action: ActionReference,
        _ level: PermissionLevel
    ) -> Warning {
        Warning(
            code, .permission(action, level),
            [.string(added.level.text), .number(added.weight), .number(added.threshold)] + added.reach.values,
            isDanger: !level.isControlling && added.level.actor != level.actor,
            text: who + added.text(in: level))
    }

    /// The development key of all chains, whose private key is published, gets authority over an
    /// account or signs its blocks.
    static func developmentKey(_ action: ActionReference, _ account: Name) -> Warning {
        Warning(
            .developmentKey, .action(action, account: account), [.string(account.text)],
            text: "the published development key gets authority over \(account.text) or signs its blocks: "
                + "its private key is published")
    }
}

/// A permission in a new authority.
package struct AddedPermission: Equatable, Sendable {
    package let level: PermissionLevel
    package let weight: UInt32
    package let threshold: UInt32
    /// When the permission alone satisfies the authority.
    package let reach: AuthorityReach

    /// Follows who gets the permission.
    fileprivate func text(in level: PermissionLevel) -> String {
        switch reach {
        case .now: " can act as \(level.text)"
        case .after(let seconds):
            " can act as \(level.text) after a delay of \(Amount.duration(Int64(seconds)))"
        case .never: " counts \(Amount.text(Int(weight))) of \(Amount.text(Int(threshold))) in \(level.text)"
        }
    }
}

extension PermissionLevel {
    /// A permission other than these belongs to an account that exists, because `newaccount` sets
    /// only these two. A change of owner or active is a danger with its own code. Someone else in
    /// another permission needs only a link to take the tokens, so this is a danger too.
    var isControlling: Bool { ["owner", "active"].contains(permission.text) }
}

extension AuthorityReach {
    /// The fields `others_act` and `delay_sec`.
    var values: [JSONValue] {
        switch self {
        case .now: [.string("now"), .null]
        case .after(let seconds): [.string("after"), .number(seconds)]
        case .never: [.string("never"), .null]
        }
    }

    /// The words for the reach of the foreign keys of an authority.
    fileprivate var text: String { when.map { ", and can act without this vault" + $0 } ?? "" }

    /// When someone can act, after a verb; nil for never.
    var when: String? {
        switch self {
        case .never: nil
        case .now: ""
        case .after(let seconds): " after \(Amount.duration(Int64(seconds)))"
        }
    }
}

extension ActionWarnings {
    func authority(_ change: AuthorityChange) -> [Warning] {
        let (level, authority) = (change.level, change.authority)
        var warnings: [Warning] = []
        if change.isUnreachable {
            warnings.append(
                .unreachableThreshold(
                    reference, level, threshold: authority.threshold, weights: change.totalWeight))
        }
        if !authority.isOrdered { warnings.append(.refusedAuthority(reference, level)) }
        if case .after(let seconds) = change.openReach {
            warnings.append(.openAfterWait(reference, level, seconds: seconds))
        }
        if !change.isSubaccount {
            for account in authority.accounts {
                let added = change.added(account)
                let isCode = account.level.permission == .code
                warnings.append(isCode ? .code(reference, level, added) : .account(reference, level, added))
            }
        }
        if let own = context.own {
            warnings += keys(of: change, own)
            if level.isControlling, let key = change.counted.keyWithoutBackup(of: own) {
                warnings.append(.notBackedUp(reference, level, key))
            }
        } else if !authority.keys.isEmpty {
            warnings.append(.keysNotCompared(reference, level))
        }
        let isUsable = change.counted.isReachable && context.own.map { change.counted.needs($0) } ?? true
        if !change.isNewAccount, level.isControlling, !isUsable {
            warnings.append(.lockout(reference, level))
        }
        return warnings
    }

    private func keys(of change: AuthorityChange, _ own: OwnKeys) -> [Warning] {
        let keys = change.authority.keys
        let foreign = keys.filter { !own.contains($0.text) }
        guard !foreign.isEmpty else { return [] }
        let count = Warning.foreignKeys(
            reference, change.level, count: foreign.count, of: keys.count, change.foreignReach(own))
        return [count]
            + foreign.compactMap { key in
                own.imitated(by: key.text).map {
                    .lookAlikeKey(reference, change.level, key.text, imitated: $0.publicKey)
                }
            }
    }

    /// The system contract gets no keys except the keys of authorities, of block producers and of
    /// their peers.
    func appendDevelopmentKey(_ value: TypedValue, to warnings: inout [Warning]) {
        guard SystemContract.has(reviewed.action.account),
            value.contains(.publicKey(PublicKey.developmentText))
        else {
            return
        }
        let accounts = reviewed.authorityChanges.map(\.level.actor) + reviewed.changes.map(\.account)
        warnings.append(.developmentKey(reference, accounts.first ?? reviewed.action.account))
    }
}
