import SecureMemory

/// Base58 with Bitcoin's alphabet, which lacks `0`, `O`, `I` and `l`. Each leading zero byte is
/// exactly one leading `1`, so bytes have only one spelling.
///
/// Decoding is for public and secret bytes. It uses no look-up table, no division and no branch on
/// a digit, so its time depends only on the lengths. Only after text is refused does it search for
/// the offset of the bad character. Encoding from span to span is for secrets and has the same
/// property; it goes digit by digit. Encoding of public bytes divides by 58^10, ten digits at a
/// time.
public enum Base58 {
    /// Decoding takes quadratic time, so longer text is refused. A WebAuthn signature has about
    /// 1,000 characters.
    public static let maximumCount = 4096

    public static func decode(_ text: some Collection<UInt8>) throws(CodecError) -> [UInt8] {
        let text = Array(text)
        guard text.count <= maximumCount else { throw .base58TooLong(limit: maximumCount) }
        var number = [UInt8](repeating: 0, count: maximumByteCount(for: text.count))
        var span = number.mutableSpan
        var raw = unsafe span.mutableBytes
        _ = unsafe try multiply(text.span.bytes, into: &raw)
        let zeros = text.prefix { $0 == UInt8(ascii: "1") }.count
        let digits = number.drop { $0 == 0 }
        return [UInt8](repeating: 0, count: zeros) + digits
    }

    /// The text of public bytes.
    public static func encode(_ bytes: [UInt8]) -> String {
        let zeros = bytes.prefix { $0 == 0 }.count
        var words = words(of: bytes[zeros...])[...]
        // Least significant digit first.
        var text: [UInt8] = []
        while !words.isEmpty {
            var rest: UInt64 = 0
            for index in words.indices {
                (words[index], rest) = tenDigits.dividingFullWidth((rest, words[index]))
            }
            words = words.drop { $0 == 0 }
            for _ in 0..<digitsAtATime {
                text.append(character(for: UInt8(rest % 58)))
                rest /= 58
            }
        }
        while text.last == UInt8(ascii: "1") { text.removeLast() }
        text += repeatElement(UInt8(ascii: "1"), count: zeros)
        return String(decoding: text.reversed(), as: UTF8.self)
    }

    /// Decodes text of exactly as many bytes as `bytes` has. For secrets: both spans are in guarded
    /// memory.
    public static func decode(_ text: RawSpan, into bytes: inout MutableRawSpan) throws(CodecError) {
        // The callee leaves words of the number in registers and on the stack.
        defer { wipeScratch() }
        try decodeWithoutWiping(text, into: &bytes)
    }

    /// Not inlined, so that its stack frame is below the caller's, where `wipeScratch` clears it.
    @inline(never)
    private static func decodeWithoutWiping(_ text: RawSpan, into bytes: inout MutableRawSpan)
        throws(CodecError)
    {
        guard text.byteCount <= maximumCount else { throw .base58TooLong(limit: maximumCount) }
        let overflow = try multiply(text, into: &bytes)
        let mismatch = UInt64(leading(UInt8(ascii: "1"), in: text) ^ leading(0, in: bytes.bytes))
        // Discloses only whether the text has the right length.
        guard disclosed(overflow | mismatch == 0) else { throw .wrongBase58Length(expected: bytes.byteCount) }
    }

    /// The maximum number of bytes for `count` digits: log(58) / log(256) is just below 0.7323.
    private static func maximumByteCount(for count: Int) -> Int { count * 7323 / 10_000 + 1 }

    /// The maximum number of characters for `count` bytes: log(256) / log(58) is just below 1.366.
    public static func maximumTextCount(for count: Int) -> Int { count * 1366 / 1000 + 1 }

    /// Writes the text of `bytes` to the end of `text`, which must have room for `maximumTextCount`
    /// characters.
    /// - Returns: The number of characters of the text.
    public static func encode(_ bytes: RawSpan, into text: inout MutableRawSpan) -> Int {
        defer { wipeScratch() }
        return encodeWithoutWiping(bytes, into: &text)
    }

    @inline(never)
    private static func encodeWithoutWiping(_ bytes: RawSpan, into text: inout MutableRawSpan) -> Int {
        let room = text.byteCount
        for index in 0..<room { text[byte: index] = 0 }
        for position in 0..<bytes.byteCount {
            var carry = UInt32(bytes[byte: position])
            for index in stride(from: room - 1, through: 0, by: -1) {
                carry &+= UInt32(text[byte: index]) &<< 8
                let quotient = divideBy58(carry)
                text[byte: index] = UInt8(truncatingIfNeeded: carry &- quotient &* 58)
                carry = quotient
            }
        }
        // The digits of the number, plus one digit zero for each leading zero byte.
        let digits = UInt32(truncatingIfNeeded: room) &- leading(0, in: text.bytes)
        let zeros = leading(0, in: bytes)
        for index in 0..<room { text[byte: index] = character(for: text[byte: index]) }
        // Discloses the length of the text, which anyone who sees the text also sees.
        return Int(disclosed(zeros &+ digits))
    }

    // MARK: - arithmetic of public bytes

    private static let digitsAtATime = 10
    /// 58^10, below 2^59
    private static let tenDigits: UInt64 = 430_804_206_899_405_824

    /// The bytes as one number in 64-bit words, most significant word first. The first word is not
    /// zero if the first byte is not.
    private static func words(of bytes: ArraySlice<UInt8>) -> [UInt64] {
        var words: [UInt64] = []
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let end = bytes.endIndex - (bytes.endIndex - start - 1) / 8 * 8
            words.append(bytes[start..<end].reduce(0) { $0 << 8 | UInt64($1) })
            start = end
        }
        return words
    }

    // MARK: - arithmetic without branches on digits

    /// Computes number = number * 58 + digit for each character, ten characters at a time. Returns
    /// the bits that overflowed, combined by OR.
    private static func multiply(_ text: RawSpan, into number: inout MutableRawSpan) throws(CodecError)
        -> UInt64
    {
        for index in 0..<number.byteCount { number[byte: index] = 0 }
        var invalid: UInt32 = 0
        var overflow: UInt64 = 0
        var position = 0
        while position < text.byteCount {
            let end = min(position + digitsAtATime, text.byteCount)
            var digits: UInt64 = 0
            var power: UInt64 = 1
            for offset in position..<end {
                let digit = digit(for: text[byte: offset])
                invalid |= digit >> 8
                digits = digits &* 58 &+ UInt64(digit & 0xff)
                power = power &* 58
            }
            position = end
            overflow |= multiply(&number, by: power, adding: digits, bytes: maximumByteCount(for: position))
        }
        // Discloses whether the text is base58. If it is not, it is not a key, so the error may
        // state the offset.
        if disclosed(invalid != 0) {
            var offset = 0
            while disclosed(digit(for: text[byte: offset]) >> 8 == 0) { offset += 1 }
            throw .invalidBase58Character(offset: offset)
        }
        return overflow
    }

    /// Computes number = number * factor + addend. The result must have at most `bytes` bytes.
    /// Returns what overflowed.
    private static func multiply(
        _ number: inout MutableRawSpan, by factor: UInt64, adding addend: UInt64, bytes: Int
    ) -> UInt64 {
        var carry = addend
        var end = number.byteCount
        // All bytes before this one are still zero.
        let stop = max(0, end - bytes)
        while end >= 8, end > stop {
            let word = UInt64(
                bigEndian: unsafe number.bytes.unsafeLoadUnaligned(fromByteOffset: end - 8, as: UInt64.self))
            let product = UInt128(word) &* UInt128(factor) &+ UInt128(carry)
            number.storeBytes(
                of: UInt64(truncatingIfNeeded: product).bigEndian, toByteOffset: end - 8, as: UInt64.self)
            carry = UInt64(truncatingIfNeeded: product >> 64)
            end -= 8
        }
        while end > stop {
            let product = UInt128(number[byte: end - 1]) &* UInt128(factor) &+ UInt128(carry)
            number[byte: end - 1] = UInt8(truncatingIfNeeded: product)
            carry = UInt64(truncatingIfNeeded: product >> 8)
            end -= 1
        }
        return carry
    }

    /// All ones if low <= value <= high, otherwise 0. For numbers below 2^31.
    private static func mask(_ value: UInt32, _ low: UInt32, _ high: UInt32) -> UInt32 {
        ~(UInt32(bitPattern: Int32(bitPattern: (value &- low) | (high &- value)) >> 31))
    }

    /// 0 to 57; for a character outside the alphabet, a value with a bit set above the eighth.
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
        var code = value &+ UInt32(UInt8(ascii: "1"))
        code &+= mask(value, 9, 57) & 7  // from "9" to "A"
        code &+= mask(value, 17, 57) & 1  // past "I"
        code &+= mask(value, 22, 57) & 1  // past "O"
        code &+= mask(value, 33, 57) & 6  // from "Z" to "a"
        code &+= mask(value, 44, 57) & 1  // past "l"
        return UInt8(truncatingIfNeeded: code)
    }

    /// value / 58 for value < 58 * 256, by multiplication, because the time of a division can
    /// depend on its operands.
    private static func divideBy58(_ value: UInt32) -> UInt32 { (value &* 36158) &>> 21 }

    private static func leading(_ byte: UInt8, in span: RawSpan) -> UInt32 {
        var still: UInt32 = 1
        var count: UInt32 = 0
        for index in 0..<span.byteCount {
            still &= mask(UInt32(span[byte: index]), UInt32(byte), UInt32(byte)) & 1
            count &+= still
        }
        return count
    }
}
