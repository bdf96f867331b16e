import ABICodec
import Transactions

/// The authorities of a new account, of which one contains the other: the active permission can
/// count for the owner, and the owner for the active permission.
struct NestedAuthorities {
    private let authorities: [PermissionLevel: DecodedAuthority]
    /// The permissions that nothing satisfies.
    let unusable: Set<PermissionLevel>

    /// Larger authorities have no honest use. An account in one of them counts as if nothing else
    /// depended on it.
    private static let maximumParts = 256

    /// - Returns: nil if no authority contains another one.
    init?(_ parts: [(level: PermissionLevel, authority: DecodedAuthority)]) {
        let levels = Set(parts.map(\.level))
        guard
            parts.contains(where: { part in part.authority.accounts.contains { levels.contains($0.level) } }),
            parts.reduce(0, { $0 + $1.authority.partCount }) <= Self.maximumParts
        else { return nil }
        authorities = Dictionary(parts.map { ($0.level, $0.authority) }) { first, _ in first }
        var unusable = levels
        for _ in parts {
            for (level, authority) in parts
            where authority.counting(without: unusable.union([level])).isReachable {
                unusable.remove(level)
            }
        }
        self.unusable = unusable
    }

    /// The least delay after which the keys and the account satisfy a permission.
    func reach(_ level: PermissionLevel, keys: (String) -> Bool, account: PermissionLevel? = nil)
        -> AuthorityReach
    {
        let waits = authorities.values.flatMap {
            $0.waits.map { DecodedAuthority.delay(covering: $0.seconds) }
        }
        let delay = ([0] + waits.sorted()).first { delay in
            isSatisfied(level, keys, account, delay: delay, evaluated: [])
        }
        return delay.map { $0 == 0 ? .now : .after(seconds: $0) } ?? .never
    }

    /// - Parameter evaluated: The permissions that contain this one: they do not count for it.
    private func isSatisfied(
        _ level: PermissionLevel, _ keys: (String) -> Bool, _ account: PermissionLevel?, delay: UInt32,
        evaluated: Set<PermissionLevel>
    ) -> Bool {
        guard let authority = authorities[level], authority.threshold > 0 else { return false }
        let evaluated = evaluated.union([level])
        var sum = authority.keys.reduce(0 as UInt64) { sum, key in
            sum + (keys(key.text) && !NullKey.isText(key.text) ? UInt64(key.weight) : 0)
        }
        for wait in authority.waits where DecodedAuthority.delay(covering: wait.seconds) <= delay {
            sum += UInt64(wait.weight)
        }
        for other in authority.accounts where !evaluated.contains(other.level) {
            if other.level == account
                || isSatisfied(other.level, keys, account, delay: delay, evaluated: evaluated)
            {
                sum += UInt64(other.weight)
            }
        }
        return sum >= authority.threshold
    }
}
