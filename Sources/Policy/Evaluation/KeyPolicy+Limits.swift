import ABICodec

extension KeyPolicy {
    /// Checks the limits.
    /// - Returns: The entries to add to the history.
    func entries(
        of spending: RequestedSpending, _ transaction: [UInt8], _ history: [PolicyEntry], at now: UInt32,
        restored: UInt32?
    ) throws(PolicyDenial) -> [PolicyEntry] {
        try refuseOtherPrecisions(of: spending)
        // A signature of the same transaction was counted before. Chains execute it once.
        let isKnown = history.contains { $0.transaction == transaction[...] }
        let windows = WindowSums(history, at: now, for: spending)
        for (index, limit) in limits.enumerated() where limit.period == .transaction || !isKnown {
            let recipients: [Name?]
            if let token = limit.measure.token {
                guard spending.contains(token) else { continue }
                recipients = limit.isForEachRecipient ? spending.recipients(of: token) : [nil]
            } else {
                recipients = [nil]
            }
            for recipient in recipients {
                let value =
                    limit.measure.token.map { spending.sum(of: $0, to: recipient).value(of: limit.measure) } ?? 1
                var used =
                    limit.period.seconds.map {
                        windows.sum(of: limit.measure.token, to: recipient, in: $0).value(of: limit.measure)
                    } ?? 0
                if limit.isUsedUp(after: restored, at: now) { used = max(used, limit.measure.limit) }
                let (sum, overflow) = value.addingReportingOverflow(used)
                guard overflow || sum > limit.measure.limit else { continue }
                let exceeded = PolicyDenial.ExceededLimit(
                    limit: limit, recipient: recipient, value: value, used: used,
                    resets: resets(limit, recipient, adding: value, history, at: now, restored: restored),
                    restored: limit.isUsedUp(after: restored, at: now) ? restored : nil)
                throw denial(.limit(exceeded), ofLimit: index)
            }
        }
        return isKnown ? [] : try newEntries(of: spending, transaction, history, at: now)
    }

    /// A limit of a token with another precision would count nothing: a contract has one token of
    /// each code.
    private func refuseOtherPrecisions(of spending: RequestedSpending) throws(PolicyDenial) {
        for (index, limit) in limits.enumerated() {
            guard let token = limit.measure.token, let other = spending.tokens.first(where: token.hasOtherPrecision)
            else { continue }
            throw denial(.otherPrecision(other), ofLimit: index)
        }
    }

    func denial(_ reason: PolicyDenial.Reason, ofLimit index: Int) -> PolicyDenial {
        PolicyDenial(reason: reason, part: .limit(index), member: "/limits/\(index)/\(limits[index].measure.name)")
    }

    /// When so many entries are out of the window that `value` is in the limit.
    private func resets(
        _ limit: Limit, _ recipient: Name?, adding value: UInt128, _ history: [PolicyEntry], at now: UInt32,
        restored: UInt32?
    ) -> UInt32? {
        guard let window = limit.period.seconds, value <= limit.measure.limit else { return nil }
        var earliest = now
        if let restored, limit.isUsedUp(after: restored, at: now) {
            guard let end = restored.end(of: window) else { return nil }
            earliest = end
        }
        let counted = history.filter { entry in
            entry.token == limit.measure.token && entry.counts(in: window, at: now)
                && (recipient == nil || entry.recipient == nil || entry.recipient == recipient)
        }.sorted { $0.time > $1.time }
        // The newest entries stay as long as they fit. The newest one that does not fit must leave.
        let room = limit.measure.limit - value
        var sum = PaymentSum()
        for entry in counted {
            sum.add(entry)
            if sum.value(of: limit.measure) > room { return entry.time.end(of: window).map { max($0, earliest) } }
        }
        return earliest
    }

    /// The entries of a transaction that is not in the history.
    private func newEntries(
        of spending: RequestedSpending, _ transaction: [UInt8], _ history: [PolicyEntry], at now: UInt32
    ) throws(PolicyDenial) -> [PolicyEntry] {
        guard let longest = longestWindow else { return [] }
        let rolling = limits.filter { $0.period != .transaction }
        func entry(_ token: Token?, _ recipient: Name?, _ sum: PaymentSum) -> PolicyEntry {
            PolicyEntry(
                time: now, transaction: transaction[...], token: token, recipient: recipient,
                amount: UInt64(clamping: sum.amount), count: UInt32(clamping: sum.count))
        }
        var entries: [PolicyEntry] = []
        if rolling.contains(where: { $0.measure.token == nil }) {
            var one = PaymentSum()
            one.add(0, count: 1)
            entries.append(entry(nil, nil, one))
        }
        for token in spending.tokens {
            let limits = rolling.filter { $0.measure.token == token }
            guard !limits.isEmpty else { continue }
            let isForEach = limits.contains(where: \.isForEachRecipient)
            let recipients: [Name?] = isForEach ? spending.recipients(of: token) : [nil]
            for recipient in recipients {
                entries.append(entry(token, recipient, spending.sum(of: token, to: recipient)))
            }
        }
        let kept = history.lazy.filter { $0.counts(in: longest, at: now) }
        let excess = kept.count + entries.count - Self.maximumEntryCount
        if excess > 0, !entries.isEmpty {
            // `excess` entries must leave their windows.
            let free = excess <= kept.count ? kept.map(\.time).sorted()[excess - 1].end(of: longest) : nil
            throw PolicyDenial(reason: .historyFull(free: free), part: .policy, member: "/limits")
        }
        return entries
    }
}

extension Limit {
    /// Whether a restore is in the window that ends now: the limit then allows nothing.
    func isUsedUp(after restored: UInt32?, at now: UInt32) -> Bool {
        guard let restored, let window = period.seconds else { return false }
        return Int(restored) + Int(window) > Int(now)
    }
}

extension UInt32 {
    /// When a window that starts at this time ends; nil for a time that does not fit.
    fileprivate func end(of window: UInt32) -> UInt32? { UInt32(exactly: Int(self) + Int(window)) }
}
