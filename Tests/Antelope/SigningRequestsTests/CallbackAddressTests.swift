import SigningRequests
import Testing

struct CallbackAddressTests {
    @Test(arguments: [
        ("https://example.com", "https://example.com"),
        ("https://example.com/?tx={{tx}}", "https://example.com"),
        ("HTTPS://Example.com:8080#a", "https://Example.com:8080"), ("http://10.0.0.1?a", "http://10.0.0.1"),
        ("myapp://done/{{tx}}", "myapp://done"), ("myapp:done", "myapp:"), ("myapp:", "myapp:"),
        ("anchor:///x", "anchor:"),
        ("myapp://login={{cid}}", "myapp:"), ("myapp://good.com@evil.com", "myapp:"),
        ("myapp://{{sa}}", "myapp:"),
        ("https://a.b:65535/", "https://a.b:65535"),
        ("https://\(String(repeating: "a", count: 63)).b", "https://\(String(repeating: "a", count: 63)).b"),
    ])
    func shown(_ text: String, _ shown: String) throws {
        let address = try CallbackAddress(text)
        #expect(address.shown == shown)
        #expect(address.text == text)
        #expect(address.isWeb == shown.hasPrefix("http"))
    }

    @Test(arguments: [
        ("", CallbackFault.scheme), ("example.com", .scheme), ("://a", .scheme), ("web+app://a", .scheme),
        ("app2://a", .scheme), ("//example.com", .scheme), ("https:", .host), ("https:example.com", .host),
        ("https:///a", .host), ("https://a@b/", .host), ("https://a\\b/", .host), ("https://a%2eb/", .host),
        ("https://{{sa}}.example.com/", .host), ("https://:", .host), ("https://...", .host),
        ("https://a.", .host),
        ("https://a:b", .host), ("https://a:0", .host), ("https://a:65536", .host), ("https://a:1:2", .host),
        ("https://\(String(repeating: "a", count: 64)).b", .host),
        ("https://\(String(repeating: "a.", count: 127))", .host), ("https://a:+1", .host),
        ("javascript:alert(1)", .scheme), ("JavaScript://a/%0aalert(1)", .scheme), ("data:,a", .scheme),
        ("file:///etc", .scheme), ("intent://a#Intent;end", .scheme), ("ftp://a", .scheme),
        ("wss://a", .scheme),
        ("\(String(repeating: "a", count: 33)):", .scheme),
        ("https://a/\(String(repeating: "a", count: 8_183))", .tooLong(limit: 8_192)),
        ("app://a b", .character(offset: 7)),
        ("app://é", .character(offset: 6)), ("app://\u{0}", .character(offset: 6)),
        ("app://a\n", .character(offset: 7)),
    ])
    func refuses(_ text: String, _ fault: CallbackFault) {
        #expect(throws: RequestError.callback(fault)) { try CallbackAddress(text) }
    }
}
