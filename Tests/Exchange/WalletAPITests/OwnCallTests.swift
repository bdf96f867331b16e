import ABICodec
import Codecs
import HTTPSigning
import JSON
import Keys
import TestSupport
import Testing
import Transactions
import WalletAPI

/// The agent's own calls: their bodies, what the vault gets, and the form of their errors.
struct OwnCallTests {
    private static let wif = "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3"
    private static let key = "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"
    private static let transaction = """
        {"expiration":"2026-12-01T00:00:00","ref_block_num":1000,"ref_block_prefix":305419896,\
        "max_net_usage_words":0,"max_cpu_usage_ms":0,"delay_sec":0,"context_free_actions":[],"actions":[\
        {"account":"eosio.token","name":"transfer","authorization":[{"actor":"alice","permission":"active"}],\
        "data":"aabb"}],"transaction_extensions":[],"signatures":[],"context_free_data":[]}
        """

    private static func answer(_ call: WalletCall, _ body: String, by wallet: TestWallet) throws
        -> Served.Answer
    {
        let request =
            "POST \(call.rawValue) HTTP/1.1\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        let answers = try Served(request, by: wallet).answers
        return try #require(answers.count == 1 ? answers[0] : nil)
    }

    // MARK: - status and unlock

    @Test func statusStatesTheStateOfTheVault() throws {
        let wallet = try TestWallet(keys: [Self.wif])
        let unlocked = try Self.answer(.agentStatus, "", by: wallet)
        #expect(
            unlocked.body
                == #"{"version":"1","vault":"/vault.db","locked":false,"seconds_left":900,"keys":1,"#
                + #""confirm":"policy","waiting":2}"#)
        wallet.isUnlocked = false
        let locked = try Self.answer(.agentStatus, "{}", by: wallet)
        #expect(locked.status == 200 && locked.json?["seconds_left"]?.isNull == true)
        #expect(locked.json?["keys"]?.isNull == true)
    }

    private static let file = "41424344" + String(repeating: "7a", count: 28)

    @Test(arguments: [
        (#"{"pin":"PIN of the tests"}"#, "pin PIN of the tests"),
        (#"{"pin":"\u0050\"\\"}"#, #"pin P"\"#),
        (
            #"{"key_file":"\#(file)","pin":"123456"}"#,
            "pin 123456 file ABCD" + String(repeating: "z", count: 28)
        ),
        (#"{"recovery":" abandon  able "}"#, "recovery  abandon  able "),
    ]) func unlockMethodsReachTheVault(_ body: String, _ expected: String) throws {
        let wallet = try TestWallet(isUnlocked: false)
        let answer = try Self.answer(.agentUnlock, body, by: wallet)
        #expect(answer.body == #"{"seconds_left":900,"keys":0}"#)
        #expect(wallet.operations == [expected])
    }

    @Test(arguments: [
        "", "{}", "[]", #""SECRETSECRET""#, #"{"pin":1}"#, #"{"pin":"SECRETSECRET""#,
        #"{"pin":"SECRETSECRET","pin":"b"}"#, #"{"pin":"SECRETSECRET","recovery":"b"}"#,
        #"{"key_file":"aa"}"#, #"{"pin":"SECRETSECRET","key_file":"abc"}"#,
        #"{"pin":"SECRETSECRET","key_file":"xx"}"#, #"{"recovery":"SECRETSECRET","key_file":"aa"}"#,
        #"{"SECRETSECRET":"a"}"#, #"{"pin":"SECRETSECRET"} x"#, #"{"pin":"SECRETSECRET","x":1}"#,
        #"{"pin":{"a":"SECRETSECRET"}}"#,
    ]) func otherUnlockBodiesAreRefused(_ body: String) throws {
        let wallet = try TestWallet(isUnlocked: false)
        let answer = try Self.answer(.agentUnlock, body, by: wallet)
        #expect(answer.status == 400 && answer.json?["error"]?["code"]?.string == "wrong-fields")
        #expect(!answer.body.contains("SECRETSECRET"))
        #expect(wallet.operations.isEmpty && !wallet.isUnlocked)
    }

    @Test func anUnlockedVaultStaysAsItIs() throws {
        let wallet = try TestWallet()
        let answer = try Self.answer(.agentUnlock, #"{"pin":"123456"}"#, by: wallet)
        #expect(answer.status == 500 && answer.json?["error"]?["code"]?.string == "changed-meanwhile")
        #expect(wallet.operations.isEmpty)
    }

    /// As for keosd's `unlock`: the body of this call has its own, lower limit.
    @Test func theBodyOfUnlockIsShort() throws {
        let body = #"{"pin":"\#(String(repeating: "a", count: 17 << 10))"}"#
        let answer = try Self.answer(.agentUnlock, body, by: TestWallet(isUnlocked: false))
        #expect(answer.status == 413)
    }

    // MARK: - sign

    @Test func anOrderHasAllOptions() throws {
        let wallet = try TestWallet(keys: [Self.wif])
        let body = """
            {"transaction":\(Self.transaction),"chain":"eos","keys":["\(Self.key)"],
             "abis":[{"account":"mytoken","abi":{"version":"eosio::abi/1.1"},"override":true},
                     {"account":"other","abi_base64":"AAEC"}],
             "blind":["a::b"],"refuse":["signed-before"],"expect":"00","proposals":[{"proposal":"aabb"}],"login":3}
            """
        let answer = try Self.answer(.agentSign, body, by: wallet)
        #expect(answer.status == 201)
        let order = try #require(wallet.orders.first)
        #expect(order.transaction == Array(Self.transaction.utf8))
        #expect(order.chain == "eos" && order.keys == [Self.key])
        #expect(order.abis.map(\.account.text) == ["mytoken", "other"])
        #expect(order.abis.map(\.overrides) == [true, false])
        #expect(order.abis[0].bytes == Array(#"{"version":"eosio::abi/1.1"}"#.utf8))
        #expect(order.abis[1].bytes == [0, 1, 2])
        #expect(order.blind == ["a::b"] && order.refuse == ["signed-before"])
        #expect(order.expect == "00" && order.proposals == [Array("aabb".utf8)] && order.login == 3)
    }

    @Test func theAnswerHasTheSignedTransaction() throws {
        let wallet = try TestWallet(keys: [Self.wif])
        let body = #"{"transaction":\#(Self.transaction),"chain":"eos","keys":["\#(Self.key)"]}"#
        let json = try #require(try Self.answer(.agentSign, body, by: wallet).json)
        let packed = try #require(json["packed"])
        let signed = try SignedTransaction(reading: Array(packed.text().utf8), abis: ContractABIs())
        #expect(json["transaction_id"]?.string == signed.id)
        #expect(json["chain_id"]?.string == (try ChainID("eos")).text)
        #expect(json["keys"]?.array?.compactMap(\.string) == [Self.key])
        #expect(json["already"]?.text() == "false")
        let key = try signed.signatures[0].recover(signed.digest(for: ChainID("eos")))
        #expect(key == (try PublicKey(Self.key)))
    }

    /// The content of a file that is no JSON, such as packed hex.
    @Test func aTransactionMayBeText() throws {
        let wallet = try TestWallet(keys: [Self.wif])
        _ = try Self.answer(.agentSign, #"{"transaction":"00\u0061a\n","chain":"eos"}"#, by: wallet)
        #expect(wallet.orders.first?.transaction == Array("00aa\n".utf8))
        #expect(wallet.orders.first?.keys == [])
    }

    private static let refusedOrders: [(String, String, String)] = [
        ("", "invalid-json", "the body: line 1, column 1: the JSON ends"),
        ("[]", "wrong-fields", "the body is not a JSON object"),
        ("{}", "wrong-fields", "the body lacks the member transaction"),
        (#"{"transaction":{}}"#, "wrong-fields", "the body lacks the member chain"),
        (
            #"{"transaction":{},"chain":"eos","yes":true}"#, "wrong-fields",
            "the body has an unknown member, yes"
        ),
        (#"{"transaction":{},"transaction":{},"chain":"eos"}"#, "invalid-json", "the body: "),
        (#"{"transaction":{"a":1,"a":2},"chain":"eos"}"#, "invalid-json", "the body: "),
        (#"{"transaction":7,"chain":"eos"}"#, "wrong-fields", "transaction is not an object or a text"),
        (#"{"transaction":"","chain":1}"#, "wrong-fields", "chain is not a text"),
        (#"{"transaction":"","chain":"eos","keys":"a"}"#, "wrong-fields", "keys is not a list"),
        (#"{"transaction":"","chain":"eos","keys":[1]}"#, "wrong-fields", "keys is not a list of texts"),
        (
            #"{"transaction":"","chain":"eos","keys":[\#(String(repeating: "1,", count: 256))1]}"#,
            "wrong-fields", "keys has more than 256 elements"
        ),
        (#"{"transaction":"","chain":"eos","blind":[null]}"#, "wrong-fields", "blind is not a list of texts"),
        (#"{"transaction":"","chain":"eos","expect":[]}"#, "wrong-fields", "expect is not a text"),
        (#"{"transaction":"","chain":"eos","login":4}"#, "wrong-fields", "login is not 2 or 3"),
        (
            #"{"transaction":"","chain":"eos","login":-1}"#, "wrong-fields",
            "login is not an integer of at least 0"
        ),
        (
            #"{"transaction":"","chain":"eos","abis":[{}]}"#, "wrong-fields",
            "abis[0] lacks the member account"
        ),
        (#"{"transaction":"","chain":"eos","abis":[7]}"#, "wrong-fields", "abis[0] is not a JSON object"),
        (
            #"{"transaction":"","chain":"eos","abis":[{"account":"A","abi":{}}]}"#, "wrong-fields",
            "abis[0].account is not a name"
        ),
        (
            #"{"transaction":"","chain":"eos","abis":[{"account":"a"}]}"#, "wrong-fields",
            "an ABI needs one of the members abi and abi_base64"
        ),
        (
            #"{"transaction":"","chain":"eos","abis":[{"account":"a","abi":{},"abi_base64":"AA=="}]}"#,
            "wrong-fields", "an ABI needs one of the members abi and abi_base64"
        ),
        (
            #"{"transaction":"","chain":"eos","abis":[{"account":"a","abi_base64":"!"}]}"#, "wrong-fields",
            "abis[0].abi_base64 is not base64"
        ),
        (
            #"{"transaction":"","chain":"eos","abis":[{"account":"a","abi":{},"override":1}]}"#,
            "wrong-fields",
            "abis[0].override is not true or false"
        ),
        (
            #"{"transaction":"","chain":"eos","proposals":["aa"]}"#, "wrong-fields",
            "proposals[0] is not a JSON object"
        ),
        (#"{"transaction":\#(String(repeating: "[", count: 2_000))"#, "invalid-json", "the body: "),
    ]

    @Test(arguments: refusedOrders) func otherOrdersAreRefused(
        _ body: String, _ code: String, _ message: String
    )
        throws
    {
        let wallet = try TestWallet(keys: [Self.wif])
        let answer = try Self.answer(.agentSign, body, by: wallet)
        #expect(answer.status == 400)
        let error = try #require(answer.json?["error"])
        #expect(error["code"]?.string == code)
        #expect(error["message"]?.string?.hasPrefix(message) == true, "\(error.text())")
        #expect(error["hint"]?.string?.isEmpty == false)
        #expect(wallet.orders.isEmpty)
    }

    // MARK: - credential_sign

    @Test func aRequestReachesTheVault() throws {
        let wallet = try TestWallet()
        let body = #"""
            {"credential":"exchange","request":{"method":"POST","url":"https://api.bitbank.cc/v1/x","body":"é"},
             "window":5000,"keep_body":true}
            """#
        let answer = try Self.answer(.credentialSign, body, by: wallet)
        #expect(answer.status == 201 && answer.body == #"{"method":"POST"}"#)
        let order = try #require(wallet.requests.first)
        #expect(order.credential == "exchange" && order.window == 5_000 && order.keepsBody)
        #expect(order.request.body == Array("é".utf8) && !order.request.allowsInsecureHTTP)
    }

    @Test(arguments: [
        ("{}", "the body lacks the member credential"),
        (#"{"credential":"a"}"#, "the body lacks the member request"),
        (#"{"credential":"a","request":"GET"}"#, "request is not an object"),
        (#"{"credential":"a","request":{}}"#, "the request lacks the member method"),
        (
            #"{"credential":"a","request":{"method":"GET","url":"https://a.b/","x":1}}"#,
            "the request has an unknown member, x"
        ),
        (#"{"credential":"a","request":{"method":"GET","url":"a"}}"#, "at character 1: the URL"),
        (
            #"{"credential":"a","request":{"method":"GET","url":"https://a.b/"},"window":"1"}"#,
            "window is not"
        ),
        (#"{"credential":"a","request":{"method":"GET","url":"https://a.b/"},"force":true}"#, "the body has"),
    ]) func otherRequestsAreRefused(_ body: String, _ message: String) throws {
        let wallet = try TestWallet()
        let answer = try Self.answer(.credentialSign, body, by: wallet)
        let text = answer.json?["error"]?["message"]?.string
        #expect(answer.status == 400 && text?.hasPrefix(message) == true, "\(text ?? answer.body)")
        #expect(wallet.requests.isEmpty)
    }

    // MARK: - all

    @Test(arguments: [
        (WalletCall.agentSign, #"{"transaction":"","chain":"eos"}"#),
        (.credentialSign, #"{"credential":"a","request":{"method":"GET","url":"https://a.b/"}}"#),
    ]) func aLockedVaultSignsNothing(_ call: WalletCall, _ body: String) throws {
        let wallet = try TestWallet(isUnlocked: false, keys: [Self.wif])
        let answer = try Self.answer(call, body, by: wallet)
        #expect(answer.status == 500)
        #expect(
            answer.body
                == #"{"error":{"code":"locked","message":"the vault of eosvault-agent is locked","hint":"#
                + #""unlock it with `eosvault-agent unlock`"}}"#)
        #expect(wallet.orders.isEmpty && wallet.requests.isEmpty)
    }

    @Test func anErrorOfTheVaultHasItsCode() throws {
        let wallet = try TestWallet(keys: [Self.wif])
        let body = #"{"transaction":\#(Self.transaction),"chain":"nochain"}"#
        let answer = try Self.answer(.agentSign, body, by: wallet)
        #expect(answer.status == 500 && answer.json?["error"]?["code"]?.string == "unknown-chain")
    }

    @Test func aBodyOfStatusIsRefused() throws {
        let answer = try Self.answer(.agentStatus, #"{"a":1}"#, by: TestWallet())
        #expect(answer.status == 400 && answer.json?["error"]?["message"]?.string == "this call has no body")
    }
}
