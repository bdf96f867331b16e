import Curves

/// What an entry contains.
public enum EntryKind: Hashable, Sendable {
    /// A private key: its scalar, 32 bytes.
    case privateKey(Curve)
    /// A kind of a later version: it can be listed, but not opened.
    case other(UInt8)

    var number: UInt8 {
        switch self {
        case .privateKey(let curve): curve.rawValue
        case .other(let number): number
        }
    }

    init(number: UInt8) {
        self = Curve(rawValue: number).map(Self.privateKey) ?? .other(number)
    }
}

/// What is known of an entry without opening it. It is verified unless the name of the function
/// that returned it contains `unverified`.
public struct EntryDescription: Hashable, Sendable {
    /// The public key as `PublicKey.text` writes it: `EOS…` for K1, `PUB_R1_…` for R1.
    public let name: String
    public let kind: EntryKind
    public let label: Label?
    /// Seconds since 1970.
    public let createdAt: Int64
}

/// A row of the table `entries`.
struct EntryRow: Equatable {
    static let columns = "bucket, name, kind, label, created_at, generation, details, nonce, sealed"
    static let maximumNameCount = 128

    let bucket: Int
    let name: String
    let kind: EntryKind
    var label: Label?
    let createdAt: Int64
    /// The vault's generation in which the entry was added. Sealing the row again does not change
    /// it, because backups are compared with it.
    let generation: Int64
    /// Public bytes that depend on the kind. For a private key: the vault's generation in which the
    /// row was sealed last; empty before version 3.
    var details: [UInt8]
    var nonce: [UInt8] = []
    var sealed: [UInt8] = []

    var description: EntryDescription { EntryDescription(name: name, kind: kind, label: label, createdAt: createdAt) }

    /// A new row, not sealed yet.
    init(name: String, kind: EntryKind, label: Label?, createdAt: Int64, generation: Int64) {
        self.bucket = VaultTable.entries.bucket(of: name)
        self.name = name
        self.kind = kind
        self.label = label
        self.createdAt = createdAt
        self.generation = generation
        details = []
    }

    /// Reads a row of `columns`.
    /// - Throws: `damaged(.row(.entries))` for values that no writer of this version produces, or
    ///   that are not safe to print on a terminal.
    init(_ row: borrowing SQLiteRow) throws(VaultError) {
        guard let bucket = row.integer(0), let name = row.text(1),
            let kind = row.integer(2).flatMap(UInt8.init(exactly:)),
            let createdAt = row.integer(4), let generation = row.integer(5), let details = row.blob(6),
            let nonce = row.blob(7),
            let sealed = row.blob(8), Self.isName(name), bucket == Int64(VaultTable.entries.bucket(of: name)),
            VaultFormat.allowedTimes.contains(createdAt), generation >= 0, nonce.count == Sodium.nonceCount
        else { throw .integrity(.damaged(.row(.entries))) }
        self.bucket = Int(bucket)
        self.name = name
        self.kind = EntryKind(number: kind)
        self.createdAt = createdAt
        self.generation = generation
        self.details = details
        self.nonce = nonce
        self.sealed = sealed
        if row.isNull(3) {
            label = nil
        } else {
            guard let text = row.text(3) else { throw .integrity(.damaged(.row(.entries))) }
            do { label = try Label(text) } catch { throw .integrity(.damaged(.row(.entries))) }
        }
    }

    /// Whether a name has 1 to 128 letters, digits and `_`. Such a name is safe to print, whatever
    /// else the file contains.
    static func isName(_ name: String) -> Bool {
        (1...maximumNameCount).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// All columns except the nonce and the sealed secret. The seal binds the secret to these
    /// columns and to the vault.
    func associatedData(version: UInt32, vaultID: [UInt8]) -> [UInt8] {
        var encoder = RowEncoder(.entry)
        encoder.append(raw: version)
        encoder.append(raw: vaultID)
        encoder.beginRow(columnCount: 7)
        encodePublicColumns(into: &encoder)
        return encoder.bytes
    }

    /// Encodes the whole row, with the same bytes as `SQLiteRow.encode` for the stored row.
    func encode(into encoder: inout RowEncoder) {
        encoder.beginRow(columnCount: 9)
        encodePublicColumns(into: &encoder)
        encoder.append(blob: nonce)
        encoder.append(blob: sealed)
    }

    private func encodePublicColumns(into encoder: inout RowEncoder) {
        encoder.append(integer: Int64(bucket))
        encoder.append(text: name.utf8)
        encoder.append(integer: Int64(kind.number))
        if let label { encoder.append(text: label.text.utf8) } else { encoder.appendNull() }
        encoder.append(integer: createdAt)
        encoder.append(integer: generation)
        encoder.append(blob: details)
    }

    static func remove(_ name: String, in connection: SQLiteConnection) throws(VaultError) {
        try connection.run(
            "DELETE FROM entries WHERE bucket = ?1 AND name = ?2",
            [.integer(Int64(VaultTable.entries.bucket(of: name))), .text(name)])
    }

    func insert(in connection: SQLiteConnection) throws(VaultError) {
        try connection.run(
            "INSERT INTO entries (\(Self.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            [
                .integer(Int64(bucket)), .text(name), .integer(Int64(kind.number)),
                label.map { .text($0.text) } ?? .null,
                .integer(createdAt), .integer(generation), .blob(details), .blob(nonce), .blob(sealed),
            ])
    }
}

extension EntryRow {
    /// Whether the row is before the other one in the file: by bucket, then by name, byte by byte.
    func precedes(_ other: EntryRow) -> Bool {
        bucket != other.bucket ? bucket < other.bucket : name.utf8.lexicographicallyPrecedes(other.name.utf8)
    }
}

extension [EntryDescription] {
    /// The entries in order of creation time, then of name.
    var inOrderOfCreation: [EntryDescription] {
        sorted { left, right in
            left.createdAt != right.createdAt ? left.createdAt < right.createdAt : left.name < right.name
        }
    }
}
