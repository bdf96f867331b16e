import HTTPSigning
import SecureMemory
import TestSupport
import Testing

/// The checks of a request: refusals and warnings.
struct RequestRefusalTests {
    private static let now: UInt64 = 1_700_000_000_000

    private static func sign(
        _ profile: String, _ method: String, _ url: String, _ body: String = "",
        parameters: [String: String] = [:],
        keyID: String = "key", time: UInt64 = now, clock: UInt64? = now, nonce: UInt64? = 1,
        headers: [(String, String)] = [], type: String? = nil, insecure: Bool = false,
        secret: String = "secret"
    ) throws -> SignedRequest {
        try SigningProfile(name: profile, parameters: parameters).sign(
            HTTPRequest(
                method: HTTPMethod(method), url: RequestURL(url), body: Array(body.utf8), contentType: type,
                time: RequestTime(time, .milliseconds), nonce: nonce,
                clock: clock.map { try RequestTime($0, .milliseconds) },
                headers: headers.map { try HTTPHeader($0.0, $0.1) }, allowsInsecureHTTP: insecure),
            keyID: KeyID(keyID), secret: SecureBytes(copyingPublic: secret.utf8))
    }

    private static let window = ["form": "time-window", "window": "1000"]

    @Test(
        arguments: [
            ("basic", "GET", "http://example.com/", "", .plainHTTP),
            ("basic", "GET", "http://127.0.0.1/", "", .plainHTTP),
            ("basic", "GET", "https://example.com/", "{}", .bodyNotAllowed(method: "GET")),
            (
                "basic", "GET", "https://API.binance.com/", "",
                .wrongProfile(host: "api.binance.com", profile: "binance")
            ),
            (
                "rfc9421", "GET", "https://bitbank.cc/", "",
                .wrongProfile(host: "bitbank.cc", profile: "bitbank")
            ),
            (
                "binance", "GET", "https://api.snapcard.io/", "",
                .wrongProfile(host: "api.snapcard.io", profile: "snapcard")
            ),
            ("bitbank", "GET", "https://example.com/", "{}", .bodyNotAllowed(method: "GET")),
            ("bitbank", "PUT", "https://example.com/", "", .methodNotAllowed(allowed: ["GET", "POST"])),
            ("binance", "GET", "https://example.com/", "a=1", .bodyNotAllowed(method: "GET")),
            ("binance", "POST", "https://example.com/", "{}", .bodyNotForm(offset: 0)),
            ("binance", "POST", "https://example.com/", "a=1 2", .bodyNotForm(offset: 3)),
            ("binance", "GET", "https://example.com/?signature=1", "", .parameterNotAllowed("signature")),
            ("binance", "POST", "https://example.com/", "%73ignature=1", .parameterNotAllowed("signature")),
            (
                "binance", "POST", "https://example.com/?timestamp=1", "timestamp=1",
                .duplicateParameter("timestamp")
            ),
            ("binance", "GET", "https://example.com/?timestamp=now", "", .invalidParameter("timestamp")),
            ("binance", "GET", "https://example.com/?timestamp", "", .invalidParameter("timestamp")),
            ("binance", "GET", "https://example.com/?recvWindow=60001", "", .invalidParameter("recvWindow")),
            (
                "binance", "GET", "https://example.com/?recvWindow=60000.001", "",
                .invalidParameter("recvWindow")
            ),
            (
                "binance", "GET", "https://example.com/?recvWindow=5000.1234", "",
                .invalidParameter("recvWindow")
            ),
            ("binance", "GET", "https://example.com/?recvWindow=5000.", "", .invalidParameter("recvWindow")),
            ("binance", "GET", "https://example.com/?recvWindow=.5", "", .invalidParameter("recvWindow")),
            ("binance", "GET", "https://example.com/?timestamp=1.5", "", .invalidParameter("timestamp")),
            (
                "snapcard", "GET", "https://example.com/?timestamp=1&timestamp=1", "",
                .duplicateParameter("timestamp")
            ),
            ("snapcard", "HEAD", "https://example.com/", "a", .bodyNotAllowed(method: "HEAD")),
            ("snapcard", "TRACE", "https://example.com/", "a", .bodyNotAllowed(method: "TRACE")),
        ] as [(String, String, String, String, RequestFault)])
    func refusals(profile: String, method: String, url: String, body: String, fault: RequestFault) {
        #expect(throws: HTTPSigningError.request(fault)) {
            _ = try Self.sign(profile, method, url, body, nonce: 1)
        }
    }

    @Test(arguments: ["basic", "gamesystem"]) func colonInKeyID(profile: String) throws {
        let error = HTTPSigningError.keyID(.colon(offset: 1))
        #expect(throws: error) { _ = try Self.sign(profile, "GET", "https://example.com/", keyID: "k:d") }
        #expect(throws: error) { try SigningProfile(name: profile).check(KeyID("k:d")) }
        #expect(throws: Never.self) { try SigningProfile(name: "snapcard").check(KeyID("k:d")) }
    }

    @Test func missingNonce() {
        #expect(throws: HTTPSigningError.request(.missingNonce)) {
            _ = try Self.sign("bitbank", "GET", "https://example.com/", nonce: nil)
        }
    }

    @Test func emptyAndLongSecrets() {
        for (secret, fault) in [
            ("", SecretFault.empty), (String(repeating: "a", count: 4_097), .tooLong(limit: 4_096)),
        ] {
            #expect(throws: HTTPSigningError.secret(fault)) {
                _ = try Self.sign("snapcard", "GET", "https://example.com/", secret: secret)
            }
        }
    }

    /// - Parameter window: nil if the request is signed.
    @Test(
        arguments: [
            ("bitbank", "/", window, 1_000, nil), ("bitbank", "/", window, -1_000, nil),
            ("bitbank", "/", window, 1_001, 1_000),
            ("bitbank", "/", window, -1_001, 1_000), ("bitbank", "/", [:], 100_000, nil),
            ("binance", "/", [:], -5_000, nil), ("binance", "/", [:], -5_001, 5_000),
            ("binance", "/", [:], 1_000, nil),
            ("binance", "/", [:], 1_001, 1_000), ("binance", "/", ["window": "10"], -11, 10),
            ("binance", "/?recvWindow=60000", ["window": "10"], -60_000, nil),
            ("binance", "/?recvWindow=60000.000", [:], -60_000, nil),
            ("binance", "/?recvWindow=5000.346", [:], 0, nil),
            ("rfc9421", "/", [:], 100_000, nil),
            ("rfc9421", "/", ["expires": "5"], -5_000, nil),
            ("rfc9421", "/", ["expires": "5"], -6_000, 5_000),
            ("rfc9421", "/", ["expires": "5"], 1_000, 0),
        ] as [(String, String, [String: String], Int64, Int64?)])
    func windows(
        profile: String, target: String, parameters: [String: String], difference: Int64, window: Int64?
    )
        throws
    {
        let time = UInt64(Int64(Self.now) + difference)
        func sign(clock: UInt64?) throws {
            _ = try Self.sign(
                profile, "GET", "https://example.com" + target, parameters: parameters, time: time,
                clock: clock)
        }
        if let window {
            let fault = RequestFault.timeOutsideWindow(milliseconds: difference, window: window)
            #expect(throws: HTTPSigningError.request(fault)) { try sign(clock: Self.now) }
        } else {
            #expect(throws: Never.self) { try sign(clock: Self.now) }
        }
        #expect(throws: Never.self) { try sign(clock: nil) }
    }

    /// Binance takes a timestamp in microseconds too.
    @Test func timestampsInTheURL() throws {
        for (text, difference) in [("1699999990000", -10_000), ("1700000002000000", 2_000)]
            as [(String, Int64)]
        {
            let fault = RequestFault.timeOutsideWindow(
                milliseconds: difference, window: difference < 0 ? 5_000 : 1_000)
            #expect(throws: HTTPSigningError.request(fault)) {
                _ = try Self.sign("binance", "GET", "https://example.com/?timestamp=" + text)
            }
        }
    }

    @Test(
        arguments: [
            ("gamesystem", "GET", "https://example.com/?a", "", [:], [.queryNotSigned]),
            ("gamesystem", "GET", "https://example.com/", "", [:], []),
            ("bitbank", "POST", "https://example.com/?a", "{}", [:], [.queryNotSigned]),
            ("bitbank", "GET", "https://example.com/?a", "", [:], []),
            (
                "hmac", "POST", "https://example.com/?a", "{}", ["template": "{path}"],
                [.queryNotSigned, .bodyNotSigned]
            ),
            ("hmac", "POST", "https://example.com/?a", "{}", ["template": "{target}{content-digest}"], []),
            (
                "hmac", "POST", "https://example.com/", "{}", ["template": "{path}", "digest-header": "D"],
                [.bodyNotSigned]
            ),
            (
                "rfc9421", "POST", "https://example.com/?a", "{}", ["components": "@path"],
                [.queryNotSigned, .bodyNotSigned]
            ),
            ("rfc9421", "POST", "https://example.com/?a", "{}", [:], []),
            ("snapcard", "GET", "http://example.com/", "", [:], [.plainHTTP]),
            ("snapcard", "GET", "http://127.0.0.2/", "", [:], []),
            ("snapcard", "GET", "http://[::1]:8/", "", [:], []),
            ("snapcard", "GET", "http://localhost:8/", "", [:], []),
            ("snapcard", "GET", "http://127.example.com/", "", [:], [.plainHTTP]),
            ("basic", "GET", "http://example.com/?a", "", [:], [.plainHTTP]),
        ] as [(String, String, String, String, [String: String], [RequestWarning])])
    func warnings(
        profile: String, method: String, url: String, body: String, parameters: [String: String],
        warnings: [RequestWarning]
    ) throws {
        let signed = try Self.sign(profile, method, url, body, parameters: parameters, insecure: true)
        #expect(signed.warnings == warnings)
    }

    @Test func headers() throws {
        for (name, profile, fault) in [
            ("X-Other", "snapcard", .headersNotSigned), ("Host", "rfc9421", .reservedHeader("Host")),
            ("content-type", "rfc9421", .reservedHeader("content-type")),
            ("signature", "rfc9421", .headerNotCovered("signature")),
            ("X-Other", "rfc9421", .headerNotCovered("X-Other")),
        ] as [(String, String, RequestFault)] {
            #expect(throws: HTTPSigningError.request(fault)) {
                _ = try Self.sign(profile, "GET", "https://example.com/", headers: [(name, "a")])
            }
        }
        #expect(throws: HTTPSigningError.request(.duplicateHeader("a"))) {
            _ = try Self.sign(
                "rfc9421", "GET", "https://example.com/", parameters: ["components": "@method a"],
                headers: [("A", "1"), ("a", "2")])
        }
        #expect(throws: HTTPSigningError.request(.missingComponent("content-type"))) {
            _ = try Self.sign(
                "rfc9421", "GET", "https://example.com/", parameters: ["components": "content-type"])
        }
    }

    @Test func contentTypes() throws {
        #expect(throws: HTTPSigningError.header(.character(offset: 1))) {
            _ = try Self.sign("snapcard", "POST", "https://example.com/", "a", type: "a\r\nb")
        }
        let types: [(String, String, String?, String?)] = [
            ("snapcard", "", nil, nil), ("snapcard", "a", nil, "application/json"),
            ("snapcard", "a", "text/plain", "text/plain"),
            ("snapcard", "", "text/plain", "text/plain"),
            ("binance", "a=1", nil, "application/x-www-form-urlencoded"),
        ]
        for (profile, body, given, expected) in types {
            let signed = try Self.sign(profile, "POST", "https://example.com/", body, type: given)
            #expect(signed.headers.first { $0.name == "Content-Type" }?.value == expected)
        }
    }

    @Test func longBody() throws {
        let (method, url) = (try HTTPMethod("POST"), try RequestURL("https://example.com/"))
        let time = try RequestTime(0, .seconds)
        #expect(throws: HTTPSigningError.request(.bodyTooLong(limit: 16 << 20))) {
            _ = try HTTPRequest(
                method: method, url: url, body: [UInt8](repeating: 0, count: 16 << 20 + 1), time: time)
        }
    }

    @Test func appendedParametersKeepTheLimitOfURLs() {
        let url = "https://example.com/?" + String(repeating: "a", count: 8_165)
        #expect(throws: HTTPSigningError.url(.tooLong(limit: 8_192), offset: 8_192)) {
            _ = try Self.sign("snapcard", "GET", url)
        }
    }
}
