import ABICodec
import Codecs
import Messages
import Testing
import Transactions

/// What users read.
struct TransactionErrorTests {
    /// The encoding of the names `alice` and `pay`.
    private static let (alice, pay) = (
        Name(rawValue: 0x345c_8500_0000_0000), Name(rawValue: 0xa9bc_0000_0000_0000)
    )

    @Test(
        arguments: [
            (.unrecognised, .notATransaction, "neither a JSON object nor hex"),
            (
                .noABI(path: "actions[0]", account: alice), .noABI, "actions[0]: no ABI for alice is known"
            ),
            (
                .unknownAction(path: "actions[0]", account: alice, action: pay), .noABI,
                "actions[0]: the ABI of alice has no action pay"
            ),
            (
                .dataDisagrees(path: "actions[1]"), .disagreement,
                "actions[1]: the action's `data`, `hex_data` and `json_data` do not match"
            ),
            (
                .idDisagrees(computed: "00ff"), .disagreement,
                "`id` does not match this transaction, whose id is 00ff"
            ),
            (.membersDisagree("id", "transaction_id"), .disagreement, "`id` and `transaction_id` differ"),
            (.hex(.invalidHexDigit(offset: 2)), .invalidEncoding, "character 3 is not a hex digit"),
            (.unknownCompression, .invalidEncoding, "compression is neither none nor zlib"),
            (
                .inflate(.invalid), .invalidEncoding, "the compressed bytes are not a complete zlib stream"
            ),
            (
                .inflate(.trailingBytes(count: 2)), .invalidEncoding,
                "2 trailing bytes after the end of the zlib stream"
            ),
            (
                .inflate(.tooLong(limit: 9)), .tooLarge,
                "the uncompressed data has more than 9 bytes, which nodeos refuses"
            ),
            (.abiGivenTwice(account: alice), .duplicate, "a second ABI was given for alice"),
            (
                .abiOfOtherAccount(account: alice, stated: "bob"), .wrongFile,
                "the file has the ABI of bob, not of alice"
            ),
        ] as [(TransactionError, ErrorCode, String)])
    func words(of error: TransactionError, code: ErrorCode, message: String) {
        #expect(error.words.code == code && error.words.message == message && !error.words.hint.isEmpty)
    }
}
