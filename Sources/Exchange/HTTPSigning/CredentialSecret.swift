import SecureMemory

/// The rules for the text of a secret, as a user enters it.
package enum CredentialSecret {
    /// In bytes.
    package static let maximumCount = 4_096
    /// The most bytes to read: a secret and its line ending.
    package static let maximumInput = maximumCount + 2

    /// Drops one final LF or CRLF, and checks what is left.
    /// - Throws: `secret` if the text is empty, has more than 4,096 bytes, or has white space or
    ///   control characters, which usually come from a bad copy. The error discloses only the
    ///   offset.
    package static func check(_ text: inout SecureBytes) throws(HTTPSigningError) {
        text.dropFinalLineEnding()
        try check(count: text.count)
        if let offset = text.withBytes(Self.firstFault) { throw .secret(.character(offset: offset)) }
    }

    private static func firstFault(_ bytes: RawSpan) -> Int? {
        var fault: UInt32 = 0
        for offset in 0..<bytes.byteCount { fault |= Self.fault(bytes, offset) }
        guard disclosed(fault != 0) else { return nil }
        return (0..<bytes.byteCount).first { disclosed(Self.fault(bytes, $0) != 0) }
    }

    static func check(count: Int) throws(HTTPSigningError) {
        guard count > 0 else { throw .secret(.empty) }
        guard count <= maximumCount else { throw .secret(.tooLong(limit: maximumCount)) }
    }

    /// All ones if white space or a control character starts at `offset`, otherwise 0. There is no
    /// branch on a byte.
    private static func fault(_ bytes: RawSpan, _ offset: Int) -> UInt32 {
        func byte(_ ahead: Int) -> UInt32 {
            offset + ahead < bytes.byteCount ? UInt32(bytes[byte: offset + ahead]) : 0
        }
        let (first, second, third) = (byte(0), byte(1), byte(2))
        // ASCII: control characters, space and DEL
        let ascii = mask(first, 0x00, 0x20) | mask(first, 0x7f, 0x7f)
        // U+0080 to U+00A0: control characters and the no-break space
        let latin = mask(first, 0xc2, 0xc2) & mask(second, 0x80, 0xa0)
        // U+2000 to U+200F and U+2028 to U+202F: spaces, separators and invisible characters;
        // U+205F to U+206F
        let general =
            mask(first, 0xe2, 0xe2)
            & (mask(second, 0x80, 0x80) & (mask(third, 0x80, 0x8f) | mask(third, 0xa8, 0xaf))
                | mask(second, 0x81, 0x81) & mask(third, 0x9f, 0xaf))
        // U+1680 and U+3000: spaces; U+FEFF: the byte order mark
        let others =
            mask(first, 0xe1, 0xe1) & mask(second, 0x9a, 0x9a) & mask(third, 0x80, 0x80)
            | mask(first, 0xe3, 0xe3) & mask(second, 0x80, 0x80) & mask(third, 0x80, 0x80)
            | mask(first, 0xef, 0xef) & mask(second, 0xbb, 0xbb) & mask(third, 0xbf, 0xbf)
        return ascii | latin | general | others
    }

    /// All ones if low <= value <= high, otherwise 0. For numbers below 2^31.
    static func mask(_ value: UInt32, _ low: UInt32, _ high: UInt32) -> UInt32 {
        ~(UInt32(bitPattern: Int32(bitPattern: (value &- low) | (high &- value)) >> 31))
    }
}
