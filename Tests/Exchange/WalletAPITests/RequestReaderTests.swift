import JSON
import SecureMemory
import TestSupport
import Testing
import WalletAPI

/// Unusual and malformed HTTP. The rows are the requests that keosd was tried with.
struct RequestReaderTests {
    /// A row: the request, the status of each answer, and the code of each error.
    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let request: String
        let answers: [Int]
        var codes: [Int?] = []
        var closes = false

        var testDescription: String { name }

        init(_ name: String, _ request: String, _ answers: [Int], codes: [Int?]? = nil, closes: Bool = false)
        {
            (self.name, self.request, self.answers, self.closes) = (name, request, answers, closes)
            self.codes = codes ?? answers.map { $0 < 400 ? nil : 3_200_006 }
        }

        /// A request that is answered, and the connection closed.
        static func fault(_ name: String, _ request: String, _ status: Int = 400) -> Row {
            Row(name, request, [status], closes: true)
        }
    }

    private static func call(
        _ path: String = "/v1/wallet/list_wallets", _ fields: String = "Content-Length: 0\r\n",
        _ body: String = "", method: String = "POST", version: String = "HTTP/1.1"
    ) -> String {
        "\(method) \(path) \(version)\r\n\(fields)\r\n\(body)"
    }

    private static let open = "/v1/wallet/open"

    static let accepted: [Row] = [
        Row(
            "cleos",
            call(
                "/v1/wallet/list_wallets",
                "Host: localhost\r\nAccept: */*\r\nContent-Type: application/json\r\nContent-Length: 0\r\n"),
            [200]),
        Row("no length", call(open, ""), [400]),
        Row("no Host", call(), [200]),
        Row("Host of another machine", call(open, "Host: evil.example\r\n"), [400]),
        Row("Host of nodeos", call("/v1/wallet/list_wallets", "Host: /run/agent.sock\r\n"), [200]),
        Row("two requests", call() + call(), [200, 200]),
        Row("request after a body", call(open, "Content-Length: 9\r\n", "\"default\"") + call(), [200, 200]),
        Row("old version", call(version: "HTTP/1.0"), [200], closes: true),
        Row(
            "old version, kept open",
            call("/v1/wallet/list_wallets", "Connection: keep-alive\r\n", version: "HTTP/1.0"), [200]),
        Row("close", call("/v1/wallet/list_wallets", "Connection: close\r\n"), [200], closes: true),
        Row(
            "close in a list", call("/v1/wallet/list_wallets", "Connection: x ,\tClose\r\n"), [200],
            closes: true),
        Row(
            "other type", call(open, "Content-Type: text/plain\r\nContent-Length: 9\r\n", "\"default\""),
            [200]),
        Row("blanks around a length", call(open, "Content-Length: \t 9 \t\r\n", "\"default\""), [200]),
        Row("length with zeros", call(open, "Content-Length: 0009\r\n", "\"default\""), [200]),
        Row("names in capitals", call(open, "CONTENT-LENGTH: 9\r\n", "\"default\""), [200]),
        Row("no name with another expectation", call("/v1/wallet/list_wallets", "Expect: banana\r\n"), [200]),
        Row("bytes of other alphabets", call("/v1/wallet/list_wallets", "X-A: é\u{ff}\r\n"), [200]),
        Row("64 lines", call("/v1/wallet/list_wallets", String(repeating: "X: 1\r\n", count: 64)), [200]),
        Row(
            "8 KiB", call("/v1/wallet/list_wallets", "X: \(String(repeating: "a", count: 8_192 - 46))\r\n"),
            [200]),
    ]

    /// The connection stays open.
    static let refused: [Row] = [
        Row("GET", call(method: "GET"), [405]), Row("PUT", call(method: "PUT"), [405]),
        Row("DELETE", call(method: "DELETE"), [405]), Row("unknown method", call(method: "BREW"), [405]),
        Row("POST in lower case", call(method: "post"), [405]),
        Row("OPTIONS", call("/x", method: "OPTIONS"), [405]),
        Row("OPTIONS of the server", call("*", method: "OPTIONS"), [405]),
        Row(
            "GET with a body", call(open, "Content-Length: 9\r\n", "\"default\"", method: "GET") + call(),
            [405, 200]),
        Row("unknown path", call("/v1/wallet/nope"), [404], codes: [0]),
        Row("root", call("/"), [404], codes: [0]), Row("query", call(open + "?a"), [404], codes: [0]),
        Row("slash at the end", call(open + "/"), [404], codes: [0]),
        Row("capitals", call("/V1/WALLET/OPEN"), [404], codes: [0]),
        Row("percent", call("/v1/wallet/list%5Fwallets"), [404], codes: [0]),
        Row("two slashes", call("/" + open), [404], codes: [0]),
        Row(
            "body of an unknown path", call("/v1/wallet/unlok", "Content-Length: 6\r\n", "secret") + call(),
            [404, 200], codes: [0, nil]),
        Row("parent", call("/v1/../v1/wallet/open"), [400], codes: [0]),
        Row("address", call("http://localhost/v1/wallet/open"), [400], codes: [0]),
        Row("star", call("*"), [400], codes: [0]),
        Row(
            "browser",
            call(open, "Origin: http://evil.example\r\nContent-Length: 9\r\n", "\"default\"") + call(),
            [403, 200]),
        Row(
            "compressed",
            call(open, "Content-Encoding: gzip\r\nContent-Length: 9\r\n", "\"default\"") + call(), [400, 200]),
    ]

    static let faults: [Row] = [
        .fault(
            "length and transfer encoding",
            call(open, "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")),
        .fault("chunks", call(open, "Transfer-Encoding: chunked\r\n", "9\r\n\"default\"\r\n0\r\n\r\n")),
        .fault(
            "chunks with extension and trailer",
            call(open, "Transfer-Encoding: chunked\r\n", "9;x=y\r\n\"default\"\r\n0\r\nX: 1\r\n\r\n")),
        .fault("gzip, chunked", call(open, "Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n")),
        .fault("identity", call(open, "Transfer-Encoding: identity\r\nContent-Length: 0\r\n")),
        .fault("two equal lengths", call(open, "Content-Length: 0\r\nContent-Length: 0\r\n")),
        .fault("two lengths", call(open, "Content-Length: 2\r\nContent-Length: 0\r\n", "{}")),
        .fault("list of lengths", call(open, "Content-Length: 2, 2\r\n", "{}")),
        .fault("length with plus", call(open, "Content-Length: +2\r\n", "{}")),
        .fault("negative length", call(open, "Content-Length: -1\r\n")),
        .fault("length of 20 digits", call(open, "Content-Length: 99999999999999999999\r\n")),
        .fault("hex length", call(open, "Content-Length: 0x2\r\n", "{}")),
        .fault("empty length", call(open, "Content-Length:\r\n")),
        .fault("two hosts", call(open, "Host: a\r\nHost: b\r\n")),
        .fault("long body", call(open, "Content-Length: 2097153\r\n"), 413),
        .fault("long body, expected", call(open, "Expect: 100-continue\r\nContent-Length: 2097153\r\n"), 413),
        .fault("long secret", call("/v1/wallet/unlock", "Content-Length: 16385\r\n"), 413),
        .fault("long body of no call", call("/x", "Content-Length: 2097153\r\n"), 413),
        .fault("8 KiB and one byte", call(open, "X: \(String(repeating: "a", count: 8_192 - 37))\r\n"), 431),
        .fault("8 KiB without an end", String(repeating: "a", count: 8_193), 431),
        .fault("65 lines", call(open, String(repeating: "X: 1\r\n", count: 65)), 431),
        .fault("folded line", call(open, "X: 1\r\n 2\r\n")),
        .fault("folded line with a tab", call(open, "X: 1\r\n\t2\r\n")),
        .fault("LF only", "POST \(open) HTTP/1.1\nContent-Length: 0\n\n"),
        .fault("LF in a line", call(open, "X: 1\n\r\n")), .fault("CR in a line", call(open, "X: 1\r2\r\n")),
        .fault("empty line first", "\r\n" + call()), .fault("blank first", " " + call()),
        .fault("blank before the colon", call(open, "X : 1\r\n")),
        .fault("no colon", call(open, "X\r\n")), .fault("no name", call(open, ": 1\r\n")),
        .fault("NUL", call(open, "X: \0\r\n")), .fault("DEL", call(open, "X: \u{7f}\r\n")),
        .fault("HTTP/1.2", call(version: "HTTP/1.2")), .fault("HTTP/2.0", call(version: "HTTP/2.0")),
        .fault("http/1.1", call(version: "http/1.1")),
        .fault("HTTP/1.1 and a blank", call(version: "HTTP/1.1 ")),
        .fault("HTTP/0.9", "GET /\r\n\r\n"), .fault("two blanks", call(" " + open)),
        .fault("no method", call(method: "")), .fault("method of other characters", call(method: "PO(ST")),
        .fault("target of other alphabets", call("/é")), .fault("text", "hello world\r\n\r\n"),
        .fault("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        .fault("TLS", "\u{16}\u{3}\u{1}\0\u{a5}\u{1}\0\0\u{a1}\u{3}\u{3}"),
    ]

    static let rows: [Row] = accepted + refused + faults

    private static func check(_ row: Row, _ pieces: [[UInt8]]) throws {
        let served = Served(pieces, by: try TestWallet())
        let answers = try served.answers
        #expect(answers.map(\.status) == row.answers)
        #expect(answers.map(\.errorCode) == row.codes)
        #expect(served.isClosed == row.closes)
        // The last answer announces the end of the connection.
        #expect((answers.last?.headers.contains("Connection: close") ?? false) == row.closes)
        for answer in answers {
            #expect(answer.headers.contains("Content-Type: application/json"))
            #expect(answer.json != nil)
            #expect(answer.headers.contains("Allow: POST") == (answer.status == 405))
        }
    }

    @Test(arguments: rows) func wholeAndByteByByte(_ row: Row) throws {
        let bytes = Array(row.request.utf8)
        try Self.check(row, [bytes])
        try Self.check(row, bytes.map { [$0] })
    }

    /// An answer depends on the bytes, not on where they are split.
    @Test(arguments: rows) func splitAnywhere(_ row: Row) throws {
        let bytes = Array(row.request.utf8)
        let whole = Served([bytes], by: try TestWallet()).output
        let step = max(1, bytes.count / 200)
        for place in stride(from: 1, to: bytes.count, by: step) {
            let parts = [Array(bytes[..<place]), Array(bytes[place...])]
            #expect(Served(parts, by: try TestWallet()).output == whole, "split at \(place)")
        }
    }

    @Test func anAnswerToHEADHasNoBody() throws {
        let output = Served(Self.call(method: "HEAD"), by: try TestWallet()).output
        let text = String(decoding: output, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 405 Method Not Allowed\r\n"))
        #expect(text.hasSuffix("\r\n\r\n"))
    }

    @Test func aClientIsToldToSendTheBody() throws {
        let head = Self.call(Self.open, "Expect: 100-continue\r\nContent-Length: 9\r\n")
        let wallet = try TestWallet()
        #expect(Served(head, by: wallet).output == WalletAnswer.continueLine)
        let served = Served(head + "\"default\"", by: wallet)
        #expect(
            String(decoding: served.output, as: UTF8.self).hasPrefix(
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"))
    }

    @Test func anAnswerHasTheVersionOfTheRequest() throws {
        let answers = try Served(Self.call(version: "HTTP/1.0"), by: TestWallet()).answers
        #expect(answers.map(\.statusLine) == ["HTTP/1.0 200 OK"])
    }

    @Test func twoMebibytesAreAccepted() throws {
        let body = "\"" + String(repeating: "a", count: (2 << 20) - 2) + "\""
        let request = Self.call(Self.open, "Content-Length: \(2 << 20)\r\n", body)
        let answers = try Served(request, by: TestWallet()).answers
        #expect(answers.map(\.errorCode) == [3_120_000])
    }

    @Test func aPartOfARequestIsNotAnswered() throws {
        for request in ["POST /v1/wal", Self.call(Self.open, "Content-Length: 5\r\n", "{}")] {
            let served = Served(request, by: try TestWallet())
            #expect(served.output.isEmpty && !served.isIdle && !served.isClosed)
        }
        #expect(Served("", by: try TestWallet()).isIdle)
    }

    /// The bodies of unlock and import_key are secret, and those of refused calls are not kept.
    @Test func thePathDecidesWhereTheBodyGoes() throws {
        func kind(_ path: String, method: String = "POST") throws -> String {
            var reader = RequestReader()
            var offset = 0
            let request = Array(Self.call(path, "Content-Length: 2\r\n", "{}", method: method).utf8)
            switch try reader.read(request.span.bytes, from: &offset) {
            case .more: return "incomplete"
            case .expectsContinue: return "expected"
            case .request(let received): return kind(received.takeBody())
            }
        }
        func kind(_ body: consuming RequestBody) -> String {
            switch consume body {
            case .plain(let bytes): "plain \(bytes.count)"
            case .secret(let bytes): "secret \(bytes.count)"
            case .discarded: "discarded"
            }
        }
        for call in WalletCall.allCases {
            let expected =
                switch call {
                case .unlock, .importKey, .agentUnlock: "secret 2"
                case .create, .listKeys, .removeKey: "discarded"
                default: "plain 2"
                }
            #expect(try kind(call.rawValue) == expected)
        }
        #expect(try kind("/v1/wallet/unlok") == "discarded")
        #expect(try kind("/v1/wallet/unlock", method: "PUT") == "discarded")
    }
}
