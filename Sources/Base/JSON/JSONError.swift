/// Why a text is not JSON by RFC 8259, and where.
public struct JSONError: Error, Equatable {
    public enum Reason: Equatable, Sendable {
        /// The text ends where a value, a key or a closing bracket is required.
        case unexpectedEnd
        /// A byte that is not allowed here: `+1`, `.5`, `NaN`, a trailing comma, a value of another
        /// kind.
        case unexpectedByte(UInt8)
        /// A byte order mark, which RFC 8259 allows a reader to refuse (section 8.1).
        case byteOrderMark
        /// Bytes after the value.
        case trailingBytes
        /// `01`, `-01`
        case leadingZero
        /// A number without digits after its minus, point or exponent.
        case missingDigits
        /// A byte below 0x20 in a string. Such characters must be escaped.
        case controlCharacter(UInt8)
        case invalidUTF8
        case invalidEscape
        /// A `\u` escape of only one half of a surrogate pair.
        case loneSurrogate
        /// A key that occurred before in the same object.
        case duplicateKey
        /// Arrays and objects are nested deeper than the limit.
        case tooDeep(limit: Int)
        /// The text has more bytes than the limit.
        case tooLong(limit: Int)
    }

    public let reason: Reason
    /// Bytes from the start of the text.
    public let offset: Int
    /// Counted from 1. A line ends with a line feed.
    public let line: Int
    /// The position in the line in characters (Unicode scalars), counted from 1.
    public let column: Int
}
