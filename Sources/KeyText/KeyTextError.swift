import Codecs
import Curves
import SecureMemory

/// Why text is no key and no signature. Offsets count bytes from the start of the text; the text
/// itself is never repeated, since it may be a private key.
package enum KeyTextError: Error, Equatable {
    case empty
    /// A space, a control character or a letter outside ASCII.
    case unexpectedCharacter(offset: Int)
    /// A character that is not of the base58 alphabet: `0`, `O`, `I`, `l` and punctuation are not.
    case invalidCharacter(offset: Int)
    case unknownPrefix(expected: [String])
    /// `PUB_`, `PVT_` or `SIG_` with a curve that is not one of these.
    case unknownCurve(expected: [String])
    /// The text does not stand for the right number of bytes: a character is missing, or one too
    /// many.
    case wrongLength
    case tooLong(limit: Int)
    case checksumMismatch
    /// The checksum is that of another form: `suffix` is what was hashed behind the bytes, empty
    /// for the legacy form.
    case checksumOfOtherForm(suffix: String)
    /// A Bitcoin WIF for a compressed public key, 52 characters: Antelope's have 51.
    case compressedWIF
    /// A WIF whose checksum hashes once instead of twice: some old tools wrote it, most refuse it.
    case singleHashWIF
    /// A WIF of another network; Antelope's version byte is 0x80.
    case wrongWIFVersion(UInt8)
    case privateKeyGiven
    case publicKeyGiven
    /// A public key as FIO writes it.
    case fioPublicKey
    case curve(CurveError)
    case memory(SecureMemoryError)
}
