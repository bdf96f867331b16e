import SecureMemory

/// Hex text: lower case when written, either letter case when read, never with a prefix or a space.
/// The code uses no look-up table and no branch on a digit.
public enum Hex {
    public static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        append(bytes.span, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the hex digits of bytes.
    public static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
        // Appends in pieces: appending single digits would check the array's capacity for each
        // digit.
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
        let count = text.count / 2
        var fault: UInt32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { bytes, initialized in
            for index in 0..<count {
                let high = nibble(of: text[2 * index])
                let low = nibble(of: text[2 * index + 1])
                fault |= high | low
                unsafe bytes[index] = UInt8(truncatingIfNeeded: high &<< 4 | low & 15)
            }
            initialized = count
        }
        if text.count % 2 != 0 { fault |= nibble(of: text[text.count - 1]) }
        // Discloses whether the text is hex. If it is not, the error may state the offset.
        if disclosed(fault > 15) {
            let offset = text.firstIndex { disclosed(nibble(of: $0) > 15) }
            throw .invalidHexDigit(offset: offset ?? 0)
        }
        guard text.count % 2 == 0 else { throw .oddHexLength(count: text.count) }
        return bytes
    }

    /// The digit's value, or nil for any other character.
    @inlinable
    public static func value(of character: UInt8) -> UInt8? {
        let nibble = nibble(of: character)
        return nibble > 15 ? nil : UInt8(truncatingIfNeeded: nibble)
    }

    /// The digit's value; for any other character, a number with a bit set above the fourth.
    @inlinable
    static func nibble(of character: UInt8) -> UInt32 {
        let value = UInt32(character)
        // `letter` is 10 to 15 for a letter of either case. If a value is outside its range, one of
        // the two numbers passed to `mask` is negative.
        let digit = value &- 0x30
        let letter = (value | 0x20) &- 0x61 &+ 10
        let isDigit = ~mask(9 &- digit) & ~mask(digit)
        let isLetter = ~mask(15 &- letter) & ~mask(letter &- 10)
        return isDigit & digit | isLetter & letter | ~(isDigit | isLetter) & 0x100
    }

    /// All ones for a negative number, otherwise zero.
    @inlinable
    static func mask(_ number: UInt32) -> UInt32 { UInt32(bitPattern: Int32(bitPattern: number) &>> 31) }

    /// The lower-case digit for 0 to 15.
    @inlinable
    public static func digit(_ value: UInt8) -> UInt8 {
        // Adding 87 gives a letter; below 10, the borrow subtracts 39. Written so that the
        // optimiser does not make it a branch.
        let value = UInt32(value & 15)
        return UInt8(truncatingIfNeeded: 87 &+ value &+ (((value &- 10) &>> 8) & ~38))
    }
}
