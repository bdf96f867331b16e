import ABICodec

/// What is used of a rolling limit.
package struct LimitUse: Equatable, Sendable {
    /// The number of the limit in the policy.
    package let index: Int
    /// nil for all recipients together, and for payments whose recipient was not stored: they count
    /// for each recipient.
    package let recipient: Name?
    package let used: UInt128
    package let remaining: UInt128
}

extension KeyPolicy {
    /// What is used of each rolling limit. A limit for each recipient has one element for each
    /// recipient in its window, or one without a recipient if it is used up by a restore.
    /// - Parameters: as in `evaluate`.
    package func uses(_ history: [PolicyEntry], at now: UInt32, restored: UInt32?) -> [LimitUse] {
        limits.enumerated().flatMap { index, limit -> [LimitUse] in
            guard let window = limit.period.seconds else { return [] }
            let maximum = limit.measure.limit
            func use(_ recipient: Name?, _ used: UInt128) -> LimitUse {
                LimitUse(index: index, recipient: recipient, used: used, remaining: maximum - min(used, maximum))
            }
            guard !limit.isUsedUp(after: restored, at: now) else { return [use(nil, maximum)] }
            let entries = history.filter { $0.token == limit.measure.token && $0.counts(in: window, at: now) }
            func sum(_ isCounted: (PolicyEntry) -> Bool) -> UInt128 {
                entries.reduce(into: PaymentSum()) { if isCounted($1) { $0.add($1) } }.value(of: limit.measure)
            }
            guard limit.isForEachRecipient else { return [use(nil, sum { _ in true })] }
            return Set(entries.map(\.recipient)).sorted { $0?.text ?? "" < $1?.text ?? "" }.map { recipient in
                use(recipient, sum { $0.recipient == nil || $0.recipient == recipient })
            }
        }
    }
}
