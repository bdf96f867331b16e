/// The parts of a vault that are found in any bytes. The fuzz target tests the reader of damaged
/// files through this type.
package struct ScanSummary {
    package private(set) var slotCount = 0
    /// The names in rows with the columns of an entry.
    package private(set) var entryNames: [String] = []
    /// Texts of public keys, at any offset.
    package private(set) var keyNames: [String] = []

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
    }
}
