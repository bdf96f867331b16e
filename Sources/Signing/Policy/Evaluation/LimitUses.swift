import ABICodec

/// A key's use of its rolling limits: sums by series, recipient and slice of time, and the digests
/// that count nothing when they are signed again.
package struct LimitUses: Equatable, Sendable {
    /// The sums of a series, by recipient. The key nil is for all recipients together, and in a
    /// series for each recipient for payments whose recipient was not stored: they count for each.
    package struct Sums: Equatable, Sendable {
        package let series: LimitSeries
        /// In ascending order of the slices. No list is empty.
        package internal(set) var byRecipient: [Name?: [SliceSum]] = [:]

        package init(of series: LimitSeries, byRecipient: [Name?: [SliceSum]] = [:]) {
            (self.series, self.byRecipient) = (series, byRecipient)
        }

        /// - Parameter list: in ascending order of the slices, not empty.
        package mutating func set(_ list: [SliceSum], of recipient: Name?) { byRecipient[recipient] = list }

        /// Adds to the sum of a recipient. The lists of the other recipients are not copied.
        mutating func add(_ sum: SliceSum, to recipient: Name?) {
            byRecipient[recipient, default: []].add(sum)
        }
    }

    /// A part of the sums that is stored in one row.
    package struct Part: Hashable, Sendable {
        /// The index in `sums`.
        package let series: Int
        package let shard: UInt8

        package init(series: Int, shard: UInt8) { (self.series, self.shard) = (series, shard) }
    }

    /// The most sums of the limits for each recipient. At this number, the sums of each recipient
    /// are merged.
    package static let maximumSumCount = 100_000

    package internal(set) var sums: [Sums] = []
    package internal(set) var digests = SignedDigests()
    /// The parts that differ from the parts that were read.
    package internal(set) var changed: Set<Part> = []
    /// True if the series of the sums differ from the series that were read, so that all parts
    /// differ.
    package internal(set) var isRebuilt = false
    /// The number of sums of the limits for each recipient.
    package internal(set) var sumCount = 0
    /// Smaller in tests.
    let maximum: Int

    /// Nothing is used.
    package init() { self.init(maximum: Self.maximumSumCount) }

    init(maximum: Int) { self.maximum = maximum }

    /// The stored uses.
    package init(_ sums: [Sums], _ digests: SignedDigests) {
        self.init()
        (self.sums, self.digests) = (sums, digests)
        count()
    }

    package static func == (left: LimitUses, right: LimitUses) -> Bool {
        left.sums == right.sums && left.digests == right.digests
    }

    /// The rows of a series for each recipient are distributed by recipient.
    package static func shard(of recipient: Name?) -> UInt8 {
        guard let recipient else { return 0 }
        return UInt8(truncatingIfNeeded: (recipient.rawValue &* 0x9e37_79b9_7f4a_7c15) >> 56)
    }

    // MARK: reading

    /// The sum in the window that ends now.
    func sum(of series: LimitSeries, to recipient: Name?, at now: UInt32) -> PaymentSum {
        var total = PaymentSum()
        guard let sums = sums.first(where: { $0.series == series }) else { return total }
        let oldest = series.period.oldestSlice(at: now)
        func add(_ list: [SliceSum]?) {
            for sum in list ?? [] where sum.slice >= oldest {
                total.add(UInt128(sum.amount), count: UInt128(sum.count))
            }
        }
        add(sums.byRecipient[nil])
        if let recipient { add(sums.byRecipient[recipient]) }
        return total
    }

    /// The sums that count for a recipient, in any order.
    func counted(_ series: LimitSeries, _ recipient: Name?, at now: UInt32) -> [SliceSum] {
        guard let sums = sums.first(where: { $0.series == series }) else { return [] }
        let lists = [sums.byRecipient[nil], recipient.flatMap { sums.byRecipient[$0] }].compactMap(\.self)
        let oldest = series.period.oldestSlice(at: now)
        return lists.flatMap { list in list.filter { $0.slice >= oldest } }
    }

    /// The recipients with a sum in the window that ends now.
    func recipients(of series: LimitSeries, at now: UInt32) -> [Name?] {
        guard let sums = sums.first(where: { $0.series == series }) else { return [] }
        return sums.byRecipient.filter { _, list in
            list.contains { series.period.counts(slice: $0.slice, at: now) }
        }.map(\.key)
    }

    /// How many sums and recipients the limits for each recipient have. A recipient counts once
    /// for each series.
    package func room(at now: UInt32) -> (sums: Int, recipients: Int) {
        var room = (sums: 0, recipients: 0)
        for sums in sums where sums.series.isForEachRecipient {
            for list in sums.byRecipient.values {
                let counted = list.count { sums.series.period.counts(slice: $0.slice, at: now) }
                room.sums += counted
                if counted > 0 { room.recipients += 1 }
            }
        }
        return room
    }

    /// Why entries do not fit: there are sums of too many recipients.
    /// - Returns: nil if they fit. Otherwise when enough recipients have left their windows; nil if
    ///   that never happens.
    func lackOfRoom(for entries: [PolicyEntry], at now: UInt32) -> (free: UInt32?, Void)? {
        let each = sums.filter(\.series.isForEachRecipient)
        func added(_ isNew: (Sums, Name?) -> Bool) -> Int {
            each.reduce(0) { count, sums in
                count + entries.count { $0.token == sums.series.token && isNew(sums, $0.recipient) }
            }
        }
        // Recipients that have left their windows are only counted if that is necessary.
        if each.reduce(0, { $0 + $1.byRecipient.count }) + added({ _, _ in true }) <= maximum { return nil }
        var ends: [UInt32?] = []
        var kept = 0
        for sums in each {
            let touched = Set(entries.filter { $0.token == sums.series.token }.map(\.recipient))
            kept += touched.count
            for (recipient, list) in sums.byRecipient where !touched.contains(recipient) {
                guard let last = list.last, sums.series.period.counts(slice: last.slice, at: now) else {
                    continue
                }
                ends.append(sums.series.period.end(ofSlice: last.slice))
            }
        }
        let excess = ends.count + kept - maximum
        guard excess > 0 else { return nil }
        guard excess <= ends.count else { return (nil, ()) }
        return (ends.sorted { ($0 ?? .max) < ($1 ?? .max) }[excess - 1], ())
    }

    // MARK: changing

    /// Counts a signature, whose time is not before the counted ones.
    package mutating func add(_ entries: [PolicyEntry]) {
        for entry in entries {
            digests.add(
                SignedDigests.Record(SignedDigests.Digest(entry.transaction), expiration: entry.expiration))
            for index in sums.indices where sums[index].series.token == entry.token {
                add(entry, toSeries: index)
            }
        }
    }

    private mutating func add(_ entry: PolicyEntry, toSeries index: Int) {
        let series = sums[index].series
        let recipient = series.isForEachRecipient ? entry.recipient : nil
        let slice = series.period.slice(of: entry.time)
        let oldest = series.period.oldestSlice(at: entry.time)
        let isFull = series.isForEachRecipient && sumCount >= maximum
        if isFull, sums[index].byRecipient[recipient] == nil { mergeAll(at: entry.time) }
        change(index, recipient) { list in
            list.removeAll { $0.slice < oldest }
            // A slice of a later time has the sum until an earlier one would leave the window.
            let newest = Swift.max(slice, list.last?.slice ?? slice)
            list.add(SliceSum(slice: newest, amount: entry.amount, count: entry.count))
            if isFull { list.merge(into: newest) }
        }
    }

    /// Merges the sums of each recipient into its newest slice.
    private mutating func mergeAll(at now: UInt32) {
        for index in sums.indices where sums[index].series.isForEachRecipient {
            let period = sums[index].series.period
            for recipient in Array(sums[index].byRecipient.keys) {
                change(index, recipient) { list in
                    list.removeAll { !period.counts(slice: $0.slice, at: now) }
                    if let last = list.last { list.merge(into: last.slice) }
                }
            }
        }
    }

    private mutating func change(_ index: Int, _ recipient: Name?, _ body: (inout [SliceSum]) -> Void) {
        // The list is taken out, so that it is not copied.
        var list = sums[index].byRecipient.updateValue([], forKey: recipient) ?? []
        let before = list.count
        body(&list)
        if sums[index].series.isForEachRecipient { sumCount += list.count - before }
        sums[index].byRecipient[recipient] = list.isEmpty ? nil : list
        changed.insert(
            Part(series: index, shard: sums[index].series.isForEachRecipient ? Self.shard(of: recipient) : 0))
    }

    /// Removes what counts in no window any more.
    package mutating func removeOld(at now: UInt32) {
        for index in sums.indices {
            let period = sums[index].series.period
            for (recipient, list) in sums[index].byRecipient
            where !list.allSatisfy({ period.counts(slice: $0.slice, at: now) }) {
                change(index, recipient) { $0.removeAll { !period.counts(slice: $0.slice, at: now) } }
            }
        }
        digests.removeExpired(at: now)
    }

    /// Moves sums of later times to the slice of this time: the clock was ahead.
    package mutating func moveLater(to now: UInt32) {
        for index in sums.indices {
            let slice = sums[index].series.period.slice(of: now)
            for (recipient, list) in sums[index].byRecipient where list.contains(where: { $0.slice > slice })
            {
                change(index, recipient) { list in
                    let moved = list
                    list = []
                    for sum in moved { list.add(sum.slice > slice ? sum.moved(to: slice) : sum) }
                }
            }
        }
    }

    /// Marks all changes as stored.
    package mutating func markStored() {
        (changed, isRebuilt) = ([], false)
        digests.markStored()
    }

    private mutating func count() {
        sumCount = sums.filter(\.series.isForEachRecipient).reduce(0) { total, sums in
            sums.byRecipient.values.reduce(total) { $0 + $1.count }
        }
    }
}

// MARK: - other limits

extension LimitUses {
    /// The sums for other series. A series that is missing takes its sums from one of the same
    /// token. A sum moves to the slice with the newest time that a signature in it can have, so it
    /// counts longer.
    func adopted(for needed: [LimitSeries]) -> LimitUses {
        guard sums.map(\.series) != needed else { return self }
        var uses = self
        uses.sums = needed.map { missing in
            sums.first { $0.series == missing }
                ?? sums.filter { $0.series.token == missing.token }
                .min { $0.series.replaces(missing, betterThan: $1.series) }
                .map { Sums(of: missing, from: $0) } ?? Sums(of: missing)
        }
        uses.isRebuilt = true
        uses.changed = []
        uses.count()
        return uses
    }
}

extension LimitUses.Sums {
    fileprivate init(of series: LimitSeries, from source: LimitUses.Sums) {
        self.init(of: series)
        for (recipient, list) in source.byRecipient {
            for sum in list {
                let newest = source.series.period.lastSecond(ofSlice: sum.slice)
                add(
                    sum.moved(to: series.period.slice(of: newest)),
                    to: series.isForEachRecipient ? recipient : nil)
            }
        }
    }
}
