import ABICodec

/// A transaction of the past, with the time when it was signed.
package struct PastTransaction: Sendable {
    /// In seconds since 1970.
    package let time: UInt32
    package let request: PolicyRequest

    package init(time: UInt32, request: PolicyRequest) { (self.time, self.request) = (time, request) }
}

extension KeyPolicy {
    /// Judges transactions one after the other, as if each one that is allowed was signed. An
    /// earlier time after a later one counts as the later one.
    /// - Returns: A verdict for each transaction, in their order.
    package func simulate(_ transactions: [PastTransaction]) -> [PolicyVerdict] {
        var history: [PolicyEntry] = []
        var last: UInt32?
        return transactions.map { transaction in
            let verdict = evaluate(
                transaction.request, history: history, clock: transaction.time, last: last, restored: nil)
            let now = max(transaction.time, last ?? 0)
            if case .allowed(let allowance) = verdict {
                history = history.filter { $0.counts(in: longestWindow ?? 0, at: now) } + allowance.entries
            }
            last = now
            return verdict
        }
    }
}
