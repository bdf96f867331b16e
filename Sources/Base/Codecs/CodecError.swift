import Messages

/// An error in bytes, or in their base58, base64 or hex text. Offsets count bytes from the start of
/// the input.
public enum CodecError: Error, Equatable {
    case unexpectedEnd(offset: Int, needed: Int, remaining: Int)
    /// `count` bytes follow a value that should be at the end of the input.
    case trailingBytes(offset: Int, count: Int)
    case invalidVaruint(offset: Int)
    case oddHexLength(count: Int)
    case invalidHexDigit(offset: Int)
    case invalidBase58Character(offset: Int)
    case invalidBase64Character(offset: Int)
    /// The last character has bits that are not part of a byte.
    case invalidBase64End(offset: Int)
    case wrongBase58Length(expected: Int)
    /// Decoding takes quadratic time.
    case base58TooLong(limit: Int)
}

extension CodecError: WordedError {
    package var words: Words {
        switch self {
        case .unexpectedEnd(let offset, let needed, let remaining):
            Words(
                .invalidEncoding,
                "the bytes end too early: \(Words.count(needed, "byte")) needed at byte \(offset), "
                    + "\(remaining) available")
        case .trailingBytes(let offset, let count):
            Words(
                .invalidEncoding, "\(Words.count(count, "byte")) too many, starting at byte \(offset)",
                hint: "remove the bytes after the value, or check the type")
        case .invalidVaruint(let offset):
            Words(.invalidEncoding, "at byte \(offset): a length is padded or does not fit into 32 bits")
        case .oddHexLength(let count):
            Words(.invalidEncoding, "an odd number of hex digits: \(count)", hint: Self.cutShort)
        case .invalidHexDigit(let offset):
            Words(.invalidEncoding, "character \(offset + 1) is not a hex digit")
        case .invalidBase58Character(let offset):
            Words(.invalidEncoding, "character \(offset + 1) is not a base58 character")
        case .invalidBase64Character(let offset):
            Words(.invalidEncoding, "character \(offset + 1) is not a base64 character")
        case .invalidBase64End(let offset):
            Words(.invalidEncoding, "the base64 text is cut off at character \(offset + 1)")
        case .wrongBase58Length(let expected):
            Words(.invalidValue, "the text does not encode \(expected) bytes", hint: Self.mistyped)
        case .base58TooLong(let limit): Words(.tooLarge, "longer than \(limit) characters")
        }
    }

    package static let cutShort = "part of the data was lost: copy it again"
    package static let mistyped = "one or more characters were mistyped, lost or added"
}
