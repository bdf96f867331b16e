import Codecs
import Curves
import Digests

/// The checksum of Antelope's text forms: the first four bytes of RIPEMD-160 over the bytes and a
/// suffix. The suffix is the curve's name, or nothing in the legacy form (AntelopeIO/spring,
/// libraries/libfc/include/fc/crypto/common.hpp).
enum Checksum {
    static let size = 4

    static func make(_ bytes: [UInt8], suffix: String) -> [UInt8] {
        Array(HashFunction.ripemd160.hash(bytes + suffix.utf8).prefix(size))
    }

    /// Takes the checksum off base58 text.
    /// - Parameter others: Suffixes whose checksum is recognised, to say what was mixed up.
    static func verify(base58 text: KeyBody, suffix: String, others: [String]) throws(KeyTextError) -> [UInt8] {
        let bytes: [UInt8]
        do {
            bytes = try Base58.decode(text.characters)
        } catch {
            throw KeyTextError(error, offset: text.offset)
        }
        guard bytes.count > size else { throw .wrongLength }
        let (body, checksum) = (Array(bytes.dropLast(size)), Array(bytes.suffix(size)))
        if checksum == make(body, suffix: suffix) { return body }
        for other in others where checksum == make(body, suffix: other) { throw .checksumOfOtherForm(suffix: other) }
        throw .checksumMismatch
    }

    static func text(_ bytes: [UInt8], suffix: String) -> String {
        Base58.encode(bytes + make(bytes, suffix: suffix))
    }
}

/// The base58 part of a key's text and where it starts.
struct KeyBody {
    let characters: Substring.UTF8View
    let offset: Int
}

extension KeyTextError {
    /// Tells an error of the codec in the terms of the whole text, in which the base58 part starts
    /// at `offset`.
    init(_ error: CodecError, offset: Int) {
        self =
            switch error {
            case .invalidBase58Character(let at): .invalidCharacter(offset: offset + at)
            case .base58TooLong(let limit): .tooLong(limit: limit)
            default: .wrongLength
            }
    }
}
