import SecureMemory

/// Base64 text (RFC 4648). Text of secrets is written and read from span to span, without a look-up
/// table and without a branch on a digit.
public enum Base64 {
    public enum Alphabet: Sendable {
        /// Section 4, with padding.
        case standard
        /// Section 5, without padding, as links have it. Bytes have exactly one text.
        case url
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    private static let (standardDigits, urlDigits) = (digits + "+/".utf8, digits + "-_".utf8)
    static let padding = UInt8(ascii: "=")

    public static func encode(_ bytes: [UInt8], _ alphabet: Alphabet = .standard) -> String {
        let digits = alphabet == .standard ? standardDigits : urlDigits
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0 as UInt32) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for index in 0...group.count { text.append(digits[Int(bits >> UInt32(18 - 6 * index) & 63)]) }
            if alphabet == .standard { text += repeatElement(padding, count: 3 - group.count) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The number of characters for `count` bytes.
    public static func textCount(for count: Int) -> Int { (count + 2) / 3 * 4 }

    /// Writes the text of bytes that may be secret. `text` must have exactly `textCount` bytes.
    public static func encode(_ bytes: RawSpan, into text: inout MutableRawSpan) {
        defer { wipeScratch() }
        encodeWithoutWiping(bytes, into: &text)
    }

    /// Not inlined, so that its stack frame is below the caller's, where `wipeScratch` clears it.
    @inline(never)
    private static func encodeWithoutWiping(_ bytes: RawSpan, into text: inout MutableRawSpan) {
        precondition(text.byteCount == textCount(for: bytes.byteCount))
        var position = 0
        for start in stride(from: 0, to: bytes.byteCount, by: 3) {
            let count = min(3, bytes.byteCount - start)
            var bits: UInt32 = 0
            for offset in 0..<3 {
                bits = bits << 8 | (offset < count ? UInt32(bytes[byte: start + offset]) : 0)
            }
            for index in 0..<4 {
                text[byte: position] =
                    index <= count ? character(for: bits >> UInt32(18 - 6 * index) & 63) : padding
                position += 1
            }
        }
    }

    /// The character for 0 to 63: each gap between the ranges of the alphabet adds to the code.
    private static func character(for digit: UInt32) -> UInt8 {
        func isAtLeast(_ limit: UInt32) -> UInt32 {
            ~(UInt32(bitPattern: Int32(bitPattern: digit &- limit) >> 31))
        }
        var code = digit &+ UInt32(UInt8(ascii: "A"))
        code &+= isAtLeast(26) & 6  // from "Z" to "a"
        code &-= isAtLeast(52) & 75  // from "z" to "0"
        code &-= isAtLeast(62) & 15  // from "9" to "+"
        code &+= isAtLeast(63) & 3  // from "+" to "/"
        return UInt8(truncatingIfNeeded: code)
    }

    /// The bytes of base64 text. Padding adds no information to the length, and some nodeos
    /// versions write too much or too little of it. So up to three `=` at the end are accepted,
    /// but none in a link.
    /// - Parameter ignoringExcessBits: Ignores a single last character, and bits of the last
    ///   character that are not part of a byte.
    /// - Throws: `.invalidBase64Character`; `.invalidBase64End` for a text whose excess bits are
    ///   not ignored.
    public static func decode(
        utf8 text: [UInt8], _ alphabet: Alphabet = .standard, ignoringExcessBits: Bool = false
    ) throws(CodecError) -> [UInt8] {
        var count = text.count
        while alphabet == .standard, count > 0, text.count - count < 3, text[count - 1] == padding {
            count -= 1
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count * 3 / 4)
        var bits: UInt32 = 0
        var held: UInt32 = 0
        for offset in 0..<count {
            guard let value = value(of: text[offset], alphabet) else {
                throw .invalidBase64Character(offset: offset)
            }
            bits = bits << 6 | value
            held += 6
            if held >= 8 {
                held -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> held))
            }
        }
        guard ignoringExcessBits || held < 6 && bits & (1 << held - 1) == 0 else {
            throw .invalidBase64End(offset: count)
        }
        return bytes
    }

    private static func value(of character: UInt8, _ alphabet: Alphabet) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: alphabet == .standard ? "+" : "-"): 62
        case UInt8(ascii: alphabet == .standard ? "/" : "_"): 63
        default: nil
        }
    }
}
