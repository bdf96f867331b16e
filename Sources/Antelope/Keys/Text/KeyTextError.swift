import SecureMemory

/// Why text is not a key or a signature. Offsets count bytes from the start of the text. No case
/// contains the text, because it may be a private key.
package enum KeyTextError: Error, Equatable {
    case empty
    /// A space, a control character or a letter outside ASCII.
    case unexpectedCharacter(offset: Int)
    /// A character outside the base58 alphabet, which lacks `0`, `O`, `I`, `l` and punctuation.
    case invalidCharacter(offset: Int)
    case unknownPrefix(expected: [String])
    /// `PUB_`, `PVT_` or `SIG_` with a curve that is not one of `expected`.
    case unknownCurve(expected: [String])
    /// The text has the wrong number of bytes: a character is missing or superfluous.
    case wrongLength
    case tooLong(limit: Int)
    case checksumMismatch
    /// The checksum belongs to another form. `suffix` is what was hashed after the bytes; it is
    /// empty for the legacy form.
    case checksumOfOtherForm(suffix: String)
    /// A Bitcoin WIF for a compressed public key, 52 characters. Those of Antelope have 51.
    case compressedWIF
    /// A WIF whose checksum is hashed once instead of twice. Some old tools wrote it; most refuse
    /// it.
    case singleHashWIF
    /// A WIF of another network. Antelope's version byte is 0x80.
    case wrongWIFVersion(UInt8)
    case privateKeyGiven
    case publicKeyGiven
    /// A public key as FIO writes it.
    case fioPublicKey
    case curve(CurveError)
    case memory(SecureMemoryError)
}
