import Curves
import KeyText

extension VaultTransaction {
    /// Seals a key into a new entry.
    /// - Parameters:
    ///   - label: unique in the vault.
    ///   - createdAt: seconds since 1970.
    ///   - origin: how the audit log records the key.
    /// - Returns: the entry. Use it only after the end of the transaction.
    /// - Throws: `keyExists`, `labelExists`, `timeOutOfRange`, `manifestMismatch`.
    @discardableResult
    public mutating func insert(
        _ key: borrowing PrivateKey, label: Label?, createdAt: Int64, origin: KeyOrigin = .created
    ) throws(VaultError) -> EntryDescription {
        try expectWritable()
        guard VaultFormat.allowedTimes.contains(createdAt) else { throw .machine(.timeOutOfRange) }
        let name = key.publicKey.text
        guard try !contains(name, in: .entries) else { throw .input(.keyExists) }
        if let label { guard try !contains(label.text, in: .labels) else { throw .input(.labelExists) } }
        var row = EntryRow(
            name: name, kind: .privateKey(key.curve), label: label, createdAt: createdAt, generation: nextGeneration)
        row.seal(key, sealContext, generation: nextGeneration)
        guard manifest.entryCount < Int64.max else { throw .integrity(.damaged(.row(.vault))) }
        try change { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.write { (transaction: inout VaultTransaction) throws(VaultError) in
                try transaction.add(row)
                transaction.manifest.entryCount += 1
            }
            if let event = origin.event(of: name) { try transaction.record(event) }
        }
        return row.description
    }

    /// Changes or removes the label of an entry. The secret is sealed again.
    /// - Returns: the entry as it is after the end of the transaction.
    /// - Throws: `noSuchKey`, `labelExists`, `entryDamaged`, `manifestMismatch`.
    @discardableResult
    public mutating func rename(_ publicKey: PublicKey, to label: Label?) throws(VaultError) -> EntryDescription {
        try expectWritable()
        let row = try row(named: publicKey.text)
        guard row.label != label else { return row.description }
        if let label { guard try !contains(label.text, in: .labels) else { throw .input(.labelExists) } }
        let renamed = try row.resealed(from: sealContext, to: sealContext, label: label, generation: nextGeneration)
        try change { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.write { (transaction: inout VaultTransaction) throws(VaultError) in
                try transaction.remove(row)
                try transaction.add(renamed)
            }
            try transaction.record(.renamed(key: row.name, from: row.label, to: label))
        }
        return renamed.description
    }

    /// Removes a key. No copy of it stays in this file.
    /// - Parameter neverBackedUp: also removes a key that no verified backup contains.
    /// - Throws: `noSuchKey`, `neverBackedUp`, `manifestMismatch`.
    public mutating func remove(_ publicKey: PublicKey, neverBackedUp: Bool = false) throws(VaultError) {
        try expectWritable()
        let row = try row(named: publicKey.text)
        if !neverBackedUp { guard try isBackedUp(publicKey) else { throw .input(.neverBackedUp) } }
        guard manifest.entryCount > 0 else { throw .integrity(.damaged(.row(.vault))) }
        try change { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.write { (transaction: inout VaultTransaction) throws(VaultError) in
                try transaction.remove(row)
                transaction.manifest.entryCount -= 1
            }
            try transaction.record(.removed(key: row.name))
        }
    }

    /// Writes the entry and its label. The caller has checked that both names are free.
    private mutating func add(_ row: EntryRow) throws(VaultError) {
        try load(Manifest.Leaf(of: row.name, in: .entries))
        try row.insert(in: connection)
        add(row.name, Manifest.Leaf(of: row.name, in: .entries)) { row.encode(into: &$0) }
        if let label = row.label {
            try load(Manifest.Leaf(of: label.text, in: .labels))
            let labelRow = LabelRow(label: label, name: row.name)
            try labelRow.insert(in: connection)
            add(label.text, Manifest.Leaf(of: label.text, in: .labels)) { labelRow.encode(into: &$0) }
        }
    }

    /// Removes the entry and its label.
    private mutating func remove(_ row: EntryRow) throws(VaultError) {
        guard try contains(row.name, in: .entries) else { throw .input(.noSuchKey) }
        try EntryRow.remove(row.name, in: connection)
        remove(row.name, Manifest.Leaf(of: row.name, in: .entries))
        if let label = row.label {
            guard try contains(label.text, in: .labels) else { throw .integrity(.damaged(.row(.labels))) }
            try LabelRow.remove(label.text, in: connection)
            remove(label.text, Manifest.Leaf(of: label.text, in: .labels))
        }
    }
}

/// How a key came into the vault.
public enum KeyOrigin: Sendable {
    /// The key was generated in this vault.
    case created
    /// The key existed elsewhere before.
    case imported
    /// The key came from a damaged vault; one record covers all rescued keys.
    case rescued

    /// The event that the audit log records; nil when there is none for a single key.
    fileprivate func event(of name: String) -> AuditEvent? {
        switch self {
        case .created: .created(key: name)
        case .imported: .imported(key: name)
        case .rescued: nil
        }
    }
}
