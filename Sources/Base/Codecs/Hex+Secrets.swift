import SecureMemory

/// Hex text of secrets. Both spans are in guarded memory, and both functions wipe what they leave
/// in registers and on the stack.
extension Hex {
    /// Writes the text of bytes. `text` must have twice as many bytes.
    public static func encode(_ bytes: RawSpan, into text: inout MutableRawSpan) {
        defer { wipeScratch() }
        encodeWithoutWiping(bytes, into: &text)
    }

    /// Decodes text. `bytes` must have half as many bytes, rounded down.
    /// - Throws: `invalidHexDigit`, `oddHexLength`.
    public static func decode(_ text: RawSpan, into bytes: inout MutableRawSpan) throws(CodecError) {
        defer { wipeScratch() }
        try decodeWithoutWiping(text, into: &bytes)
    }

    /// Not inlined, so that its stack frame is below the caller's, where `wipeScratch` clears it.
    @inline(never)
    private static func encodeWithoutWiping(_ bytes: RawSpan, into text: inout MutableRawSpan) {
        precondition(text.byteCount == 2 * bytes.byteCount)
        for offset in 0..<bytes.byteCount {
            text[byte: 2 * offset] = digit(bytes[byte: offset] >> 4)
            text[byte: 2 * offset + 1] = digit(bytes[byte: offset] & 15)
        }
    }

    @inline(never)
    private static func decodeWithoutWiping(_ text: RawSpan, into bytes: inout MutableRawSpan)
        throws(CodecError)
    {
        precondition(bytes.byteCount == text.byteCount / 2)
        var fault: UInt32 = 0
        for offset in 0..<bytes.byteCount {
            let (high, low) = (nibble(of: text[byte: 2 * offset]), nibble(of: text[byte: 2 * offset + 1]))
            fault |= high | low
            bytes[byte: offset] = UInt8(truncatingIfNeeded: high &<< 4 | low & 15)
        }
        guard text.byteCount.isMultiple(of: 2) else { throw .oddHexLength(count: text.byteCount) }
        // Discloses whether the text is hex. If it is not, the error may state the offset.
        guard disclosed(fault > 15) else { return }
        let offset = (0..<text.byteCount).first { disclosed(nibble(of: text[byte: $0]) > 15) }
        throw .invalidHexDigit(offset: offset ?? 0)
    }
}
