/// The canonical bytes of a row: the input of digests and associated data. The encoding is
/// self-delimiting, so that no two lists of columns have the same bytes (VaultFormat.md, "Row
/// encoding").
struct RowEncoder {
    private(set) var bytes: [UInt8] = []

    private enum Tag: UInt8 {
        case null = 0
        case integer = 1
        case text = 3
        case blob = 4
    }

    /// Starts with a domain string of 16 bytes, so that bytes for one purpose are never valid for
    /// another.
    init(_ domain: Domain) { bytes = domain.bytes }

    /// Starts the row of a table in the manifest.
    init(rowOf table: VaultTable) { restart(rowOf: table) }

    /// Starts again, and keeps the allocated memory.
    mutating func restart(rowOf table: VaultTable) {
        bytes.removeAll(keepingCapacity: true)
        append(raw: Domain.row.bytes)
        append(raw: table.number)
    }

    mutating func beginRow(columnCount: UInt8) { bytes.append(columnCount) }

    mutating func appendNull() { bytes.append(Tag.null.rawValue) }

    mutating func append(integer: Int64) {
        bytes.append(Tag.integer.rawValue)
        append(raw: integer)
    }

    /// A row with its number of columns.
    mutating func append(row values: [SQLiteValue]) {
        beginRow(columnCount: UInt8(truncatingIfNeeded: values.count))
        for value in values {
            switch value {
            case .null: appendNull()
            case .integer(let integer): append(integer: integer)
            case .text(let text): append(text: text.utf8)
            case .blob(let bytes): append(blob: bytes)
            }
        }
    }

    mutating func append(text: some Collection<UInt8>) { append(Tag.text, text) }

    mutating func append(blob: some Collection<UInt8>) { append(Tag.blob, blob) }

    /// A fixed-width integer without a tag, little-endian.
    mutating func append(raw integer: some FixedWidthInteger) {
        unsafe withUnsafeBytes(of: integer.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    /// Bytes of a fixed length, without a tag.
    mutating func append(raw more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

    private mutating func append(_ tag: Tag, _ value: some Collection<UInt8>) {
        bytes.append(tag.rawValue)
        // SQLITE_LIMIT_LENGTH keeps values far below 2^32 bytes.
        append(raw: UInt32(truncatingIfNeeded: value.count))
        bytes.append(contentsOf: value)
    }
}

/// The purpose of bytes that are hashed or sealed: 16 ASCII bytes before them.
struct Domain {
    let bytes: [UInt8]

    private init(_ text: StaticString) {
        unsafe bytes = [UInt8](UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    static let place = Domain("eosvault.place.1")
    static let row = Domain("eosvault.row...1")
    static let leaf = Domain("eosvault.leaf..1")
    static let root = Domain("eosvault.root..1")
    static let entry = Domain("eosvault.entry.1")
    static let slot = Domain("eosvault.slot..1")
    static let check = Domain("eosvault.check.1")
    static let keyFile = Domain("eosvault.kfile.1")
    static let recovery = Domain("eosvault.recov.1")
    static let tpm = Domain("eosvault.tpm...1")
    static let tpmAuthorization = Domain("eosvault.tpmau.1")
    static let fido2 = Domain("eosvault.fido2.1")
    static let audit = Domain("eosvault.audit.1")
    static let auditKey = Domain("eosvault.akeys.1")
    static let archive = Domain("eosvault.alog..1")
}
