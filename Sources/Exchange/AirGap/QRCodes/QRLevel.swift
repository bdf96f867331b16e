/// The level of error correction: the part of the codewords that may be damaged.
package enum QRLevel: String, CaseIterable, Sendable {
    /// About 7 %.
    case low = "L"
    /// About 15 %.
    case medium = "M"
    /// About 25 %.
    case quartile = "Q"
    /// About 30 %.
    case high = "H"

    /// The two bits in the format information (ISO/IEC 18004:2015, table 12).
    var formatBits: Int {
        switch self {
        case .low: 1
        case .medium: 0
        case .quartile: 3
        case .high: 2
        }
    }
}
