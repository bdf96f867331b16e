import Codecs
import Messages
import SecureMemory

/// Why text is not a key or a signature. Offsets count bytes from the start of the text. No case
/// contains the text, because it may be a private key.
package enum KeyTextError: Error, Equatable {
    case empty
    case unexpectedCharacter(offset: Int)
    case invalidCharacter(offset: Int)
    case unknownPrefix(expected: [String])
    /// `PUB_`, `PVT_` or `SIG_` with a curve that is not one of `expected`.
    case unknownCurve(expected: [String])
    case wrongLength
    case tooLong(limit: Int)
    case checksumMismatch
    /// - Parameter suffix: the text that was hashed after the bytes; empty for the legacy form.
    case checksumOfOtherForm(suffix: String)
    case compressedWIF
    /// Some old tools wrote it; most refuse it.
    case singleHashWIF
    case wrongWIFVersion(UInt8)
    case privateKeyGiven
    case publicKeyGiven
    case fioPublicKey
    case curve(CurveError)
    case memory(SecureMemoryError)
}

extension KeyTextError: WordedError {
    /// The kind of text that was expected.
    package enum Kind: Sendable { case publicKey, privateKey, signature, any }

    package var words: Words { words(kind: .any) }

    package func words(kind: Kind) -> Words {
        switch self {
        case .empty: Words(.empty, "the text is empty")
        case .unexpectedCharacter(let offset):
            Words(
                .invalidKey,
                "character \(offset + 1) is a space, a control character or a letter outside ASCII",
                hint: "key text has no spaces; letters of other alphabets may look the same but are different"
            )
        case .invalidCharacter(let offset):
            Words(
                .invalidKey, "character \(offset + 1) is not a base58 character",
                hint: "0, O, I and l never occur in key text")
        case .unknownPrefix(let expected): Words(.invalidKey, Self.unknownPrefix(kind, expected))
        case .unknownCurve(let expected):
            Words(
                .invalidKey, "unknown curve: expected one of \(expected.joined(separator: ", "))",
                hint: CodecError.mistyped)
        case .wrongLength:
            Words(.invalidValue, "the text encodes the wrong number of bytes", hint: CodecError.mistyped)
        case .tooLong(let limit): Words(.tooLarge, "the text is longer than \(limit) characters")
        case .checksumMismatch: Words(.invalidKey, "checksum does not match", hint: CodecError.mistyped)
        case .checksumOfOtherForm(let suffix):
            Words(
                .invalidKey,
                "the checksum is for \(suffix.isEmpty ? "the legacy form (EOS…)" : "a key of curve \(suffix)"), "
                    + "which does not match the prefix", hint: "the prefix was changed: use the original text"
            )
        case .compressedWIF:
            Words(
                .invalidKey, "a WIF for a compressed public key (52 characters), as Bitcoin wallets write it",
                hint: "Antelope private keys in WIF have 51 characters and start with 5")
        case .singleHashWIF:
            Words(
                .invalidKey, "the checksum was made with one SHA-256 instead of two",
                hint: "an old tool wrote this text: export the key again, from the tool that made the key")
        case .wrongWIFVersion(let version):
            Words(
                .invalidKey, "the version byte is \(version) instead of 128: this is a key of another network"
            )
        case .privateKeyGiven:
            Words(
                .privateKeyGiven,
                "this is a private key, but a \(kind == .signature ? "signature" : "public key") is needed")
        case .publicKeyGiven:
            Words(
                .invalidKey, "this is a public key, but a private key is needed",
                hint: "private keys start with 5 or PVT_")
        case .fioPublicKey:
            Words(
                .invalidKey, "public keys with the prefix FIO are not accepted",
                hint: "the same key is written EOS…: replace the first three letters")
        case .curve(let error): error.words
        case .memory(let error): error.words
        }
    }

    private static func unknownPrefix(_ kind: Kind, _ expected: [String]) -> String {
        let prefixes = expected.joined(separator: ", ")
        return switch kind {
        case .publicKey: "not a public key: public keys start with \(prefixes)"
        case .privateKey: "not a private key: private keys start with \(prefixes)"
        case .signature: "not a signature: signatures start with \(prefixes)"
        case .any: "neither a key nor a signature: they start with EOS, PUB_, PVT_, SIG_ or 5"
        }
    }
}
