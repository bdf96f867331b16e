import Curves
import KeyText

extension Words {
    /// What kind of text was asked for.
    enum KeyKind { case publicKey, privateKey, signature, any }

    init(_ error: KeyTextError, kind: KeyKind) {
        self =
            switch error {
            case .empty: Words("empty-key", "there is no key in it")
            case .unexpectedCharacter(let offset):
                Words(
                    "invalid-character",
                    "character \(offset + 1) is a space, a control character or a letter outside ASCII",
                    hint: "key text has no spaces; letters of other alphabets may look the same and are not")
            case .invalidCharacter(let offset):
                Words(
                    "invalid-character", "character \(offset + 1) is not of base58",
                    hint: "0, O, I and l never occur in key text")
            case .unknownPrefix(let expected): Words("unknown-prefix", Words.unknownPrefix(kind, expected))
            case .unknownCurve(let expected):
                Words("unknown-curve", "the curve is none of \(expected.joined(separator: ", "))", hint: Words.mistyped)
            case .wrongLength: Words("wrong-length", "it stands for the wrong number of bytes", hint: Words.mistyped)
            case .tooLong(let limit): Words("too-long", "it is longer than \(limit) characters")
            case .checksumMismatch: Words("checksum-mismatch", "checksum does not match", hint: Words.mistyped)
            case .checksumOfOtherForm(let suffix):
                Words(
                    "checksum-of-other-form",
                    "the checksum is that of \(suffix.isEmpty ? "the legacy form (EOS…)" : "a key of curve \(suffix)"), not of what the prefix says",
                    hint: "the prefix was changed; use the text as it was written first")
            case .compressedWIF:
                Words(
                    "compressed-wif", "a WIF for a compressed public key (52 characters), as Bitcoin wallets write it",
                    hint: "Antelope's private keys have 51 characters and start with 5")
            case .singleHashWIF:
                Words(
                    "single-hash-wif", "the checksum hashes once instead of twice",
                    hint: "an old tool wrote it; have that tool, or the one that made the key, write it again")
            case .wrongWIFVersion(let version):
                Words("wrong-wif-version", "version byte \(version) instead of 128: a key of another network")
            case .privateKeyGiven:
                Words(
                    "private-key-given",
                    "this is a private key, and a \(kind == .signature ? "signature" : "public key") is asked for",
                    hint: "whoever saw it can sign with it; if that may be anyone but you, move to a new key")
            case .publicKeyGiven:
                Words(
                    "public-key-given", "this is a public key, and a private key is asked for",
                    hint: "private keys start with 5 or PVT_")
            case .fioPublicKey:
                Words(
                    "fio-key", "keys are not taken in FIO's spelling",
                    hint: "the same key is written EOS…: replace the first three letters"
                )
            case .curve(let error): Words(error)
            case .memory(let error): Words(error)
            }
    }

    private static func unknownPrefix(_ kind: KeyKind, _ expected: [String]) -> String {
        let prefixes = expected.joined(separator: ", ")
        return switch kind {
        case .publicKey: "not a public key: those start with \(prefixes)"
        case .privateKey: "not a private key: those start with \(prefixes)"
        case .signature: "not a signature: those start with \(prefixes)"
        case .any: "neither a key nor a signature: those start with EOS, PUB_, PVT_, SIG_ or 5"
        }
    }

    init(_ error: CurveError) {
        self =
            switch error {
            case .notOnCurve(let curve):
                Words(
                    "not-on-curve", "the point is not on curve \(curve.title): nobody can sign for it",
                    hint: Words.mistyped)
            case .scalarOutOfRange(let curve):
                Words("scalar-out-of-range", "no private key of curve \(curve.title): zero or too large")
            case .unknownType(let type):
                Words("unknown-type", "key type \(type) is not known", hint: "0 is K1, 1 is R1, 2 is WebAuthn")
            case .invalidSignatureHeader(let header):
                Words("invalid-signature", "the first byte is \(header); those of K1 signatures are 31 to 34")
            case .invalidUserPresence(let value): Words("invalid-key", "user presence is \(value) instead of 0, 1 or 2")
            case .emptyRelyingParty: Words("invalid-key", "the relying party id is empty")
            case .wrongLength(let expected): Words("wrong-length", "\(expected) bytes are needed")
            case .bytes(let error): Words(error)
            case .memory(let error): Words(error)
            case .notRecoverable: Words("not-recoverable", "no public key can be recovered from the signature")
            case .webAuthn(let fault): Words(fault)
            case .recoveredOtherKey:
                Words(
                    "recovered-other-key",
                    "the signature does not belong to the key it was made with and is not given out",
                    hint: Words.faulty)
            case .faultyNonce:
                Words(
                    "faulty-nonce", "the signature was made with a wrong nonce and is not given out", hint: Words.faulty
                )
            case .noCanonicalSignature(let limit):
                Words("no-canonical-signature", "none of \(limit) candidates was canonical", hint: Words.faulty)
            case .signingUnsupported(let curve):
                Words(
                    "signing-unsupported", "keys of curve \(curve.title) can't sign yet",
                    hint: "this version signs with K1 keys")
            case .libraryFailure:
                Words("library-failure", "the curve library refused a step that can't fail", hint: Words.faulty)
            }
    }

    init(_ fault: WebAuthnFault) {
        let text =
            switch fault {
            case .tooLong(let limit): "more than \(limit) bytes of authenticator data and client data"
            case .clientData(let offset): "the client data is not the expected JSON object: byte \(offset)"
            case .type: "the client data is not of the type webauthn.get"
            case .challenge: "the challenge in the client data is not the digest of the transaction"
            case .origin: "the origin in the client data does not begin with https://"
            case .authenticatorData(let count, let needed):
                "\(Words.count(count, "byte")) of authenticator data; \(needed) are needed"
            case .relyingParty: "the authenticator data is for another site than the origin in the client data"
            }
        self = Words(
            "not-recoverable", "the WebAuthn signature does not verify: \(text)", hint: "sign the transaction again")
    }

    static let faulty = "the machine may be faulty: try again, and another machine if it happens twice"
}

extension Curve {
    var title: String { self == .k1 ? "K1" : "R1" }
}
