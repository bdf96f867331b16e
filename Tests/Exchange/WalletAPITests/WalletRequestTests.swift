import JSON
import Keys
import SecureMemory
import TestSupport
import Testing
import Transactions
import WalletAPI

/// Bodies and states of each call: the answer, or what the vault does.
struct WalletRequestTests {
    private static let wif = "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3"
    private static let key = "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"
    private static let otherWIF = "5JNqLXYMQUqgRLJFX9TPALvdemupJHv2igV5tebKDEuBTas64sa"
    private static let otherKey = "EOS5x9Ves353mKfKVbue22bP2i6ukCrHLDNdsbcNeqFX5QtJSmtGQ"
    private static let wifR1 = "PVT_R1_hwrzK1E3Nn6kvAHVQWSjssfstZ1aPfLVM8AdFSbRyV2kFofkg"
    private static let keyR1 = "PUB_R1_7JdqFqQxjbzT8TkuUnnzZsB8zd4X4eRoQqkhcjqabxicxe7xDx"
    private static let chain = String(repeating: "ab", count: 32)
    private static let transaction = """
        {"expiration":"2026-12-01T00:00:00","ref_block_num":1000,"ref_block_prefix":305419896,\
        "max_net_usage_words":0,"max_cpu_usage_ms":0,"delay_sec":0,"context_free_actions":[],"actions":[\
        {"account":"eosio.token","name":"transfer","authorization":[{"actor":"alice","permission":"active"}],\
        "data":"aabb"}],"transaction_extensions":[],"signatures":[],"context_free_data":[]}
        """

    private static func request(_ call: WalletCall, _ body: String) -> String {
        "POST \(call.rawValue) HTTP/1.1\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static func answer(_ call: WalletCall, _ body: String, by wallet: TestWallet) throws
        -> Served.Answer
    {
        let answers = try Served(request(call, body), by: wallet).answers
        return try #require(answers.count == 1 ? answers[0] : nil)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let call: WalletCall
        let body: String
        let status: Int
        /// The code of the error.
        var code: Int?
        /// The message of the error, or the JSON of the answer.
        let text: String
        var isUnlocked = true

        var testDescription: String { "\(call) \(body.prefix(60))" }

        static func error(
            _ call: WalletCall, _ body: String, _ code: Int, _ text: String, isUnlocked: Bool = true
        ) -> Row {
            Row(
                call: call, body: body, status: code == 3_200_006 ? 400 : 500, code: code, text: text,
                isUnlocked: isUnlocked)
        }

        static func answer(
            _ call: WalletCall, _ body: String, _ status: Int, _ text: String, isUnlocked: Bool = true
        ) -> Row {
            Row(call: call, body: body, status: status, text: text, isUnlocked: isUnlocked)
        }

        /// A body that does not have the form of the call.
        static func refused(_ call: WalletCall, _ body: String, _ reason: String? = nil) -> Row {
            error(
                call, body, 3_200_006,
                "Unable to parse valid input from POST body" + (reason.map { ": \($0)" } ?? ""))
        }
    }

    private static let badName = "Invalid filename, path not allowed in wallet name"
    private static let bodyRequired = "A Request body is required"
    private static let missing = "Missing valid input from POST body"

    static let answers: [Row] = [
        .answer(.listWallets, "", 200, #"["default *"]"#),
        .answer(.listWallets, " {} ", 200, #"["default *"]"#),
        .answer(.listWallets, "", 200, #"["default"]"#, isUnlocked: false),
        .answer(.getPublicKeys, "", 200, #"["\#(key)","\#(keyR1)"]"#),
        .error(.getPublicKeys, "", 3_120_003, "You don't have any unlocked wallet!", isUnlocked: false),
        .answer(.open, #""default""#, 200, "{}"), .answer(.lock, #" "\u0064efault" "#, 200, "{}"),
        .answer(.lock, #""default""#, 200, "{}", isUnlocked: false), .answer(.lockAll, "{}", 200, "{}"),
        .error(.lock, #""nope""#, 3_120_002, "Wallet not found: nope"),
        .error(.open, #""a/b""#, 3_120_000, badName), .error(.open, #""""#, 3_120_000, badName),
        .error(.open, #""de\u0000fault""#, 3_120_000, badName), .error(.open, #""é""#, 3_120_000, badName),
        .error(.open, "\"\(String(repeating: "a", count: 256))\"", 3_120_000, badName),
        .error(.open, #""Default""#, 3_120_002, "Wallet not found: Default"),
        .answer(.unlock, #"["default","PW of the tests"]"#, 200, "{}", isUnlocked: false),
        .answer(.unlock, #"["default","\u0050W of\u0020the tests"]"#, 200, "{}", isUnlocked: false),
        .error(
            .unlock, #"["default","PW of the test"]"#, 3_120_005, #"Invalid password for wallet: "default""#,
            isUnlocked: false),
        .error(
            .unlock, #"["default",""]"#, 3_120_005, #"Invalid password for wallet: "default""#,
            isUnlocked: false),
        .error(.unlock, #"["default","wrong"]"#, 3_120_007, "Wallet is already unlocked: default"),
        .error(.unlock, #"["nope","x"]"#, 3_120_002, "Wallet not found: nope"),
        .error(.unlock, #"["a/b","x"]"#, 3_120_000, badName),
        .answer(.importKey, #"["default","\#(otherWIF)"]"#, 201, "{}"),
        .error(.importKey, #"["default","\#(wif)"]"#, 3_120_008, "Key already in wallet"),
        .error(.importKey, #"["default","x"]"#, 3_120_003, "Wallet is locked: default", isUnlocked: false),
        .error(.importKey, #"["nope","x"]"#, 3_120_002, "Wallet not found: nope"),
        .refused(.importKey, #"["default",""]"#, "the private key: the text is empty"),
        .answer(.createKey, #"["default",""]"#, 201, #""\#(otherKey)""#),
        .answer(.createKey, #"["default","k1"]"#, 201, #""\#(otherKey)""#),
        .answer(.createKey, #"["default","r1"]"#, 201, #""\#(otherKey)""#),
        .error(
            .createKey, #"["default","WA"]"#, 3_120_010, #"Key type "WA" not supported by software wallet"#),
        .error(.createKey, #"["default","a b"]"#, 3_120_010, "Key type not supported by software wallet"),
        .error(.createKey, #"["default","ZZ"]"#, 3_120_003, "Wallet is locked: default", isUnlocked: false),
        .error(.createKey, #"["nope","ZZ"]"#, 3_120_002, "Wallet not found: nope", isUnlocked: false),
        .answer(.setTimeout, "900", 200, "{}"), .answer(.setTimeout, " 1 ", 200, "{}"),
        .answer(.stop, "", 200, "{}"),
        .error(.create, #""default""#, 3_120_000, #"create is refused: make a vault with "eosvault init""#),
        .error(
            .listKeys, #"["default","PW of the tests"]"#, 3_120_000,
            "list_keys is refused: private keys do not leave eosvault-agent"),
        .error(.removeKey, "", 3_120_000, #"remove_key is refused: remove a key with "eosvault remove""#),
        .error(
            .signDigest, #"["\#(chain)","\#(key)"]"#, 3_120_000,
            "sign_digest is refused for this key: see --allow-digest"),
        .error(
            .signTransaction, #"[\#(transaction),["\#(otherKey)"],"\#(chain)"]"#, 3_120_004,
            "Public key not found in unlocked wallets \(otherKey)"),
        .error(
            .signTransaction, #"[\#(transaction),["\#(key)"],"\#(chain)"]"#, 3_120_003,
            "Wallet is locked: default", isUnlocked: false),
        .answer(.signTransaction, #"[\#(transaction),[],"\#(chain)"]"#, 201, transaction),
    ]

    static let timeouts: [Row] = ["0", "-0", "-1", "901", "1.5", "1e2", "9223372036854775808"].map {
        .error(.setTimeout, $0, 3_120_011, "a timeout is from 1 to 900 seconds")
    }

    /// Bodies of the wrong form.
    static let malformed: [Row] =
        ["[]", #""""#, "null", "{} x", #"{"a":1}"#].flatMap { body in
            [WalletCall.listWallets, .getPublicKeys, .lockAll, .stop, .getSupportedAPIs].map {
                .refused($0, body)
            }
        }
        + ["", " ", "{}", "\r\n{ }"].flatMap { body in
            [
                WalletCall.open, .lock, .unlock, .importKey, .createKey, .signTransaction, .signDigest,
                .setTimeout,
            ]
            .map { .error($0, body, 3_200_006, bodyRequired) }
        }
        + [
            "default", "12", "true", "null", #""default" x"#, #""default""x""#, #""default"//c"#, "'default'",
            "\u{feff}\"default\"", #"["default"]"#, #""default"#, #""a\x""#,
            String(repeating: "[", count: 2_000),
            String(repeating: "9", count: 3_000),
        ].map { .refused(.open, $0) }
        + ["true", #""900""#, "[900]", "0x10", "+1", "01", "1 2"].map { .refused(.setTimeout, $0) }
        + [WalletCall.unlock, .importKey, .createKey, .signDigest].flatMap { call -> [Row] in
            ["[]", #"["default"]"#, #"["default","a","b"]"#].map { .error(call, $0, 3_200_006, missing) }
                + [
                    #"["default",1]"#, #"[null,"a"]"#, #"["default",["a"]]"#, #"{"a":1}"#, #""default""#,
                    #"["default","a"] x"#, #"["default","a",]"#, "[[[[[[", #"["default","\ud800"]"#,
                    "[\"default\",\"\u{1}\"]",
                ].map { .refused(call, $0) }
        }

    @Test(arguments: answers + timeouts + malformed) func answersEachBody(_ row: Row) throws {
        let wallet = try TestWallet(isUnlocked: row.isUnlocked, keys: [Self.wifR1, Self.wif])
        wallet.keysToCreate = [Self.otherWIF]
        let answer = try Self.answer(row.call, row.body, by: wallet)
        #expect(answer.status == row.status)
        #expect(answer.errorCode == row.code)
        #expect((row.code == nil ? answer.body : answer.message) == row.text)
    }

    /// Nothing is done, and nothing stored, for a request that is refused.
    @Test(arguments: timeouts + malformed) func refusalsDoNothing(_ row: Row) throws {
        let wallet = try TestWallet(keys: [Self.wif])
        _ = try Self.answer(row.call, row.body, by: wallet)
        #expect(wallet.operations.isEmpty && wallet.isUnlocked && wallet.timeout == 900)
    }

    @Test func openLocks() throws {
        let wallet = try TestWallet()
        _ = try Self.answer(.open, #""default""#, by: wallet)
        #expect(!wallet.isUnlocked && wallet.operations == ["lock"])
    }

    // MARK: - secrets

    /// No answer repeats a secret, whatever its form and its place.
    @Test(arguments: [
        #"["default","SECRETSECRET"]"#, #"["default","SECRETSECRET"#, #"["default",SECRETSECRET]"#,
        #"["default","a","SECRETSECRET"]"#, #"["SECRETSECRET /","a"]"#, #"{"default":"SECRETSECRET"}"#,
    ]) func noAnswerRepeatsASecret(_ body: String) throws {
        for call in [WalletCall.unlock, .importKey, .listKeys, .removeKey, .create] {
            for isUnlocked in [true, false] {
                let answer = try Self.answer(call, body, by: TestWallet(isUnlocked: isUnlocked))
                #expect(!answer.body.contains("SECRETSECRET"))
            }
        }
    }

    @Test func aPINMayHaveEscapesAndBytesOfUTF8() throws {
        let wallet = try TestWallet(password: "é\"\\/\n\u{1f600}", isUnlocked: false)
        _ = try Self.answer(.unlock, #"["default","\u00e9\"\\\/\n\ud83d\ude00"]"#, by: wallet)
        #expect(wallet.isUnlocked)
        wallet.isUnlocked = false
        _ = try Self.answer(.unlock, "[\"default\",\"é\\\"\\\\/\\n\u{1f600}\"]", by: wallet)
        #expect(wallet.isUnlocked)
    }

    // MARK: - digests

    @Test func aDigestIsSignedByAKeyThatMay() throws {
        let wallet = try TestWallet(keys: [Self.wif, Self.otherWIF])
        wallet.digestKeys = [try PublicKey(Self.key)]
        let body = #"["2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824","\#(Self.key)"]"#
        let answer = try Self.answer(.signDigest, body, by: wallet)
        #expect(answer.status == 201)
        // The answer of keosd, in Vectors/agent.
        #expect(
            answer.body
                == #""SIG_K1_K2Uurs6P1PBfnzm6qhc4YnbxXTPsbRxeiDoZmFXj4f6Dydi3t9YmSzuotJez5uGrE237H5WYp1"#
                + #"rRoqycqHVPubuZAWj768""#
        )
        #expect(
            try Self.answer(.signDigest, body.replacing(Self.key, with: Self.otherKey), by: wallet).errorCode
                == 3_120_000)
        wallet.isUnlocked = false
        #expect(try Self.answer(.signDigest, body, by: wallet).errorCode == 3_120_003)
    }

    @Test(arguments: ["", "2cf2", "zz", String(repeating: "0", count: 66), String(repeating: "0", count: 63)])
    func aDigestHas64Digits(_ digest: String) throws {
        let wallet = try TestWallet(keys: [Self.wif])
        wallet.digestKeys = [try PublicKey(Self.key)]
        let answer = try Self.answer(.signDigest, #"["\#(digest)","\#(Self.key)"]"#, by: wallet)
        #expect(answer.message == "Unable to parse valid input from POST body: a digest has 64 hex digits")
    }

    @Test func servedPathsAreListed() throws {
        let wallet = try TestWallet(keys: [Self.wif])
        func paths() throws -> [String] {
            try Self.answer(.getSupportedAPIs, "", by: wallet).json?["apis"]?.array?.compactMap(\.string)
                ?? []
        }
        let expected = [
            "/v1/keosd/stop", "/v1/wallet/create_key", "/v1/wallet/get_public_keys", "/v1/wallet/import_key",
            "/v1/wallet/list_wallets", "/v1/wallet/lock", "/v1/wallet/lock_all", "/v1/wallet/open",
            "/v1/wallet/set_timeout", "/v1/wallet/sign_transaction", "/v1/wallet/unlock",
        ]
        #expect(try paths() == expected)
        wallet.digestKeys = [try PublicKey(Self.key)]
        #expect(try paths() == (expected + ["/v1/wallet/sign_digest"]).sorted())
    }
}
