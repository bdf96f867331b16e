/// An amount of a token: `1.0000 EOS`. Its magnitude is below 2^62 and its code is not empty
/// (AntelopeIO/spring, libraries/chain/include/eosio/chain/asset.hpp).
package struct Asset: TextValue, Hashable, Sendable {
    /// The magnitude of an amount is below this.
    static let magnitudeLimit: Int64 = 1 << 62

    /// In the smallest unit of the symbol.
    package let amount: Int64
    package let symbol: Symbol

    /// - Throws: `.amountOutOfRange`, `.invalidSymbolCode` for an empty code
    package init(amount: Int64, symbol: Symbol) throws(ABIError) {
        guard amount < Self.magnitudeLimit, amount > -Self.magnitudeLimit else {
            throw ABIError(.amountOutOfRange)
        }
        guard symbol.code.rawValue != 0 else { throw ABIError(.invalidSymbolCode) }
        self.amount = amount
        self.symbol = symbol
    }

    /// `-?[0-9]+(\.[0-9]+)? [A-Z]{1,7}`: the number of decimals is the symbol's precision.
    /// - Throws: `.invalidAsset`, `.moreThan18Decimals`, `.amountOutOfRange`, `.invalidSymbolCode`
    package init(utf8 text: Span<UInt8>) throws(ABIError) {
        var magnitude = Magnitude()
        var index = 0
        let isNegative = Self.reads(UInt8(ascii: "-"), in: text, at: &index)
        guard magnitude.readDigits(in: text, at: &index) > 0 else { throw ABIError(.invalidAsset) }
        var decimals = 0
        if Self.reads(UInt8(ascii: "."), in: text, at: &index) {
            decimals = magnitude.readDigits(in: text, at: &index)
            guard decimals > 0 else { throw ABIError(.invalidAsset) }
        }
        guard Self.reads(UInt8(ascii: " "), in: text, at: &index) else { throw ABIError(.invalidAsset) }
        guard decimals <= Symbol.maximumPrecision else { throw ABIError(.moreThan18Decimals(type: "asset")) }
        guard !magnitude.overflows else { throw ABIError(.amountOutOfRange) }
        let code = try SymbolCode(utf8: text.extracting(index..<text.count))
        let symbol = try Symbol(precision: UInt8(decimals), code: code)
        try self.init(amount: isNegative ? -magnitude.value : magnitude.value, symbol: symbol)
    }

    /// The number that the digits before and after the point form together.
    private struct Magnitude {
        var value: Int64 = 0
        var overflows = false

        /// Reads digits and returns how many there were.
        mutating func readDigits(in text: Span<UInt8>, at index: inout Int) -> Int {
            let start = index
            while index < text.count, text[index] &- UInt8(ascii: "0") < 10 {
                // One more digit than the limit allows can't overflow; two could. A value beyond
                // the limit is not changed again.
                if value < Asset.magnitudeLimit / 10 + 1 {
                    value = value &* 10 &+ Int64(text[index] &- UInt8(ascii: "0"))
                } else {
                    overflows = true
                }
                index += 1
            }
            return index - start
        }
    }

    private static func reads(_ character: UInt8, in text: Span<UInt8>, at index: inout Int) -> Bool {
        guard index < text.count, text[index] == character else { return false }
        index += 1
        return true
    }

    /// The number of characters of the text.
    var count: Int {
        let decimals = Int(symbol.precision)
        let number = max(IntegerText.count(amount.magnitude), decimals + 1) + (decimals > 0 ? 1 : 0)
        return (amount < 0 ? 1 : 0) + number + 1 + symbol.code.count
    }

    package func append(to bytes: inout [UInt8]) {
        if amount < 0 { bytes.append(UInt8(ascii: "-")) }
        IntegerText.append(amount.magnitude, decimals: Int(symbol.precision), to: &bytes)
        bytes.append(UInt8(ascii: " "))
        symbol.code.append(to: &bytes)
    }
}
