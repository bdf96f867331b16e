/// A token's code and its number of decimals: `4,EOS`. In the 64-bit form, the lowest byte is the
/// precision.
package struct Symbol: TextValue, Hashable, Sendable {
    package static let maximumPrecision: UInt8 = 18

    /// Decimals after the point, 0 to 18.
    package let precision: UInt8
    package let code: SymbolCode

    /// - Throws: `.moreThan18Decimals`
    package init(precision: UInt8, code: SymbolCode) throws(ABIError) {
        guard precision <= Self.maximumPrecision else { throw ABIError(.moreThan18Decimals(type: "symbol")) }
        self.precision = precision
        self.code = code
    }

    /// - Throws: `.moreThan18Decimals`, `.invalidSymbolCode`
    package init(rawValue: UInt64) throws(ABIError) {
        try self.init(
            precision: UInt8(truncatingIfNeeded: rawValue), code: SymbolCode(rawValue: rawValue >> 8))
    }

    package var rawValue: UInt64 { code.rawValue << 8 | UInt64(precision) }

    /// `[0-9]+,[A-Z]{0,7}`
    /// - Throws: `.invalidSymbol`, `.moreThan18Decimals`, `.invalidSymbolCode`
    package init(utf8 text: Span<UInt8>) throws(ABIError) {
        var precision: UInt8 = 0
        var index = 0
        while index < text.count, text[index] &- UInt8(ascii: "0") < 10 {
            // nodeos keeps the number's lowest byte, so `260,EOS` means `4,EOS`, and the published
            // vectors follow it (libraries/chain/include/eosio/chain/symbol.hpp, from_string;
            // Vectors/abi.json, test 1353).
            precision = precision &* 10 &+ (text[index] &- UInt8(ascii: "0"))
            index += 1
        }
        guard index > 0, index < text.count, text[index] == UInt8(ascii: ",") else {
            throw ABIError(.invalidSymbol)
        }
        let code = try SymbolCode(utf8: text.extracting((index + 1)..<text.count))
        try self.init(precision: precision, code: code)
    }

    package func append(to bytes: inout [UInt8]) {
        IntegerText.append(UInt64(precision), to: &bytes)
        bytes.append(UInt8(ascii: ","))
        code.append(to: &bytes)
    }
}
