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
        var found: (keys: [Key], accounts: [Account], waits: [(seconds: UInt32, weight: UInt32)]) = (
            [], [], []
        )
        for item in keys {
            guard case .publicKey(let text) = item["key"], let weight = item["weight"]?.number else {
                return nil
            }
            found.keys.append(Key(text: text, weight: weight))
        }
        for item in accounts {
            guard let level = item["permission"]?.level, let weight = item["weight"]?.number else {
                return nil
            }
            found.accounts.append(Account(level: level, weight: weight))
        }
        for item in waits {
            guard let seconds = item["wait_sec"]?.number, let weight = item["weight"]?.number else {
                return nil
            }
            found.waits.append((seconds, weight))
        }
        (self.keys, self.accounts, self.waits) = (found.keys, found.accounts, found.waits)
    }

    /// An authority of one key.
    init(key: String) {
        (threshold, keys, accounts, waits) = (1, [Key(text: key, weight: 1)], [], [])
    }

    private init(_ authority: DecodedAuthority, keys: [Key], accounts: [Account]) {
        (threshold, self.keys, self.accounts, waits) = (authority.threshold, keys, accounts, authority.waits)
    }

    /// The authority without the parts that never count: the all-zero public key, with which no one
    /// signs, and `levels`.
    func counting(without levels: Set<PermissionLevel>) -> DecodedAuthority {
        let accounts = accounts.filter { !levels.contains($0.level) }
        return DecodedAuthority(self, keys: keys.filter { !NullKey.isText($0.text) }, accounts: accounts)
    }

    /// The weight of the all-zero public key.
    var nullKeyWeight: UInt64 { keys.reduce(0) { $0 + (NullKey.isText($1.text) ? UInt64($1.weight) : 0) } }

    var partCount: Int { keys.count + accounts.count + waits.count }

    /// The sum of all weights. No one can use the permission if it is below the threshold.
    package var totalWeight: UInt64 {
        (keys.map(\.weight) + accounts.map(\.weight) + waits.map(\.weight)).reduce(0) { $0 + UInt64($1) }
    }

    /// True if all parts together satisfy the authority. nodeos refuses a threshold of 0.
    var isReachable: Bool { threshold > 0 && totalWeight >= threshold }
}

extension TypedValue {
    fileprivate var number: UInt32? { plain.flatMap { UInt32($0) } }
}
