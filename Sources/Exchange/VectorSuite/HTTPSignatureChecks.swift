import Codecs
import HTTPSigning
import JSON
import SecureMemory

/// Checks signatures of HTTP requests: the headers, the final URL and the final body.
enum HTTPSignatureChecks {
    static func check(_ test: VectorTest) throws(VectorFailure) {
        let request = try request(test)
        let (name, parameters) = (try test.text("profile"), try pairs(test, "parameters"))
        let profile = try test.attempt("profile") {
            try SigningProfile(name: name, parameters: Dictionary(parameters) { first, _ in first })
        }
        let again = try test.attempt("profile") { try SigningProfile(stored: profile.stored) }
        try test.expect("parameters", again == profile)
        let (key, secretBytes) = (try test.text("key_id"), try bytes(test, "secret"))
        let keyID = try test.attempt("key_id") { try KeyID(key) }
        let secret = try test.attempt("secret") { try SecureBytes(copyingPublic: secretBytes) }
        let signed = try test.attempt("sign") { try profile.sign(request, keyID: keyID, secret: secret) }
        try test.expect(
            "url", try test.optional("final_url").map(text) ?? request.url.text == signed.url.text)
        try test.expect(
            "body",
            try test.optional("final_body").map(text).map { Array($0.utf8) } ?? request.body == signed.body)
        for (name, value) in try pairs(test, "headers") {
            let sent = signed.headers.first { $0.name == name }?.value ?? ""
            guard signed.isSecret, sent == SignedRequest.placeholder else {
                try test.expect(name, sent == value)
                continue
            }
            let equal = try test.attempt(name) {
                try signed.revealing(Array(sent.utf8)).isEqual(to: SecureBytes(copyingPublic: value.utf8))
            }
            try test.expect(name, equal)
        }
    }

    private static func request(_ test: VectorTest) throws(VectorFailure) -> HTTPRequest {
        let (method, url) = (try test.text("method"), try test.text("url"))
        let body =
            test.optional("body") == nil && test.optional("body_hex") == nil ? [] : try bytes(test, "body")
        let type = try test.optional("content_type").map(text)
        let time = test.optional("time_ms") == nil ? 0 : try test.number("time_ms")
        let nonce = test.optional("nonce") == nil ? nil : try test.number("nonce")
        let headers = test.optional("request_headers") == nil ? [] : try pairs(test, "request_headers")
        return try test.attempt("request") {
            try HTTPRequest(
                method: HTTPMethod(method), url: RequestURL(url), body: body, contentType: type,
                time: RequestTime(UInt64(clamping: time), .milliseconds),
                nonce: nonce.map { UInt64(clamping: $0) },
                headers: headers.map { try HTTPHeader($0.0, $0.1) })
        }
    }

    /// The UTF-8 of a text field, or the bytes of the field whose name ends in `_hex`.
    private static func bytes(_ test: VectorTest, _ field: String) throws(VectorFailure) -> [UInt8] {
        if test.optional(field + "_hex") != nil { return try test.hex(field + "_hex") }
        return Array(try test.text(field).utf8)
    }

    private static func text(_ value: JSONValue) throws(VectorFailure) -> String {
        guard let text = value.string else { throw .malformedField("text") }
        return text
    }

    /// The members of an object of texts.
    private static func pairs(_ test: VectorTest, _ field: String) throws(VectorFailure) -> [(String, String)]
    {
        guard let members = try test.value(field).object else { throw .malformedField(field) }
        return try members.map { member throws(VectorFailure) in
            (member.key, try test.expect(member.value.string, field))
        }
    }
}
