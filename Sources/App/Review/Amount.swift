import ABICodec

/// Amounts with digit groups: `1,000,000.0000 EOS`.
enum Amount {
    static func text(_ asset: Asset) -> String { text(Int128(asset.amount), asset.symbol) }

    /// - Parameter amount: in the smallest unit of the symbol.
    static func text(_ amount: Int128, _ symbol: Symbol) -> String {
        let precision = Int(symbol.precision)
        let digits = String(amount.magnitude)
        let padded = String(repeating: "0", count: max(0, precision + 1 - digits.count)) + digits
        let fraction = precision == 0 ? "" : "." + padded.suffix(precision)
        return (amount < 0 ? "-" : "") + grouped(padded.dropLast(precision)) + fraction + " " + symbol.code.text
    }

    /// `1 change`, `2,000 changes`.
    static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        "\(text(number)) \(number == 1 ? noun : plural ?? noun + "s")"
    }

    /// `1 byte`, `4,000 bytes`.
    static func bytes(_ number: Int128) -> String { "\(grouped(String(number)[...])) byte\(number == 1 ? "" : "s")" }

    static func text(_ count: Int) -> String { (count < 0 ? "-" : "") + grouped(String(count.magnitude)[...]) }

    private static func grouped(_ digits: Substring) -> String {
        var result = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { result.append(",") }
            result.append(digit)
        }
        return result
    }
}
