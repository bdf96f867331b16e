import SecureMemory

extension Vault {
    /// The policies in the file. Anyone who can write the file can change them. They are verified
    /// only after unlocking (`VaultTransaction.policies`).
    /// - Throws: `policySet` for a policy that this version does not interpret.
    package func unverifiedPolicies() throws(VaultError) -> [StoredPolicy] {
        try read { () throws(VaultError) in
            var policies: [StoredPolicy] = []
            try connection.query("SELECT name, value FROM policies ORDER BY name") { row throws(VaultError) in
                policies.append(try StoredPolicy(row))
            }
            return policies
        }
    }

    /// The uses of a key in the file, not verified.
    package func unverifiedUses(of key: EntryName) throws(VaultError) -> [PolicyUse] {
        try read { () throws(VaultError) in
            var rows = PolicyUseRows(key)
            let leaf = PolicyUseRow.leaf(of: key)
            try connection.query(
                "SELECT \(PolicyUseRow.columns) FROM counters WHERE bucket = ?1 ORDER BY name",
                [.integer(Int64(leaf.bucket))]
            ) { row throws(VaultError) in try rows.visit(row) }
            return rows.uses
        }
    }
}

extension VaultTransaction {
    private static let policyLeaf = Manifest.Leaf(table: .policies, bucket: 0)

    /// All policies, verified, in the order of their names.
    /// - Throws: `policySet` for a policy that this version does not interpret; `manifestMismatch`
    ///   when another program added, changed or removed one.
    package func policies() throws(VaultError) -> [StoredPolicy] {
        var policies: [StoredPolicy] = []
        try verify(Self.policyLeaf) { row throws(VaultError) in policies.append(try StoredPolicy(row)) }
        return policies
    }

    /// Stores a policy, in place of an earlier one for the same keys. The first policy raises the
    /// format version of the vault, so that programs that know no policies refuse it.
    /// - Parameters:
    ///   - isLooser: whether the new policy allows anything that the current one of these keys
    ///     refuses: their own, or that of all keys. It then needs the second method of that one.
    ///   - proof: the proof of that method.
    /// - Throws: `secondMethodNeeded`, `policySet`, `manifestMismatch`.
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
        if manifest.version < VaultFormat.policyVersion { try migrate(to: VaultFormat.policyVersion) }
        try load(Self.policyLeaf)
        let event = AuditEvent.policySet(policy.subject, hash: policy.hash)
        try change(recording: event) { (transaction: inout VaultTransaction) throws(VaultError) in
            if let earlier { try transaction.removePolicyRow(earlier.subject) }
            try transaction.connection.run("INSERT INTO policies (name, value) VALUES (?1, ?2)", policy.values)
            transaction.add(policy.subject.rowName, Self.policyLeaf) { $0.append(row: policy.values) }
        }
    }

    /// Removes a policy. What its keys used of the limits is kept.
    /// - Throws: `noPolicy`, `secondMethodNeeded`, `policySet`, `manifestMismatch`.
    package mutating func removePolicy(
        of subject: StoredPolicy.Subject, proof: SecondUnlock?
    ) throws(VaultError) {
        try expectWritable()
        guard let policy = try policies().first(where: { $0.subject == subject }) else { throw .input(.noPolicy) }
        try expectProof(proof, of: [policy])
        try load(Self.policyLeaf)
        let event = AuditEvent.policyRemoved(subject, hash: policy.hash)
        try change(recording: event) { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.removePolicyRow(subject)
        }
    }

    private mutating func removePolicyRow(_ subject: StoredPolicy.Subject) throws(VaultError) {
        try connection.run("DELETE FROM policies WHERE name = ?1", [.text(subject.rowName)])
        remove(subject.rowName, Self.policyLeaf)
    }

    /// Allows a key to leave the vault, by an export or a removal.
    /// - Throws: `secondMethodNeeded` unless the second method of each policy of the key is proved.
    package func expectRelease(of key: EntryName, proof: SecondUnlock?) throws(VaultError) {
        guard key.publicKey != nil else { return }
        try expectProof(proof, of: policies().filter { $0.subject.includes(key) })
    }

    private func expectProof(_ proof: SecondUnlock?, of policies: [StoredPolicy]) throws(VaultError) {
        guard let missing = policies.first(where: { proof?.proves($0.secondMethod) != true }) else { return }
        throw .input(.secondMethodNeeded(missing.secondMethod.kind))
    }

    // MARK: uses

    /// What a key used of the limits of its policies, verified, in the order of the times.
    /// - Throws: `manifestMismatch`, `damaged`.
    package func policyUses(of key: EntryName) throws(VaultError) -> [PolicyUse] { try useRows(of: key).uses }

    private func useRows(of key: EntryName) throws(VaultError) -> PolicyUseRows {
        var rows = PolicyUseRows(key)
        try verify(PolicyUseRow.leaf(of: key)) { row throws(VaultError) in try rows.visit(row) }
        return rows
    }

    /// Adds uses of a key. They are stored if and only if the transaction is committed.
    /// - Parameters:
    ///   - uses: in the order of their times, none before the last stored one.
    ///   - oldest: uses before this time may be removed.
    /// - Throws: `policyUsesFull` beyond 10,000 uses, `manifestMismatch`, `damaged`.
    package mutating func add(
        _ uses: [PolicyUse], of key: EntryName, keepingFrom oldest: Int64
    ) throws(VaultError) {
        try expectWritable()
        guard !uses.isEmpty else { return }
        var rows = try useRows(of: key)
        let leaf = PolicyUseRow.leaf(of: key)
        let changes = try rows.add(uses, keepingFrom: oldest)
        try change { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.write(keepsEntries: true) { (transaction: inout VaultTransaction) throws(VaultError) in
                for name in changes.removed { try transaction.removeRow(name, of: PolicyUseRow.self, in: leaf) }
                for row in changes.written {
                    try transaction.removeRow(row.rowName, of: PolicyUseRow.self, in: leaf)
                    try transaction.add(row, to: leaf)
                }
            }
        }
    }
}

/// The rows with the uses of one key, as its bucket has them.
struct PolicyUseRows {
    private let key: EntryName
    private var rows: [PolicyUseRow] = []

    init(_ key: EntryName) { self.key = key }

    var uses: [PolicyUse] { rows.flatMap(\.uses) }

    /// Takes a row of the bucket. Rows of other names are left out.
    /// - Throws: `damaged(.row(.counters))` for a gap, or times that are not in order.
    mutating func visit(_ row: borrowing SQLiteRow) throws(VaultError) {
        guard let next = try PolicyUseRow.read(row, of: key) else { return }
        if let last = rows.last {
            guard last.number < .max, next.number == last.number + 1, let time = last.uses.last?.time,
                next.uses.allSatisfy({ $0.time >= time })
            else { throw .damaged(.counters) }
        }
        rows.append(next)
    }

    /// Adds uses to the last row, or to new rows after it, and removes rows with old uses only.
    /// - Returns: the names of the removed rows, and the rows to write.
    mutating func add(
        _ uses: [PolicyUse], keepingFrom oldest: Int64
    ) throws(VaultError) -> (removed: [String], written: [PolicyUseRow]) {
        var removed: [String] = []
        // The last row stays, because the next number follows from it.
        while rows.count > 1, let first = rows.first, first.uses.allSatisfy({ $0.time < oldest }) {
            removed.append(first.rowName)
            rows.removeFirst()
        }
        guard rows.reduce(uses.count, { $0 + $1.uses.count }) <= PolicyUse.maximumCount else {
            throw .input(.policyUsesFull(maximum: PolicyUse.maximumCount))
        }
        var written: Set<UInt32> = []
        for use in uses {
            var last = rows.popLast() ?? PolicyUseRow(key, number: 0)
            if !last.append(use) {
                guard last.number < .max else { throw .damaged(.counters) }
                rows.append(last)
                last = PolicyUseRow(key, number: last.number + 1)
                _ = last.append(use)
            }
            written.insert(last.number)
            rows.append(last)
        }
        return (removed, rows.filter { written.contains($0.number) })
    }
}
