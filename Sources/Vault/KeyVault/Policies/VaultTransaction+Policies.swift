import Policy
import SecureMemory
import Signing

extension Vault {
    /// The policies in the file. Anyone who can write the file can change them. They are verified
    /// only after unlocking (`VaultTransaction.policies`).
    /// - Throws: `policySet` for a policy that this version does not interpret.
    package func unverifiedPolicies() throws(VaultError) -> [StoredPolicy] {
        try unverified { rows throws(VaultError) in try rows.policies() }
    }

    /// The keys in the file that have used limits, not verified. Only the names of rows are read.
    package func unverifiedKeysWithUses() throws(VaultError) -> Set<EntryName> {
        try read { () throws(VaultError) in
            var keys: Set<EntryName> = []
            try connection.query("SELECT name FROM counters WHERE name BETWEEN 'used:' AND 'used;'") {
                row throws(VaultError) in
                if let key = row.text(0).flatMap(PolicyUseRow.key(ofName:)) { keys.insert(key) }
            }
            return keys
        }
    }

    /// The uses of a key in the file, not verified.
    package func unverifiedUses(of key: EntryName) throws(VaultError) -> PolicyUses {
        try unverified { rows throws(VaultError) in try rows.policyUses(of: key) }
    }
}

extension RowSource {
    func policies() throws(VaultError) -> [StoredPolicy] {
        var table = PolicyTable()
        try visit(PolicyTable.leaf) { row throws(VaultError) in try table.visit(row) }
        return table.policies
    }

    func policyUses(of key: EntryName) throws(VaultError) -> PolicyUses {
        var rows = PolicyUseRows(key)
        try visit(PolicyUseRow.leaf(of: key)) { row throws(VaultError) in try rows.visit(row) }
        return try rows.complete()
    }
}

extension VaultTransaction {
    /// All policies, verified, in the order of their names.
    /// - Throws: `policySet` for a policy that this version does not interpret; `manifestMismatch`
    ///   when another program added, changed or removed one, unless they were verified before: then
    ///   the verified ones are returned.
    package func policies() throws(VaultError) -> [StoredPolicy] {
        try keys.content.policies(in: buckets)
    }

    /// Stores a policy, in place of an earlier one for the same keys.
    /// - Parameters:
    ///   - isLooser: true if the new policy allows anything that the current policy of these keys
    ///     refuses: their own, or the policy of all keys. It then needs the second method of the
    ///     current policy.
    ///   - proof: the proof of that method.
    /// - Throws: `secondMethodNeeded`, `policiesTooLarge`, `policySet`, `manifestMismatch`.
    package mutating func set(
        _ policy: StoredPolicy, isLooser: Bool, proof: SecondUnlock? = nil
    ) throws(VaultError) {
        try expectWritable()
        let policies = try policies()
        let earlier = policies.first { $0.subject == policy.subject }
        // The policy that limits these keys now. Without its proof, a key's own policy with another
        // second method could take its place, and be loosened with that method.
        let current = earlier ?? policies.first { $0.subject == .allKeys }
        if let current, isLooser || current.secondMethod != policy.secondMethod {
            try expectProof(proof, of: [current])
        }
        let others = policies.filter { $0.subject != policy.subject }
        guard PolicyTable.size(of: others + [policy]) <= PolicyTable.maximumSize else {
            throw .input(.tooLarge(.policies, maximum: PolicyTable.maximumSize))
        }
        try store(policy, insteadOf: earlier)
    }

    /// Writes a policy, and records it. Nothing is required.
    mutating func store(_ policy: StoredPolicy, insteadOf earlier: StoredPolicy? = nil) throws(VaultError) {
        try buckets.load(PolicyTable.leaf)
        let event = AuditEvent.policySet(policy.subject, hash: policy.hash)
        try change(recording: event) { (transaction: inout VaultTransaction) throws(VaultError) in
            if let earlier { try transaction.buckets.remove(earlier.rowName, of: StoredPolicy.self) }
            try transaction.buckets.add(policy)
        }
    }

    /// Removes a policy. The uses of the limits by its keys are kept.
    /// - Throws: `noPolicy`, `secondMethodNeeded`, `policySet`, `manifestMismatch`.
    package mutating func removePolicy(
        of subject: StoredPolicy.Subject, proof: SecondUnlock?
    ) throws(VaultError) {
        try expectWritable()
        guard let policy = try policies().first(where: { $0.subject == subject }) else {
            throw .input(.noPolicy)
        }
        try expectProof(proof, of: [policy])
        try buckets.load(PolicyTable.leaf)
        let event = AuditEvent.policyRemoved(subject, hash: policy.hash)
        try change(recording: event) { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.buckets.remove(policy.rowName, of: StoredPolicy.self)
        }
    }

    /// Allows a key or a seed to leave the vault, by an export or a removal.
    /// - Throws: `secondMethodNeeded` unless the second method of each policy that holds it is
    ///   proved.
    package func expectRelease(of entry: EntryName, proof: SecondUnlock?) throws(VaultError) {
        try expectProof(proof, of: policies().filter { $0.subject.holds(entry) })
    }

    /// - Throws: `secondMethodNeeded` unless the second method of each policy is proved.
    func expectProof(_ proof: SecondUnlock?, of policies: [StoredPolicy]) throws(VaultError) {
        guard let missing = policies.first(where: { proof?.proves($0.secondMethod) != true }) else { return }
        throw .input(.secondMethodNeeded(missing.secondMethod.kind))
    }

    // MARK: uses

    /// A key's verified uses of the limits of its policies.
    /// - Throws: `manifestMismatch`, `damaged`.
    package func policyUses(of key: EntryName) throws(VaultError) -> PolicyUses {
        try buckets.policyUses(of: key)
    }

    /// Stores a key's uses if and only if the transaction is committed.
    /// - Parameters:
    ///   - parts: replace the parts with the same numbers.
    ///   - keeping: the other parts that stay; nil for all of them.
    /// - Throws: `policyUsesFull`, `manifestMismatch`, `damaged`.
    package mutating func store(
        _ parts: [PolicyUses.Part], keeping: Set<UInt32>? = nil, _ times: PolicyUses.Times, of key: EntryName
    ) throws(VaultError) {
        _ = try replace(parts, keeping: keeping, times, of: key)
    }

    /// Stores the uses that a ledger counted.
    mutating func store(
        _ uses: LimitUses, _ times: PolicyUses.Times, of key: EntryName
    ) throws(VaultError) {
        let sizes = try replace(uses.changedParts, keeping: uses.keptParts, times, of: key)
        var stored = uses
        stored.markStored()
        buckets.written[key] = KeyUses(stored, times, sizes: sizes)
    }

    /// - Returns: the size of each part after that.
    private mutating func replace(
        _ parts: [PolicyUses.Part], keeping: Set<UInt32>?, _ times: PolicyUses.Times, of key: EntryName
    ) throws(VaultError) -> [UInt32: Int] {
        try expectWritable()
        buckets.written[key] = nil
        let stored = try keys.content.uses(of: key, in: buckets).sizes
        let written = Set(parts.map(\.number))
        let kept = stored.filter { !written.contains($0.key) && keeping?.contains($0.key) ?? true }
        guard parts.reduce(kept.values.reduce(0, +), { $0 + $1.content.count }) <= PolicyUses.maximumSize,
            parts.allSatisfy({ $0.content.count <= PolicyUses.maximumContent })
        else { throw .input(.tooLarge(.policyUses, maximum: PolicyUses.maximumSize)) }
        let new = parts.filter { !$0.content.isEmpty }
        let rows = new.map { PolicyUseRow(key, $0) } + [PolicyUseRow(key, times)]
        let removed = stored.keys.filter { kept[$0] == nil }.sorted() + [PolicyUseRow.timesNumber]
        let leaf = PolicyUseRow.leaf(of: key)
        try change { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.write(keepsEntries: true) {
                (transaction: inout VaultTransaction) throws(VaultError) in
                for number in removed {
                    let name = PolicyUseRow.name(of: number, of: key)
                    try transaction.buckets.remove(name, of: PolicyUseRow.self, in: leaf)
                }
                for row in rows { try transaction.buckets.add(row, to: leaf) }
            }
        }
        return new.reduce(into: kept) { $0[$1.number] = $1.content.count }
    }

    /// The keys with uses, verified.
    package func keysWithUses() throws(VaultError) -> Set<EntryName> {
        var keys: Set<EntryName> = []
        try buckets.visitAll(.counters) { row throws(VaultError) in
            if let key = row.text(1).flatMap(PolicyUseRow.key(ofName:)) { keys.insert(key) }
        }
        return keys
    }

    // MARK: after a restore

    /// The keys that policies limit, verified: each key with a policy of its own, and if there is a
    /// policy for all keys, each key of the vault and each key with uses.
    /// - Parameter proof: keys whose policy has a proved second method are left out.
    func limitedKeys(except proof: SecondUnlock = SecondUnlock()) throws(VaultError) -> Set<EntryName> {
        let policies = try policies()
        var keys: Set<EntryName> = []
        if let all = policies.first(where: { $0.subject == .allKeys }), !proof.proves(all.secondMethod) {
            try buckets.visitAll(.entries) { row throws(VaultError) in
                let row = try EntryRow(row)
                if row.kind.isKey { keys.insert(row.name) }
            }
            keys.formUnion(try keysWithUses())
        }
        for policy in policies {
            guard case .key(let name) = policy.subject else { continue }
            if proof.proves(policy.secondMethod) { keys.remove(name) } else { keys.insert(name) }
        }
        return keys
    }

    /// Counts each limit of these keys as used up: the vault may lack uses of them.
    mutating func addRestored(of keys: Set<EntryName>) throws(VaultError) {
        guard !keys.isEmpty else { return }
        let (now, lastRecord) = (try now(), try lastRecordTime())
        for key in keys.sorted() {
            // A clock that was set back must not put a restore before a use.
            let last = try policyUses(of: key).times?.last
            let time = max(now, last ?? now, lastRecord ?? now)
            try store([], PolicyUses.Times(last: time, restored: time), of: key)
        }
    }
}

/// The rows of the table `policies`.
struct PolicyTable: TableContent {
    static let table = VaultTable.policies
    static let isRecovered = true
    static let leaf = Manifest.Leaf(table: .policies, bucket: 0)

    /// The most bytes of all policies of a vault, with 1 KiB for each. A signature reads all of
    /// them.
    static let maximumSize = 64 << 20

    private(set) var policies: [StoredPolicy] = []
    private var size = 0

    static func size(of policies: [StoredPolicy]) -> Int {
        policies.reduce(0) { $0 + $1.document.count + 1_024 }
    }

    /// - Throws: `damaged(.row(.policies))` for more than a writer stores.
    mutating func visit(_ row: borrowing some RowColumns & ~Copyable) throws(VaultError) {
        let policy = try StoredPolicy(row)
        size += Self.size(of: [policy])
        guard size <= Self.maximumSize else { throw .damaged(.policies) }
        policies.append(policy)
    }

    var rows: [any TableRow] { policies }

    func check(_ check: inout VaultCheck) { check.report.policyCount = policies.count }

    func recover(
        _ proof: ManifestProof, to transaction: inout VaultTransaction, _ report: inout RescueReport
    ) throws(VaultError) {
        for policy in policies {
            try transaction.store(policy)
            report.policies.append(policy.subject)
        }
    }
}
