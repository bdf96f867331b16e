/// A record of SQLite, found by its own header at any offset: the types of its columns, then the
/// columns (https://sqlite.org/fileformat2.html#record_format).
///
/// No page tree is used, so a crafted tree can't hide a record. A record that continues in overflow
/// pages is not found; no row that this version can open is that long.
struct ScannedRecord {
    enum Column: Equatable {
        case null
        case integer(Int64)
        /// The range of the text or blob.
        case text(Range<Int>)
        case blob(Range<Int>)
    }

    let columns: [Column]
    /// The range of the header and the columns.
    let range: Range<Int>

    /// The most bytes of an accepted type. Three bytes are enough for a blob of a million bytes.
    private static let maximumTypeCount = 3

    /// Reads the record with `columnCount` columns whose header begins at `start`; nil when there
    /// is none. In a table whose key is the row number, the record has NULL in that column.
    /// - Parameter limit: the most bytes of header and columns together.
    init?(in bytes: [UInt8], at start: Int, columnCount: Int, limit: Int = .max) {
        guard start < bytes.count else { return nil }
        let end = limit < bytes.count - start ? start + limit : bytes.count
        let headerCount = Int(bytes[start])
        guard headerCount > columnCount, headerCount <= 1 + columnCount * Self.maximumTypeCount,
            end - start > headerCount,
            Self.holdsTypes(columnCount, in: bytes, start + 1, start + headerCount)
        else { return nil }
        var columns: [Column] = []
        columns.reserveCapacity(columnCount)
        var type = start + 1
        var content = start + headerCount
        while type < start + headerCount {
            guard let column = Self.column(in: bytes, before: end, type: &type, content: &content) else {
                return nil
            }
            columns.append(column)
        }
        self.columns = columns
        range = start..<content
    }

    /// True if exactly `count` types are between the offsets. This is checked before anything is
    /// allocated, because almost no offset begins a record.
    private static func holdsTypes(_ count: Int, in bytes: [UInt8], _ start: Int, _ end: Int) -> Bool {
        var types = 0
        var length = 0
        for offset in start..<end {
            length += 1
            guard length <= maximumTypeCount else { return false }
            if bytes[offset] < 0x80 {
                types += 1
                length = 0
            }
        }
        return types == count && length == 0
    }

    /// Reads the type at `type` and the column at `content`, and advances both. Returns nil when
    /// the column would pass the end.
    private static func column(in bytes: [UInt8], before end: Int, type: inout Int, content: inout Int)
        -> Column?
    {
        let serial = number(in: bytes, &type)
        let start = content
        let count: Int
        switch serial {
        case 0, 8, 9: count = 0
        case 1...4: count = serial
        case 5: count = 6
        case 6: count = 8
        // A vault contains no floating-point number, and no file contains the types 10 and 11.
        case 7, 10, 11: return nil
        default: count = (serial - 12) / 2
        }
        guard count <= end - start else { return nil }
        content += count
        return switch serial {
        case 0: .null
        case 8, 9: .integer(Int64(serial - 8))
        case 1...6: .integer(integer(bytes[start..<content]))
        default: serial.isMultiple(of: 2) ? .blob(start..<content) : .text(start..<content)
        }
    }

    /// A big-endian number with 7 bits per byte, which ends before the header does.
    private static func number(in bytes: [UInt8], _ cursor: inout Int) -> Int {
        var value = 0
        while true {
            let byte = bytes[cursor]
            cursor += 1
            value = value << 7 | Int(byte & 0x7f)
            if byte < 0x80 { return value }
        }
    }

    /// Two's complement, the most significant byte first.
    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int64 {
        let sign: Int64 = (bytes.first ?? 0) >= 0x80 ? -1 : 0
        return bytes.reduce(sign) { $0 << 8 | Int64($1) }
    }
}

extension ScannedRecord {
    func integer(_ column: Int) -> Int64? {
        if case .integer(let value) = columns[column] { value } else { nil }
    }

    func blob(_ column: Int, in bytes: [UInt8]) -> [UInt8]? {
        if case .blob(let range) = columns[column] { Array(bytes[range]) } else { nil }
    }

    /// The text of a column; nil when it is not valid UTF-8.
    func text(_ column: Int, in bytes: [UInt8]) -> String? {
        if case .text(let range) = columns[column] {
            String(validating: bytes[range], as: UTF8.self)
        } else {
            nil
        }
    }

    /// Appends the canonical encoding of the row (VaultFormat.md, "Row encoding"), for a table
    /// without row numbers.
    func encode(into encoder: inout RowEncoder, from bytes: [UInt8]) {
        encoder.beginRow(columnCount: UInt8(truncatingIfNeeded: columns.count))
        for column in columns {
            switch column {
            case .null: encoder.appendNull()
            case .integer(let value): encoder.append(integer: value)
            case .text(let range): encoder.append(text: bytes[range])
            case .blob(let range): encoder.append(blob: bytes[range])
            }
        }
    }

    func isNull(_ column: Int) -> Bool { columns[column] == .null }
}
