import ABICodec

/// The sums of a history in each rolling window.
struct WindowSums {
    private struct Key: Hashable {
        let token: Token?
        /// nil for the entries without a recipient.
        let recipient: Name?
    }

    private static let windows = Limit.Period.allCases.compactMap(\.seconds)
    private var all: [Token?: [PaymentSum]] = [:]
    private var single: [Key: [PaymentSum]] = [:]

    /// - Parameter tokens: Whether the sums of a token are needed.
    init(_ history: [PolicyEntry], at now: UInt32, where isNeeded: (Token?) -> Bool) {
        let empty = Self.windows.map { _ in PaymentSum() }
        for entry in history where isNeeded(entry.token) {
            let key = Key(token: entry.token, recipient: entry.recipient)
            for (index, window) in Self.windows.enumerated() where entry.counts(in: window, at: now) {
                all[entry.token, default: empty][index].add(entry)
                single[key, default: empty][index].add(entry)
            }
        }
    }

    /// - Parameter recipient: nil for all recipients. Entries without a recipient count for each.
    func sum(of token: Token?, to recipient: Name?, in window: UInt32) -> PaymentSum {
        guard let index = Self.windows.firstIndex(of: window) else { return PaymentSum() }
        guard let recipient else { return all[token]?[index] ?? PaymentSum() }
        var sum = single[Key(token: token, recipient: recipient)]?[index] ?? PaymentSum()
        if let unnamed = single[Key(token: token, recipient: nil)] { sum.add(unnamed[index]) }
        return sum
    }
}
