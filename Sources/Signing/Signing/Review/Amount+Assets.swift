import ABICodec
import Messages

/// Amounts with digit groups: `1,000,000.0000 EOS`.
extension Amount {
    package static func text(_ asset: Asset) -> String { text(Int128(asset.amount), asset.symbol) }

    /// - Parameter amount: in the smallest unit of the symbol.
    package static func text(_ amount: Int128, _ symbol: Symbol) -> String {
        let precision = Int(symbol.precision)
        let digits = String(amount.magnitude)
        let padded = String(repeating: "0", count: max(0, precision + 1 - digits.count)) + digits
        let fraction = precision == 0 ? "" : "." + padded.suffix(precision)
        return (amount < 0 ? "-" : "") + grouped(padded.dropLast(precision)) + fraction + " "
            + symbol.code.text
    }
}
