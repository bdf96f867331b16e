/// One scalar of UTF-8, by table 3-7 of the Unicode standard.
@usableFromInline
enum UTF8Scalar {
    /// The length of the well-formed scalar that starts with these bytes; 0 if there is none. Bytes
    /// past the end of the text are passed as 0, which is not a continuation byte.
    @usableFromInline
    static func length(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) -> Int {
        switch first {
        case 0x00...0x7f: return 1
        case 0xc2...0xdf: return isContinuation(second) ? 2 : 0
        case 0xe0...0xef:
            // Excludes overlong forms of two-byte scalars, and surrogates.
            let lowest: UInt8 = first == 0xe0 ? 0xa0 : 0x80
            let highest: UInt8 = first == 0xed ? 0x9f : 0xbf
            return second >= lowest && second <= highest && isContinuation(third) ? 3 : 0
        case 0xf0...0xf4:
            // Excludes overlong forms of three-byte scalars, and scalars above U+10FFFF.
            let lowest: UInt8 = first == 0xf0 ? 0x90 : 0x80
            let highest: UInt8 = first == 0xf4 ? 0x8f : 0xbf
            return second >= lowest && second <= highest && isContinuation(third) && isContinuation(fourth)
                ? 4 : 0
        default: return 0
        }
    }

    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xc0 == 0x80 }
}
