import HTTPSigning
import SecureMemory
import Testing

/// The output forms, and the secret header.
struct CurlConfigTests {
    private static func signed(
        _ method: String, _ url: String, _ body: [UInt8] = [], profile: String = "snapcard"
    ) throws -> SignedRequest {
        try SigningProfile(name: profile).sign(
            HTTPRequest(
                method: HTTPMethod(method), url: RequestURL(url), body: body, time: RequestTime(0, .seconds)),
            keyID: KeyID("k\"\\"), secret: SecureBytes(copyingPublic: "s".utf8))
    }

    private static let url = "https://example.com/a/../b?timestamp=1"

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func wholeConfiguration() throws {
        let signed = try Self.signed("POST", Self.url, Array("@\"\\\r\n\t\u{b}é".utf8))
        let signature = signed.headers[1].value
        #expect(signature.utf8.count == 64)
        #expect(
            Self.text(try signed.curlConfig()) == """
                globoff
                path-as-is
                no-location
                proto = "=https"
                url = "https://example.com/a/../b?timestamp=1"
                request = "POST"
                header = "X-Api-Key: k\\"\\\\"
                header = "X-Api-Signature: \(signature)"
                header = "Content-Type: application/json"
                header = "Expect:"
                data-raw = "@\\"\\\\\\r\\n\\t\\vé"

                """)
        #expect(
            Self.text(signed.headerLines) == """
                X-Api-Key: k"\\
                X-Api-Signature: \(signature)
                Content-Type: application/json

                """)
    }

    @Test(
        arguments: [
            ("GET", "request = \"GET\"", nil), ("HEAD", "head", nil),
            ("POST", "request = \"POST\"", "data-raw = \"\""),
            ("PUT", "request = \"PUT\"", "data-raw = \"\""), ("DELETE", "request = \"DELETE\"", nil),
        ] as [(String, String, String?)])
    func withoutBody(method: String, option: String, data: String?) throws {
        let lines = Self.text(try Self.signed(method, Self.url).curlConfig()).split(separator: "\n")
        #expect(lines.contains(Substring(option)))
        #expect(lines.contains("header = \"Content-Type:\""))
        #expect(lines.first { $0.hasPrefix("data") } == data.map { Substring($0) })
    }

    @Test(arguments: [
        ([UInt8](repeating: 0x61, count: 65_533), true), ([UInt8](repeating: 0x61, count: 65_534), false),
        ([UInt8](repeating: 0x22, count: 32_766), true), ([UInt8](repeating: 0x22, count: 32_767), false),
        ([0], false), ([], true), ([0x80, 0xff], true),
    ])
    func inlineBodies(body: [UInt8], isInline: Bool) throws {
        let signed = try Self.signed("POST", Self.url, body)
        let config = Self.text(try signed.curlConfig(bodyPath: "/tmp/a \"b"))
        #expect(config.contains("data-raw = ") == isInline)
        #expect(config.contains("data-binary = \"@/tmp/a \\\"b\"") == !isInline)
        guard !isInline else { return }
        #expect(throws: HTTPSigningError.request(.bodyNeedsFile)) { try signed.curlConfig() }
        for path in ["", "-", "a\0b"] {
            #expect(throws: HTTPSigningError.request(.bodyPath)) { try signed.curlConfig(bodyPath: path) }
        }
    }

    @Test func secretHeader() throws {
        let signed = try Self.signed("GET", "https://example.com/", profile: "basic")
        let isSecret = signed.isSecret
        #expect(isSecret)
        #expect(signed.headers.map(\.value) == [SignedRequest.placeholder])
        let text = try signed.revealing(signed.headerLines)
        #expect(text.isEqual(to: try SecureBytes(copyingPublic: "Authorization: Basic ayJcOnM=\n".utf8)))
        let config = try signed.revealing(signed.curlConfig()).published()
        #expect(Self.text(config).contains("header = \"Authorization: Basic ayJcOnM=\"\n"))
    }

    @Test func placeholderOnlyOnce() throws {
        let signed = try Self.signed("GET", "https://example.com/", profile: "basic")
        let mark = SignedRequest.placeholder
        for text in ["", "text", mark + mark, String(mark.dropLast())] {
            #expect(throws: HTTPSigningError.request(.placeholder)) {
                _ = try signed.revealing(Array(text.utf8))
            }
        }
        let other = try Self.signed("GET", Self.url)
        let isSecret = other.isSecret
        #expect(!isSecret)
        #expect(throws: HTTPSigningError.request(.placeholder)) { _ = try other.revealing(Array(mark.utf8)) }
    }

    /// RFC 4648, section 10, and all remainders of the length.
    @Test(arguments: [
        ("f", "azpm"), ("fo", "azpmbw=="), ("foo", "azpmb28="), ("foob", "azpmb29i"),
        ("\u{3f}\u{3e}\u{7f}\u{7e}", "azo/Pn9+"),
    ])
    func base64(secret: String, text: String) throws {
        let signed = try SigningProfile(name: "basic").sign(
            HTTPRequest(
                method: HTTPMethod("GET"), url: RequestURL("https://a/"), time: RequestTime(0, .seconds)),
            keyID: KeyID("k"), secret: SecureBytes(copyingPublic: secret.utf8))
        let value = try signed.revealing(Array(SignedRequest.placeholder.utf8)).published()
        #expect(Self.text(value) == "Basic " + text)
    }
}
