import Codecs

/// The last nonce of a credential: a row of the table `nonces` (VaultFormat.md, "Credentials"). It
/// is outside of the sealed entry, so that a request opens the entry once and does not write it.
/// The table has nothing else, so that a request verifies a few short rows. The manifest proves it.
struct CredentialNonce: TableRow, Equatable {
    /// The name of the credential's entry.
    let credential: EntryName
    /// The last nonce that was used; 0 for none.
    let last: UInt64
    /// The vault's generation in which the nonce was taken, or the credential was added. 0 in a
    /// rescued vault, which may lack nonces.
    let generation: Int64

    /// The next nonce: the clock, or the last nonce plus one if the clock is not greater.
    /// - Parameters:
    ///   - clock: the time in the credential's unit.
    ///   - given: a nonce that the user chose.
    /// - Throws: `nonceUsed`, `noNonceLeft`.
    func next(clock: UInt64, given: UInt64?) throws(VaultError) -> UInt64 {
        guard last < .max else { throw .input(.noNonceLeft) }
        if let given, given <= last { throw .input(.nonceUsed(last: last)) }
        return given ?? max(clock, last + 1)
    }

    // MARK: the row

    static let table = VaultTable.nonces
    private static let version: UInt8 = 1
    /// The bytes of a value.
    static let valueCount = 17

    var rowName: String { credential.text }
    var values: [SQLiteValue] {
        [.blob([Self.version] + last.littleEndianBytes + generation.littleEndianBytes)]
    }

    /// Reads a row; nil for a name that no entry has.
    /// - Throws: `damaged(.row(.nonces))` for a value that no writer of this version produces.
    static func read(_ row: borrowing some RowColumns & ~Copyable) throws(VaultError) -> CredentialNonce? {
        guard let credential = row.text(1).flatMap({ EntryName($0) }) else { return nil }
        do {
            return try ByteReader.readStored(row.blob(2) ?? [], version: version) {
                reader throws(AuditEvent.BodyError) in
                CredentialNonce(
                    credential: credential, last: try reader.read(), generation: try reader.readCount())
            }
        } catch { throw .damaged(table) }
    }
}

extension VaultTable {
    package static let nonces = named(13, "nonces", isBucketed: true)
}

/// The last nonces of all credentials.
struct CredentialNonces: TableContent {
    static let table = CredentialNonce.table

    private(set) var nonces: [EntryName: CredentialNonce] = [:]

    var rows: [any TableRow] { Array(nonces.values) }

    mutating func visit(_ row: borrowing some RowColumns & ~Copyable) throws(VaultError) {
        if let nonce = try CredentialNonce.read(row) { nonces[nonce.credential] = nonce }
    }
}

extension RowSource {
    /// The last nonce of a credential; nil when it has none.
    func nonce(of credential: EntryName) throws(VaultError) -> CredentialNonce? {
        try find(credential.text, in: .nonces) { row throws(VaultError) in try CredentialNonce.read(row) }
    }

    /// The description of a row, with the last nonce of a credential.
    func description(of row: EntryRow) throws(VaultError) -> EntryDescription {
        guard row.kind == .credential else { return row.description }
        return row.description(lastNonce: try nonce(of: row.name)?.last)
    }
}

extension ScannedBytes {
    /// Visits each record that has the columns of a nonce.
    func visitNonces(_ visit: (CredentialNonce) -> Void) {
        visitRecords(columnCount: 3) { row, _ in
            guard row.integer(0) != nil, case .blob(let value) = row.record.columns[2],
                value.count == CredentialNonce.valueCount, let nonce = try? CredentialNonce.read(row)
            else { return 0 }
            visit(nonce)
            return 1
        }
    }
}

extension VaultTransaction {
    /// Writes the last nonce of a credential, or removes it, inside a step that writes.
    mutating func set(nonce: UInt64?, of name: EntryName, generation: Int64 = 0) throws(VaultError) {
        let row = CredentialNonce(credential: name, last: nonce ?? 0, generation: generation)
        try buckets.remove(row.rowName, of: CredentialNonce.self)
        if nonce != nil { try buckets.add(row) }
    }
}
