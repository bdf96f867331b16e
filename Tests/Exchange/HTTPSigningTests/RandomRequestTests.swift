import HTTPSigning
import TestSupport
import Testing

/// Each profile signs random requests as Python's hmac and hashlib do.
struct RandomRequestTests {
    private static let unreserved = "abcXYZ019-._~!$'()*+,;:@"

    @Test(arguments: SigningProfile.names) func equalsPython(profile: String) throws {
        var random = SplitMix(seed: UInt64(profile.utf8.reduce(7) { $0 &* 31 &+ Int($1) }))
        let folder = try TemporaryFolder()
        let path = folder.path + "/cases"
        var lines = ""
        for _ in 0..<1_000 { lines += try Self.random(profile, &random).line() + "\n" }
        try Files.write(Array(lines.utf8), to: path)
        let output = try SystemProgram.python([Reference.script, "check", path])
        #expect(output.text == "checked 1000\n")
        #expect(output.status == 0)
    }

    private static func random(_ profile: String, _ random: inout SplitMix) throws -> SignedCase {
        let methods =
            profile == "bitbank" ? ["GET", "POST"] : ["GET", "POST", "PUT", "DELETE", "PATCH", "X-Own"]
        let method = methods.randomElement(using: &random) ?? "GET"
        let isForm = profile == "binance"
        // Only these profiles sign the body of GET with every choice of parameters.
        let hasBody = ["snapcard", "gamesystem"].contains(profile) || method != "GET"
        let body =
            !hasBody ? [] : isForm ? Array(random.text("abc=&%2019", 0...40).utf8) : random.bytes(0...200)
        let parameters = parameters(profile, &random)
        return SignedCase(
            profile: try SigningProfile(name: profile, parameters: parameters),
            keyID: "k" + random.text("abc019-_/", 0...20), secret: random.bytes(1...200),
            request: try HTTPRequest(
                method: HTTPMethod(method), url: url(&random), body: isForm && !isFormText(body) ? [] : body,
                contentType: Bool.random(using: &random) ? "text/plain; charset=utf-8" : nil,
                time: RequestTime(
                    UInt64.random(in: 0...4_102_444_800_000_000, using: &random), .microseconds),
                nonce: UInt64.random(in: 0...UInt64(Int64.max), using: &random),
                headers: headers(parameters, &random),
                allowsInsecureHTTP: true))
    }

    /// A form whose escapes are whole and whose parameters have other names than the appended ones.
    private static func isFormText(_ body: [UInt8]) -> Bool { !body.contains(UInt8(ascii: "%")) }

    private static func url(_ random: inout SplitMix) throws -> RequestURL {
        let scheme = ["http", "https"].randomElement(using: &random) ?? "http"
        let host = ["example.com", "Example.COM:8080", "127.0.0.1", "[::1]:99", "a.b-c.example:444"]
            .randomElement(using: &random)
        var path = ""
        for _ in 0...Int.random(in: 0...4, using: &random) {
            path +=
                "/" + random.text(unreserved, 0...6)
                + ["", "%20", "%C3%A9", ".."][Int.random(in: 0...3, using: &random)]
        }
        let query = Bool.random(using: &random) ? "?" + random.text(unreserved + "=&/?", 0...20) : ""
        return try RequestURL("\(scheme)://\(host ?? "")\(path)\(query)")
    }

    private static func headers(
        _ parameters: [String: String], _ random: inout SplitMix
    ) throws -> [HTTPHeader] {
        guard parameters["components"]?.contains("x-other") == true else { return [] }
        return [try HTTPHeader("X-Other", "v" + random.text("ab \"\\", 0...8) + "w")]
    }

    private static func parameters(_ profile: String, _ random: inout SplitMix) -> [String: String] {
        func any(_ values: [String]) -> String { values.randomElement(using: &random) ?? "" }
        switch profile {
        case "bitbank":
            return any(["", "window"]).isEmpty ? [:] : ["form": "time-window", "window": any(["1", "5000"])]
        case "binance": return any(["", "window"]).isEmpty ? [:] : ["window": any(["1", "60000"])]
        case "rfc9421":
            let more = any(["", " @authority @scheme", " @request-target @path @query", " date x-other"])
            var parameters = [
                "components": "@method content-digest @target-uri" + more, "label": any(["sig1", "a-b"]),
                "alg": any(["yes", "no"]), "nonce": any(["yes", "no"]),
            ]
            if any(["", "e"]) == "e" { parameters["expires"] = "60" }
            return parameters
        case "hmac":
            let fields =
                SigningTemplate.Field.allCases.map { "{\($0.rawValue)}" } + [
                    "\\n", "\\{", "\\}", "\\\\", "|", " ",
                ]
            let template =
                (0..<Int.random(in: 1...9, using: &random)).map { _ in any(fields) }.joined() + "{body}"
            func header(_ name: String, of field: String) -> String {
                template.contains("{\(field)}") ? any(["", name]) : ""
            }
            let digestHeader = any(["", "Digest", "Content-Digest"])
            return [
                "template": template,
                "hash": any((digestHeader == "Content-Digest" ? [] : ["sha1"]) + ["sha256", "sha512"]),
                "encoding": any(["hex", "base64"]), "time-unit": any(["ms", "us", "s", "iso"]),
                "signature-prefix": any(["", "sha256="]),
                "key-header": any(["", "Key"]), "time-header": header("Time", of: "time"),
                "nonce-header": header("Nonce", of: "nonce"),
                "digest-header": digestHeader,
            ]
        default: return [:]
        }
    }
}
