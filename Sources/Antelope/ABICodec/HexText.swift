import Codecs

/// Bytes as hex: an even number of digits, either letter case when read, lower case when written.
enum HexText {
    /// Writes the bytes of hex text, which must be exactly `bytes` bytes.
    static func parse(_ text: Span<UInt8>, bytes: Int, into writer: inout ByteWriter) throws(ABIError) {
        guard text.count == 2 * bytes else {
            if !text.count.isMultiple(of: 2) { throw ABIError(.oddHexLength(count: text.count)) }
            throw ABIError(.wrongHexLength(bytes: text.count / 2, expected: bytes))
        }
        try parse(text, into: &writer)
    }

    /// Writes the bytes of hex text.
    static func parse(_ text: Span<UInt8>, into writer: inout ByteWriter) throws(ABIError) {
        guard text.count.isMultiple(of: 2) else { throw ABIError(.oddHexLength(count: text.count)) }
        var index = 0
        while index < text.count {
            guard let high = Hex.value(of: text[index]) else {
                throw ABIError(.invalidHexDigit(offset: index))
            }
            guard let low = Hex.value(of: text[index + 1]) else {
                throw ABIError(.invalidHexDigit(offset: index + 1))
            }
            writer.write(byte: high << 4 | low)
            index += 2
        }
    }
}
