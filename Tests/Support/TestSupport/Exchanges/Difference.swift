/// A deliberate difference from keosd: the recorded requests with it, and what the agent answers.
/// Everything else is equal.
public struct Difference: Sendable {
    public enum Answer: Sendable {
        /// An error of status 500, or 400 for 3200006. The connection stays open.
        /// - Parameter message: nil for a reason that `SigningCallTests` checks.
        case error(Int, String? = nil)
        /// An error of HTTP.
        case status(Int, String, closes: Bool)
        case answer(Int, String, closes: Bool = false)
        /// 201 and the recorded answer, with other R1 signatures.
        case otherR1Nonces
        /// 201 with the transaction of the request.
        case transactionUnchanged
    }

    public let reason: String
    public let answer: Answer
    public let rows: [String]

    public init(_ reason: String, _ answer: Answer, _ rows: [String]) {
        (self.reason, self.answer, self.rows) = (reason, answer, rows)
    }

    private static let ownKeys = [
        "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV",
        "EOS6gsQXzM6CLbhbDKLEteS6PZb6W2UaHDLvtQN56gxEGYsBZ6rcC",
        "EOS7Ph1r9Mrj8DE7NWaYCm34hBS7tPtFPPnJEgyhxQiBpe94ASU4c",
        "PUB_R1_5bPyDhkjM6zSLHq9joxV7RwXswXg7yPZjRFfAyBTP1hn9vbdvL",
    ]
    private static let allOwnKeys = "[" + ownKeys.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    private static let removeKey = #"remove_key is refused: remove a key with "eosvault remove""#
    private static let listKeys = "list_keys is refused: private keys do not leave eosvault-agent"
    private static let unparsable = "Unable to parse valid input from POST body"

    /// The rows are the numbers of the exchanges.
    public static let ofCommands: [Difference] = [
        Difference("the wallet is always open", .answer(200, #"["default"]"#), ["1"]),
        Difference(
            "the wallet is always open", .error(3_120_003, "You don't have any unlocked wallet!"), ["2"]),
        Difference("the wallet is always open", .answer(200, "{}"), ["3", "4"]),
        Difference("the wallet is always open", .error(3_120_003, "Wallet is locked: default"), ["5"]),
        Difference(
            "create is refused", .error(3_120_000, #"create is refused: make a vault with "eosvault init""#),
            ["6", "7", "8", "9"]),
        Difference("list_keys is refused", .error(3_120_000, listKeys), ["24", "25", "66"]),
        Difference("remove_key is refused", .error(3_120_000, removeKey), ["26", "27", "28"]),
        Difference("there is one wallet", .answer(200, #"["default *"]"#), ["10", "61", "77", "78", "79"]),
        Difference(
            "there is one wallet", .error(3_120_002, "Wallet not found: w2"),
            ["13", "14", "19", "58", "59", "64", "65", "73", "75"]),
        Difference(
            "there is one wallet, and no key was removed", .answer(200, allOwnKeys),
            ["22", "23", "29", "32", "34", "36", "38", "48", "50", "52", "54", "56", "62"]),
        Difference(
            "there is one wallet",
            .error(
                3_120_004,
                "Public key not found in unlocked wallets EOS5roWcb2nrRubs85cgyscS1F7XL28yf66Fdjy8oPaDVxFZF1Ab2"
            ), ["41", "55"]),
        Difference("R1 nonces are random", .otherR1Nonces, ["44"]),
        Difference("a key that has signed adds nothing", .transactionUnchanged, ["51"]),
        Difference("messages have no paths", .error(3_120_002, "Wallet not found: nope"), ["74"]),
        Difference(
            "messages do not repeat such a name",
            .error(3_120_000, "Invalid filename, path not allowed in wallet name"), ["76"]),
        Difference("stop is always answered", .answer(200, "{}", closes: true), ["80"]),
    ]

    /// The rows are labels.
    public static let ofHTTP: [Difference] = [
        Difference(
            "an answer to HEAD has no body", .answer(405, ""), ["HEAD"]),
        Difference(
            "other methods are refused", .status(405, "only POST is supported", closes: false),
            ["unknown method", "DELETE", "GET without body", "OPTIONS unknown path"]),
        Difference(
            "Transfer-Encoding is refused",
            .status(400, "Transfer-Encoding is not supported: send Content-Length", closes: true),
            [
                "chunked request", "chunked with extension and trailer", "Transfer-Encoding: gzip, chunked",
                "Transfer-Encoding: identity", "CL and TE",
            ]),
        Difference(
            "an ambiguous length is answered",
            .status(400, "Content-Length is malformed or occurs twice", closes: true),
            [
                "two Content-Length equal", "two Content-Length different", "Content-Length: 2, 2",
                "Content-Length: +2", "Content-Length: -1", "Content-Length: 99999999999999999999",
            ]),
        Difference(
            "malformed requests are answered", .status(400, "a line does not end with CR LF", closes: true),
            ["LF only"]),
        Difference(
            "malformed requests are answered",
            .status(400, "the request begins with an empty line", closes: true), ["empty line first"]),
        Difference(
            "malformed requests are answered", .status(400, "the request line is malformed", closes: true),
            ["garbage"]),
        Difference(
            "malformed requests are answered",
            .status(400, "the version is neither HTTP/1.1 nor HTTP/1.0", closes: true),
            ["HTTP/2 preface", "HTTP/1.2"]),
        Difference(
            "malformed requests are answered",
            .status(400, "the header has a control character", closes: true), ["TLS hello", "NUL in header"]),
        Difference(
            "malformed requests are answered", .status(400, "a header line is malformed", closes: true),
            ["space before colon"]),
        Difference(
            "folded lines are refused",
            .status(400, "a header line is continued on the next line", closes: true), ["obs-fold header"]),
        Difference(
            "long bodies are answered", .status(413, "the body is too long", closes: true),
            ["Expect 100-continue too large"]),
        Difference(
            "browsers are refused",
            .status(403, "a browser can't use eosvault-agent", closes: false), ["Origin header"]),
        Difference(
            "compressed bodies are refused",
            .status(400, "Content-Encoding is not supported", closes: false), ["Content-Encoding: gzip"]),
    ]

    /// The rows are labels.
    public static let ofBodies: [Difference] = [
        Difference(
            "a transaction is taken only as cleos writes it", .error(3_200_006),
            [
                "unknown field", "without context_free_data", "without max_cpu_usage_ms",
                "without expiration",
                "hex_data and data", "action without data", "ref_block_num as string",
                "ref_block_num 70000",
                "ref_block_num -1", "ref_block_prefix 2^32", "max_cpu_usage_ms 300", "delay_sec 1.5",
                "expiration with .500", "duplicate member", "packed transaction", "chain id 66 digits",
                "chain id empty",
            ]),
        Difference(
            "a body of the wrong form is a request error", .error(3_200_006),
            [
                "odd hex data", "expiration with Z", "expiration text", "bad name", "long name",
                "keys as string", "keys null", "chain id 0x", "chain id number", "chain id null",
                "transaction null", "transaction string", "bad signature present",
            ]),
        Difference(
            "a name is a JSON string", .error(3_200_006, unparsable),
            [
                "open: trailing text", "open: two values", "open: comment", "open: invalid UTF-8",
                "open: null",
                "open: true", "open: 12", "open: NUL",
            ]),
        Difference(
            "messages do not repeat such a name",
            .error(3_120_000, "Invalid filename, path not allowed in wallet name"),
            ["open: empty string"]),
        Difference("escapes are read", .answer(200, "{}"), [#"open: escape \u0064"#]),
        Difference("R1 nonces are random", .otherR1Nonces, ["two keys, R1 first", "sign_digest: R1"]),
        Difference(
            "a key that has signed adds nothing", .transactionUnchanged, ["signature present already"]),
        Difference(
            "a digest has its exact length", .error(3_200_006, "\(unparsable): a digest has 64 hex digits"),
            [
                "sign_digest: 63 digits", "sign_digest: 62 digits", "sign_digest: 66 digits",
                "sign_digest: empty",
            ]),
        Difference(
            "a body of the wrong form is a request error", .error(3_200_006, unparsable),
            ["sign_digest: number", "sign_digest: key array", "set_timeout: true"]),
        Difference(
            "a timeout is limited", .error(3_120_011, "a timeout is from 1 to 900 seconds"),
            [
                "set_timeout: 1.5", "set_timeout: 1e3", "set_timeout: 2^63", "set_timeout: -0",
                "set_timeout: 9223372036", "set_timeout 0", "set_timeout -1",
            ]),
        Difference(
            "a refused timeout is not stored",
            .answer(200, "[" + Recorded.walletPublicKeys.map { "\"\($0)\"" }.joined(separator: ",") + "]"),
            ["keys after set_timeout", "keys after set_timeout 0", "keys, timeout 0", "keys after -1"]),
        Difference(
            "a locked wallet is stated", .error(3_120_003, "Wallet is locked: default"),
            ["sign after the timeout"]),
        Difference("list_keys is refused", .error(3_120_000, listKeys), ["list_keys empty password"]),
        Difference("remove_key is refused", .error(3_120_000, removeKey), ["remove_key bad key"]),
        Difference("only served paths are listed", .answer(200, servedPaths), ["get_supported_apis"]),
    ]

    private static let servedPaths =
        #"{"apis":["/v1/keosd/stop","/v1/wallet/create_key","/v1/wallet/get_public_keys","#
        + #""/v1/wallet/import_key","/v1/wallet/list_wallets","/v1/wallet/lock","/v1/wallet/lock_all","#
        + #""/v1/wallet/open","/v1/wallet/set_timeout","/v1/wallet/sign_digest","/v1/wallet/sign_transaction","#
        + #""/v1/wallet/unlock"]}"#
}
