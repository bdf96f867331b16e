/// An error in bytes, or in their base58, base64 or hex text. Offsets count bytes from the start of
/// the input.
public enum CodecError: Error, Equatable {
    /// `needed` bytes were requested at `offset`, and only `remaining` were left.
    case unexpectedEnd(offset: Int, needed: Int, remaining: Int)
    /// `count` bytes follow a value that should be at the end of the input.
    case trailingBytes(offset: Int, count: Int)
    /// A varuint32 that is longer than necessary, or that does not fit into 32 bits.
    case invalidVaruint(offset: Int)
    /// Hex text with an odd number of digits.
    case oddHexLength(count: Int)
    case invalidHexDigit(offset: Int)
    case invalidBase58Character(offset: Int)
    case invalidBase64Character(offset: Int)
    /// Base64 text whose last character has bits that are not part of a byte.
    case invalidBase64End(offset: Int)
    /// Base58 text whose number of bytes differs from the expected number.
    case wrongBase58Length(expected: Int)
    /// Base58 text exceeds the limit, which exists because decoding takes quadratic time.
    case base58TooLong(limit: Int)
}
