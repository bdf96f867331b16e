import CSQLite

/// A value bound to a statement or read from a row.
enum SQLiteValue: Equatable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
}

/// A prepared statement. The connection that made it finalizes it.
@safe
struct SQLiteStatement {
    private let handle: OpaquePointer

    init(handle: OpaquePointer) { unsafe self.handle = handle }

    /// The row of the last step.
    var row: SQLiteRow { unsafe SQLiteRow(handle: handle) }

    func step() -> Int32 { unsafe sqlite3_step(handle) }

    func reset() {
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
    }

    func finalize() { unsafe sqlite3_finalize(handle) }

    func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
        // SQLITE_TRANSIENT, which is not imported: SQLite makes a copy.
        let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: return unsafe sqlite3_bind_null(handle, index)
        case .integer(let integer): return unsafe sqlite3_bind_int64(handle, index, integer)
        case .text(let text):
            var text = text
            return text.withUTF8 { bytes in
                unsafe sqlite3_bind_text64(
                    handle, index, bytes.baseAddress, UInt64(bytes.count), transient, UInt8(SQLITE_UTF8))
            }
        case .blob(let bytes):
            // A null pointer would bind NULL.
            guard !bytes.isEmpty else { return unsafe sqlite3_bind_zeroblob(handle, index, 0) }
            return unsafe sqlite3_bind_blob64(handle, index, bytes, UInt64(bytes.count), transient)
        }
    }
}

/// The current row of a statement, for the closure that visits it. A column is read as its stored
/// type and never converted, because a file can have any type in any column.
@safe
struct SQLiteRow: RowColumns, ~Copyable {
    private let handle: OpaquePointer

    init(handle: OpaquePointer) { unsafe self.handle = handle }

    func integer(_ column: Int32) -> Int64? {
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_INTEGER else { return nil }
        return unsafe sqlite3_column_int64(handle, column)
    }

    /// The text of a column; nil when the column is not valid UTF-8 text.
    func text(_ column: Int32) -> String? {
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_TEXT else { return nil }
        return unsafe String(validating: bytes(column), as: UTF8.self)
    }

    func blob(_ column: Int32) -> [UInt8]? {
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_BLOB else { return nil }
        return unsafe [UInt8](bytes(column))
    }

    func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

    func value(_ column: Int32) -> SQLiteValue? {
        if isNull(column) { return .null }
        if let integer = integer(column) { return .integer(integer) }
        if let text = text(column) { return .text(text) }
        if let blob = blob(column) { return .blob(blob) }
        return nil
    }

    /// All columns; nil when a column has a type that no vault contains.
    var values: [SQLiteValue]? {
        var values: [SQLiteValue] = []
        for column in 0..<(unsafe sqlite3_column_count(handle)) {
            guard let value = value(column) else { return nil }
            values.append(value)
        }
        return values
    }

    /// Appends the canonical encoding of the whole row (VaultFormat.md, "Row encoding").
    /// - Returns: false when a column has a type that no vault contains (a floating-point number).
    func encode(into encoder: inout RowEncoder) -> Bool {
        let count = unsafe sqlite3_column_count(handle)
        encoder.beginRow(columnCount: UInt8(truncatingIfNeeded: count))
        for column in 0..<count {
            switch unsafe sqlite3_column_type(handle, column) {
            case SQLITE_NULL: encoder.appendNull()
            case SQLITE_INTEGER: encoder.append(integer: unsafe sqlite3_column_int64(handle, column))
            case SQLITE_TEXT: unsafe encoder.append(text: bytes(column))
            case SQLITE_BLOB: unsafe encoder.append(blob: bytes(column))
            default: return false
            }
        }
        return true
    }

    /// The bytes of a text or blob in SQLite's own memory, valid until the next step.
    @unsafe
    private func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = unsafe sqlite3_column_blob(handle, column)
        return unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }
}
