import Codecs
import SecureMemory

/// HTTP Message Signatures (RFC 9421) with `hmac-sha256`.
///
/// The signed bytes are a line `"component": value` for each covered component, with LF between
/// them, and the line `"@signature-params": (…);created=…` (RFC 9421, 2.5). Headers:
/// Signature-Input and Signature, and Content-Digest (RFC 9530, `sha-256`) and Date, if they are
/// covered and not given. `created` is in seconds since 1970; the value of Signature is base64
/// between colons.
///
/// - `components`: the covered components, with one space between them, at most 32: names of
///   headers in lower case, `@method`, `@target-uri`, `@authority`, `@scheme`, `@request-target`,
///   `@path`, `@query`. By default `@method @target-uri content-digest`. Parameters of components
///   (`;sf`, `;key`), `@query-param` and `@status` are not supported.
/// - `label`: the label of the signature, by default `sig1`.
/// - `expires`: the seconds from `created` to `expires`, 1 to 86400; by default none.
/// - `alg`: `yes` adds `alg="hmac-sha256"`; by default `no`.
/// - `nonce`: `yes` adds the nonce of the credential, in decimal, as a string; by default `no`.
///
/// The parameters of a signature are in the order created, expires, keyid, alg, nonce.
///
/// Throws `request` with `missingComponent`, `headerNotCovered`, `contentDigest`, `duplicateHeader`
/// or `timeOutsideWindow`.
package struct RFC9421Profile: RequestSigner {
    static let name = "rfc9421"

    package let components: [String]
    package let label: String
    package let expires: UInt64?
    private let hasAlgorithm: Switch
    private let hasNonce: Switch

    private enum Switch: String, CaseIterable {
        case yes
        case no
    }

    private static let derived: Set = [
        "@method", "@target-uri", "@authority", "@scheme", "@request-target", "@path", "@query",
    ]
    private static let maximumComponents = 32

    private static let usualComponents = "@method @target-uri content-digest"
    private static let expirations: ClosedRange<UInt64> = 1...86_400

    static let described: [ProfileParameter] = [
        .text(
            "components",
            "names of headers, @method, @target-uri, @authority, @scheme, @request-target, @path or @query, with one "
                + "space between them", default: .value(usualComponents)),
        .text("label", "lower-case letters, digits, `_`, `-`, `.` and `*`", default: .value("sig1")),
        .number("expires", in: expirations, "seconds", default: .none),
        .choice("alg", Switch.self, default: .no), .choice("nonce", Switch.self, default: .no),
    ]

    init(_ reader: inout ParameterReader) throws(HTTPSigningError) {
        let list = reader.take("components") ?? Self.usualComponents
        components = list.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        guard components.count <= Self.maximumComponents, Set(components).count == components.count,
            components.allSatisfy({ Self.derived.contains($0) || Self.isField($0) })
        else { throw .profile(.invalidParameter("components")) }
        label = reader.take("label") ?? "sig1"
        guard Self.isKey(label) else { throw .profile(.invalidParameter("label")) }
        expires = try reader.takeNumber("expires", in: Self.expirations)
        hasAlgorithm = try reader.takeChoice("alg", default: .no)
        hasNonce = try reader.takeChoice("nonce", default: .no)
    }

    /// The name of a header in lower case, which is not one that only HTTP sets.
    private static func isField(_ name: String) -> Bool {
        name.utf8.allSatisfy(\.isTokenCharacter) && (1...HTTPHeader.longestName).contains(name.utf8.count)
            && name == name.lowercased() && (name == "content-type" || !HTTPHeader.reserved.contains(name))
            && !["signature", "signature-input"].contains(name)
    }

    /// `key` of RFC 8941, 3.1.2
    private static func isKey(_ text: String) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
        guard let first = text.utf8.first, text.utf8.count <= 64 else { return false }
        return (isLetter(first) || first == UInt8(ascii: "*"))
            && text.utf8.allSatisfy { isLetter($0) || $0.isASCIIDigit || "_-.*".utf8.contains($0) }
    }

    var parameters: [(name: String, value: String)] {
        [("components", components.joined(separator: " ")), ("label", label)]
            + (expires.map { [("expires", "\($0)")] } ?? [])
            + [("alg", hasAlgorithm.rawValue), ("nonce", hasNonce.rawValue)]
    }

    var usesNonce: Bool { hasNonce == .yes }
    var signsHeaders: Bool { true }

    func signsQuery(of method: HTTPMethod) -> Bool {
        !Set(components).isDisjoint(with: ["@target-uri", "@request-target", "@query"])
    }

    func signsBody(of method: HTTPMethod) -> Bool { components.contains("content-digest") }

    func sign(
        _ request: HTTPRequest, keyID: KeyID, secret: borrowing SecureBytes
    ) throws(HTTPSigningError) -> SignedRequest {
        let created = request.time.value(in: .seconds)
        if let expires { try request.checkTime(created * 1_000, behind: Int64(expires) * 1_000, ahead: 0) }
        for header in request.headers where !components.contains(header.name.lowercased()) {
            throw .request(.headerNotCovered(header.name))
        }
        if let given = request.headers.first(where: { $0.name.lowercased() == "content-digest" }) {
            guard Self.isDigest(given.value, of: request.body) else { throw .request(.contentDigest) }
        }
        var added: [(name: String, value: String)] = []
        func isAdded(_ name: String) -> Bool {
            components.contains(name) && !request.headers.contains { $0.name.lowercased() == name }
        }
        if isAdded("date") { added.append(("Date", request.time.headerText)) }
        if isAdded("content-digest") {
            added.append(("Content-Digest", ContentDigest.member(.sha256, of: request.body) ?? ""))
        }
        // The headers as they are sent, with the type of the body.
        let sent = try SignedRequest(request, headers: added).headers
        var lines = try components.map { component throws(HTTPSigningError) in
            guard let value = Self.value(of: component, request, sent) else {
                throw .request(.missingComponent(component))
            }
            return "\"\(component)\": \(value)"
        }
        let input = signatureParameters(request, created: created, keyID: keyID)
        lines.append("\"@signature-params\": \(input)")
        let mac = try KeyedHash.sha256.mac([Array(lines.joined(separator: "\n").utf8)], key: secret)
        added.append(("Signature-Input", "\(label)=\(input)"))
        added.append(("Signature", "\(label)=:\(Base64.encode(mac)):"))
        return try SignedRequest(request, headers: added)
    }

    /// True if each member of a Content-Digest is the digest of the body.
    private static func isDigest(_ value: String, of body: [UInt8]) -> Bool {
        let known = ContentDigest.names.keys.compactMap { ContentDigest.member($0, of: body) }
        return value.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { member in
            known.contains(String(member.drop { $0 == " " }))
        }
    }

    private func signatureParameters(_ request: HTTPRequest, created: UInt64, keyID: KeyID) -> String {
        var text = "(" + components.map { "\"\($0)\"" }.joined(separator: " ") + ");created=\(created)"
        if let expires { text += ";expires=\(created + expires)" }
        text += ";keyid=\"\(Self.escaped(keyID.text))\""
        if hasAlgorithm == .yes { text += ";alg=\"hmac-sha256\"" }
        if hasNonce == .yes, let nonce = request.nonce { text += ";nonce=\"\(nonce)\"" }
        return text
    }

    /// The characters of a string of RFC 8941, 3.3.3.
    private static func escaped(_ text: String) -> String {
        let bytes = text.utf8.flatMap { "\"\\".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// RFC 9421, 2.1 and 2.2; nil for a header that the request does not have.
    private static func value(of component: String, _ request: HTTPRequest, _ headers: [HTTPHeader])
        -> String?
    {
        let url = request.url
        return switch component {
        case "@method": request.method.text
        case "@target-uri": url.text
        case "@authority": url.origin.authority
        case "@scheme": url.origin.scheme.rawValue
        case "@request-target": url.target
        case "@path": url.path
        case "@query": "?" + (url.query ?? "")
        default: headers.first { $0.name.lowercased() == component }?.value
        }
    }
}
