import HTTPSigning
import Testing

struct RequestURLTests {
    @Test(
        arguments: [
            ("https://example.com/", "example.com", 443, "/", nil), ("http://a/b?", "a", 80, "/b", ""),
            ("http://EXAMPLE.com:443/?a=1&b=?/", "example.com:443", 443, "/", "a=1&b=?/"),
            ("https://a_b.c-d:8080/x/../y;z=1//%2F%c3", "a_b.c-d:8080", 8080, "/x/../y;z=1//%2F%c3", nil),
            ("https://[2001:DB8::1]:1/~!$&'()*+,;=:@", "[2001:db8::1]:1", 1, "/~!$&'()*+,;=:@", nil),
            ("https://192.0.2.255:65535/-._", "192.0.2.255:65535", 65_535, "/-._", nil),
            ("https://1.example/", "1.example", 443, "/", nil),
        ] as [(String, String, UInt16, String, String?)])
    func parts(text: String, authority: String, port: UInt16, path: String, query: String?) throws {
        let url = try RequestURL(text)
        #expect(url.text == text)
        #expect(url.origin.authority == authority)
        #expect(url.origin.port == port)
        #expect(url.path == path)
        #expect(url.query == query)
        #expect(url.target == path + (query.map { "?" + $0 } ?? ""))
    }

    @Test(
        arguments: [
            ("", .scheme, 0), ("HTTPS://example.com/", .scheme, 0), ("ftp://example.com/", .scheme, 0),
            ("https:/example.com/", .scheme, 0), ("example.com/", .scheme, 0),
            ("https:///a", .emptyHost, 8), ("https://", .emptyHost, 8), ("https://:80/", .emptyHost, 8),
            ("https://user@example.com/", .userInfo, 12), ("https://a:b@example.com/", .userInfo, 11),
            ("https://good.example\\@example.com/", .userInfo, 21),
            ("https://exa mple.com/", .host, 11), ("https://example.com\\/", .host, 19),
            ("https://exämple.com/", .host, 10),
            ("https://example..com/", .host, 8), ("https://example.com./", .host, 8),
            ("https://.example/", .host, 8),
            ("https://%65xample.com/", .host, 8), ("https://127.1/", .host, 8),
            ("https://2130706433/", .host, 8),
            ("https://0x7f.0.0.1/", .host, 16 - 8), ("https://a.0x1/", .host, 8),
            ("https://127.0.0.01/", .host, 8),
            ("https://256.0.0.1/", .host, 8), ("https://1.2.3.4.5/", .host, 8), ("https://[::1/", .host, 8),
            ("https://[::g]/", .host, 8), ("https://[::1%25eth0]/", .host, 8), ("https://[::1]x/", .host, 13),
            ("https://[]/", .host, 8), ("https://" + String(repeating: "a", count: 64) + "/", .host, 8),
            ("https://example.com:/", .port, 20), ("https://example.com:0/", .port, 20),
            ("https://example.com:080/", .port, 20), ("https://example.com:65536/", .port, 20),
            ("https://example.com:+80/", .port, 20), ("https://a:1:2/", .port, 10),
            ("https://example.com:443/", .defaultPort, 19), ("http://Example.com:80/", .defaultPort, 18),
            ("https://[::1]:443/", .defaultPort, 13), ("https://[0::1]/", .longAddress, 8),
            ("https://[0:0:0:0:0:0:0:1]:8080/", .longAddress, 8),
            ("https://example.com", .missingPath, 19), ("https://example.com?a", .missingPath, 19),
            ("https://example.com/#a", .fragment, 20), ("https://example.com/?a#", .fragment, 22),
            ("https://example.com/ ", .needsEncoding, 20), ("https://example.com/a\"b", .needsEncoding, 21),
            ("https://example.com/[1-2]", .needsEncoding, 20),
            ("https://example.com/?a={a,b}", .needsEncoding, 23),
            ("https://example.com/a|b", .needsEncoding, 21), ("https://example.com/?^", .needsEncoding, 21),
            ("https://example.com/\\", .needsEncoding, 20), ("https://example.com/é", .needsEncoding, 20),
            ("https://example.com/?<", .needsEncoding, 21), ("https://example.com/`", .needsEncoding, 20),
            ("https://example.com/%", .escape, 20), ("https://example.com/%2", .escape, 20),
            ("https://example.com/?%zz", .escape, 21), ("https://example.com/%2?", .escape, 20),
            ("https://example.com/\n", .controlCharacter, 20),
            ("https://example.com/?a\r\nX: y", .controlCharacter, 22),
            ("https://exam\0ple.com/", .controlCharacter, 12),
            ("https://example.com/\u{7f}", .controlCharacter, 20),
            ("https://example.com/" + String(repeating: "a", count: 8_173), .tooLong(limit: 8_192), 8_192),
        ] as [(String, URLFault, Int)])
    func refusals(text: String, fault: URLFault, offset: Int) {
        #expect(throws: HTTPSigningError.url(fault, offset: offset)) { try RequestURL(text) }
    }

    @Test func theLongestURL() throws {
        let text = "https://example.com/" + String(repeating: "a", count: 8_172)
        #expect(try RequestURL(text).text == text)
    }

    @Test(
        arguments: [
            ("https://example.com/api", "https://example.com/api", nil),
            ("https://EXAMPLE.com/api", "https://example.com/api/x?q", nil),
            ("https://example.com", "https://example.com/x", nil),
            ("https://example.com/", "https://example.com/", nil),
            ("http://[::1]/a", "http://[::1]/a/b", nil),
            ("https://example.com/api/", "https://example.com/api/", nil),
            ("https://example.com/a%20b", "https://example.com/a%20b/c", nil),
            ("https://example.com/api", "https://example.com/api//x/%41;a=.", nil),
            ("https://example.com/api", "http://example.com:443/api", .scheme),
            ("https://example.com/api", "https://example.com.evil.example/api", .host),
            ("https://example.com/api", "https://evil-example.com/api", .host),
            ("https://example.com/api", "https://example.com:8443/api", .port),
            ("https://example.com/api", "https://example.com/apix", .path),
            ("https://example.com/api", "https://example.com/", .path),
            ("https://example.com/api", "https://example.com/API", .path),
            ("https://example.com/api/", "https://example.com/api", .path),
            ("https://example.com/api", "https://example.com//api", .path),
            ("https://example.com/api", "https://example.com/%61pi", .path),
            ("https://example.com/api", "https://example.com/api/../x", .unsafePath),
            ("https://example.com/api", "https://example.com/api/%2e%2E/x", .unsafePath),
            ("https://example.com/api", "https://example.com/api/.%2e", .unsafePath),
            ("https://example.com/api", "https://example.com/api/./x", .unsafePath),
            ("https://example.com/api", "https://example.com/api/..;a/x", .unsafePath),
            ("https://example.com/api", "https://example.com/api/%2e%2e%3b/x", .unsafePath),
            ("https://example.com/api", "https://example.com/api/%252e%252e/x", .unsafePath),
            ("https://example.com/api", "https://example.com/api/..%2fx", .unsafePath),
            ("https://example.com/api", "https://example.com/api%2Fx", .unsafePath),
            ("https://example.com/api", "https://example.com/api/..%5cx", .unsafePath),
            ("https://example.com/api", "https://example.com/api/%00", .unsafePath),
            ("https://example.com/api", "https://example.com/api/%25252525252e", .unsafePath),
            ("https://example.com", "https://example.com/..", .unsafePath),
            ("https://example.com/api", "https://example.com/api/..%20/x", .unsafePath),
            ("https://example.com/api", "https://example.com/api/..%3fx", .unsafePath),
            ("https://example.com/api", "https://example.com/api/..%2523x", .unsafePath),
            ("https://example.com/api", "https://example.com/api/%c0%ae%c0%ae/x", .unsafePath),
            ("https://example.com/api", "https://example.com/api/..%c0%afx", .unsafePath),
            ("https://example.com/api", "https://example.com/api/%c3%a9%20/x", nil),
        ] as [(String, String, PrefixMismatch?)])
    func prefix(prefix: String, url: String, mismatch: PrefixMismatch?) throws {
        #expect(try URLPrefix(prefix).mismatch(of: RequestURL(url)) == mismatch)
    }

    @Test(
        arguments: [
            ("https://example.com/a?b", .queryInPrefix, 21), ("https://example.com?", .queryInPrefix, 19),
            ("https://example.com/a/../b", .unsafePrefix, 19),
            ("https://example.com/a%2fb", .unsafePrefix, 19),
            ("https://example.com:443/a", .defaultPort, 19), ("https://[0::1]/a", .longAddress, 8),
            ("https://example.com#a", .fragment, 19), ("example.com", .scheme, 0),
            ("https://a@b/", .userInfo, 9),
        ] as [(String, URLFault, Int)])
    func refusedPrefixes(text: String, fault: URLFault, offset: Int) {
        #expect(throws: HTTPSigningError.url(fault, offset: offset)) { try URLPrefix(text) }
    }
}
