import Files

/// SQLite's header of 100 bytes and the header of the schema's page after it, checked before SQLite
/// parses any part of the file (https://sqlite.org/fileformat2.html#the_database_header).
enum VaultHeader {
    static let count = 108
    static let magic = SQLiteFile.magic

    /// Refuses bytes that are not the beginning of a vault in the supported version.
    /// - Throws: `notAVault`, `newerVersion`, `damaged(.header)`. The checks are in this order:
    ///   magic, application, version, the rest.
    static func verify(_ bytes: [UInt8]) throws(VaultError) {
        guard !bytes.isEmpty else { throw .file(.notAVault(.empty)) }
        guard bytes.starts(with: magic.prefix(bytes.count)) else {
            throw .file(.notAVault(.notSQLite))
        }
        guard bytes.count == count else { throw .file(.notAVault(.tooShort(count: bytes.count))) }
        let application: UInt32 = bytes.bigEndian(at: 68)
        guard application == VaultFormat.applicationID else {
            throw .file(.notAVault(.applicationID(application)))
        }
        let version: UInt32 = bytes.bigEndian(at: 60)
        guard version != 0 else { throw .file(.notAVault(.noVersion)) }
        guard version <= VaultFormat.version else {
            throw .file(.newerVersion(found: version, supported: VaultFormat.version))
        }
        for (offset, expected) in fixedBytes where bytes[offset] != expected {
            throw .integrity(.damaged(.header(offset: offset)))
        }
        // The number of pages. If it were 0, SQLite would guess it from the length.
        guard bytes[28..<32].contains(where: { $0 != 0 }) else {
            throw .integrity(.damaged(.header(offset: 28)))
        }
        // The schema is one leaf page with a cell for each table. SQLite would keep a schema of a
        // million tables in memory.
        guard bytes[100] == 0x0d, bytes[103] == 0, Int(bytes[104]) == VaultTable.all.count else {
            throw .integrity(.schemaAltered)
        }
    }

    /// Page size 4,096, rollback journal, no reserved bytes, the payload fractions, schema format
    /// 4, no suggested cache size, no auto-vacuum, UTF-8, zeros.
    private static let fixedBytes: [(Int, UInt8)] =
        [(16, 0x10), (17, 0), (18, 1), (19, 1), (20, 0), (21, 64), (22, 32), (23, 32)]
        + word(44, 4) + word(48, 0) + word(52, 0) + word(56, 1) + word(64, 0) + (72..<92).map { ($0, 0) }

    private static func word(_ offset: Int, _ low: UInt8) -> [(Int, UInt8)] {
        [(offset, 0), (offset + 1, 0), (offset + 2, 0), (offset + 3, low)]
    }
}
