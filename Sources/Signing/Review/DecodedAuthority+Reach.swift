import ABICodec
import Curves
import Transactions

/// When some parts of an authority satisfy it.
package enum AuthorityReach: Hashable, Sendable {
    case now
    /// Their weights and those of waits satisfy it. Anyone can propose a transaction with this
    /// delay.
    case after(seconds: UInt32)
    case never
}

/// nodeos adds the weights of the keys and permissions that are provided, and of the waits that the
/// delay of the transaction covers. The sum must reach the threshold (AntelopeIO/spring,
/// libraries/chain/include/eosio/chain/authority_checker.hpp).
extension DecodedAuthority {
    /// What a weight that is provided can do.
    package func reach(_ weight: UInt64) -> AuthorityReach {
        // nodeos refuses a threshold of 0.
        guard threshold > 0 else { return .never }
        var sum = weight
        if sum >= threshold { return .now }
        for wait in waits.sorted(by: { $0.seconds < $1.seconds }) {
            sum += UInt64(wait.weight)
            if sum >= threshold { return .after(seconds: wait.seconds) }
        }
        return .never
    }

    /// Whether the parts of this weight are needed in any way to satisfy the authority: whether
    /// other parts are below the threshold without them and reach it with them.
    package func needs(_ weight: UInt64, others: [UInt32]) -> Bool {
        guard weight > 0, threshold > 0 else { return false }
        let sum = others.reduce(0) { $0 + UInt64($1) }
        guard sum + weight >= threshold else { return false }
        guard sum >= threshold else { return true }
        // The others reach the threshold alone. The greatest sum of some of them below it decides.
        guard threshold <= Self.maximumSum, others.count <= Self.maximumCount else { return false }
        let least = Int(threshold) - Int(min(weight, UInt64(threshold)))
        var sums = [Bool](repeating: false, count: Int(threshold))
        sums[0] = true
        for other in others.lazy.map({ Int($0) }) where other > 0 && other < sums.count {
            for value in stride(from: sums.count - 1, through: other, by: -1) where sums[value - other] {
                sums[value] = true
            }
        }
        return sums[least...].contains(true)
    }

    /// A larger authority has no honest use. Its own weight counts as not needed, which is a
    /// danger.
    private static let maximumSum = 100_000
    private static let maximumCount = 256
}

/// Which part of an authority the vault has.
package struct OwnShare: Hashable, Sendable {
    package let threshold: UInt32
    /// The sum of the weights of the vault's keys.
    package let weight: UInt64
    /// The number of the other keys.
    package let otherKeys: Int
    package let accounts: [PermissionLevel]
    package let waits: Int

    package var missing: UInt64 { weight < threshold ? UInt64(threshold) - weight : 0 }

    init(of authority: DecodedAuthority, _ own: OwnKeys) {
        threshold = authority.threshold
        weight = authority.weight(of: own)
        otherKeys = authority.keys.count { !own.contains($0.text) }
        accounts = authority.accounts.map(\.level)
        waits = authority.waits.count
    }
}

extension DecodedAuthority {
    /// The sum of the weights of the vault's keys.
    func weight(of own: OwnKeys) -> UInt64 {
        keys.reduce(0) { $0 + (own.contains($1.text) ? UInt64($1.weight) : 0) }
    }

    /// Whether the vault's keys are needed in any way.
    func needs(_ own: OwnKeys) -> Bool { needs(weight(of: own), others: otherWeights(than: own)) }

    private func otherWeights(than own: OwnKeys) -> [UInt32] {
        keys.filter { !own.contains($0.text) }.map(\.weight) + accounts.map(\.weight) + waits.map(\.weight)
    }

    /// A key of the vault that no verified backup contains, if the vault's other keys are not
    /// enough in its place; nil if there is none.
    func keyWithoutBackup(of own: OwnKeys) -> PublicKey? {
        guard needs(own) else { return nil }
        let lost = keys.compactMap { key in own.key(key.text).flatMap { $0.isBackedUp == false ? (key, $0) : nil } }
        let rest = weight(of: own) - lost.reduce(0) { $0 + UInt64($1.0.weight) }
        // Without a backup, the parts of others may still reach the threshold, but not the vault's.
        return needs(rest, others: otherWeights(than: own)) ? nil : lost.first { $0.0.weight > 0 }?.1.publicKey
    }
}
