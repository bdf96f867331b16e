/// The letters of a token: `EOS`. Up to seven, one per byte, the first in the lowest byte
/// (AntelopeIO/spring, libraries/chain/include/eosio/chain/symbol.hpp).
package struct SymbolCode: TextValue, Hashable, Sendable {
    package let rawValue: UInt64

    /// - Throws: `.invalidSymbolCode` unless the bytes are letters A to Z, and zeros after them.
    package init(rawValue: UInt64) throws(ABIError) {
        var rest = rawValue
        while rest & 0xff != 0 {
            guard Self.isLetter(UInt8(truncatingIfNeeded: rest)) else { throw ABIError(.invalidSymbolCode) }
            rest >>= 8
        }
        guard rest == 0, rawValue >> 56 == 0 else { throw ABIError(.invalidSymbolCode) }
        self.rawValue = rawValue
    }

    /// `[A-Z]{0,7}`: the empty code exists in the binary form.
    /// - Throws: `.invalidSymbolCode`
    package init(utf8 text: Span<UInt8>) throws(ABIError) {
        guard text.count <= 7 else { throw ABIError(.invalidSymbolCode) }
        var value: UInt64 = 0
        for index in text.indices {
            guard Self.isLetter(text[index]) else { throw ABIError(.invalidSymbolCode) }
            value |= UInt64(text[index]) &<< (8 &* UInt64(truncatingIfNeeded: index))
        }
        rawValue = value
    }

    @inline(__always)
    private static func isLetter(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }

    /// The number of letters.
    var count: Int { (64 &- rawValue.leadingZeroBitCount &+ 7) / 8 }

    package func append(to bytes: inout [UInt8]) {
        var rest = rawValue
        while rest != 0 {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }
}
