/// The output forms of a signed request. With a secret header, they contain the placeholder of
/// `SignedRequest`.
extension SignedRequest {
    /// The headers as lines, each with LF.
    package var headerLines: [UInt8] { Array(headers.map { "\($0.name): \($0.value)\n" }.joined().utf8) }

    private static var longestLine: Int { 65_536 }

    /// The quoted body, if curl's configuration can contain it. A NUL ends it there, and lines have
    /// a limit (100 KiB in curl 7.88).
    private var inlineBody: [UInt8]? {
        guard body.count < Self.longestLine, !body.contains(0) else { return nil }
        let quoted = Self.quoted(body)
        return quoted.count < Self.longestLine ? quoted : nil
    }

    /// The configuration for `curl -q -K -`, which sends exactly the signed bytes.
    /// - Parameter bodyPath: the file with the body, if the configuration can't contain it.
    /// - Throws: `request(bodyNeedsFile)`, `request(bodyPath)`.
    package func curlConfig(bodyPath: String? = nil) throws(HTTPSigningError) -> [UInt8] {
        var lines: [[UInt8]] = []
        func add(_ option: String, _ value: [UInt8]? = nil) {
            lines.append(Array(option.utf8) + (value.map { Array(" = ".utf8) + $0 } ?? []))
        }
        func add(_ option: String, text: String) { add(option, Self.quoted(Array(text.utf8))) }
        // Without these, curl sends several requests for brackets and braces, shortens a path with
        // dots, or sends the headers to another server.
        add("globoff")
        add("path-as-is")
        add("no-location")
        add("proto", text: "=\(url.origin.scheme.rawValue)")
        add("url", text: url.text)
        if method.text == "HEAD" { add("head") } else { add("request", text: method.text) }
        for header in headers { add("header", text: "\(header.name): \(header.value)") }
        // curl would send a type of its own, and wait before it sends a long body.
        if !headers.contains(where: { $0.name == "Content-Type" }) { add("header", text: "Content-Type:") }
        add("header", text: "Expect:")
        if !body.isEmpty || ["POST", "PUT", "PATCH"].contains(method.text) {
            if let inlineBody {
                add("data-raw", inlineBody)
            } else {
                guard let bodyPath else { throw .request(.bodyNeedsFile) }
                guard !bodyPath.isEmpty, bodyPath != "-", !bodyPath.utf8.contains(0) else {
                    throw .request(.bodyPath)
                }
                add("data-binary", text: "@\(bodyPath)")
            }
        }
        return Array(lines.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")]
    }

    /// A value in double quotes, with the escapes that curl reads.
    private static func quoted(_ bytes: [UInt8]) -> [UInt8] {
        var text = [UInt8(ascii: "\"")]
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): text += Array("\\n".utf8)
            case UInt8(ascii: "\r"): text += Array("\\r".utf8)
            case UInt8(ascii: "\t"): text += Array("\\t".utf8)
            case 0x0b: text += Array("\\v".utf8)
            default: text.append(byte)
            }
        }
        return text + [UInt8(ascii: "\"")]
    }
}
