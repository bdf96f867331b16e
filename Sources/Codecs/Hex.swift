import SecureMemory

/// Hex text: lower case when written, either case when read, never a prefix or a space. No secret
/// goes through it here; it looks nothing up and branches on no digit all the same.
package enum Hex {
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        append(bytes.span, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the digits of bytes.
    package static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
        // Some at a time: an array that grows by single digits asks each time whether there is
        // room.
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

    package static func decode(_ text: some StringProtocol) throws(CodecError) -> [UInt8] {
        try decode(utf8: Array(text.utf8))
    }

    package static func decode(utf8 text: [UInt8]) throws(CodecError) -> [UInt8] {
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
        // Whether it is hex; where it is not, the refusal tells the place.
        if disclosed(fault > 15) {
            let offset = text.firstIndex { disclosed(nibble(of: $0) > 15) }
            throw .invalidHexDigit(offset: offset ?? 0)
        }
        guard text.count % 2 == 0 else { throw .oddHexLength(count: text.count) }
        return bytes
    }

    /// The digit's value, or nil for any other character.
    @inlinable
    package static func value(of character: UInt8) -> UInt8? {
        let nibble = nibble(of: character)
        return nibble > 15 ? nil : UInt8(truncatingIfNeeded: nibble)
    }

    /// The digit's value, or a number with bits above the fourth for any other character.
    @inlinable
    static func nibble(of character: UInt8) -> UInt32 {
        let value = UInt32(character)
        // For a letter of either case, 10 and more; what is not from 0 to 9 has borrowed.
        let digit = value &- 0x30
        let letter = (value | 0x20) &- 0x61 &+ 10
        let isDigit = ~mask(9 &- digit) & ~mask(digit)
        let isLetter = ~mask(15 &- letter) & ~mask(letter &- 10)
        return isDigit & digit | isLetter & letter | ~(isDigit | isLetter) & 0x100
    }

    /// All ones for a negative number, else zero.
    @inlinable
    static func mask(_ number: UInt32) -> UInt32 { UInt32(bitPattern: Int32(bitPattern: number) &>> 31) }

    /// The lower-case digit for 0 to 15.
    @inlinable
    package static func digit(_ value: UInt8) -> UInt8 {
        // 87 more is a letter; below 10 the borrow takes 39 off again. Spelled so that the
        // optimiser makes no branch of it.
        let value = UInt32(value & 15)
        return UInt8(truncatingIfNeeded: 87 &+ value &+ (((value &- 10) &>> 8) & ~38))
    }
}
