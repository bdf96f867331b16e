import ABICodec
import Transactions

extension KeyPolicy {
    /// Decides on a request.
    /// - Parameters:
    ///   - uses: The key's use of its limits.
    ///   - clock: The time in seconds since 1970.
    ///   - last: The time of the vault's last record. The later one of `clock` and `last` counts
    ///     for limits, so setting the clock back frees no allowance. Hours must include both.
    ///   - restored: When the vault was restored from a backup; nil if it never was. Signatures
    ///     after the backup are not in the history, so each rolling limit counts as used up until
    ///     its window, starting at this time, has passed.
    package func evaluate(
        _ request: PolicyRequest, uses: LimitUses, clock: UInt32, last: UInt32?, restored: UInt32?
    ) -> PolicyVerdict {
        do throws(PolicyDenial) {
            return .allowed(
                try allowance(request, uses, clock: clock, last: last, restored: restored) {
                    denial throws(PolicyDenial) in throw denial
                })
        } catch { return .denied(error) }
    }

    /// All reasons why a request is denied: the reason of `evaluate` is the first one. None for a
    /// request that is allowed.
    /// - Parameters: as in `evaluate`.
    package func denials(
        _ request: PolicyRequest, uses: LimitUses, clock: UInt32, last: UInt32?, restored: UInt32?
    ) -> [PolicyDenial] {
        var denials: [PolicyDenial] = []
        _ = try? allowance(request, uses, clock: clock, last: last, restored: restored) {
            denials.append($0)
        }
        return denials
    }

    /// Receives a reason to deny the request. The evaluation continues unless this throws.
    typealias DenialReport = (PolicyDenial) throws(PolicyDenial) -> Void

    private func allowance(
        _ request: PolicyRequest, _ uses: LimitUses, clock: UInt32, last: UInt32?, restored: UInt32?,
        _ reportDenial: DenialReport
    ) throws(PolicyDenial) -> PolicyAllowance {
        let now = max(clock, last ?? 0)
        try check(request, clock: clock, now: now, reportDenial)
        var confirmations: [PolicyConfirmation] = conditions.alwaysConfirms ? [.always] : []
        if dependsOnClock, let last, clock > last, clock - last > Self.maximumClockStep {
            confirmations.append(.clockStep(seconds: clock - last))
        }
        if request.isIdentity {
            return PolicyAllowance(rules: [], confirmations: confirmations, entries: [], isRepeat: false)
        }
        var spending = RequestedSpending()
        var rules: [Int] = []
        for (number, action) in request.allActions.enumerated() {
            func report(_ denial: PolicyDenial) throws(PolicyDenial) {
                var denial = denial
                denial.action = PolicyDenial.DeniedAction(
                    path: request.path(ofAction: number), contract: action.action.account,
                    action: action.action.name)
                try reportDenial(denial)
            }
            do throws(PolicyDenial) { rules.append(try rule(for: action)) } catch { try report(error) }
            do throws(PolicyDenial) { try add(action, to: &spending) } catch { try report(error) }
        }
        let uses = adopt(uses)
        // A signature of the same transaction was counted before. Chains execute it once.
        let isRepeat = uses.digests.contains(SignedDigests.Digest(request.transaction), at: now)
        try check(spending, isRepeat: isRepeat, uses, at: now, restored: restored, reportDenial)
        let entries = isRepeat ? [] : try entries(of: spending, request, uses, at: now, reportDenial)
        return PolicyAllowance(
            rules: rules, confirmations: confirmations, entries: entries, isRepeat: isRepeat)
    }

    // MARK: - the transaction

    /// - Parameter now: The later one of the clock and the last record.
    private func check(
        _ request: PolicyRequest, clock: UInt32, now: UInt32, _ report: DenialReport
    ) throws(PolicyDenial) {
        func deny(_ reason: PolicyDenial.Reason, _ member: String) throws(PolicyDenial) {
            try report(PolicyDenial(reason: reason, part: .policy, member: member))
        }
        if !chains.contains(request.chain) { try deny(.chain(request.chain), "/chains") }
        if request.isIdentity {
            if !allowsIdentity { try deny(.identity, "/identity") }
        } else {
            if let limit = conditions.maximumExpiration {
                // A clock that was ahead once must not lengthen the time.
                let seconds = Int(request.expiration.seconds) - Int(clock)
                if seconds > Int(limit) {
                    try deny(
                        .expiration(seconds: seconds, limit: limit), "/transaction/max_expiration_seconds")
                }
            }
            let count = request.allActions.count
            if count == 0 { try deny(.noActions, "/rules") }
            if let limit = conditions.maximumActionCount, count > limit {
                try deny(.actionCount(count, limit: limit), "/transaction/max_actions")
            }
        }
        if let hours = conditions.hours, let time = [now, clock].first(where: { !hours.contains($0) }) {
            try deny(.hours(next: hours.next(after: time)), "/transaction/hours")
        }
        if let key = conditions.firstCosigner, !request.signers.contains(key) {
            try deny(.cosigner(key), "/transaction/cosigner/first")
        }
        let warnings = refusedWarnings.filter(request.warnings.contains)
        if !warnings.isEmpty { try deny(.warnings(warnings), "/refuse") }
    }

    // MARK: - an action

    /// The first rule that matches an action.
    private func rule(for requested: RequestedAction) throws(PolicyDenial) -> Int {
        guard !requested.isContextFree || conditions.allowsContextFreeActions else {
            throw PolicyDenial(
                reason: .contextFree, part: .policy, member: "/transaction/context_free_actions")
        }
        guard let value = requested.value else { return try blindRule(for: requested) }
        // If none matches, the refusal comes from the rule whose first failure comes last in the
        // order of its members.
        var nearest: (rule: Int, stage: Int)?
        var values = FieldValues(of: value)
        for index in rulesByContract[requested.action.account] ?? []
        where rules[index].matchesKind(of: requested.action) {
            guard let stage = rules[index].failedStage(for: requested, &values) else { return index }
            if nearest.map({ $0.stage < stage }) ?? true { nearest = (index, stage) }
        }
        guard let (index, stage) = nearest else {
            throw PolicyDenial(reason: .noRule, part: .policy, member: "/rules")
        }
        let reason = rules[index].reason(atStage: stage, for: requested, &values)
        throw PolicyDenial(
            reason: reason, part: .rule(index),
            member: "/rules/\(index)\(Self.member(of: reason, rules[index]))")
    }

    /// The first rule that allows an action whose data can't be decoded. Nothing counts what such
    /// data pays, so a limit of a token of its contract denies it, and so do `amounts`.
    private func blindRule(for requested: RequestedAction) throws(PolicyDenial) -> Int {
        let action = requested.action
        let allowing = blindRules[ActionKey(action)] ?? []
        // Its inner transaction is unknown.
        guard case .none = requested.inner, let first = allowing.first else {
            throw PolicyDenial(reason: .undecoded, part: .policy, member: "/rules")
        }
        guard let index = allowing.first(where: { rules[$0].refusedAuthorization(of: action) == nil }) else {
            let reason = PolicyDenial.Reason.authorization(
                rules[first].refusedAuthorization(of: action)?.level)
            throw PolicyDenial(
                reason: reason, part: .rule(first),
                member: "/rules/\(first)\(Self.member(of: reason, rules[first]))")
        }
        if let limit = limits.firstIndex(where: { $0.measure.token?.contract == action.account }) {
            throw denial(.unreadablePayment, ofLimit: limit)
        }
        if let amount = amountsByAction[ActionKey(action)]?.first?.first { throw unreadable(amount: amount) }
        return index
    }

    /// The member of a rule that fails for this reason, as a pointer in the rule. A rule without
    /// `authorization` fails as a whole; the other members have a default that fails.
    private static func member(of reason: PolicyDenial.Reason, _ rule: Rule) -> String {
        switch reason {
        case .field(let pointer, let test, _):
            FieldPointer.append(pointer.text, to: "/fields") + "/\(test.name)"
        case .unknownProposal: "/unknown_proposal"
        case .givenABI: "/given_abi"
        default: rule.authorization.isEmpty ? "" : "/authorization"
        }
    }

    // MARK: - amounts

    /// The actions of token contracts that the program sums.
    static let tokenActions = ["transfer", "issue", "retire"]

    /// Adds what an action pays.
    private func add(_ requested: RequestedAction, to spending: inout RequestedSpending) throws(PolicyDenial)
    {
        guard let value = requested.value else { return }
        let action = requested.action
        var hasPayment = false
        Payment.forEach(in: action, value) {
            spending.add($0)
            hasPayment = true
        }
        let groups = amountsByAction[ActionKey(action)] ?? []
        // An ABI with other fields must not hide a payment from a limit.
        if !hasPayment, groups.isEmpty, Self.tokenActions.contains(action.name.text),
            let index = limits.firstIndex(where: { $0.measure.token?.contract == action.account })
        {
            throw denial(.unreadablePayment, ofLimit: index)
        }
        for group in groups {
            // An integer is an amount of each token, and several contracts have tokens with the
            // same symbol: each entry that the field may mean counts.
            let read = group.compactMap { index in amounts[index].value(in: value).map { (index, $0) } }
            guard !read.isEmpty else { throw unreadable(amount: group[0]) }
            for (index, amount) in read {
                guard let recipient = amounts[index].recipient(in: value) else {
                    throw unreadable(amount: index)
                }
                spending.add(amount, of: amounts[index].token, to: recipient)
            }
        }
    }

    private func unreadable(amount index: Int) -> PolicyDenial {
        PolicyDenial(
            reason: .unreadableAmount(amounts[index].amount), part: .amount(index),
            member: "/amounts/\(index)/amount")
    }
}

extension DeclaredAmount {
    /// The amount in the smallest unit of the token.
    fileprivate func value(in data: TypedValue) -> UInt128? {
        guard let text = amount.value(in: data)?.scalarText, let bound = Bound(text) else { return nil }
        switch bound {
        case .integer(let number): return number.magnitude
        case .asset(let asset): return asset.symbol == token.symbol ? UInt128(asset.amount.magnitude) : nil
        }
    }

    fileprivate func recipient(in data: TypedValue) -> Name? {
        guard let recipient else { return contract }
        return recipient.value(in: data)?.scalarText.flatMap { Name(exactly: $0) }
    }
}

extension Rule {
    /// The number of members of the rule that hold before the first one that fails; nil for a rule
    /// that allows the action. Many rules are tried, so the reason is made only for one of them.
    fileprivate func failedStage(for requested: RequestedAction, _ values: inout FieldValues) -> Int? {
        if refusedAuthorization(of: requested.action) != nil { return 0 }
        for index in fields.indices where fields[index].failure(in: &values) != nil { return 1 + index }
        if case .unknownProposal = requested.inner, !allowsUnknownProposal { return 1 + fields.count }
        return requested.hasGivenABI && !allowsGivenABI ? 2 + fields.count : nil
    }

    /// Why the member at this stage fails.
    fileprivate func reason(
        atStage stage: Int, for requested: RequestedAction, _ values: inout FieldValues
    ) -> PolicyDenial.Reason {
        guard stage > 0 else { return .authorization(refusedAuthorization(of: requested.action)?.level) }
        guard stage <= fields.count else {
            return stage == 1 + fields.count ? .unknownProposal : .givenABI
        }
        let field = fields[stage - 1]
        guard let failure = field.failure(in: &values) else { return .noRule }
        return .field(field.pointer, failure.test, value: failure.value)
    }
}
