import Codecs
import Messages
import Testing

/// What users read. Positions count from 1.
struct CodecErrorTests {
    @Test(
        arguments: [
            (.invalidHexDigit(offset: 0), .invalidEncoding, "character 1 is not a hex digit"),
            (.invalidBase58Character(offset: 1), .invalidEncoding, "character 2 is not a base58 character"),
            (.invalidBase64Character(offset: 2), .invalidEncoding, "character 3 is not a base64 character"),
            (.invalidBase64End(offset: 3), .invalidEncoding, "the base64 text is cut off at character 4"),
            (.oddHexLength(count: 3), .invalidEncoding, "an odd number of hex digits: 3"),
            (
                .invalidVaruint(offset: 5), .invalidEncoding,
                "at byte 5: a length is padded or does not fit into 32 bits"
            ),
            (.trailingBytes(offset: 4, count: 1), .invalidEncoding, "1 byte too many, starting at byte 4"),
            (.wrongBase58Length(expected: 37), .invalidValue, "the text does not encode 37 bytes"),
            (.base58TooLong(limit: 200), .tooLarge, "longer than 200 characters"),
        ] as [(CodecError, ErrorCode, String)])
    func words(of error: CodecError, code: ErrorCode, message: String) {
        #expect(error.words.code == code && error.words.message == message && !error.words.hint.isEmpty)
    }
}
