import ABICodec
import Transactions

/// An action that sets the authority of a permission.
struct AuthorityChange {
    let level: PermissionLevel
    let authority: DecodedAuthority
    /// The parts of the authority that can ever count.
    let counted: DecodedAuthority
    /// The account that creates the account of `level`; nil for an account that exists.
    let creator: Name?

    var isNewAccount: Bool { creator != nil }

    /// The authorities that the same action sets; nil if none of them contains another one.
    let nested: NestedAuthorities?

    /// nodeos does not count a permission for itself (AntelopeIO/spring,
    /// libraries/chain/include/eosio/chain/authority_checker.hpp, `being_evaluated`).
    private init(
        _ level: PermissionLevel, _ authority: DecodedAuthority, by creator: Name?,
        nested: NestedAuthorities? = nil
    ) {
        (self.level, self.authority, self.creator, self.nested) = (level, authority, creator, nested)
        counted = authority.counting(without: (nested?.unusable ?? []).union([level]))
    }

    /// The sum of the weights that count, and of the all-zero public key, which accounts use to
    /// disable a permission.
    var totalWeight: UInt64 { counted.totalWeight + authority.nullKeyWeight }

    /// True if no keys, accounts and waits reach the threshold.
    var isUnreachable: Bool { authority.threshold == 0 || totalWeight < authority.threshold }

    /// When waits alone satisfy the authority.
    var openReach: AuthorityReach { nested?.reach(level, keys: { _ in false }) ?? counted.reach(0) }

    /// When the keys that the vault does not have satisfy the authority.
    func foreignReach(_ own: OwnKeys) -> AuthorityReach {
        nested?.reach(level, keys: { !own.contains($0) }) ?? counted.reach(counted.foreignWeight(own))
    }

    /// The permission that an account of the authority adds.
    func added(_ account: DecodedAuthority.Account) -> AddedPermission {
        let counts = counted.accounts.contains(account)
        let weight = counts ? account.weight : 0
        let reach = nested?.reach(level, keys: { _ in false }, account: counts ? account.level : nil)
        return AddedPermission(
            level: account.level, weight: weight, threshold: authority.threshold,
            reach: reach ?? counted.reach(UInt64(weight)))
    }

    /// True if only the creator of the new account controls it.
    var isSubaccount: Bool {
        guard let creator, authority.keys.isEmpty, !authority.accounts.isEmpty else { return false }
        return authority.accounts.allSatisfy { $0.level.actor == creator && $0.level.permission != .code }
    }

    /// The authorities that an action of a system contract sets.
    static func all(in action: Action, _ value: TypedValue) -> [AuthorityChange] {
        guard SystemContract.has(action.account) else { return [] }
        switch action.name.text {
        case "updateauth":
            guard let account = value["account"]?.name, let permission = value["permission"]?.name,
                let authority = value["auth"].flatMap(DecodedAuthority.init)
            else { return [] }
            return [
                AuthorityChange(PermissionLevel(actor: account, permission: permission), authority, by: nil)
            ]
        case "newaccount":
            return new(value) { name in value[name].flatMap(DecodedAuthority.init) }
        case "newaccount2":
            guard case .publicKey(let key) = value["key"] else { return [] }
            return new(value) { _ in DecodedAuthority(key: key) }
        default: return []
        }
    }

    private static func new(_ value: TypedValue, _ authority: (String) -> DecodedAuthority?)
        -> [AuthorityChange]
    {
        guard let account = value["name"]?.name, let creator = value["creator"]?.name else { return [] }
        var parts: [(level: PermissionLevel, authority: DecodedAuthority)] = []
        for name in ["owner", "active"] {
            guard let authority = authority(name), let permission = try? Name(name) else { continue }
            parts.append((PermissionLevel(actor: account, permission: permission), authority))
        }
        let nested = NestedAuthorities(parts)
        return parts.map { AuthorityChange($0.level, $0.authority, by: creator, nested: nested) }
    }
}
