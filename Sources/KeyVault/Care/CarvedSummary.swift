import Curves
import KeyText

/// The parts of a vault that are found in any bytes. The fuzz target tests the reader of damaged
/// files through this type.
package struct CarvedSummary {
    package private(set) var slotCount = 0
    /// The names in rows with the columns of an entry.
    package private(set) var entryNames: [String] = []
    /// Texts of public keys, at any offset.
    package private(set) var keyNames: [String] = []

    package init(of bytes: [UInt8]) {
        let carved = CarvedBytes(bytes, startCount: bytes.count)
        carved.visitSlots { _, _ in slotCount += 1 }
        carved.visitVaultRows { _ in }
        carved.visitEntries { entry in
            switch entry {
            case .row(let row): entryNames.append(row.name)
            case .malformed(let name): if let name { entryNames.append(name) }
            }
            return 0
        }
        carved.visitNames(unless: { _ in false }) { if (try? PublicKey($0))?.text == $0 { keyNames.append($0) } }
    }
}
