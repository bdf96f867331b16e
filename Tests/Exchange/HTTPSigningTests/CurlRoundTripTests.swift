import Codecs
import Glibc
import HTTPSigning
import JSON
import TestSupport
import Testing

/// curl sends what was signed: a server on this machine computes the signature of each request that
/// arrives, and accepts or refuses it.
struct CurlRoundTripTests {
    private static let parameters: [(String, [String: String])] = [
        ("basic", [:]), ("bitbank", [:]), ("bitbank", ["form": "time-window"]), ("snapcard", [:]),
        ("gamesystem", [:]),
        ("binance", ["window": "5000"]),
        (
            "hmac",
            [
                "template": "{method}\\n{url}\\n{target}\\n{time}\\n{nonce}\\n{content-digest}{body}",
                "hash": "sha512",
                "time-header": "X-Time", "nonce-header": "X-Nonce", "digest-header": "X-Digest",
            ]
        ),
        (
            "rfc9421",
            [
                "components": "@method @target-uri @authority @query content-digest content-type date",
                "nonce": "yes",
                "expires": "60",
            ]
        ),
    ]

    /// Bodies that curl could change: quotes, an `@`, line endings, UTF-8, NUL, and long ones.
    private static let bodies: [[UInt8]] = [
        [], Array(#"{"a":"b\\c"}"#.utf8), Array("@/etc/passwd".utf8), Array("\r\n\t\u{b}a\n".utf8),
        Array("é€😀".utf8), [0xff, 0xfe, 0x80], [0], [0x61, 0, 0x62], [UInt8](0...255),
        [UInt8](repeating: UInt8(ascii: "\""), count: 40_000),
        [UInt8](repeating: UInt8(ascii: "a"), count: 65_000), [UInt8](repeating: 0x7a, count: 1 << 20),
        (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) },
    ]

    private static let targets = [
        "/", "/a/../b/./c", "/a//b", "/%2e%2e/x", "/x?a=%5B1-2%5D&b=%7Ba,b%7D", "/~!$&'()*+,;=:@", "/x?",
        "/x?a=1&&b=2&",
        "/x?q=%22%5C&r='",
    ]

    @Test func theServerAcceptsWhatCurlSends() throws {
        var cases: [Case] = []
        for (name, parameters) in Self.parameters {
            let profile = try SigningProfile(name: name, parameters: parameters)
            for target in Self.targets { cases.append(Case(profile, "GET", target, [])) }
            if name != "bitbank" { cases.append(Case(profile, "HEAD", "/x", [])) }
            for body in Self.bodies {
                // The body of binance is a form.
                let form = body.allSatisfy { $0.isLetter } ? body : Array("q=%22&x=1&y=%00".utf8)
                cases.append(Case(profile, "POST", "/x?y=1", name == "binance" ? form : body))
                if name == "binance" { cases.append(Case(profile, "PUT", "/x", form)) }
            }
        }
        let served = try Self.serve(cases)
        #expect(served.count == cases.count)
        for (each, answer) in zip(cases, served) {
            #expect(answer == (each.method == "HEAD" ? "200" : "accepted200"), "\(each)")
        }
    }

    /// A request that was changed on its way is refused, so the server's check works.
    @Test func theServerRefusesAChangedRequest() throws {
        let profile = try SigningProfile(name: "snapcard")
        let changes = [
            ("/x?a=1", "/x?a=2"), ("X-Api-Signature: ", "X-Api-Signature: 0"), ("body one", "body two"),
        ]
        for (old, new) in changes {
            let answers = try Self.serve([Case(profile, "POST", "/x?a=1", Array("body one".utf8))]) {
                config in
                #expect(config.contains(old))
                return config.replacing(old, with: new)
            }
            #expect(answers.map { $0.suffix(3) } == ["403"], "\(old)")
        }
    }

    struct Case: CustomStringConvertible {
        let profile: SigningProfile
        let method: String
        let target: String
        let body: [UInt8]

        init(_ profile: SigningProfile, _ method: String, _ target: String, _ body: [UInt8]) {
            (self.profile, self.method, self.target, self.body) = (profile, method, target, body)
        }

        var description: String {
            "\(profile.name) \(method) \(target) \(body.count) bytes \(body.prefix(20))"
        }

        func signed(_ number: Int, port: String) throws -> SignedCase {
            SignedCase(
                profile: profile, keyID: "key-1", secret: Array("a secret".utf8),
                request: try HTTPRequest(
                    method: HTTPMethod(method),
                    url: RequestURL("http://127.0.0.1:\(port)/\(number)\(target)"),
                    body: body,
                    contentType: profile.name == "rfc9421" ? "text/plain" : nil,
                    time: RequestTime(1_700_000_000_123, .milliseconds), nonce: UInt64(1_000 + number),
                    allowsInsecureHTTP: true))
        }
    }

    /// Sends each case with curl, and returns the answers.
    private static func serve(_ cases: [Case], change: ((String) -> String)? = nil) throws -> [String] {
        let folder = try TemporaryFolder()
        let lines = try cases.enumerated().map { number, each in
            // The body does not depend on the port.
            let signed = try each.signed(number, port: "1").sign()
            let type = signed.headers.first { $0.name == "Content-Type" }?.value
            let parameters = each.profile.parameters.map { JSONMember($0.name, .string($0.value)) }
            let line: JSONValue = [
                "profile": .string(each.profile.name), "parameters": .object(parameters),
                "key_id": .string("key-1"),
                "secret": .string(Hex.encode(Array("a secret".utf8))),
                "content_type": type.map { .string($0) } ?? .null,
                "body_sha256": .string(Hex.encode(HashFunction.sha256.hash(signed.body))),
            ]
            return line.text() + "\n"
        }
        try Files.write(Array(lines.joined().utf8), to: folder.path + "/cases")
        let server = try Server(folder.path + "/cases")
        return try cases.enumerated().map { number, each in
            let signed = try each.signed(number, port: server.port).sign()
            let bodyPath = folder.path + "/body \"\\\(number)"
            if (try? signed.curlConfig()) == nil { try Files.write(signed.body, to: bodyPath) }
            var config = try signed.curlConfig(bodyPath: bodyPath)
            if signed.isSecret { config = try signed.revealing(config).published() }
            if let change { config = Array(change(String(decoding: config, as: UTF8.self)).utf8) }
            let output = try SystemProgram.run(
                ["curl", "-q", "-s", "-S", "-w", "%{http_code}", "-o", "-", "-K", "-"], input: config)
            // The headers of an answer to HEAD are shown before the status.
            return each.method == "HEAD" ? String(output.text.suffix(3)) : output.text
        }
    }
}

/// The script as a server, until the value is released.
private final class Server {
    private(set) var port = ""
    /// Its standard input and output. It ends when this is closed.
    private let connection: Int32
    private let process: pid_t

    /// - Parameter path: the file of cases.
    init(_ path: String) throws {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw SystemFailure("socketpair")
        }
        connection = ends[0]
        defer { close(ends[1]) }
        process = try SystemProgram.start(["python3", Reference.script, "serve", path], ends[1], ends[1], 2)
        var byte: UInt8 = 0
        while read(connection, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
            port.unicodeScalars.append(Unicode.Scalar(byte))
        }
        guard UInt16(port) != nil else { throw SystemFailure("start the server") }
    }

    deinit {
        close(connection)
        kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
}
