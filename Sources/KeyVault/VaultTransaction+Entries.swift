import Curves
import SecureMemory

extension VaultTransaction {
    /// Seals a key into a new entry.
    /// - Parameters:
    ///   - label: unique in the vault.
    ///   - createdAt: seconds since 1970.
    ///   - origin: how the audit log records the key.
    /// - Returns: the entry. Use it only after the end of the transaction.
    /// - Throws: `keyExists`, `labelExists`, `labelAlike`, `timeOutOfRange`, `manifestMismatch`.
    @discardableResult
    package mutating func insert(
        _ key: borrowing PrivateKey, label: Label?, createdAt: Int64, origin: KeyOrigin = .created
    ) throws(VaultError) -> EntryDescription {
        var row = EntryRow(
            name: EntryName(key.publicKey), kind: .privateKey(key.curve), label: label, createdAt: createdAt,
            generation: nextGeneration)
        key.withScalar { scalar in row.seal(scalar, sealContext, generation: nextGeneration) }
        return try insert(row, origin: origin)
    }

    /// Seals the secret of an entry of any supported kind.
    /// - Parameters:
    ///   - details: the public details that only this kind has.
    /// - Throws: `entryDamaged(.key)` when the secret does not belong to the name;
    ///   `unsupportedKind`; what inserting a key throws.
    @discardableResult
    mutating func insert(
        _ secret: consuming SecureBytes, _ name: EntryName, _ kind: EntryKind, details: [UInt8] = [], label: Label?,
        createdAt: Int64, origin: KeyOrigin = .created
    ) throws(VaultError) -> EntryDescription {
        guard let payload = kind.payload else { throw .input(.unsupportedKind(kind.number)) }
        var row = EntryRow(
            name: name, kind: kind, label: label, createdAt: createdAt, generation: nextGeneration,
            details: [UInt8](repeating: 0, count: EntryRow.sealingCount) + details)
        let secret = try payload.verified(secret, of: row.description)
        secret.withBytes { bytes in row.seal(bytes, sealContext, generation: nextGeneration) }
        return try insert(row, origin: origin)
    }

    /// Adds a sealed row.
    private mutating func insert(_ row: EntryRow, origin: KeyOrigin) throws(VaultError) -> EntryDescription {
        try expectWritable()
        guard VaultFormat.allowedTimes.contains(row.createdAt) else { throw .machine(.timeOutOfRange) }
        guard try !contains(row.name.text, in: .entries) else { throw .input(.keyExists) }
        if let label = row.label { try expectFree(label, allowingAlike: origin == .rescued) }
        guard manifest.entryCount < Int64.max else { throw .damaged(.vault) }
        try change { transaction throws(VaultError) in
            try transaction.write { transaction throws(VaultError) in
                try transaction.add(row)
                transaction.manifest.entryCount += 1
            }
            if let event = origin.event(of: row.name) { try transaction.record(event) }
        }
        return row.description
    }

    /// Changes or removes the label of an entry. The secret is sealed again.
    /// - Returns: the entry as it is after the end of the transaction.
    /// - Throws: `noSuchKey`, `labelExists`, `labelAlike`, `entryDamaged`, `manifestMismatch`.
    @discardableResult
    package mutating func rename(_ name: EntryName, to label: Label?) throws(VaultError) -> EntryDescription {
        try expectWritable()
        let row = try row(named: name)
        guard row.label != label else { return row.description }
        if let label { try expectFree(label, insteadOf: row.label) }
        let renamed = try row.resealed(from: sealContext, to: sealContext, label: label, generation: nextGeneration)
        try change { transaction throws(VaultError) in
            try transaction.write { transaction throws(VaultError) in
                try transaction.remove(row)
                try transaction.add(renamed)
            }
            try transaction.record(.renamed(key: row.name, from: row.label, to: label))
        }
        return renamed.description
    }

    /// Removes an entry. No copy of it stays in this file.
    /// - Parameter neverBackedUp: also removes an entry that no verified backup contains.
    /// - Throws: `noSuchKey`, `neverBackedUp`, `manifestMismatch`.
    package mutating func remove(_ name: EntryName, neverBackedUp: Bool = false) throws(VaultError) {
        try expectWritable()
        let row = try row(named: name)
        if !neverBackedUp { guard try row.isHeld(by: lastBackup()) else { throw .input(.neverBackedUp) } }
        guard manifest.entryCount > 0 else { throw .damaged(.vault) }
        try change { transaction throws(VaultError) in
            try transaction.write { transaction throws(VaultError) in
                try transaction.remove(row)
                transaction.manifest.entryCount -= 1
            }
            try transaction.record(.removed(key: row.name))
        }
    }

    /// Writes the entry and its label. The caller has checked that both names are free.
    /// Refuses a label that another entry has, and one that differs from another only in spelling.
    /// - Parameters:
    ///   - old: the label that it replaces.
    ///   - allowingAlike: whether both labels are from a vault that had them.
    private mutating func expectFree(
        _ label: Label, insteadOf old: Label? = nil, allowingAlike: Bool = false
    ) throws(VaultError) {
        guard try !contains(label.text, in: .labels) else { throw .input(.labelExists) }
        guard !allowingAlike else { return }
        if spellings == nil { spellings = try LabelSpellings(in: connection) }
        var others = spellings
        if let old { others?.remove(old) }
        guard others?.contains(label) != true else { throw .input(.labelAlike) }
    }

    private mutating func add(_ row: EntryRow) throws(VaultError) {
        let leaf = Manifest.Leaf(of: row.name.text, in: .entries)
        try load(leaf)
        try row.insert(in: connection)
        add(row.name.text, leaf) { row.encode(into: &$0) }
        if let label = row.label {
            try load(Manifest.Leaf(of: label.text, in: .labels))
            let labelRow = LabelRow(label: label, name: row.name)
            try labelRow.insert(in: connection)
            spellings?.add(label)
            add(label.text, Manifest.Leaf(of: label.text, in: .labels)) { labelRow.encode(into: &$0) }
        }
    }

    /// Removes the entry and its label.
    private mutating func remove(_ row: EntryRow) throws(VaultError) {
        guard try contains(row.name.text, in: .entries) else { throw .input(.noSuchKey) }
        try row.remove(in: connection)
        remove(row.name.text, Manifest.Leaf(of: row.name.text, in: .entries))
        if let label = row.label {
            guard try contains(label.text, in: .labels) else { throw .damaged(.labels) }
            try LabelRow.remove(label.text, in: connection)
            spellings?.remove(label)
            remove(label.text, Manifest.Leaf(of: label.text, in: .labels))
        }
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
