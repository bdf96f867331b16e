import Glibc
import JSON

/// The text of floating-point numbers: a JSON number, or `nan`, `inf` or `infinity` in any letter
/// case, with an optional minus.
enum FloatText {
    /// The bits of the nearest float64.
    /// - Throws: `.invalidFloat`; `.floatOutOfRange` for a number too large to be finite
    static func parse64(_ text: Span<UInt8>) throws(ABIError) -> UInt64 {
        if let special = special(text) { return special.bitPattern }
        return try number(text, type: "float64").bitPattern
    }

    /// The bits of the float32 nearest to the float64 nearest to the text. nodeos rounds twice,
    /// because it reads a float as a double (AntelopeIO/spring, libraries/libfc/src/variant.cpp).
    /// - Throws: `.invalidFloat`; `.floatOutOfRange` for a number too large to be finite
    static func parse32(_ text: Span<UInt8>) throws(ABIError) -> UInt32 {
        if let special = special(text) { return Float(special).bitPattern }
        let value = Float(try number(text, type: "float32"))
        guard value.isFinite else { throw ABIError(.floatOutOfRange(type: "float32")) }
        return value.bitPattern
    }

    /// The NaN or the infinity of a word.
    private static func special(_ text: Span<UInt8>) -> Double? {
        let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
        let word = text.extracting((isNegative ? 1 : 0)..<text.count)
        if equalsIgnoringCase(word, "nan") { return isNegative ? -.nan : .nan }
        guard equalsIgnoringCase(word, "inf") || equalsIgnoringCase(word, "infinity") else { return nil }
        return isNegative ? -.infinity : .infinity
    }

    private static func equalsIgnoringCase(_ text: Span<UInt8>, _ word: String) -> Bool {
        guard text.count == word.utf8.count else { return false }
        for (index, letter) in word.utf8.enumerated() where text[index] | 0x20 != letter { return false }
        return true
    }

    private static func number(_ text: Span<UInt8>, type: StaticString) throws(ABIError) -> Double {
        // Swift uses strtod in the C locale, which rounds correctly at any length.
        guard isNumber(text), let value = Double(Encoder.text(of: text)) else {
            throw ABIError(.invalidFloat)
        }
        guard value.isFinite else { throw ABIError(.floatOutOfRange(type: "\(type)")) }
        return value
    }

    /// True if the text is a number in the grammar of RFC 8259, without white space. strtod also
    /// reads other forms.
    private static func isNumber(_ text: Span<UInt8>) -> Bool {
        guard text.count > 0, text[0] > UInt8(ascii: " ") else { return false }
        let isWhole = try? JSONReader.read(text.indices.map { text[$0] }) { reader throws(JSONError) in
            _ = try reader.readNumber()
            return reader.remaining == 0
        }
        return isWhole ?? false
    }

    // MARK: - printing

    /// The text of a float64: the 17 decimals of nodeos if they read back to the same bits,
    /// otherwise the shortest text that does. Nil for a NaN that has no text.
    static func text64(_ bits: UInt64) -> String? {
        let value = Double(bitPattern: bits)
        if value.isInfinite { return value < 0 ? "-inf" : "inf" }
        let candidates =
            value.isNaN ? [value.sign == .minus ? "-nan" : "nan"] : [fixed(value), value.description]
        return candidates.first { (try? parse64(Array($0.utf8).span)) == bits }
    }

    /// The text of a float32: the 17 decimals of its value as a float64 if they read back to the
    /// same bits, otherwise the shortest text that does. Nil for a NaN that has no text.
    static func text32(_ bits: UInt32) -> String? {
        let value = Float(bitPattern: bits)
        if value.isInfinite { return value < 0 ? "-inf" : "inf" }
        // The shortest text of a float32 could be rounded twice, to a neighbouring float32. The
        // shortest text of its float64 can't.
        let wide = Double(value)
        let candidates =
            value.isNaN
            ? [value.sign == .minus ? "-nan" : "nan"] : [fixed(wide), value.description, wide.description]
        return candidates.first { (try? parse32(Array($0.utf8).span)) == bits }
    }

    /// A finite number with 17 decimals, as nodeos prints it: exact, with the last decimal rounded
    /// half to even.
    static func fixed(_ value: Double) -> String {
        // The largest float64 has 309 digits. A sign, a point, the decimals and a NUL follow.
        var text = [CChar](repeating: 0, count: 336)
        _ = unsafe withVaList([value]) { unsafe vsnprintf(&text, text.count, "%.17f", $0) }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
