import Keys
import Policy
import Signing

extension Vault {
    /// The policies that decide about requests before the vault is unlocked. Anyone who can write
    /// the file can change them, so the decision is repeated on the verified rows.
    /// - Parameters:
    ///   - candidate: A policy that is tried in place of the policies in the file.
    ///   - known: A policy with the same text is not parsed again.
    ///   - readingUses: True to read the uses of the keys. Otherwise a limit counts only the
    ///     request.
    package func unverifiedPolicies(
        of keys: [PublicKey], at clock: Int64, trying candidate: KeyPolicy? = nil,
        parsedIn known: PolicyLedger = .empty, readingUses: Bool = true
    ) throws(VaultError) -> PolicyLedger {
        let policies = try unverifiedPolicies()
        let last = try policies.isEmpty && candidate == nil ? nil : unverifiedLastRecordTime()
        return try PolicyLedger(
            of: keys, policies: policies, trying: candidate, parsedIn: known, clock: clock, lastRecord: last
        ) {
            key throws(VaultError) in KeyUses(readingUses ? try unverifiedUses(of: key) : PolicyUses())
        }
    }
}

extension PolicyLedger {
    /// - Parameters:
    ///   - policies: All policies of the vault.
    ///   - candidate: A policy that is tried in place of the vault's policies.
    ///   - known: A policy with the same text is not parsed again.
    ///   - clock: The time in seconds since 1970.
    ///   - lastRecord: The time of the last record of the vault.
    ///   - parse: Parses a policy.
    ///   - uses: A key's uses of the limits.
    /// - Throws: `policySet` for a policy that this version does not interpret,
    ///   `damaged(.row(.counters))`, and the errors of `uses`.
    init(
        of keys: [PublicKey], policies: [StoredPolicy], trying candidate: KeyPolicy? = nil,
        parsedIn known: PolicyLedger = .empty, clock: Int64, lastRecord: Int64?,
        parsing parse: (StoredPolicy) throws(VaultError) -> KeyPolicy = Self.policy(in:),
        uses: (EntryName) throws(VaultError) -> KeyUses
    ) throws(VaultError) {
        var parsed: [PolicyRefusal.Subject: KeyPolicy] = [:]
        var found: [PublicKey: Stored] = [:]
        for key in keys where found[key] == nil {
            let name = EntryName(key)
            let (subject, policy): (PolicyRefusal.Subject, KeyPolicy)
            if let candidate {
                (subject, policy) = (.key(key), candidate)
            } else if let stored = policies.policy(of: name) {
                subject = stored.subject == .allKeys ? .allKeys : .key(key)
                if let same = parsed[subject] ?? known[key]?.policy, same.canonical == stored.document {
                    policy = same
                } else {
                    policy = try parse(stored)
                }
                parsed[subject] = policy
            } else {
                continue
            }
            let stored = try uses(name)
            guard let uses = stored.limits else { throw .integrity(.damaged(.row(.counters))) }
            found[key] = Stored(
                subject, policy, isStored: candidate == nil, uses: uses, times: stored.times)
        }
        self.init(found, clock: clock, lastRecord: lastRecord)
    }

    /// - Throws: `policySet`.
    package static func policy(in stored: StoredPolicy) throws(VaultError) -> KeyPolicy {
        do { return try KeyPolicy(stored.document) } catch { throw .input(.policySet) }
    }
}

extension [StoredPolicy] {
    /// The policy that limits a key: its own, or the policy of all keys.
    package func policy(of key: EntryName) -> StoredPolicy? {
        first { $0.subject == .key(key) } ?? first { $0.subject == .allKeys }
    }
}
