import Testing

@testable import KeyVault

/// Records that SQLite wrote are read without SQLite, column by column.
struct ScannedRecordTests {
    /// Values for which SQLite uses all types and widths: each width of an integer with both signs,
    /// empty and long texts and blobs.
    private static let values: [[SQLiteValue]] = {
        let edges: [Int64] = [
            0, 1, 2, -1, 127, -128, 128, 32_767, -32_768, 8_388_607, -8_388_608, 1 << 31, -(1 << 31), 1 << 47,
            .max,
            .min,
        ]
        return edges.enumerated().map { index, edge in
            [
                .integer(edge), .text(String(repeating: "é", count: index * 9)), .null,
                .blob([UInt8](repeating: UInt8(index), count: index * 40)),
                .integer(Int64(index)),
            ]
        }
    }()

    @Test func readsRecordsOfSQLite() throws {
        let connection = try SQLiteConnection(path: nil, busyTimeout: 0)
        try connection.run("CREATE TABLE samples (a INTEGER, b TEXT, c TEXT, d BLOB, e INTEGER) STRICT")
        for row in Self.values { try connection.run("INSERT INTO samples VALUES (?1, ?2, ?3, ?4, ?5)", row) }
        let bytes = try connection.serialized()
        var found: [[SQLiteValue]] = []
        for start in bytes.indices {
            guard let record = ScannedRecord(in: bytes, at: start, columnCount: 5) else { continue }
            let values = record.columns.map { column -> SQLiteValue? in
                switch column {
                case .null: .null
                case .integer(let value): .integer(value)
                case .text(let range): String(validating: bytes[range], as: UTF8.self).map { .text($0) }
                case .blob(let range): .blob(Array(bytes[range]))
                }
            }
            if !values.contains(nil) { found.append(values.compactMap(\.self)) }
        }
        for row in Self.values { #expect(found.contains(row)) }
    }

    @Test func refusesInvalidRecords() {
        // 3 columns: NULL, 1 byte, a text of 2 bytes
        let sound: [UInt8] = [4, 0, 1, 17, 5, 0x61, 0x62]
        #expect(
            ScannedRecord(in: sound, at: 0, columnCount: 3)?.columns == [.null, .integer(5), .text(5..<7)])
        #expect(ScannedRecord(in: sound, at: 0, columnCount: 3)?.range == 0..<7)
        // Another number of columns, an end before the end of the content, a header beyond the end.
        #expect(ScannedRecord(in: sound, at: 0, columnCount: 2) == nil)
        #expect(ScannedRecord(in: sound, at: 0, columnCount: 4) == nil)
        for count in 1..<sound.count {
            #expect(ScannedRecord(in: Array(sound[..<count]), at: 0, columnCount: 3) == nil)
        }
        // A floating-point number, types that occur in no file, and a type that the end of the
        // header cuts.
        for type: UInt8 in [7, 10, 11, 0x80] {
            #expect(
                ScannedRecord(in: [4, 0, type, 17, 5, 5, 5, 5, 5, 5, 5, 5], at: 0, columnCount: 3) == nil)
        }
        // A type of four bytes; a blob that is longer than the bytes.
        #expect(ScannedRecord(in: [7, 0, 0x81, 0x80, 0x80, 1, 17, 0, 0], at: 0, columnCount: 3) == nil)
        #expect(ScannedRecord(in: [6, 0, 0xff, 0xff, 0x7e, 1, 0], at: 0, columnCount: 3) == nil)
    }
}
