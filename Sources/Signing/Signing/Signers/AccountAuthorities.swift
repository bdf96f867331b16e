import ABICodec
import Codecs
import Keys
import Transactions

/// All permissions of several accounts, as nodes reported them. It finds the permissions that a key
/// controls: the permissions to change if the key leaks.
package struct AccountAuthorities {
    private let accounts: [AccountPermissions]
    private let authorities: [(level: PermissionLevel, authority: Authority)]

    package init(_ accounts: [AccountPermissions]) throws(UnreadableAuthority) {
        self.accounts = accounts
        let found = try accounts.map { account throws(UnreadableAuthority) in
            try converting(
                { UnreadableAuthority(account: account.account, error: $0) }, account.authorities())
        }
        authorities = found.flatMap(\.self)
    }

    /// The accounts that permissions refer to and that are not given, sorted. A key may also be in
    /// their permissions. `eosio.code` is the permission of a contract, and has no key.
    package var missingAccounts: [Name] {
        let given = Set(accounts.map(\.account))
        let levels = authorities.flatMap { $0.authority.accounts.map(\.level) }
            .filter { $0.permission != .code }
        return Set(levels.map(\.actor)).filter { !given.contains($0.text) }.sorted { $0.text < $1.text }
    }

    /// The permissions that have the key, and those that refer to them: in the order of the files.
    package func controlled(by key: PublicKey) throws(UnreadableAuthority) -> [ControlledPermission] {
        var reached = Set(authorities.filter { $0.authority.weight(of: key) != nil }.map(\.level))
        // nodeos follows no longer chain of references.
        for _ in 1..<AuthorityChecker.maximumDepth {
            let next = authorities.filter { authority in
                authority.authority.accounts.contains { reached.contains($0.level) }
            }
            let count = reached.count
            reached.formUnion(next.map(\.level))
            if reached.count == count { break }
        }
        var checker = AuthorityChecker(
            keys: [key], delay: 0, accounts: accounts, comparesUsedKeys: false)
        return try authorities.filter { reached.contains($0.level) }.map {
            level, authority throws(UnreadableAuthority) in
            ControlledPermission(
                level: level, threshold: authority.threshold, weight: authority.weight(of: key),
                links: authority.accounts.filter { reached.contains($0.level) },
                status: try checker.check(level).status)
        }
    }
}

/// A permission that a key controls, alone or together with others.
package struct ControlledPermission: Sendable {
    package let level: PermissionLevel
    package let threshold: UInt32
    /// The weight of the key; nil if the key is only in permissions that this one refers to.
    package let weight: UInt16?
    /// The permissions with the key that this one refers to.
    package let links: [Authority.Account]
    /// `met` if the key alone can use the permission, without a delay.
    package let status: AuthorityChecker.Status
}

extension Authority {
    fileprivate func weight(of key: PublicKey) -> UInt16? { keys.first { $0.key == key }?.weight }
}
