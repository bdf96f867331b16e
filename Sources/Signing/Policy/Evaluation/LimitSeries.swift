import ABICodec

/// The payments of a token, or the transactions, that are summed in one rolling window.
package struct LimitSeries: Hashable, Sendable {
    /// nil for the transactions themselves.
    package let token: Token?
    /// Not `transaction`.
    package let period: Limit.Period
    /// True if each recipient has its own sums.
    package let isForEachRecipient: Bool

    package init(token: Token?, period: Limit.Period, isForEachRecipient: Bool) {
        (self.token, self.period, self.isForEachRecipient) = (token, period, isForEachRecipient)
    }

    /// The series that a limit needs; nil for a limit of one transaction.
    init?(_ limit: Limit) {
        guard limit.period != .transaction else { return nil }
        self.init(
            token: limit.measure.token, period: limit.period, isForEachRecipient: limit.isForEachRecipient)
    }

    /// True if its sums replace the sums of a missing series better than another series' sums do:
    /// all of its window, then with the same recipients, then in the smallest slices.
    func replaces(_ missing: LimitSeries, betterThan other: LimitSeries) -> Bool {
        let window = missing.period.window
        let (covers, otherCovers) = (period.window >= window, other.period.window >= window)
        guard covers == otherCovers else { return covers }
        let isSame = isForEachRecipient == missing.isForEachRecipient
        let isOtherSame = other.isForEachRecipient == missing.isForEachRecipient
        if !covers, period != other.period { return period.window > other.period.window }
        guard isSame == isOtherSame else { return isSame }
        return period.window < other.period.window
    }
}

/// The sums of the signatures in one slice of a window. A sum that does not fit is the greatest
/// one, which no limit allows.
package struct SliceSum: Equatable, Sendable {
    /// The number of the slice since 1970.
    package let slice: UInt32
    /// In the smallest unit of the token.
    package private(set) var amount: UInt64
    /// The number of payments or transactions.
    package private(set) var count: UInt32

    package init(slice: UInt32, amount: UInt64, count: UInt32) {
        (self.slice, self.amount, self.count) = (slice, amount, count)
    }

    mutating func add(_ other: SliceSum) {
        let (amount, isTooMuch) = self.amount.addingReportingOverflow(other.amount)
        self.amount = isTooMuch ? .max : amount
        let (count, isTooMany) = self.count.addingReportingOverflow(other.count)
        self.count = isTooMany ? .max : count
    }

    func moved(to slice: UInt32) -> SliceSum { SliceSum(slice: slice, amount: amount, count: count) }
}

extension Limit.Period {
    /// The slices of a window: a sum is kept for each of them.
    package static let sliceCount: UInt64 = 256

    /// The seconds of the window; 0 for a transaction.
    fileprivate var window: UInt64 { UInt64(seconds ?? 0) }

    /// The number of the slice that a time is in.
    package func slice(of time: UInt32) -> UInt32 {
        window == 0 ? 0 : UInt32(clamping: UInt64(time) * Self.sliceCount / window)
    }

    /// The last second of a slice: the newest time that a signature in it can have.
    package func lastSecond(ofSlice slice: UInt32) -> UInt32 {
        let end = ((UInt64(slice) + 1) * window + Self.sliceCount - 1) / Self.sliceCount
        return UInt32(clamping: end == 0 ? 0 : end - 1)
    }

    /// When the newest possible signature of a slice leaves the window; nil for a time that does
    /// not fit.
    func end(ofSlice slice: UInt32) -> UInt32? {
        UInt32(exactly: UInt64(lastSecond(ofSlice: slice)) + window)
    }

    /// True if a slice counts in the window that ends now.
    func counts(slice: UInt32, at now: UInt32) -> Bool { slice >= oldestSlice(at: now) }

    /// The first slice that counts in the window that ends now: the one with the first second that
    /// is younger than the window.
    func oldestSlice(at now: UInt32) -> UInt32 {
        UInt64(now) < window ? 0 : slice(of: UInt32(clamping: UInt64(now) - window + 1))
    }
}

extension [SliceSum] {
    /// Adds to the sum of a slice. The slices stay in ascending order.
    mutating func add(_ sum: SliceSum) {
        var index = endIndex
        while index > startIndex, self[index - 1].slice > sum.slice { index -= 1 }
        if index > startIndex, self[index - 1].slice == sum.slice {
            self[index - 1].add(sum)
        } else {
            insert(sum, at: index)
        }
    }

    /// Moves all sums to a slice, which is not before any of them.
    mutating func merge(into slice: UInt32) {
        let all = self
        self = all.isEmpty ? [] : [all.dropFirst().reduce(into: all[0].moved(to: slice)) { $0.add($1) }]
    }
}
