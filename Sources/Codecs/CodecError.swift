/// What can be wrong with bytes or with their base58 and hex text. Offsets count bytes from the
/// start of what was given.
package enum CodecError: Error, Equatable {
    /// `needed` more bytes were asked for at `offset`, and only `remaining` are there.
    case unexpectedEnd(offset: Int, needed: Int, remaining: Int)
    /// `count` bytes follow a value that should have ended the input.
    case trailingBytes(offset: Int, count: Int)
    /// A varuint32 that is longer than it need be, or that does not fit into 32 bits.
    case invalidVaruint(offset: Int)
    /// Hex text with an odd number of digits.
    case oddHexLength(count: Int)
    case invalidHexDigit(offset: Int)
    case invalidBase58Character(offset: Int)
    case invalidBase64Character(offset: Int)
    /// Base64 text whose last character says something that is no byte.
    case invalidBase64End(offset: Int)
    /// Base58 text for another number of bytes than were expected.
    case wrongBase58Length(expected: Int)
    /// Base58 text is decoded in quadratic time, so its length is capped.
    case base58TooLong(limit: Int)
}
