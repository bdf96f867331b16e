/// Why a text is not the JSON of RFC 8259, and where.
package struct JSONError: Error, Equatable {
    package enum Reason: Equatable, Sendable {
        /// The text ends where a value, a key or a closing bracket should stand.
        case unexpectedEnd
        /// A byte that can't stand here: `+1`, `.5`, `NaN`, a trailing comma, a value of another
        /// kind.
        case unexpectedByte(UInt8)
        /// A byte order mark: RFC 8259 lets a reader refuse it (section 8.1).
        case byteOrderMark
        /// Bytes after the value.
        case trailingBytes
        /// `01`, `-01`
        case leadingZero
        /// A number without digits after its minus, point or exponent.
        case missingDigits
        /// A byte below 0x20 in a string, where only its escape may stand.
        case controlCharacter(UInt8)
        case invalidUTF8
        case invalidEscape
        /// A `\u` escape of half a surrogate pair.
        case loneSurrogate
        /// A key that its object has already.
        case duplicateKey
        /// Arrays and objects in each other deeper than the reader was told to go.
        case tooDeep(limit: Int)
        /// More bytes than the reader was told to take.
        case tooLong(limit: Int)
    }

    package let reason: Reason
    /// Bytes from the start of the text.
    package let offset: Int
    /// Counted from 1; a line ends with a line feed.
    package let line: Int
    /// Counted from 1, in characters (Unicode scalars) of the line.
    package let column: Int

    package init(reason: Reason, offset: Int, line: Int, column: Int) {
        self.reason = reason
        self.offset = offset
        self.line = line
        self.column = column
    }
}
