import ABICodec

extension KeyPolicy {
    /// Checks the limits.
    /// - Parameters:
    ///   - isRepeat: True if the transaction was counted before.
    ///   - uses: for the limits of this policy.
    func check(
        _ spending: RequestedSpending, isRepeat: Bool, _ uses: LimitUses, at now: UInt32, restored: UInt32?,
        _ report: DenialReport
    ) throws(PolicyDenial) {
        try refuseOtherPrecisions(of: spending, report)
        for (index, limit) in limits.enumerated() where limit.period == .transaction || !isRepeat {
            let recipients: [Name?]
            if let token = limit.measure.token {
                guard spending.contains(token) else { continue }
                recipients = limit.isForEachRecipient ? spending.recipients(of: token) : [nil]
            } else {
                recipients = [nil]
            }
            for recipient in recipients {
                let value =
                    limit.measure.token.map { spending.sum(of: $0, to: recipient).value(of: limit.measure) }
                    ?? 1
                var used =
                    LimitSeries(limit).map {
                        uses.sum(of: $0, to: recipient, at: now).value(of: limit.measure)
                    } ?? 0
                if limit.isUsedUp(after: restored, at: now) { used = max(used, limit.measure.limit) }
                let (sum, overflow) = value.addingReportingOverflow(used)
                guard overflow || sum > limit.measure.limit else { continue }
                let exceeded = PolicyDenial.ExceededLimit(
                    limit: limit, recipient: recipient, value: value, used: used,
                    resets: resets(limit, recipient, adding: value, uses, at: now, restored: restored),
                    restored: limit.isUsedUp(after: restored, at: now) ? restored : nil)
                try report(denial(.limit(exceeded), ofLimit: index))
            }
        }
    }

    /// A limit of a token with another precision would count nothing: a contract has one token of
    /// each code.
    private func refuseOtherPrecisions(
        of spending: RequestedSpending, _ report: DenialReport
    ) throws(PolicyDenial) {
        for (index, limit) in limits.enumerated() {
            guard let token = limit.measure.token,
                let other = spending.tokens.first(where: token.hasOtherPrecision)
            else { continue }
            try report(denial(.otherPrecision(other), ofLimit: index))
        }
    }

    func denial(_ reason: PolicyDenial.Reason, ofLimit index: Int) -> PolicyDenial {
        PolicyDenial(
            reason: reason, part: .limit(index), member: "/limits/\(index)/\(limits[index].measure.name)")
    }

    /// When so many slices are out of the window that `value` is in the limit.
    private func resets(
        _ limit: Limit, _ recipient: Name?, adding value: UInt128, _ uses: LimitUses, at now: UInt32,
        restored: UInt32?
    ) -> UInt32? {
        guard let series = LimitSeries(limit), value <= limit.measure.limit else { return nil }
        var earliest = now
        if let restored, limit.isUsedUp(after: restored, at: now) {
            guard let end = restored.end(of: limit.period.seconds ?? 0) else { return nil }
            earliest = end
        }
        let counted = uses.counted(series, recipient, at: now).sorted { $0.slice > $1.slice }
        // The newest slices stay as long as they fit. The newest one that does not fit must leave.
        let room = limit.measure.limit - value
        var total = PaymentSum()
        for sum in counted {
            total.add(UInt128(sum.amount), count: UInt128(sum.count))
            if total.value(of: limit.measure) > room {
                return limit.period.end(ofSlice: sum.slice).map { max($0, earliest) }
            }
        }
        return earliest
    }

    /// The entries of a transaction that is not a repeat.
    func entries(
        of spending: RequestedSpending, _ request: PolicyRequest, _ uses: LimitUses, at now: UInt32,
        _ report: DenialReport
    ) throws(PolicyDenial) -> [PolicyEntry] {
        let rolling = limits.filter { $0.period != .transaction }
        func entry(_ token: Token?, _ recipient: Name?, _ sum: PaymentSum) -> PolicyEntry {
            PolicyEntry(
                time: now, transaction: request.transaction, expiration: request.expiration.seconds,
                token: token,
                recipient: recipient, amount: UInt64(clamping: sum.amount), count: UInt32(clamping: sum.count)
            )
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
        if let lack = uses.lackOfRoom(for: entries, at: now) {
            try report(PolicyDenial(reason: .roomFull(free: lack.free), part: .policy, member: "/limits"))
        }
        return entries
    }
}

extension Limit {
    /// True if a restore is in the window that ends now: the limit then allows nothing.
    func isUsedUp(after restored: UInt32?, at now: UInt32) -> Bool {
        guard let restored, let window = period.seconds else { return false }
        return Int(restored) + Int(window) > Int(now)
    }
}

extension UInt32 {
    /// When a window that starts at this time ends; nil for a time that does not fit.
    fileprivate func end(of window: UInt32) -> UInt32? { UInt32(exactly: Int(self) + Int(window)) }
}
