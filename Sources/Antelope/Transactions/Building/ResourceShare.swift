/// A share of the chain's NET or CPU, as `powerup` rents it.
package struct ResourceShare: Sendable {
    /// All of the NET or CPU (VaultaFoundation/system-contracts, `powerup_frac`).
    private static let whole: Int64 = 1_000_000_000_000_000
    /// A percent has this many decimals: a unit is 10^-15 of all.
    private static let percentDecimals = 13

    package let units: Int64

    /// - Throws: `negativeFraction`, `fractionTooLarge`.
    package init(units: Int64) throws(BuildError) {
        guard units >= 0 else { throw .amount(.negativeFraction) }
        guard units <= Self.whole else { throw .amount(.fractionTooLarge(limit: Self.whole)) }
        self.units = units
    }

    /// A percentage such as `1.5%`, which must be a whole number of units, or the number of units.
    package init(_ text: String) throws(BuildError) {
        guard text.utf8.last == UInt8(ascii: "%") else {
            guard
                let digits = Self.digits(text.utf8.first == UInt8(ascii: "-") ? text.dropFirst() : text[...])
            else { throw .amount(.notAShare) }
            guard digits.utf8.count == text.utf8.count else { throw .amount(.negativeFraction) }
            try self.init(units: Int64(digits) ?? .max)
            return
        }
        let parts = text.dropLast().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let percent = Self.digits(parts[0]),
            let decimals = Self.digits(parts.count > 1 ? parts[1] : "0"),
            decimals.utf8.count <= Self.percentDecimals
        else { throw .amount(.notAShare) }
        let zeros = String(repeating: "0", count: Self.percentDecimals - decimals.utf8.count)
        try self.init(units: Int64(percent + decimals + zeros) ?? .max)
    }

    /// nil unless the text has only digits, and at least one.
    private static func digits(_ text: Substring) -> String? {
        let isNumber =
            !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isNumber ? String(text) : nil
    }
}
