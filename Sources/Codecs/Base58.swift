import SecureMemory

/// Base58 with Bitcoin's alphabet, without `0`, `O`, `I` and `l`. A leading `1` is a leading zero byte, no more and no
/// fewer: text has one spelling.
///
/// One algorithm serves public and secret bytes. It looks nothing up and branches on no digit, so its time depends on
/// the lengths alone; only where the text is refused does it look for the place.
public enum Base58 {
    /// Decoding takes quadratic time, so longer text is refused. A WebAuthn signature has some 1,000 characters.
    public static let maximumCount = 4096

    public static func decode(_ text: some Collection<UInt8>) throws(CodecError) -> [UInt8] {
        let text = Array(text)
        guard text.count <= maximumCount else { throw .base58TooLong(limit: maximumCount) }
        var number = [UInt8](repeating: 0, count: text.count)
        var span = number.mutableSpan
        var raw = unsafe span.mutableBytes
        _ = unsafe try multiply(text.span.bytes, into: &raw)
        let zeros = text.prefix { $0 == UInt8(ascii: "1") }.count
        let digits = number.drop { $0 == 0 }
        return [UInt8](repeating: 0, count: zeros) + digits
    }

    public static func encode(_ bytes: [UInt8]) -> String {
        var text = [UInt8](repeating: 0, count: maximumTextCount(for: bytes.count))
        var span = text.mutableSpan
        var raw = unsafe span.mutableBytes
        let count = unsafe encode(bytes.span.bytes, into: &raw)
        return String(decoding: text.suffix(count), as: UTF8.self)
    }

    /// Decodes text that must stand for exactly as many bytes as `bytes` holds. For secrets: both live in guarded memory.
    public static func decode(_ text: RawSpan, into bytes: inout MutableRawSpan) throws(CodecError) {
        guard text.byteCount <= maximumCount else { throw .base58TooLong(limit: maximumCount) }
        let overflow = try multiply(text, into: &bytes)
        let mismatch = leading(UInt8(ascii: "1"), in: text) ^ leadingZeros(in: bytes)
        guard overflow == 0, mismatch == 0 else { throw .wrongBase58Length(expected: bytes.byteCount) }
    }

    /// The most characters that `count` bytes need: log(256) / log(58) is just below 1.366.
    public static func maximumTextCount(for count: Int) -> Int { count * 1366 / 1000 + 1 }

    /// Writes the text of `bytes` to the end of `text`, which has room for `maximumTextCount` characters.
    /// - Returns: How many characters the text has.
    public static func encode(_ bytes: RawSpan, into text: inout MutableRawSpan) -> Int {
        let room = text.byteCount
        for index in 0..<room { text[byte: index] = 0 }
        for position in 0..<bytes.byteCount {
            var carry = UInt32(bytes[byte: position])
            for index in stride(from: room - 1, through: 0, by: -1) {
                carry += UInt32(text[byte: index]) << 8
                let quotient = divideBy58(carry)
                text[byte: index] = UInt8(truncatingIfNeeded: carry - quotient * 58)
                carry = quotient
            }
        }
        // The number's own digits, and a digit zero for each leading zero byte.
        let digits = room - leadingZeros(in: text)
        let zeros = leading(0, in: bytes)
        for index in 0..<room { text[byte: index] = character(for: text[byte: index]) }
        return zeros + digits
    }

    // MARK: - arithmetic without branches on digits

    /// number = number * 58 + digit, for each character. Returns what overflowed, or'ed together.
    private static func multiply(_ text: RawSpan, into number: inout MutableRawSpan) throws(CodecError) -> UInt32 {
        for index in 0..<number.byteCount { number[byte: index] = 0 }
        var invalid: UInt32 = 0
        var overflow: UInt32 = 0
        for position in 0..<text.byteCount {
            let digit = digit(for: text[byte: position])
            invalid |= digit >> 8
            var carry = digit & 0xff
            for index in stride(from: number.byteCount - 1, through: 0, by: -1) {
                carry += UInt32(number[byte: index]) * 58
                number[byte: index] = UInt8(truncatingIfNeeded: carry)
                carry >>= 8
            }
            overflow |= carry
        }
        if invalid != 0 {
            var offset = 0
            while digit(for: text[byte: offset]) >> 8 == 0 { offset += 1 }
            throw .invalidBase58Character(offset: offset)
        }
        return overflow
    }

    /// All ones when low <= value <= high, else 0; for numbers below 2^31.
    private static func mask(_ value: UInt32, _ low: UInt32, _ high: UInt32) -> UInt32 {
        ~(UInt32(bitPattern: Int32(bitPattern: (value &- low) | (high &- value)) >> 31))
    }

    /// 0 to 57, or a value with bits above the eighth for a character that is not of the alphabet.
    private static func digit(for character: UInt8) -> UInt32 {
        let value = UInt32(character)
        var digit: UInt32 = 0
        var found: UInt32 = 0
        func run(_ low: UInt8, _ high: UInt8, startingAt first: UInt32) {
            let inside = mask(value, UInt32(low), UInt32(high))
            digit |= inside & (value &- UInt32(low) &+ first)
            found |= inside
        }
        run(UInt8(ascii: "1"), UInt8(ascii: "9"), startingAt: 0)
        run(UInt8(ascii: "A"), UInt8(ascii: "H"), startingAt: 9)
        run(UInt8(ascii: "J"), UInt8(ascii: "N"), startingAt: 17)
        run(UInt8(ascii: "P"), UInt8(ascii: "Z"), startingAt: 22)
        run(UInt8(ascii: "a"), UInt8(ascii: "k"), startingAt: 33)
        run(UInt8(ascii: "m"), UInt8(ascii: "z"), startingAt: 44)
        return digit | (~found & 0x100)
    }

    /// The character for 0 to 57: each gap in the alphabet adds to the code point.
    private static func character(for digit: UInt8) -> UInt8 {
        let value = UInt32(digit)
        var code = value + UInt32(UInt8(ascii: "1"))
        code += mask(value, 9, 57) & 7  // from "9" to "A"
        code += mask(value, 17, 57) & 1  // past "I"
        code += mask(value, 22, 57) & 1  // past "O"
        code += mask(value, 33, 57) & 6  // from "Z" to "a"
        code += mask(value, 44, 57) & 1  // past "l"
        return UInt8(truncatingIfNeeded: code)
    }

    /// value / 58 for value < 58 * 256, as a product: division instructions take a time of their own.
    private static func divideBy58(_ value: UInt32) -> UInt32 { (value &* 36158) >> 21 }

    private static func leading(_ byte: UInt8, in span: RawSpan) -> Int {
        var still: UInt32 = 1
        var count: UInt32 = 0
        for index in 0..<span.byteCount {
            still &= mask(UInt32(span[byte: index]), UInt32(byte), UInt32(byte)) & 1
            count += still
        }
        return Int(count)
    }

    private static func leadingZeros(in span: borrowing MutableRawSpan) -> Int { leading(0, in: span.bytes) }
}
