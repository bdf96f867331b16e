import JSON
import Keys

/// Who may act with a permission: keys, permissions of accounts and waits, each with a weight, and
/// the sum of weights that is needed.
///
/// The parts are in the order that nodeos requires, without duplicates, and all of them together
/// reach the threshold (AntelopeIO/spring 17ed17f,
/// libraries/chain/include/eosio/chain/authority.hpp, `validate`). The threshold of an authority
/// that a node reported may be unreachable: the system account eosio.null has no keys.
package struct Authority: Equatable, Sendable {
    package struct Key: Equatable, Sendable {
        package let key: PublicKey
        package let weight: UInt16
    }

    package struct Account: Equatable, Sendable {
        package let level: PermissionLevel
        package let weight: UInt16
    }

    package struct Wait: Equatable, Sendable {
        package let seconds: UInt32
        package let weight: UInt16
    }

    /// The most parts that nodeos accepts. The sum of their weights fits into 32 bits.
    static let maximumParts = 1 << 16

    package let threshold: UInt32
    package let keys: [Key]
    /// The weight of the all-zero public key, with which no one signs, in an authority that a node
    /// reported; nil for none.
    package let nullKeyWeight: UInt16?
    package let accounts: [Account]
    package let waits: [Wait]

    /// Sorts the parts.
    package init(threshold: UInt32, keys: [Key], accounts: [Account], waits: [Wait]) throws(BuildError) {
        try self.init(
            reported: threshold, keys: keys, nullKeyWeight: nil, accounts: accounts, waits: waits)
        let weights = keys.map(\.weight) + accounts.map(\.weight) + waits.map(\.weight)
        let weight = weights.reduce(0) { $0 + UInt32($1) }
        guard weight >= threshold else {
            throw .authority(.unreachable(threshold: threshold, weight: weight))
        }
    }

    /// Sorts the parts of an authority that a node reported.
    init(
        reported threshold: UInt32, keys: [Key], nullKeyWeight: UInt16?, accounts: [Account], waits: [Wait]
    ) throws(BuildError) {
        guard keys.count + accounts.count + waits.count <= Self.maximumParts else {
            throw .authority(.tooManyParts(limit: Self.maximumParts))
        }
        guard threshold > 0 else { throw .authority(.zeroThreshold) }
        self.threshold = threshold
        self.keys = keys.sorted { PublicKey.isOrdered($0.key, before: $1.key) }
        self.nullKeyWeight = nullKeyWeight
        self.accounts = accounts.sorted { $0.level < $1.level }
        self.waits = waits.sorted { $0.seconds < $1.seconds }
        for (one, next) in zip(self.keys, self.keys.dropFirst()) where one.key == next.key {
            throw .authority(.duplicateKey(one.key))
        }
        for (one, next) in zip(self.accounts, self.accounts.dropFirst()) where one.level == next.level {
            throw .authority(.duplicateAccount(one.level))
        }
        for (one, next) in zip(self.waits, self.waits.dropFirst()) where one.seconds == next.seconds {
            throw .authority(.duplicateWait(seconds: one.seconds))
        }
        guard self.waits.first?.seconds != 0 else { throw .authority(.zeroWait) }
    }

    /// `authority` of the system contract, for the ABI.
    var json: JSONValue {
        [
            "threshold": .number(threshold),
            "keys": .array(keys.map { ["key": .string($0.key.text), "weight": .number($0.weight)] }),
            "accounts": .array(accounts.map { ["permission": $0.level.json, "weight": .number($0.weight)] }),
            "waits": .array(waits.map { ["wait_sec": .number($0.seconds), "weight": .number($0.weight)] }),
        ]
    }
}
