import Keys
import SecureMemory

extension VaultTransaction {
    /// Seals a key into a new entry.
    /// - Parameters:
    ///   - label: unique in the vault.
    ///   - createdAt: seconds since 1970.
    ///   - origin: how the audit log records the key.
    ///   - seed: the seed that the key was derived from, and the path.
    /// - Returns: the entry. Use it only after the end of the transaction.
    /// - Throws: `keyExists`, `labelExists`, `labelAlike`, `timeOutOfRange`, `manifestMismatch`.
    @discardableResult
    package mutating func insert(
        _ key: borrowing PrivateKey, label: Label?, createdAt: Int64, origin: KeyOrigin = .created,
        from seed: SeedOrigin? = nil
    ) throws(VaultError) -> EntryDescription {
        var row = EntryRow(
            name: EntryName(key.publicKey), kind: .privateKey(key.curve), label: label, createdAt: createdAt,
            generation: nextGeneration, details: seed.map { EntryRow.unsealed($0.details) } ?? [])
        try key.withScalar { scalar throws(VaultError) in
            try row.seal(scalar, sealContext, generation: nextGeneration)
        }
        return try insert(row, origin: origin)
    }

    /// Runs a step that inserts many entries: the keys of the vault are lent once for all of them.
    /// It must not wait for anything, because a lock of the vault waits for it.
    package mutating func insertingOften<Result, Failure: VaultFailure>(
        _ body: (inout VaultTransaction) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let keys = keys
        return try keys.lendAll { () throws(Failure) in try body(&self) }
    }

    /// Seals the secret of an entry of any supported kind, or of a rescued entry of any kind.
    /// - Parameters:
    ///   - details: the public details that only this kind has.
    ///   - lastNonce: for a credential.
    /// - Throws: `entryDamaged(.key)` when the secret does not belong to the name;
    ///   `unsupportedKind`; what inserting a key throws.
    @discardableResult
    mutating func insert(
        _ secret: consuming SecureBytes, _ name: EntryName, _ kind: EntryKind, details: [UInt8] = [],
        lastNonce: UInt64? = nil, label: Label?, createdAt: Int64, origin: KeyOrigin = .created
    ) throws(VaultError) -> EntryDescription {
        guard kind.payload != nil || origin == .rescued else { throw .input(.unsupportedKind(kind.number)) }
        var row = EntryRow(
            name: name, kind: kind, label: label, createdAt: createdAt, generation: nextGeneration,
            details: EntryRow.unsealed(details))
        try secret.withBytes { bytes throws(VaultError) in
            try kind.check(bytes, of: row.description)
            try row.seal(bytes, sealContext, generation: nextGeneration)
        }
        return try insert(row, lastNonce: lastNonce, origin: origin)
    }

    /// Adds a sealed row.
    private mutating func insert(
        _ row: EntryRow, lastNonce: UInt64? = nil, origin: KeyOrigin
    ) throws(VaultError) -> EntryDescription {
        try expectWritable()
        guard VaultFormat.allowedTimes.contains(row.createdAt) else { throw .machine(.timeOutOfRange) }
        guard try !buckets.contains(row.name.text, in: Manifest.Leaf(of: row.name.text, in: .entries)) else {
            throw .input(.keyExists)
        }
        if let label = row.label { try expectFree(label, allowingAlike: origin == .rescued) }
        guard manifest.entryCount < Int64.max else { throw .damaged(.vault) }
        try change(recording: origin.event(of: row.name)) { transaction throws(VaultError) in
            try transaction.addEntry(row)
            if let lastNonce {
                let generation = origin == .rescued ? 0 : transaction.nextGeneration
                try transaction.set(nonce: lastNonce, of: row.name, generation: generation)
            }
            transaction.buckets.manifest.entryCount += 1
        }
        return row.description(lastNonce: lastNonce)
    }

    /// Changes or removes the label of an entry. The secret is sealed again.
    /// - Returns: the entry as it is after the end of the transaction.
    /// - Throws: `noSuchKey`, `labelExists`, `labelAlike`, `entryDamaged`, `manifestMismatch`.
    @discardableResult
    package mutating func rename(_ name: EntryName, to label: Label?) throws(VaultError) -> EntryDescription {
        try expectWritable()
        let row = try row(named: name)
        guard row.label != label else { return try buckets.description(of: row) }
        if let label { try expectFree(label, insteadOf: row.label) }
        let renamed = try row.resealed(
            from: sealContext, to: sealContext, label: label, generation: nextGeneration)
        let event = AuditEvent.renamed(key: row.name, from: row.label, to: label)
        try replace(row, by: renamed, recording: event)
        return try buckets.description(of: renamed)
    }

    /// Replaces the row of an entry.
    mutating func replace(
        _ old: EntryRow, by new: EntryRow, recording event: AuditEvent?
    ) throws(VaultError) {
        try change(recording: event) { transaction throws(VaultError) in
            try transaction.removeEntry(old)
            try transaction.addEntry(new)
        }
    }

    /// Removes an entry. No copy of it stays in this file. The policies of a key, and its uses of
    /// their limits, stay.
    /// - Parameters:
    ///   - neverBackedUp: also removes an entry that no verified backup contains.
    ///   - proof: the proof of the second method of the key's policies.
    /// - Throws: `noSuchKey`, `neverBackedUp`, `secondMethodNeeded`, `policySet`,
    ///   `manifestMismatch`.
    package mutating func remove(
        _ name: EntryName, neverBackedUp: Bool = false, proof: SecondUnlock? = nil
    ) throws(VaultError) {
        try expectWritable()
        let row = try row(named: name)
        try expectRelease(of: name, proof: proof)
        // The tokens of a key keep it.
        if !neverBackedUp, !row.kind.isInTokens {
            guard try buckets.status(of: row).isBackedUp else { throw .input(.neverBackedUp(row.kind)) }
        }
        guard manifest.entryCount > 0 else { throw .damaged(.vault) }
        try change(recording: .removed(key: row.name)) { transaction throws(VaultError) in
            try transaction.removeEntry(row)
            try transaction.set(nonce: nil, of: name)
            transaction.buckets.manifest.entryCount -= 1
        }
    }

    /// Refuses a label that another entry has, and one that differs from another only in spelling.
    /// - Parameters:
    ///   - old: the label that it replaces.
    ///   - allowingAlike: true if both labels are from a vault that had them.
    private mutating func expectFree(
        _ label: Label, insteadOf old: Label? = nil, allowingAlike: Bool = false
    ) throws(VaultError) {
        guard try !buckets.contains(label.text, in: Manifest.Leaf(of: label.text, in: .labels)) else {
            throw .input(.labelExists)
        }
        guard !allowingAlike else { return }
        if spellings == nil { spellings = try LabelSpellings(in: connection) }
        var others = spellings
        if let old { others?.remove(old) }
        guard others?.contains(label) != true else { throw .input(.labelAlike) }
    }

    /// Writes the entry and its label. The caller has checked that both names are free.
    private mutating func addEntry(_ row: EntryRow) throws(VaultError) {
        try buckets.add(row)
        guard let label = row.label else { return }
        try buckets.add(LabelRow(label: label, name: row.name))
        spellings?.add(label)
    }

    /// Removes the entry and its label.
    private mutating func removeEntry(_ row: EntryRow) throws(VaultError) {
        guard try buckets.remove(row.rowName, of: EntryRow.self) else { throw .input(.noSuchKey) }
        guard let label = row.label else { return }
        guard try buckets.remove(label.text, of: LabelRow.self) else { throw .damaged(.labels) }
        spellings?.remove(label)
    }
}

/// How a key came into the vault.
package enum KeyOrigin: Sendable {
    /// The key was generated in this vault.
    case created
    /// The key existed elsewhere before.
    case imported
    /// The key came from a damaged vault; one record covers all rescued keys.
    case rescued

    /// The event that the audit log records; nil when there is none for a single key.
    fileprivate func event(of name: EntryName) -> AuditEvent? {
        switch self {
        case .created: .created(key: name)
        case .imported: .imported(key: name)
        case .rescued: nil
        }
    }
}
