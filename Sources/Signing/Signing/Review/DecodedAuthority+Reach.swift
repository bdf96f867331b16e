import ABICodec
import Keys
import Transactions

/// When some parts of an authority satisfy it.
package enum AuthorityReach: Hashable, Sendable {
    case now
    /// Their weights and the weights of waits satisfy it. Anyone can propose a transaction with
    /// this delay.
    case after(seconds: UInt32)
    case never
}

/// nodeos adds the weights of the keys and permissions that are provided, and of the waits that the
/// delay of the transaction covers. The sum must reach the threshold (AntelopeIO/spring,
/// libraries/chain/include/eosio/chain/authority_checker.hpp).
extension DecodedAuthority {
    /// The longest delay of a transaction, in seconds: 45 days. This delay covers all waits
    /// (AntelopeIO/spring, libraries/chain/authorization_manager.cpp, `delay_max_limit`). It is
    /// `max_transaction_delay`, which no public chain has changed.
    private static let longestDelay: UInt32 = 45 * 86_400

    /// The shortest delay that covers a wait.
    static func delay(covering seconds: UInt32) -> UInt32 { min(seconds, longestDelay) }

    /// The waits that a delay covers: none, then one more for each delay.
    private var covered: [(seconds: UInt32, weight: UInt64)] {
        var covered: [(seconds: UInt32, weight: UInt64)] = [(0, 0)]
        for wait in waits.sorted(by: { $0.seconds < $1.seconds }) {
            let sum = (covered.last?.weight ?? 0) + UInt64(wait.weight)
            let delay = Self.delay(covering: wait.seconds)
            // One delay covers all of its waits.
            if covered.last?.seconds == delay { covered.removeLast() }
            covered.append((delay, sum))
        }
        return covered
    }

    /// When a weight that is provided satisfies the authority.
    package func reach(_ weight: UInt64) -> AuthorityReach {
        // nodeos refuses a threshold of 0.
        guard threshold > 0 else { return .never }
        guard weight < threshold else { return .now }
        return covered.first { weight + $0.weight >= threshold }.map { .after(seconds: $0.seconds) } ?? .never
    }

    /// True if the parts of this weight are needed in any way: with some other parts and some
    /// delay, the authority is satisfied with them, and not without them.
    package func needs(_ weight: UInt64, others: [UInt32]) -> Bool {
        guard weight > 0, threshold > 0 else { return false }
        // The sums of other parts for which the weight decides: as many as the weight, below the
        // rest of the threshold.
        let ranges = covered.compactMap { covered -> Range<UInt64>? in
            guard covered.weight < threshold else { return nil }
            let rest = UInt64(threshold) - covered.weight
            return rest - min(weight, rest)..<rest
        }
        // None of the others, or all of them.
        let sum = others.reduce(0) { $0 + UInt64($1) }
        if ranges.contains(where: { $0.contains(0) || $0.contains(sum) }) { return true }
        guard threshold <= Self.maximumSum, others.count <= Self.maximumCount else { return false }
        let sums = SubsetSums(others, below: Int(threshold))
        return ranges.contains { range in range.contains { sums.contains(Int($0)) } }
    }

    /// A larger authority has no honest use. Its own weight counts as not needed, which is a
    /// danger.
    private static let maximumSum = 100_000
    private static let maximumCount = 256
}

/// The sums of all subsets of some numbers, below a limit: a bit for each sum.
private struct SubsetSums {
    private var words: [UInt64]

    init(_ numbers: [UInt32], below limit: Int) {
        words = [UInt64](repeating: 0, count: limit / 64 + 1)
        words[0] = 1
        for number in Set(numbers).subtracting([0]) where Int(number) < limit {
            for _ in 0..<numbers.count(where: { $0 == number }) { add(Int(number)) }
        }
    }

    /// Adds the number to each sum.
    private mutating func add(_ number: Int) {
        let (skipped, shift) = (number / 64, UInt64(number % 64))
        for index in stride(from: words.count - 1, through: skipped, by: -1) {
            let low = index > skipped && shift > 0 ? words[index - skipped - 1] >> (64 - shift) : 0
            words[index] |= words[index - skipped] << shift | low
        }
    }

    func contains(_ sum: Int) -> Bool { words[sum / 64] & 1 << UInt64(sum % 64) != 0 }
}

/// Which part of an authority the vault has.
package struct OwnShare: Hashable, Sendable {
    package let threshold: UInt32
    /// The sum of the weights of the vault's keys.
    package let weight: UInt64
    /// The number of the other keys with a weight.
    package let otherKeys: Int
    /// The accounts with a weight.
    package let accounts: [PermissionLevel]
    /// The number of waits with a weight.
    package let waits: Int
    /// When all other keys and accounts together satisfy the authority, without the vault.
    package let others: AuthorityReach

    package var missing: UInt64 { weight < threshold ? UInt64(threshold) - weight : 0 }

    /// - Parameter authority: Its parts that count.
    init(of authority: DecodedAuthority, _ own: OwnKeys) {
        threshold = authority.threshold
        weight = authority.weight(of: own)
        otherKeys = authority.keys.count { $0.weight > 0 && !own.contains($0.text) }
        accounts = authority.accounts.filter { $0.weight > 0 }.map(\.level)
        waits = authority.waits.count { $0.weight > 0 }
        others = authority.reach(
            authority.accounts.reduce(authority.foreignWeight(own)) { $0 + UInt64($1.weight) })
    }
}

extension DecodedAuthority {
    /// The sum of the weights of the vault's keys.
    func weight(of own: OwnKeys) -> UInt64 {
        keys.reduce(0) { $0 + (own.contains($1.text) ? UInt64($1.weight) : 0) }
    }

    /// The sum of the weights of the keys that the vault does not have.
    func foreignWeight(_ own: OwnKeys) -> UInt64 {
        keys.reduce(0) { $0 + (own.contains($1.text) ? 0 : UInt64($1.weight)) }
    }

    /// True if the vault's keys are needed in any way.
    func needs(_ own: OwnKeys) -> Bool { needs(weight(of: own), others: otherWeights(than: own)) }

    private func otherWeights(than own: OwnKeys) -> [UInt32] {
        keys.filter { !own.contains($0.text) }.map(\.weight) + accounts.map(\.weight)
    }

    /// A key of the vault that no verified backup contains, if the vault's other keys are not
    /// enough in its place; nil if there is none.
    func keyWithoutBackup(of own: OwnKeys) -> PublicKey? {
        guard needs(own) else { return nil }
        let lost = keys.compactMap { key in
            own.key(key.text).flatMap { $0.isBackedUp == false ? (key, $0) : nil }
        }
        let rest = weight(of: own) - lost.reduce(0) { $0 + UInt64($1.0.weight) }
        // Without a backup, the parts of others may still reach the threshold, but not the vault's.
        return needs(rest, others: otherWeights(than: own))
            ? nil : lost.first { $0.0.weight > 0 }?.1.publicKey
    }
}
