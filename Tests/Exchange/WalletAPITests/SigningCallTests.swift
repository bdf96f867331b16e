import Codecs
import JSON
import Keys
import TestSupport
import Testing
import Transactions
import WalletAPI

/// The body of `sign_transaction`.
struct SigningCallTests {
    private static let wif = "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3"
    private static let key = "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"
    private static let otherWIF = "5JNqLXYMQUqgRLJFX9TPALvdemupJHv2igV5tebKDEuBTas64sa"
    private static let otherKey = "EOS5x9Ves353mKfKVbue22bP2i6ukCrHLDNdsbcNeqFX5QtJSmtGQ"
    private static let chain = "aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906"
    private static let transaction = """
        {"expiration":"2026-12-01T00:00:00","ref_block_num":1000,"ref_block_prefix":305419896,\
        "max_net_usage_words":0,"max_cpu_usage_ms":0,"delay_sec":0,"context_free_actions":[],"actions":[\
        {"account":"eosio.token","name":"transfer","authorization":[{"actor":"alice","permission":"active"}],\
        "data":"0000000000855c340000000000000e3d102700000000000004454f53000000000568656c6c6f"}],\
        "transaction_extensions":[],"signatures":[],"context_free_data":[]}
        """
    /// Of keosd, with the key and the chain.
    private static let signature =
        "SIG_K1_KiBHa68jkx6oudcLiyfMWjcKGyRCeXagkZktjsudCVd95SDbuxGpMeiojjuK8XwFiWAWbtu6YkyWwsvrEQkk6gMrydTMit"

    private static func answer(_ body: String, by wallet: TestWallet? = nil) throws -> Served.Answer {
        let wallet = try wallet ?? TestWallet(keys: [wif, otherWIF])
        let request =
            "POST /v1/wallet/sign_transaction HTTP/1.1\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        let answers = try Served(request, by: wallet).answers
        return try #require(answers.count == 1 ? answers[0] : nil)
    }

    private static func body(
        _ transaction: String = transaction, keys: String = #"["\#(key)"]"#, chain: String = #""\#(chain)""#
    ) -> String { "[\(transaction),\(keys),\(chain)]" }

    // MARK: - accepted

    @Test func theAnswerIsTheTransactionWithItsSignature() throws {
        let answer = try Self.answer(Self.body())
        #expect(answer.statusLine == "HTTP/1.1 201 Created")
        #expect(
            answer.body
                == Self.transaction.replacing(
                    #""signatures":[]"#, with: #""signatures":["\#(Self.signature)"]"#))
    }

    @Test(arguments: [
        (#""ref_block_num":1000"#, " \"ref_block_num\" : 1000 "), ("0000000000855c34", "0000000000855C34"),
        ("eosio.token", #"\u0065osio.token"#),
        ("2026-12-01T00", #"2026\u002d12-01T00"#),
    ]) func otherSpellingsAreTheSameTransaction(_ row: (text: String, spelling: String)) throws {
        let answer = try Self.answer(Self.body(Self.transaction.replacing(row.text, with: row.spelling)))
        let expected = try Self.answer(Self.body())
        #expect(answer == expected)
    }

    @Test func otherSpellingsOfKeyAndChain() throws {
        let expected = try Self.answer(Self.body()).body
        let canonical = try PublicKey(Self.key).canonicalText
        #expect(try Self.answer(Self.body(keys: #"["\#(canonical)"]"#)).body == expected)
        #expect(try Self.answer(Self.body(chain: #""\#(Self.chain.uppercased())""#)).body == expected)
    }

    /// The signatures are in the order of the sorted keys, and a repeated key signs once.
    @Test func keysAreSorted() throws {
        let digest = try SignedTransaction(reading: Array(Self.transaction.utf8), abis: ContractABIs())
            .digest(for: ChainID(Self.chain))
        let body = Self.body(keys: #"["\#(Self.key)","\#(Self.otherKey)","\#(Self.key)"]"#)
        let signatures = try Self.answer(body).json?["signatures"]?.array?.compactMap(\.string) ?? []
        #expect(try signatures.map { try Signature($0).recover(digest).text } == [Self.otherKey, Self.key])
    }

    @Test func aKeyThatHasSignedAddsNothing() throws {
        let signed = try Self.answer(Self.body()).body
        let answer = try Self.answer(Self.body(signed))
        #expect(answer.status == 201)
        #expect(answer.body == signed)
    }

    @Test func withoutKeysTheTransactionIsUnchanged() throws {
        let wallet = try TestWallet()
        #expect(try Self.answer(Self.body(keys: "[]"), by: wallet).body == Self.transaction)
        #expect(wallet.operations.isEmpty)
    }

    // MARK: - refused

    /// Longer lists are not read: each element would take more memory than its text.
    @Test func longListsAreRefused() throws {
        func keys(_ count: Int) -> String {
            "[" + Array(repeating: "\"\(Self.key)\"", count: count).joined(separator: ",") + "]"
        }
        #expect(try Self.answer(Self.body(keys: keys(1_024))).status == 201)
        #expect(try Self.answer(Self.body(keys: keys(1_025))).status == 400)
        let actions = String(repeating: "0,", count: 900_000)
        let body = Self.body(
            Self.transaction.replacing("\"actions\":[", with: "\"actions\":[\(actions)"))
        #expect(try Self.answer(body).status == 400)
    }

    /// What is replaced in the transaction.
    static let changes: [(text: String, replacement: String)] = [
        (#""ref_block_num":1000"#, #""ref_block_num":70000"#),
        (#""ref_block_num":1000"#, #""ref_block_num":-1"#),
        (#""ref_block_num":1000"#, #""ref_block_num":"1000""#),
        (#""ref_block_num":1000"#, #""ref_block_num":1e3"#),
        (#""ref_block_num":1000"#, #""ref_block_num":null"#), ("305419896", "4294967296"),
        (#""max_cpu_usage_ms":0"#, #""max_cpu_usage_ms":300"#), (#""delay_sec":0"#, #""delay_sec":1.5"#),
        (#""delay_sec":0"#, #""delay_sec":4294967296"#), (#""delay_sec":0"#, #""delay_sec":true"#),
        ("T00:00:00", "T00:00:00.500"), ("T00:00:00", "T00:00:00.000"), ("T00:00:00", "T00:00:00Z"),
        (#""2026-12-01T00:00:00""#, #""soon""#), (#""2026-12-01T00:00:00""#, "1"),
        ("2026-12-01", "2026-13-01"),
        ("2026-12-01", "2107-12-01"),
        (#""delay_sec":0"#, #""delay_sec":0,"delay_sec":0"#),
        (#""delay_sec":0"#, #""delay_sec":0,"\u0064elay_sec":0"#),
        (#""delay_sec":0,"#, ""), (#","context_free_data":[]"#, ""), (#","signatures":[]"#, ""),
        (#""max_cpu_usage_ms":0,"#, ""), (#""expiration":"2026-12-01T00:00:00","#, ""),
        (#","transaction_extensions":[]"#, ""), (#""context_free_actions":[],"#, ""),
        (#""delay_sec":0"#, #""delay_sec":0,"id":"aa""#),
        (#""delay_sec":0"#, #""delay_sec":0,"chain_id":"aa""#),
        (#""delay_sec":0"#, #""delay_sec":0,"future":1"#), (#""actions":["#, #""actions":[1,"#),
        (#""context_free_actions":[]"#, #""context_free_actions":{}"#),
        (#""data":"0000"#, #""hex_data":"00","data":"0000"#),
        (#""data":"0000"#, #""json_data":{},"data":"0000"#),
        (#""data":"00000"#, #""data":"0000"#), (#""data":"0000"#, #""data":"zz00"#),
        (
            #""data":"0000000000855c340000000000000e3d102700000000000004454f53000000000568656c6c6f""#,
            #""data":{"from":"alice"}"#
        ),
        (#","data":"0000000000855c340000000000000e3d102700000000000004454f53000000000568656c6c6f""#, ""),
        (#""account":"eosio.token","#, ""), ("eosio.token", "Eosio"), ("eosio.token", "eosio.tokentoken"),
        ("eosio.token", "eosio."), (#""name":"transfer""#, #""name":1"#),
        (#""permission":"active""#, #""permission":"active","x":1"#), (#","permission":"active""#, ""),
        (#""signatures":[]"#, #""signatures":["SIG_K1_x"]"#), (#""signatures":[]"#, #""signatures":null"#),
        (#""context_free_data":[]"#, #""context_free_data":["a"]"#),
        (#""context_free_data":[]"#, #""context_free_data":"""#),
        (#""transaction_extensions":[]"#, #""transaction_extensions":[[70000,""]]"#),
    ]

    @Test(arguments: changes) func transactionsThatKeosdWouldChangeAreRefused(
        _ change: (text: String, replacement: String)
    ) throws {
        let changed = Self.transaction.replacing(change.text, with: change.replacement)
        try #require(changed != Self.transaction)
        let wallet = try TestWallet(keys: [Self.wif])
        let answer = try Self.answer(Self.body(changed), by: wallet)
        #expect(answer.status == 400 && answer.errorCode == 3_200_006, "\(answer.body)")
        #expect(answer.message?.hasPrefix("Unable to parse valid input from POST body") ?? false)
        #expect(wallet.operations.isEmpty)
    }

    static let bodies: [String] = [
        body("{}"), body("null"), body(#""{}""#), body("[]"), body(#"{"packed_trx":"00","signatures":[]}"#),
        body(#"{"signatures":[],"compression":"none","packed_context_free_data":"","packed_trx":"00"}"#),
        body(keys: #""\#(key)""#), body(keys: "null"), body(keys: "[1]"), body(keys: #"["\#(wif)"]"#),
        body(keys: #"["EOS"]"#), body(keys: #"[""]"#), body(keys: "{}"), body(chain: #""""#),
        body(chain: "1"),
        body(chain: "null"), body(chain: #""eos""#), body(chain: #""\#(chain)00""#),
        body(chain: #""\#(chain.dropLast(2))""#), body(chain: #""0x\#(chain.dropLast(2))""#),
        body(chain: #""\#(chain.dropLast())g""#),
        #"{"transaction":\#(transaction)}"#, body() + "x", String(body().dropLast()), "[" + body(),
        body(String(repeating: "[", count: 100_000)),
        body(
            transaction.replacing(
                #""transaction_extensions":[]"#,
                with: #""transaction_extensions":"# + String(repeating: "[", count: 20)
                    + String(repeating: "]", count: 20))),
    ]

    @Test(arguments: bodies) func bodiesOfAnotherFormAreRefused(_ body: String) throws {
        let answer = try Self.answer(body)
        #expect(answer.status == 400 && answer.errorCode == 3_200_006, "\(answer.body.prefix(300))")
        #expect(answer.message?.hasPrefix("Unable to parse valid input from POST body") ?? false)
        // A private key in place of a public key is not repeated.
        #expect(!answer.body.contains(Self.wif))
    }

    @Test(arguments: ["[]", "[\(transaction)]", "[\(transaction),[]]", String(body().dropLast()) + ",1]"])
    func otherNumbersOfElementsAreRefused(_ body: String) throws {
        #expect(try Self.answer(body).message == "Missing valid input from POST body")
    }
}
