/// The text of floating-point numbers: a JSON number, or `nan`, `inf` or `infinity` in any letter
/// case, with an optional minus.
enum FloatText {
    /// The bits of the nearest float64.
    /// - Throws: `.invalidFloat`; `.floatOutOfRange` for a number too large to be finite
    static func parse64(_ text: Span<UInt8>) throws(ABIError) -> UInt64 {
        if let special = special(text) {
            switch special {
            case .nan(let isNegative): return 0x7ff8_0000_0000_0000 | (isNegative ? 1 << 63 : 0)
            case .infinity(let isNegative): return (isNegative ? -Double.infinity : .infinity).bitPattern
            }
        }
        return try number(text, type: "float64").bitPattern
    }

    /// The bits of the float32 nearest to the float64 nearest to the text. nodeos rounds twice,
    /// because it reads a float as a double (AntelopeIO/spring, libraries/libfc/src/variant.cpp).
    /// - Throws: `.invalidFloat`; `.floatOutOfRange` for a number too large to be finite
    static func parse32(_ text: Span<UInt8>) throws(ABIError) -> UInt32 {
        if let special = special(text) {
            switch special {
            case .nan(let isNegative): return 0x7fc0_0000 | (isNegative ? 1 << 31 : 0)
            case .infinity(let isNegative): return (isNegative ? -Float.infinity : .infinity).bitPattern
            }
        }
        let value = Float(try number(text, type: "float32"))
        guard value.isFinite else { throw ABIError(.floatOutOfRange(type: "float32")) }
        return value.bitPattern
    }

    private enum Special {
        case nan(isNegative: Bool), infinity(isNegative: Bool)
    }

    private static func special(_ text: Span<UInt8>) -> Special? {
        let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
        let word = text.extracting((isNegative ? 1 : 0)..<text.count)
        if equalsIgnoringCase(word, "nan") { return .nan(isNegative: isNegative) }
        if equalsIgnoringCase(word, "inf") || equalsIgnoringCase(word, "infinity") {
            return .infinity(isNegative: isNegative)
        }
        return nil
    }

    private static func equalsIgnoringCase(_ text: Span<UInt8>, _ word: String) -> Bool {
        guard text.count == word.utf8.count else { return false }
        for (index, letter) in word.utf8.enumerated() where text[index] | 0x20 != letter { return false }
        return true
    }

    private static func number(_ text: Span<UInt8>, type: StaticString) throws(ABIError) -> Double {
        guard let decimal = DecimalText(text) else { throw ABIError(.invalidFloat) }
        if let value = decimal.exactDouble { return value }
        // Swift uses strtod in the C locale, which rounds correctly at any length. DecimalText has
        // already refused all text that it must not read.
        var characters: [UInt8] = []
        for index in text.indices { characters.append(text[index]) }
        guard let value = Double(String(decoding: characters, as: UTF8.self)) else { throw ABIError(.invalidFloat) }
        guard value.isFinite else { throw ABIError(.floatOutOfRange(type: "\(type)")) }
        return value
    }

    // MARK: - printing

    /// The text of a float64: the 17 decimals of nodeos if they read back to the same bits,
    /// otherwise the shortest text that does. Nil for a NaN that has no text.
    static func text64(_ bits: UInt64) -> String? {
        let value = Double(bitPattern: bits)
        if value.isInfinite { return value < 0 ? "-inf" : "inf" }
        let candidates =
            value.isNaN ? [value.sign == .minus ? "-nan" : "nan"] : [FixedText.text(of: value), value.description]
        return candidates.first { readsBack64($0, bits) }
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
            ? [value.sign == .minus ? "-nan" : "nan"] : [FixedText.text(of: wide), value.description, wide.description]
        return candidates.first { readsBack32($0, bits) }
    }

    private static func readsBack64(_ text: String, _ bits: UInt64) -> Bool {
        do { return try parse64(Array(text.utf8).span) == bits } catch { return false }
    }

    private static func readsBack32(_ text: String, _ bits: UInt32) -> Bool {
        do { return try parse32(Array(text.utf8).span) == bits } catch { return false }
    }
}
