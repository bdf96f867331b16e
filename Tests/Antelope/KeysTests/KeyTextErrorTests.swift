import Keys
import Messages
import Testing

/// What users read. Positions count from 1.
struct KeyTextErrorTests {
    @Test(
        arguments: [
            (.empty, .empty, "the text is empty"),
            (.invalidCharacter(offset: 4), .invalidKey, "character 5 is not a base58 character"),
            (.unknownCurve(expected: ["K1", "R1"]), .invalidKey, "unknown curve: expected one of K1, R1"),
            (.wrongLength, .invalidValue, "the text encodes the wrong number of bytes"),
            (.tooLong(limit: 100), .tooLarge, "the text is longer than 100 characters"),
            (.checksumMismatch, .invalidKey, "checksum does not match"),
            (
                .checksumOfOtherForm(suffix: ""), .invalidKey,
                "the checksum is for the legacy form (EOS…), which does not match the prefix"
            ),
            (.singleHashWIF, .invalidKey, "the checksum was made with one SHA-256 instead of two"),
            (
                .wrongWIFVersion(239), .invalidKey,
                "the version byte is 239 instead of 128: this is a key of another network"
            ),
            (.privateKeyGiven, .privateKeyGiven, "this is a private key, but a public key is needed"),
            (.publicKeyGiven, .invalidKey, "this is a public key, but a private key is needed"),
            (.fioPublicKey, .invalidKey, "public keys with the prefix FIO are not accepted"),
        ] as [(KeyTextError, ErrorCode, String)])
    func words(of error: KeyTextError, code: ErrorCode, message: String) {
        #expect(error.words.code == code && error.words.message == message && !error.words.hint.isEmpty)
    }

    @Test(
        arguments: [
            (.publicKey, "not a public key: public keys start with EOS"),
            (.privateKey, "not a private key: private keys start with EOS"),
            (.signature, "not a signature: signatures start with EOS"),
            (.any, "neither a key nor a signature: they start with EOS, PUB_, PVT_, SIG_ or 5"),
        ] as [(KeyTextError.Kind, String)])
    func unknownPrefix(kind: KeyTextError.Kind, message: String) {
        #expect(KeyTextError.unknownPrefix(expected: ["EOS"]).words(kind: kind).message == message)
    }

    @Test(
        arguments: [
            (.compressedWIF, "Antelope private keys in WIF have 51 characters and start with 5"),
            (.checksumMismatch, "one or more characters were mistyped, lost or added"),
            (.fioPublicKey, "the same key is written EOS…: replace the first three letters"),
            (
                .unexpectedCharacter(offset: 0),
                "key text has no spaces; letters of other alphabets may look the same "
                    + "but are different"
            ),
        ] as [(KeyTextError, String)])
    func hints(of error: KeyTextError, hint: String) { #expect(error.words.hint == hint) }
}
