import Keys
import Shell

extension KeyTextError: WordedError {
    package var words: Words { words(kind: .any) }

    func words(kind: Words.KeyKind) -> Words {
        switch self {
        case .empty: Words(.empty, "the text is empty")
        case .unexpectedCharacter(let offset):
            Words(
                .invalidKey, "character \(offset + 1) is a space, a control character or a letter outside ASCII",
                hint: "key text has no spaces; letters of other alphabets may look the same but are different")
        case .invalidCharacter(let offset):
            Words(
                .invalidKey, "character \(offset + 1) is not a base58 character",
                hint: "0, O, I and l never occur in key text")
        case .unknownPrefix(let expected): Words(.invalidKey, Words.unknownPrefix(kind, expected))
        case .unknownCurve(let expected):
            Words(.invalidKey, "unknown curve: expected one of \(expected.joined(separator: ", "))")
        case .wrongLength: Words(.invalidValue, "the text encodes the wrong number of bytes", hint: Words.mistyped)
        case .tooLong(let limit): Words(.tooLarge, "the text is longer than \(limit) characters")
        case .checksumMismatch: Words(.invalidKey, "checksum does not match")
        case .checksumOfOtherForm(let suffix):
            Words(
                .invalidKey,
                "the checksum is for \(suffix.isEmpty ? "the legacy form (EOS…)" : "a key of curve \(suffix)"), "
                    + "which does not match the prefix")
        case .compressedWIF:
            Words(.invalidKey, "a WIF for a compressed public key (52 characters), as Bitcoin wallets write it")
        case .singleHashWIF: Words(.invalidKey, "the checksum was made with one SHA-256 instead of two")
        case .wrongWIFVersion(let version):
            Words(.invalidKey, "the version byte is \(version) instead of 128: this is a key of another network")
        case .privateKeyGiven:
            Words(
                .privateKeyGiven,
                "this is a private key, but a \(kind == .signature ? "signature" : "public key") is needed")
        case .publicKeyGiven: Words(.invalidKey, "this is a public key, but a private key is needed")
        case .fioPublicKey: Words(.invalidKey, "public keys with the prefix FIO are not accepted")
        case .curve(let error): error.words
        case .memory(let error): error.words
        }
    }
}

extension CurveError: WordedError {
    package var words: Words {
        switch self {
        case .notOnCurve(let curve):
            Words(.invalidKey, "the public key is not a point on curve \(curve.suffix), so it has no private key")
        case .scalarOutOfRange(let curve):
            Words(.invalidKey, "not a private key of curve \(curve.suffix): the number is zero or too large")
        case .unknownType(let type):
            Words(.invalidABI, "key type \(type) is unknown", hint: "0 is K1, 1 is R1, 2 is WebAuthn")
        case .invalidSignatureHeader(let header):
            Words(.invalidSignature, "the first byte is \(header); in a K1 signature it is 31 to 34")
        case .invalidUserPresence(let value): Words(.invalidKey, "user presence is \(value) instead of 0, 1 or 2")
        case .emptyRelyingParty: Words(.invalidKey, "the relying party id is empty")
        case .wrongLength(let expected): Words(.invalidValue, "\(expected) bytes are needed")
        case .bytes(let error): error.words
        case .memory(let error): error.words
        case .notRecoverable: Words(.invalidSignature, "no public key can be recovered from the signature")
        case .webAuthn(let fault): fault.words
        case .recoveredOtherKey:
            Words(.faultySignature, "the new signature does not match its key, so it was discarded")
        case .faultyNonce: Words(.faultySignature, "the new signature has a wrong nonce, so it was discarded")
        case .noCanonicalSignature(let limit):
            Words(.faultySignature, "none of \(limit) candidate signatures is canonical")
        case .signingUnsupported(let curve):
            Words(.unsupportedKey, "this version can't sign with \(curve.suffix) keys")
        case .libraryFailure: Words(.faultySignature, "the curve library reported an error where none is possible")
        }
    }
}

extension WebAuthnFault {
    var words: Words {
        let text =
            switch self {
            case .tooLong(let limit): "the authenticator data and the client data have more than \(limit) bytes"
            case .clientData(let offset): "the client data is not the expected JSON object: error at byte \(offset)"
            case .type: "the client data is not of the type webauthn.get"
            case .challenge: "the challenge in the client data is not the digest of the transaction"
            case .origin: "the origin in the client data does not start with https://"
            case .authenticatorData(let count, let needed):
                "the authenticator data has \(Words.count(count, "byte")); \(needed) are needed"
            case .relyingParty: "the authenticator data and the client data are for different sites"
            }
        return Words(
            .invalidSignature, "the WebAuthn signature does not verify: \(text)", hint: "sign the transaction again")
    }
}

extension Words {
    /// The kind of text that was expected.
    enum KeyKind { case publicKey, privateKey, signature, any }

    fileprivate static func unknownPrefix(_ kind: KeyKind, _ expected: [String]) -> String {
        let prefixes = expected.joined(separator: ", ")
        return switch kind {
        case .publicKey: "not a public key: public keys start with \(prefixes)"
        case .privateKey: "not a private key: private keys start with \(prefixes)"
        case .signature: "not a signature: signatures start with \(prefixes)"
        case .any: "neither a key nor a signature: they start with EOS, PUB_, PVT_, SIG_ or 5"
        }
    }
}
