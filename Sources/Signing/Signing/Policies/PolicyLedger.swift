import Keys
import Policy

/// The policies of keys, and each key's use of their limits. They decide about requests, one after
/// the other.
package struct PolicyLedger: Sendable {
    /// The policy of a key.
    package struct KeyState: Sendable {
        package let subject: PolicyRefusal.Subject
        package let policy: KeyPolicy
        /// False for a policy that is tried.
        let isStored: Bool
        /// The key's uses, including the uses that this ledger allowed.
        package fileprivate(set) var uses: LimitUses
        /// When the vault was restored from a backup.
        package let restored: UInt32?
        /// The time of the last record, or of the last use if that is later.
        package let last: UInt32?
        /// True if the ledger counted a signature that the store does not have.
        fileprivate var hasNewUses = false
    }

    /// The times of a key's uses of the limits, in seconds since 1970.
    package struct Times: Equatable, Sendable {
        /// Of the last use.
        package var last: Int64
        /// When the store was restored from a copy, which may lack later uses: each rolling limit
        /// counts as used up until its window, which starts then, has passed.
        package var restored: Int64?

        package init(last: Int64, restored: Int64? = nil) { (self.last, self.restored) = (last, restored) }
    }

    /// The policy that limits a key, as a store has it.
    package struct Stored {
        let subject: PolicyRefusal.Subject
        let policy: KeyPolicy
        let isStored: Bool
        let uses: LimitUses
        let times: Times?

        /// - Parameters:
        ///   - isStored: false for a policy that is tried.
        ///   - times: nil for a key without uses.
        package init(
            _ subject: PolicyRefusal.Subject, _ policy: KeyPolicy, isStored: Bool = true, uses: LimitUses,
            times: Times?
        ) {
            (self.subject, self.policy, self.isStored) = (subject, policy, isStored)
            (self.uses, self.times) = (uses, times)
        }
    }

    /// Only keys with a policy.
    private var states: [PublicKey: KeyState] = [:]
    /// In seconds since 1970.
    package let clock: UInt32

    /// A ledger that limits no key, for stores without policies.
    package static let empty = PolicyLedger(clock: 0)

    /// - Parameters:
    ///   - clock: The time in seconds since 1970.
    ///   - lastRecord: The time of the last record of the store.
    package init(_ policies: [PublicKey: Stored] = [:], clock: Int64, lastRecord: Int64? = nil) {
        let clock = UInt32(clamping: clock)
        self.clock = clock
        states = policies.mapValues { KeyState($0, clock: clock, lastRecord: lastRecord) }
    }

    /// The policy of a key; nil if nothing limits it.
    package subscript(key: PublicKey) -> KeyState? { states[key] }

    /// The actions that the policies of all these keys allow with data that can't be decoded. None
    /// if a key has no policy.
    package func blindActions(for keys: [PublicKey]) -> Set<ActionPattern> {
        let allowed = keys.map { key in
            Set((states[key]?.policy.blindRules ?? [:]).keys.map(ActionPattern.init))
        }
        return allowed.dropFirst().reduce(allowed.first ?? []) { $0.intersection($1) }
    }

    // MARK: decisions

    /// The verdict of a key's policy; nil if nothing limits the key.
    package func verdict(on request: PolicyRequest, by key: PublicKey) -> PolicyVerdict? {
        states[key].map { state in
            state.policy.evaluate(
                request, uses: state.uses, clock: clock, last: state.last, restored: state.restored)
        }
    }

    /// All reasons why the policy of a key refuses a request, the reason of `verdict` first. Empty
    /// if it allows the request, or nothing limits the key.
    package func refusals(of request: PolicyRequest, by key: ChosenKey) -> [PolicyRefusal] {
        guard let state = states[key.publicKey] else { return [] }
        return state.policy.denials(
            request, uses: state.uses, clock: clock, last: state.last, restored: state.restored
        ).map { state.refusal(of: key, .denied($0), at: clock) }
    }

    /// The allowance of each key that has a policy.
    /// - Parameters:
    ///   - request: nil is refused like a request without a chain.
    ///   - consent: Without an answer, it can't confirm what a policy wants confirmed.
    /// - Throws: `policy`, `noChain`.
    func allowances(
        for keys: [ChosenKey], of request: PolicyRequest?, consent: any Consent
    ) throws(SigningError) -> [PublicKey: PolicyAllowance] {
        var allowances: [PublicKey: PolicyAllowance] = [:]
        for key in keys {
            guard let state = states[key.publicKey] else { continue }
            guard let request, let verdict = verdict(on: request, by: key.publicKey) else { throw .noChain }
            switch verdict {
            case .denied(let denial): throw .policy(state.refusal(of: key, .denied(denial), at: clock))
            case .allowed(let allowance):
                if !consent.isAsked, let confirmation = allowance.confirmations.first {
                    throw .policy(state.refusal(of: key, .needsConfirmation(confirmation), at: clock))
                }
                allowances[key.publicKey] = allowance
            }
        }
        return allowances
    }

    /// Refuses keys with a policy in a store that can't count their signatures.
    /// - Throws: `policy`.
    func refuseKeys(_ keys: [ChosenKey]) throws(SigningError) {
        for key in keys {
            guard let state = states[key.publicKey] else { continue }
            throw .policy(state.refusal(of: key, .notCounted, at: clock))
        }
    }

    /// Counts signatures for the next decisions.
    mutating func add(_ allowances: [PublicKey: PolicyAllowance]) {
        for (key, allowance) in allowances where !allowance.entries.isEmpty {
            states[key]?.uses.add(allowance.entries)
            states[key]?.hasNewUses = true
        }
    }

    /// Stores what was counted since the ledger was read.
    func store(in signer: inout some DigestSigner & ~Copyable) throws(SigningError) {
        for (key, state) in states where state.hasNewUses {
            let times = Times(
                last: Int64(max(clock, state.last ?? 0)), restored: state.restored.map(Int64.init))
            try signer.store(state.uses, times, of: key)
        }
    }
}

extension PolicyLedger.KeyState {
    fileprivate func refusal(
        of key: ChosenKey, _ reason: PolicyRefusal.Reason, at clock: UInt32
    ) -> PolicyRefusal {
        let last = last ?? clock
        return PolicyRefusal(
            key: key.description, subject: subject, policy: policy, isStored: isStored, reason: reason,
            clockLag: last > clock ? last - clock : 0)
    }

    fileprivate init(_ stored: PolicyLedger.Stored, clock: UInt32, lastRecord: Int64?) {
        (subject, policy, isStored) = (stored.subject, stored.policy, stored.isStored)
        last = [lastRecord, stored.times?.last].compactMap(\.self).max().map { UInt32(clamping: $0) }
        restored = stored.times?.restored.map { UInt32(clamping: $0) }
        uses = policy.adopt(stored.uses)
        uses.removeOld(at: max(clock, last ?? 0))
    }
}
