import HTTPSigning
import JSON
import Messages
import Testing

/// Requests and signed requests in JSON, as lines of `credential sign` and an agent exchange them.
struct RequestJSONTests {
    private static func value(_ text: String) throws -> JSONValue { try JSONValue.parse(Array(text.utf8)) }

    @Test(
        arguments: [
            #"{"method":"GET","url":"https://a.example/"}"#,
            #"{"id":7,"method":"POST","url":"https://a.example/b","body":"{}","content_type":"text/plain","#
                + #""headers":[{"name":"Date","value":"x"}],"time":"2026-12-01T09:30:00Z","nonce":"12"}"#,
            #"{"method":"POST","url":"https://a.example/b","body_base64":"/w==","time":5,"nonce":12}"#,
        ])
    func aRequestIsReadAsItIsWritten(_ text: String) throws {
        let request = try RequestInput(Self.value(text), allowsInsecureHTTP: false)
        #expect(try RequestInput(request.json, allowsInsecureHTTP: false) == request)
    }

    @Test(
        arguments: [
            ("[]", RequestLineError.notAnObject), (#"{"other":1}"#, .unknownMember("other")),
            (#"{"method":1}"#, .wrongType("method")), (#"{"nonce":"01"}"#, .wrongType("nonce")),
            (#"{"time":[]}"#, .wrongType("time")), (#"{"id":[]}"#, .wrongType("id")),
            (#"{"headers":{}}"#, .wrongType("headers")), (#"{"url":"https://a/"}"#, .missingMember("method")),
            (#"{"method":"GET"}"#, .missingMember("url")), (#"{"body":"","body_base64":""}"#, .twoBodies),
            (#"{"method":"GET","url":"https://a/","headers":[{"name":"a"}]}"#, .wrongType("headers")),
        ])
    func otherRequestsAreRefused(_ text: String, _ error: RequestLineError) throws {
        #expect(throws: error) { try RequestInput(Self.value(text), allowsInsecureHTTP: false) }
        #expect(error.words.code == .wrongFields)
    }

    @Test func aSignedRequestIsRead() throws {
        let text =
            #"{"method":"POST","url":"https://a.example/b","headers":[{"name":"X","value":"1"}],"#
            + #""body":"{}","warnings":["body-not-signed"]}"#
        let signed = try SignedRequest(Self.value(text))
        let (url, body, isSecret) = (signed.url.text, signed.body, signed.isSecret)
        #expect(url == "https://a.example/b" && body == Array("{}".utf8) && !isSecret)
        for (part, other) in [("body-not-signed", "other"), ("\"body\"", "\"bodies\""), ("\"X\"", "1")] {
            #expect(throws: RequestLineError.self) {
                _ = try SignedRequest(Self.value(text.replacing(part, with: other)))
            }
        }
    }
}
