/// The parts of a vault that are found in any bytes. The fuzz target tests the reader of damaged
/// files through this type.
package struct ScanSummary {
    package private(set) var slotCount = 0
    /// The names in rows with the columns of an entry.
    package private(set) var entryNames: [String] = []
    /// Texts of public keys, at any offset.
    package private(set) var keyNames: [String] = []
    /// The number of rows of declared tables.
    package private(set) var rowCount = 0
    /// The names of tables with a row whose columns a writer would not store.
    package private(set) var inexactTables: [String] = []

    package init(of bytes: [UInt8]) {
        let scan = ScannedBytes(bytes, startCount: bytes.count)
        scan.visitSlots { _, _ in slotCount += 1 }
        scan.visitVaultRows { _, _ in }
        scan.visitEntries { entry, _ in
            switch entry {
            case .row(let row): entryNames.append(row.name.text)
            case .malformed(let name): if let name { entryNames.append(name.text) }
            }
            return 0
        }
        scan.visitNames(unless: { _ in false }) { if $0.publicKey != nil { keyNames.append($0.text) } }
        for table in VaultTable.inManifest where table.key != nil { readRows(of: table, bytes) }
    }

    /// Reads each record with the columns of the table by itself, as the table declares its rows.
    private mutating func readRows(of table: VaultTable, _ bytes: [UInt8]) {
        for start in bytes.indices {
            guard let record = ScannedRecord(in: bytes, at: start, columnCount: table.columnCount) else {
                continue
            }
            let columns = PageTree.Row(number: nil, record: record, bytes: bytes)
            // A rescue accepts the row of an entry with any bucket.
            guard let bucket = table.isBucketed ? columns.integer(0).flatMap({ Int(exactly: $0) }) : 0 else {
                continue
            }
            for type in table.contents {
                var content = type.init()
                try? content.visit(columns)
                for row in content.rows {
                    rowCount += 1
                    var (read, written) = (RowEncoder(rowOf: table), RowEncoder(rowOf: table))
                    record.encode(into: &read, from: bytes)
                    written.append(row: row.allValues(in: bucket))
                    if read.bytes != written.bytes { inexactTables.append(table.name) }
                }
            }
        }
    }
}
