import ABICodec
import Transactions

/// The keys, accounts and waiting times that can use a permission, with weights and a threshold for
/// their sum (AntelopeIO/spring, libraries/chain/include/eosio/chain/authority.hpp).
package struct DecodedAuthority: Equatable, Sendable {
    package struct Key: Equatable, Sendable {
        package let text: String
        package let weight: UInt32
    }

    package struct Account: Equatable, Sendable {
        package let level: PermissionLevel
        package let weight: UInt32
    }

    package let threshold: UInt32
    package let keys: [Key]
    package let accounts: [Account]
    package let waits: [(seconds: UInt32, weight: UInt32)]

    package static func == (left: DecodedAuthority, right: DecodedAuthority) -> Bool {
        left.threshold == right.threshold && left.keys == right.keys && left.accounts == right.accounts
            && left.waits.elementsEqual(right.waits, by: ==)
    }

    /// - Returns: nil for a value that is not the struct `authority` of eosio.
    package init?(_ value: TypedValue) {
        guard let threshold = value["threshold"]?.number, let keys = value["keys"]?.list,
            let accounts = value["accounts"]?.list, let waits = value["waits"]?.list
        else { return nil }
        self.threshold = threshold
        var found: (keys: [Key], accounts: [Account], waits: [(seconds: UInt32, weight: UInt32)]) = ([], [], [])
        for item in keys {
            guard case .publicKey(let text) = item["key"], let weight = item["weight"]?.number else { return nil }
            found.keys.append(Key(text: text, weight: weight))
        }
        for item in accounts {
            guard let level = item["permission"]?.level, let weight = item["weight"]?.number else { return nil }
            found.accounts.append(Account(level: level, weight: weight))
        }
        for item in waits {
            guard let seconds = item["wait_sec"]?.number, let weight = item["weight"]?.number else { return nil }
            found.waits.append((seconds, weight))
        }
        (self.keys, self.accounts, self.waits) = (found.keys, found.accounts, found.waits)
    }

    /// An authority of one key.
    init(key: String) {
        (threshold, keys, accounts, waits) = (1, [Key(text: key, weight: 1)], [], [])
    }

    /// The sum of all weights. No one can use the permission if it is below the threshold.
    package var totalWeight: UInt64 {
        (keys.map(\.weight) + accounts.map(\.weight) + waits.map(\.weight)).reduce(0) { $0 + UInt64($1) }
    }
}

extension TypedValue {
    fileprivate var number: UInt32? { plain.flatMap { UInt32($0) } }
}

/// An action that sets the authority of a permission.
struct AuthorityChange {
    let level: PermissionLevel
    let authority: DecodedAuthority
    /// The account that creates the account of `level`; nil for an account that exists.
    let creator: Name?

    var isNewAccount: Bool { creator != nil }

    /// Whether only the creator of the new account controls it.
    var isSubaccount: Bool {
        guard let creator, authority.keys.isEmpty, !authority.accounts.isEmpty else { return false }
        return authority.accounts.allSatisfy { $0.level.actor == creator && $0.level.permission != .code }
    }

    /// The authorities that an action of a system contract sets.
    static func all(in action: Action, _ value: TypedValue) -> [AuthorityChange] {
        guard SystemContract.has(action.account) else { return [] }
        func change(_ field: String, _ permission: String, of account: Name, by creator: Name) -> AuthorityChange? {
            guard let authority = value[field].flatMap(DecodedAuthority.init), let name = try? Name(permission) else {
                return nil
            }
            return AuthorityChange(
                level: PermissionLevel(actor: account, permission: name), authority: authority, creator: creator)
        }
        switch action.name.text {
        case "updateauth":
            guard let account = value["account"]?.name, let permission = value["permission"]?.name,
                let authority = value["auth"].flatMap(DecodedAuthority.init)
            else { return [] }
            let level = PermissionLevel(actor: account, permission: permission)
            return [AuthorityChange(level: level, authority: authority, creator: nil)]
        case "newaccount":
            guard let account = value["name"]?.name, let creator = value["creator"]?.name else { return [] }
            return ["owner", "active"].compactMap { change($0, $0, of: account, by: creator) }
        case "newaccount2":
            guard let account = value["name"]?.name, let creator = value["creator"]?.name,
                case .publicKey(let key) = value["key"]
            else { return [] }
            return ["owner", "active"].compactMap { try? Name($0) }.map {
                AuthorityChange(
                    level: PermissionLevel(actor: account, permission: $0), authority: DecodedAuthority(key: key),
                    creator: creator)
            }
        default: return []
        }
    }
}
