import KeyVault
import Keys
import Policy

/// The policies of keys, and what each key used of their limits: what decides about requests, one
/// after the other.
package struct PolicyLedger: Sendable {
    /// The policy of a key.
    package struct KeyState: Sendable {
        package let subject: StoredPolicy.Subject
        package let policy: KeyPolicy
        /// False for a policy that is tried.
        let isStored: Bool
        /// What the key used, with what this ledger allowed.
        package fileprivate(set) var uses: LimitUses
        /// When the vault was restored from a backup.
        package let restored: UInt32?
        /// The time of the last record, or of the last use if that is later.
        package let last: UInt32?
        /// Whether the ledger counted a signature that the store does not have.
        fileprivate var hasNewUses = false
    }

    /// Only keys with a policy.
    private var states: [PublicKey: KeyState] = [:]
    /// In seconds since 1970.
    package let clock: UInt32

    /// A ledger that limits no key, for stores without policies.
    package static let empty = PolicyLedger(clock: 0)

    private init(clock: UInt32) { self.clock = clock }

    /// - Parameters:
    ///   - policies: All policies of the store.
    ///   - candidate: A policy that is tried in place of those of the store.
    ///   - known: A policy with the same text is not parsed again.
    ///   - clock: The time in seconds since 1970.
    ///   - lastRecord: The time of the last record of the store.
    ///   - uses: What a key used of the limits.
    /// - Throws: `vault(.input(.policySet))` for a policy that this version does not interpret,
    ///   `vault` with `damaged(.row(.counters))`, and what `uses` throws.
    package init(
        of keys: [PublicKey], policies: [StoredPolicy], trying candidate: KeyPolicy? = nil,
        parsedIn known: PolicyLedger = .empty, clock: Int64, lastRecord: Int64?,
        uses: (EntryName) throws(VaultError) -> PolicyUses
    ) throws(SigningError) {
        self.clock = UInt32(clamping: clock)
        var parsed: [StoredPolicy.Subject: KeyPolicy] = [:]
        for key in keys where states[key] == nil {
            let name = EntryName(key)
            let (subject, policy): (StoredPolicy.Subject, KeyPolicy)
            if let candidate {
                (subject, policy) = (.key(name), candidate)
            } else if let stored = policies.policy(of: name) {
                subject = stored.subject
                policy =
                    if let policy = parsed[subject] {
                        policy
                    } else if let policy = known[key]?.policy, policy.canonical == stored.document {
                        policy
                    } else {
                        try Self.policy(in: stored)
                    }
                parsed[subject] = policy
            } else {
                continue
            }
            do throws(VaultError) {
                states[key] = try KeyState(
                    subject, policy, isStored: candidate == nil, uses(name), clock: self.clock, lastRecord: lastRecord)
            } catch { throw .vault(error) }
        }
    }

    /// - Throws: `vault(.input(.policySet))`.
    package static func policy(in stored: StoredPolicy) throws(SigningError) -> KeyPolicy {
        do { return try KeyPolicy(stored.document) } catch { throw .vault(.input(.policySet)) }
    }

    /// The policy of a key; nil if nothing limits it.
    package subscript(key: PublicKey) -> KeyState? { states[key] }

    // MARK: decisions

    /// The verdict of a key's policy; nil if nothing limits the key.
    package func verdict(on request: PolicyRequest, by key: PublicKey) -> PolicyVerdict? {
        states[key].map { state in
            state.policy.evaluate(
                request, uses: state.uses, clock: clock, last: state.last, restored: state.restored)
        }
    }

    /// What allows the keys to sign.
    /// - Parameters:
    ///   - request: nil is refused like a request without a chain.
    ///   - consent: A script can't confirm what a person must.
    /// - Throws: `policy`, `noChain`.
    func allowances(
        for keys: [ChosenKey], of request: PolicyRequest?, consent: Consent
    ) throws(SigningError) -> [PublicKey: PolicyAllowance] {
        var allowances: [PublicKey: PolicyAllowance] = [:]
        for key in keys {
            guard let state = states[key.publicKey] else { continue }
            guard let request, let verdict = verdict(on: request, by: key.publicKey) else { throw .noChain }
            switch verdict {
            case .denied(let denial): throw state.refusal(of: key, .denied(denial), at: clock)
            case .allowed(let allowance):
                if case .script = consent, let confirmation = allowance.confirmations.first {
                    throw state.refusal(of: key, .needsConfirmation(confirmation), at: clock)
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
            throw state.refusal(of: key, .notCounted, at: clock)
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
            let times = PolicyUses.Times(
                last: Int64(max(clock, state.last ?? 0)), restored: state.restored.map(Int64.init))
            try signer.store(state.uses, times, of: key)
        }
    }
}

extension PolicyLedger.KeyState {
    fileprivate func refusal(
        of key: ChosenKey, _ reason: PolicyRefusal.Reason, at clock: UInt32
    ) -> SigningError {
        let last = last ?? clock
        return .policy(
            PolicyRefusal(
                key: key.description, subject: subject, policy: policy, isStored: isStored, reason: reason,
                clockLag: last > clock ? last - clock : 0))
    }

    /// - Throws: `damaged(.row(.counters))`.
    fileprivate init(
        _ subject: StoredPolicy.Subject, _ policy: KeyPolicy, isStored: Bool, _ stored: PolicyUses, clock: UInt32,
        lastRecord: Int64?
    ) throws(VaultError) {
        guard let uses = LimitUses(stored.parts) else { throw .integrity(.damaged(.row(.counters))) }
        (self.subject, self.policy, self.isStored) = (subject, policy, isStored)
        last = [lastRecord, stored.times?.last].compactMap(\.self).max().map { UInt32(clamping: $0) }
        restored = stored.times?.restored.map { UInt32(clamping: $0) }
        self.uses = policy.adopt(uses)
        self.uses.removeOld(at: max(clock, last ?? 0))
    }
}

extension [StoredPolicy] {
    /// The policy that limits a key: its own, or that of all keys.
    package func policy(of key: EntryName) -> StoredPolicy? {
        first { $0.subject == .key(key) } ?? first { $0.subject == .allKeys }
    }
}
