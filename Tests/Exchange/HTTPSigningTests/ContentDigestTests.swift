import Codecs
import HTTPSigning
import Testing

/// The header Content-Digest of the profile `hmac`, with the examples of RFC 9530: section 2 has
/// the SHA-512 and appendix B the SHA-256 of this body.
struct ContentDigestTests {
    private static let body = Array("{\"hello\": \"world\"}\n".utf8)

    private static func headers(_ parameters: [String: String]) throws -> [String: String] {
        let signed = try SignedCase(
            profile: SigningProfile(name: "hmac", parameters: parameters), keyID: "k", secret: [1],
            request: HTTPRequest(
                method: HTTPMethod("POST"), url: RequestURL("https://example.com/foo"), body: body,
                time: RequestTime(1_607_418_537_715, .milliseconds))
        ).sign()
        return Dictionary(uniqueKeysWithValues: signed.headers.map { ($0.name, $0.value) })
    }

    @Test(arguments: [
        ("sha256", "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:"),
        (
            "sha512",
            "sha-512=:YMAam51Jz/jOATT6/zvHrLVgOYTGFy1d6GJiOHTohq4yP+pgk4vf2aCsyRZOtw8MjkM7iw7yZ/WkppmM44T3qg==:"
        ),
    ])
    func examples(hash: String, value: String) throws {
        for name in ["Content-Digest", "content-digest"] {
            let headers = try Self.headers(["template": "{body}", "hash": hash, "digest-header": name])
            #expect(headers[name] == value)
        }
    }

    /// The signed text has the value of the header.
    @Test func signedValue() throws {
        let value = "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:"
        let field = try Self.headers(["template": "{content-digest}", "digest-header": "Content-Digest"])
        let text = try Self.headers(["template": value + "{query}"])
        #expect(field["X-Signature"] == text["X-Signature"] && text["X-Signature"] != nil)
    }

    @Test func anotherHeaderHasTheEncodingOfTheProfile() throws {
        let headers = try Self.headers([
            "template": "{body}", "encoding": "base64", "digest-header": "Digest",
        ])
        #expect(headers["Digest"] == "RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=")
    }

    @Test func insecureHashIsRefused() {
        #expect(throws: HTTPSigningError.profile(.insecureDigest)) {
            try Self.headers(["template": "{body}", "hash": "sha1", "digest-header": "Content-Digest"])
        }
    }

    /// GNU date: `date -ud @1607418537.715 +%FT%T.%3NZ`.
    @Test func timeInUTC() throws {
        let headers = try Self.headers(["template": "{time}", "time-unit": "iso", "time-header": "X-Time"])
        #expect(headers["X-Time"] == "2020-12-08T09:08:57.715Z")
    }
}
