import Codecs
import HTTPSigning
import JSON

/// A line of `credential sign --lines` is refused, or is one request: written with other spaces and
/// with its body in base64, it is read as the same request.
public enum RequestLineLaw: Law {
    public static let name = "RequestLine"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let members = ["method", "url", "body", "content_type", "nonce"]
        let lines = vectors.tests("http-signatures").map { test in
            JSONValue.object(
                [JSONMember("id", .number(1)), JSONMember("time", test["time_ms"] ?? .number(0))]
                    + members.compactMap { name in test[name].map { JSONMember(name, $0) } })
        }
        let others = [
            #"{"id":"a","method":"POST","url":"https://a.example/","body_base64":"/w==","#
                + #""headers":[{"name":"A","value":"b"}]}"#,
            #"{"method":"GET","url":"https://a.example/","headers":[]}"#, #"{"method":"GET"}"#, "[]",
            #"{"method":"GET","url":"https://a.example/","body":"","body_base64":""}"#,
            #"{"method":"GET","url":"https://a.example/","nonce":18446744073709551616}"#,
            #"{"method":"GET","url":"https://a.example/","nonce":"7","time":"1985-04-12T23:20:50.52Z"}"#,
        ]
        return (lines.map { $0.text() } + others).map { Array($0.utf8) }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        guard let value = try? JSONValue.parse(input, limits: RequestInput.limits),
            let read = try? RequestInput(value, allowsInsecureHTTP: false)
        else { return }
        let again = try must("the request is a line") {
            try RequestInput(
                JSONValue.parse(Array(line(read).utf8), limits: RequestInput.limits),
                allowsInsecureHTTP: false)
        }
        try law(again == read, "it is read as the same request: \(line(read))")
        try law(
            read.url.text.utf8.elementsEqual(value["url"]?.string?.utf8 ?? "".utf8), "a URL keeps its bytes")
        for header in read.headers {
            let value = header.value.utf8
            try law(
                value.allSatisfy { (0x20...0x7e).contains($0) },
                "a header is printable ASCII: \(header.value)")
        }
    }

    private static func line(_ request: RequestInput) -> String {
        let headers = request.headers.map { header in
            JSONValue.object([
                JSONMember("name", .string(header.name)), JSONMember("value", .string(header.value)),
            ])
        }
        let members: [(String, JSONValue?)] = [
            ("method", .string(request.method.text)), ("url", .string(request.url.text)),
            ("body_base64", .string(Base64.encode(request.body))),
            ("content_type", request.contentType.map { .string($0) }),
            ("headers", .array(headers)), ("time", request.time.map { .string($0.text) }),
            ("nonce", request.nonce.map { .string("\($0)") }),
        ]
        return JSONValue.object(members.compactMap { name, value in value.map { JSONMember(name, $0) } })
            .text(.pretty)
    }
}
