import Codecs

/// The checksum of Antelope's text forms: the first four bytes of RIPEMD-160 over the bytes and a
/// suffix. The suffix is the curve's name; the legacy form has none (AntelopeIO/spring,
/// libraries/libfc/include/fc/crypto/common.hpp).
enum Checksum {
    static let size = 4
    /// `K1` or `R1`.
    static let maximumSuffixCount = 2

    static func make(_ bytes: [UInt8], suffix: String) -> [UInt8] {
        Array(HashFunction.ripemd160.hash(bytes + suffix.utf8).prefix(size))
    }

    /// Decodes base58 text, checks its checksum and removes it.
    /// - Parameter others: Suffixes of other forms. A checksum that matches one of them is reported
    ///   as `checksumOfOtherForm`.
    static func verify(base58 text: KeyBody, suffix: String, others: [String]) throws(KeyTextError) -> [UInt8]
    {
        let bytes = try converting({ KeyTextError($0, offset: text.offset) }, Base58.decode(text.characters))
        guard bytes.count > size else { throw .wrongLength }
        let (body, checksum) = (Array(bytes.dropLast(size)), Array(bytes.suffix(size)))
        if checksum == make(body, suffix: suffix) { return body }
        for other in others where checksum == make(body, suffix: other) {
            throw .checksumOfOtherForm(suffix: other)
        }
        throw .checksumMismatch
    }

    static func text(_ bytes: [UInt8], suffix: String) -> String {
        Base58.encode(bytes + make(bytes, suffix: suffix))
    }
}

/// The base58 part of a key's text, and its offset.
struct KeyBody {
    let characters: Substring.UTF8View
    let offset: Int
}

extension KeyTextError {
    /// Converts an error of the codec. `offset` is where the base58 part starts in the whole text.
    init(_ error: CodecError, offset: Int) {
        self =
            switch error {
            case .invalidBase58Character(let at): .invalidCharacter(offset: offset + at)
            case .base58TooLong(let limit): .tooLong(limit: limit)
            default: .wrongLength
            }
    }
}
