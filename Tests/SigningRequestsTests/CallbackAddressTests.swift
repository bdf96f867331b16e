import SigningRequests
import Testing

struct CallbackAddressTests {
    @Test(arguments: [
        ("https://example.com", "https://example.com"), ("https://example.com/?tx={{tx}}", "https://example.com"),
        ("HTTPS://Example.com:8080#a", "https://Example.com:8080"), ("http://10.0.0.1?a", "http://10.0.0.1"),
        ("myapp://done/{{tx}}", "myapp://done"), ("myapp:done", "myapp:"), ("myapp:", "myapp:"),
        ("anchor:///x", "anchor:"),
        ("myapp://login={{cid}}", "myapp://login"), ("myapp://a@b", "myapp://a"), ("myapp://{{sa}}", "myapp:"),
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
        ("https://{{sa}}.example.com/", .host), ("app://a b", .character(offset: 7)),
        ("app://é", .character(offset: 6)), ("app://\u{0}", .character(offset: 6)),
        ("app://a\n", .character(offset: 7)),
    ])
    func refuses(_ text: String, _ fault: CallbackFault) {
        #expect(throws: RequestError.callback(fault)) { try CallbackAddress(text) }
    }
}
