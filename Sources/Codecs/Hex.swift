/// Hex text of public bytes: lower case when written, either case when read, never a prefix or a space.
public enum Hex {
    public static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        append(bytes.span, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the digits of bytes.
    public static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
        // Some at a time: an array that grows by single digits asks each time whether there is room.
        let piece = 64
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * piece) { digits in
            var start = 0
            while start < bytes.count {
                let count = min(piece, bytes.count - start)
                for offset in 0..<count {
                    let byte = bytes[start + offset]
                    unsafe digits[2 * offset] = digit(byte >> 4)
                    unsafe digits[2 * offset + 1] = digit(byte & 15)
                }
                unsafe text.append(contentsOf: digits[..<(2 * count)])
                start += count
            }
        }
    }

    public static func decode(_ text: some StringProtocol) throws(CodecError) -> [UInt8] {
        try decode(utf8: Array(text.utf8))
    }

    public static func decode(utf8 text: [UInt8]) throws(CodecError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var offset = 0
        while offset < text.count {
            guard let high = value(of: text[offset]) else { throw .invalidHexDigit(offset: offset) }
            guard offset + 1 < text.count else { throw .oddHexLength(count: text.count) }
            guard let low = value(of: text[offset + 1]) else { throw .invalidHexDigit(offset: offset + 1) }
            bytes.append(high << 4 | low)
            offset += 2
        }
        return bytes
    }

    /// The digit's value, or nil for any other character.
    @inlinable
    public static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The lower-case digit for 0 to 15.
    @inlinable
    public static func digit(_ value: UInt8) -> UInt8 {
        // Looked up, since a branch would be guessed wrong every third time.
        let digits: StaticString = "0123456789abcdef"
        return unsafe digits.utf8Start[Int(value & 15)]
    }
}
