/// A description of an entry that was not opened. It is verified unless the name of the function
/// that returned it contains `unverified`.
package struct EntryDescription: Hashable, Sendable {
    package let name: EntryName
    package let kind: EntryKind
    package let label: Label?
    /// Seconds since 1970.
    package let createdAt: Int64
    /// The public details that only this kind has.
    let details: [UInt8]
    /// The last nonce of a credential; 0 for none. Nil for any other entry, and where it was not
    /// read.
    package let lastNonce: UInt64?

    /// True if the entry is a private key. Every other kind is counted and listed, but can't sign.
    package var isKey: Bool { kind.isKey }

    /// The facts that `show` prints in addition to the label and the time.
    package var facts: [EntryFact] {
        kind.payload?.facts(of: self) ?? [
            EntryFact(field: "name", value: name.text, title: "name"),
            EntryFact(field: "kind", value: "\(kind.number)", title: "kind"),
        ]
    }
}

/// A row of the table `entries`.
struct EntryRow: TableRow, Equatable {
    static let table = VaultTable.entries

    let name: EntryName
    let kind: EntryKind
    var label: Label?
    let createdAt: Int64
    /// The vault's generation in which the entry was added. Sealing the row again does not change
    /// it, because backups are compared with it.
    let generation: Int64
    /// The vault's generation in which the row was sealed last, then what only the kind has.
    var details: [UInt8] = []
    /// Empty in a new row, which is not sealed yet.
    var nonce: [UInt8] = []
    var sealed: [UInt8] = []

    var description: EntryDescription { description(lastNonce: nil) }

    func description(lastNonce: UInt64?) -> EntryDescription {
        EntryDescription(
            name: name, kind: kind, label: label, createdAt: createdAt, details: ownDetails,
            lastNonce: lastNonce)
    }
}

extension EntryRow {
    /// Reads a row.
    /// - Throws: `damaged(.row(.entries))` for values that no writer of this version produces, or
    ///   that are not safe to print on a terminal.
    init(_ row: borrowing some RowColumns & ~Copyable) throws(VaultError) {
        guard let read = EntryRow(inAnyBucket: row), row.integer(0) == Int64(read.bucket) else {
            throw .damaged(.entries)
        }
        self = read
    }

    /// Reads the columns after the bucket.
    init?(inAnyBucket row: borrowing some RowColumns & ~Copyable) {
        guard let name = row.text(1).flatMap({ EntryName($0) }),
            let kind = row.integer(2).flatMap(UInt8.init(exactly:)),
            let createdAt = row.integer(4), let generation = row.integer(5), let details = row.blob(6),
            let nonce = row.blob(7), let sealed = row.blob(8),
            VaultFormat.allowedTimes.contains(createdAt), generation >= 0, nonce.count == Sodium.nonceCount
        else { return nil }
        var label: Label?
        if !row.isNull(3) {
            label = row.text(3).flatMap { try? Label(stored: $0) }
            guard label != nil else { return nil }
        }
        self.init(
            name: name, kind: EntryKind(number: kind), label: label, createdAt: createdAt,
            generation: generation,
            details: details, nonce: nonce, sealed: sealed)
    }

    /// All columns except the nonce and the sealed secret. The seal binds the secret to these
    /// columns and to the vault.
    func associatedData(vaultID: [UInt8]) -> [UInt8] {
        var encoder = RowEncoder(.entry)
        encoder.append(raw: VaultFormat.version)
        encoder.append(raw: vaultID)
        encoder.append(row: [.integer(Int64(bucket)), .text(rowName)] + publicValues)
        return encoder.bytes
    }

    var rowName: String { name.text }
    var values: [SQLiteValue] { publicValues + [.blob(nonce), .blob(sealed)] }

    private var publicValues: [SQLiteValue] {
        [
            .integer(Int64(kind.number)), label.map { .text($0.text) } ?? .null, .integer(createdAt),
            .integer(generation), .blob(details),
        ]
    }
}

extension EntryDescription {
    func isMade(before other: EntryDescription) -> Bool {
        createdAt != other.createdAt ? createdAt < other.createdAt : name < other.name
    }
}

extension [EntryDescription] {
    /// The entries in order of creation time, then of name.
    var inOrderOfCreation: [EntryDescription] {
        sorted { $0.isMade(before: $1) }
    }
}

extension VaultTable {
    package static let entries = named(
        3, "entries",
        [
            "kind INTEGER NOT NULL", "label TEXT", "created_at INTEGER NOT NULL",
            "generation INTEGER NOT NULL",
            "details BLOB NOT NULL", "nonce BLOB NOT NULL", "sealed BLOB NOT NULL",
        ], isBucketed: true)
}
