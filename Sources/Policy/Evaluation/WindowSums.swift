import ABICodec

/// The sums of a history in each rolling window, of the tokens and recipients of a transaction.
/// Each entry is read once.
struct WindowSums {
    /// The sums of one token, or of the transactions themselves.
    private struct Sums {
        var all = Buckets()
        /// Of the entries without a recipient.
        var unnamed = Buckets()
        var recipients: [Name: Buckets] = [:]
    }

    /// A sum for each window. An entry is in the shortest window in which it counts, and the longer
    /// windows include it.
    private struct Buckets {
        private var sums = [PaymentSum](repeating: PaymentSum(), count: WindowSums.windows.count)

        mutating func add(_ entry: PolicyEntry, at index: Int) { sums[index].add(entry) }

        func sum(upTo index: Int) -> PaymentSum { sums[...index].reduce(into: PaymentSum()) { $0.add($1) } }
    }

    private static let windows = Limit.Period.allCases.compactMap(\.seconds)
    private var numbers: [Token?: Int] = [:]
    private var sums: [Sums] = []

    init(_ history: [PolicyEntry], at now: UInt32, for spending: RequestedSpending) {
        for token in [nil] + spending.tokens.map(Optional.some) {
            var sums = Sums()
            for recipient in token.map(spending.recipients(of:)) ?? [] { sums.recipients[recipient] = Buckets() }
            numbers[token] = self.sums.count
            self.sums.append(sums)
        }
        // Entries in succession often have the same token.
        var last: (token: Token?, number: Int?) = (nil, numbers[nil])
        for entry in history {
            if entry.token != last.token { last = (entry.token, numbers[entry.token]) }
            guard let number = last.number,
                let window = Self.windows.firstIndex(where: { entry.counts(in: $0, at: now) })
            else { continue }
            sums[number].all.add(entry, at: window)
            if let recipient = entry.recipient {
                sums[number].recipients[recipient]?.add(entry, at: window)
            } else {
                sums[number].unnamed.add(entry, at: window)
            }
        }
    }

    /// - Parameter recipient: nil for all recipients. Entries without a recipient count for each.
    func sum(of token: Token?, to recipient: Name?, in window: UInt32) -> PaymentSum {
        guard let number = numbers[token], let index = Self.windows.firstIndex(of: window) else { return PaymentSum() }
        guard let recipient else { return sums[number].all.sum(upTo: index) }
        var sum = sums[number].unnamed.sum(upTo: index)
        if let named = sums[number].recipients[recipient] { sum.add(named.sum(upTo: index)) }
        return sum
    }
}
