/// A transaction of the past, with the time when it was signed.
package struct PastTransaction: Sendable {
    /// In seconds since 1970.
    package let time: UInt32
    package let request: PolicyRequest

    package init(time: UInt32, request: PolicyRequest) { (self.time, self.request) = (time, request) }
}

/// The decisions that a policy would have made on past transactions, one after the other, as if
/// each allowed one was signed.
package struct PolicySimulation {
    private let policy: KeyPolicy
    private var uses: LimitUses
    private var last: UInt32?

    package init(of policy: KeyPolicy) { (self.policy, uses) = (policy, policy.adopt(LimitUses())) }

    /// - Parameter transaction: A time earlier than the time of the transaction before it counts as
    ///   the later one.
    package mutating func judge(_ transaction: PastTransaction) -> PolicyVerdict {
        let verdict = policy.evaluate(
            transaction.request, uses: uses, clock: transaction.time, last: last, restored: nil)
        let now = max(transaction.time, last ?? 0)
        if case .allowed(let allowance) = verdict { uses.add(allowance.entries) }
        // Once a day, so that each transaction takes as long as the others.
        if let last, now / 86_400 > last / 86_400 { uses.removeOld(at: now) }
        last = now
        return verdict
    }
}
