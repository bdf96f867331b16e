import SecureMemory

/// Base64 text of secrets, decoded from span to span without a look-up table and without a branch
/// on a digit.
extension Base64 {
    /// The number of bytes of standard base64 text, with its padding or without any.
    /// - Returns: nil for a length that no text has.
    public static func byteCount(of text: RawSpan) -> Int? {
        let count = digitCount(of: text)
        guard count % 4 != 1, count == text.byteCount || text.byteCount.isMultiple(of: 4) else { return nil }
        return count * 3 / 4
    }

    /// Without the padding, at most two characters.
    private static func digitCount(of text: RawSpan) -> Int {
        var count = text.byteCount
        while count > 0, text.byteCount - count < 2, text.isSeparator(padding, at: count - 1) { count -= 1 }
        return count
    }

    /// Decodes text. `bytes` must have exactly `byteCount` bytes. Both spans are in guarded memory.
    /// - Throws: `invalidBase64Character`, `invalidBase64End`.
    public static func decode(_ text: RawSpan, into bytes: inout MutableRawSpan) throws(CodecError) {
        defer { wipeScratch() }
        try decodeWithoutWiping(text, into: &bytes)
    }

    /// Not inlined, so that its stack frame is below the caller's, where `wipeScratch` clears it.
    @inline(never)
    private static func decodeWithoutWiping(_ text: RawSpan, into bytes: inout MutableRawSpan)
        throws(CodecError)
    {
        precondition(bytes.byteCount == byteCount(of: text))
        let count = digitCount(of: text)
        var (fault, excess) = (0 as UInt32, 0 as UInt32)
        for start in stride(from: 0, to: count, by: 4) {
            var bits: UInt32 = 0
            for offset in 0..<4 {
                let digit = start + offset < count ? secretValue(of: text[byte: start + offset]) : 0
                fault |= digit
                bits = bits << 6 | digit & 63
            }
            let position = start / 4 * 3
            for offset in 0..<3 {
                let byte = UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * offset))
                if position + offset < bytes.byteCount {
                    bytes[byte: position + offset] = byte
                } else {
                    excess |= UInt32(byte)
                }
            }
        }
        // Discloses whether the text is base64. If it is not, the error may state the offset.
        if disclosed(fault > 63) {
            let offset = (0..<count).first { disclosed(secretValue(of: text[byte: $0]) > 63) }
            throw .invalidBase64Character(offset: offset ?? 0)
        }
        guard disclosed(excess == 0) else { throw .invalidBase64End(offset: count) }
    }

    /// The digit's value; for any other character, a number with a bit set above the sixth.
    private static func secretValue(of character: UInt8) -> UInt32 {
        let code = UInt32(character)
        /// All ones if low <= code <= high, otherwise 0.
        func mask(_ low: Unicode.Scalar, _ high: Unicode.Scalar) -> UInt32 {
            ~(UInt32(bitPattern: Int32(bitPattern: (code &- low.value) | (high.value &- code)) >> 31))
        }
        let (upper, lower, digit) = (mask("A", "Z"), mask("a", "z"), mask("0", "9"))
        let (plus, slash) = (mask("+", "+"), mask("/", "/"))
        let value =
            upper & (code &- 65) | lower & (code &- 71) | digit & (code &+ 4) | plus & 62 | slash & 63
        return value | ~(upper | lower | digit | plus | slash) & 64
    }
}
