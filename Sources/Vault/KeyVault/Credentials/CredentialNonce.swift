import Codecs

/// The last nonce of a credential: a row of the table `counters` (VaultFormat.md, "Credentials").
/// It is outside of the sealed entry, so that a request opens the entry once and does not write it.
/// The manifest proves it.
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

    static let table = VaultTable.counters
    private static let version: UInt8 = 1
    private static let prefix = "nonce:"
    /// The bytes of a name.
    static let nameCounts = prefix.utf8.count + 1...prefix.utf8.count + EntryName.maximumCount
    /// The bytes of a value.
    static let valueCount = 17

    /// Whether a row of the table has a nonce.
    static func isName(_ name: String) -> Bool { name.hasPrefix(prefix) }

    static func rowName(of credential: EntryName) -> String { prefix + credential.text }

    var rowName: String { Self.rowName(of: credential) }
    var values: [SQLiteValue] {
        [.blob([Self.version] + last.littleEndianBytes + generation.littleEndianBytes)]
    }

    /// Reads a row; nil for a row that is not of a nonce.
    /// - Throws: `damaged(.row(.counters))` for a value that no writer of this version produces.
    static func read(name: String, value: @autoclosure () -> [UInt8]?) throws(VaultError) -> CredentialNonce? {
        guard isName(name), let credential = EntryName(String(name.dropFirst(prefix.count))) else {
            return nil
        }
        do {
            return try ByteReader.readStored(value() ?? [], version: version) { reader throws(AuditEvent.BodyError) in
                CredentialNonce(credential: credential, last: try reader.read(), generation: try reader.readCount())
            }
        } catch { throw .damaged(.counters) }
    }
}

/// The last nonces of all credentials.
struct CredentialNonces: TableContent {
    private(set) var nonces: [EntryName: CredentialNonce] = [:]

    var rows: [any TableRow] { Array(nonces.values) }

    mutating func visit(_ row: borrowing some RowColumns & ~Copyable) throws(VaultError) {
        guard let name = row.text(1), let nonce = try CredentialNonce.read(name: name, value: row.blob(2)) else {
            return
        }
        nonces[nonce.credential] = nonce
    }
}

extension EntryRow {
    /// The description, with the last nonce of a credential as the file has it, not verified.
    func unverifiedDescription(in connection: SQLiteConnection) throws(VaultError) -> EntryDescription {
        guard kind == .credential else { return description }
        var found: CredentialNonce?
        try CredentialNonce.visit(CredentialNonce.rowName(of: name), in: connection) { row throws(VaultError) in
            found = try CredentialNonce.read(name: row.text(1) ?? "", value: row.blob(2))
        }
        return description(lastNonce: found?.last)
    }
}
