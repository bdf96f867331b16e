import ABICodec

/// The use of a rolling limit.
package struct LimitUse: Equatable, Sendable {
    /// The number of the limit in the policy.
    package let index: Int
    /// nil for all recipients together, and for payments whose recipient was not stored: they count
    /// for each recipient.
    package let recipient: Name?
    package let used: UInt128
    package let remaining: UInt128
    /// When a restore no longer blocks the limit; nil for a limit that is not blocked.
    package let blockedUntil: UInt32?

    init(index: Int, recipient: Name?, used: UInt128, remaining: UInt128, blockedUntil: UInt32? = nil) {
        (self.index, self.recipient, self.used, self.remaining) = (index, recipient, used, remaining)
        self.blockedUntil = blockedUntil
    }
}

extension KeyPolicy {
    /// The use of each rolling limit. A limit for each recipient has one element for each recipient
    /// in its window. If there is no recipient, or a restore used the limit up, it has one element
    /// without a recipient.
    /// - Parameters: as in `evaluate`.
    package func uses(_ uses: LimitUses, at now: UInt32, restored: UInt32?) -> [LimitUse] {
        let uses = adopt(uses)
        return limits.enumerated().flatMap { index, limit -> [LimitUse] in
            guard let series = LimitSeries(limit) else { return [] }
            let maximum = limit.measure.limit
            func use(_ recipient: Name?, _ used: UInt128) -> LimitUse {
                LimitUse(
                    index: index, recipient: recipient, used: used, remaining: maximum - min(used, maximum))
            }
            if let restored, limit.isUsedUp(after: restored, at: now) {
                let end = UInt32(clamping: Int64(restored) + Int64(limit.period.seconds ?? 0))
                return [
                    LimitUse(index: index, recipient: nil, used: maximum, remaining: 0, blockedUntil: end)
                ]
            }
            func used(_ recipient: Name?) -> UInt128 {
                uses.sum(of: series, to: recipient, at: now).value(of: limit.measure)
            }
            guard limit.isForEachRecipient else { return [use(nil, used(nil))] }
            let recipients = uses.recipients(of: series, at: now)
            guard !recipients.isEmpty else { return [use(nil, 0)] }
            return recipients.sorted { $0?.text ?? "" < $1?.text ?? "" }.map { use($0, used($0)) }
        }
    }
}
