extension JSONWriter {
    mutating func append(_ text: Span<UInt8>) {
        unsafe text.withUnsafeBufferPointer { unsafe output.append(contentsOf: $0) }
    }

    mutating func append(quoted text: String) {
        output.append(UInt8(ascii: "\""))
        // A Swift string is always valid UTF-8.
        _ = append(escaping: Array(text.utf8).span)
        output.append(UInt8(ascii: "\""))
    }

    /// Appends text with the escapes of nodeos: `\t`, `\n`, `\r`, `\"`, `\\`, and `\u00..` for the
    /// other control characters and DEL (AntelopeIO/spring, libraries/libfc/src/io/json.cpp,
    /// escape_string). Everything else stays UTF-8.
    /// - Returns: False for bytes that are not UTF-8.
    mutating func append(escaping text: Span<UInt8>) -> Bool {
        var start = 0
        var index = 0
        while true {
            index = Self.endOfPlainRun(in: text, from: index)
            if index >= text.count {
                append(text.extracting(start..<text.count))
                return true
            }
            let byte = text[index]
            if byte >= 0x80 {
                let length = Self.scalarLength(in: text, at: index)
                guard length > 0 else { return false }
                index += length
            } else {
                append(text.extracting(start..<index))
                append(escapeOf: byte)
                index += 1
                start = index
            }
        }
    }

    /// True if a string consists of printable ASCII characters that need no escape.
    public static func isPlain(_ text: Span<UInt8>) -> Bool { endOfPlainRun(in: text, from: 0) == text.count }

    private static func endOfPlainRun(in text: Span<UInt8>, from start: Int) -> Int {
        var index = start
        let raw = unsafe text.bytes
        while text.count - index >= 8 {
            // In bounds, by the loop's condition.
            let word = UInt64(
                littleEndian: unsafe raw.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
            let found = PlainRun.endMask(in: word)
            if found != 0 { return index + found.trailingZeroBitCount >> 3 }
            index += 8
        }
        while index < text.count {
            let byte = text[index]
            if byte < 0x20 || byte >= 0x7f || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                break
            }
            index += 1
        }
        return index
    }

    private static func scalarLength(in text: Span<UInt8>, at index: Int) -> Int {
        func byte(_ distance: Int) -> UInt8 { index + distance < text.count ? text[index + distance] : 0 }
        let length = UTF8Scalar.length(byte(0), byte(1), byte(2), byte(3))
        return length <= text.count - index ? length : 0
    }

    private mutating func append(escapeOf byte: UInt8) {
        output.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
        case 0x09: output.append(UInt8(ascii: "t"))
        case 0x0a: output.append(UInt8(ascii: "n"))
        case 0x0d: output.append(UInt8(ascii: "r"))
        default:
            let digits = byte & 15
            output.append(contentsOf: [
                UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0"), UInt8(ascii: "0") + byte >> 4,
            ])
            output.append(digits < 10 ? UInt8(ascii: "0") + digits : UInt8(ascii: "a") + digits - 10)
        }
    }
}
