import Codecs
import SecureMemory

/// A general scheme: the HMAC of a template, in a header.
///
/// - `template`: the signed bytes, see ``SigningTemplate``. It is required.
/// - `hash`: `sha1`, `sha256` (the default) or `sha512`, of the HMAC (RFC 2104) and of
///   `{content-digest}`.
/// - `encoding`: of the signature and of `{content-digest}`: `hex` in lower case (the default) or
///   `base64` with padding.
/// - `time-unit`: of `{time}`, since 1970, rounded down: `ms` (the default), `us` or `s`; or `iso`,
///   a time in UTC such as 2020-12-08T09:08:57.715Z (RFC 3339) with milliseconds. It does not
///   depend on the unit of nonces.
/// - `signature-header`: the header with the signature, by default X-Signature.
/// - `signature-prefix`: a text before the signature, for example `sha256=`, at most 64 printable
///   bytes; by default none.
/// - `key-header`: the header with the key id, by default X-Api-Key. It may be empty, for a service
///   that does not need the key id.
/// - `time-header`, `nonce-header`, `digest-header`: headers with the time, the nonce and the
///   content digest, by default none. If the digest header is Content-Digest, it and
///   `{content-digest}` have the form of RFC 9530, whatever `encoding` is: `sha-256=:BASE64:`.
package struct HMACProfile: RequestSigner {
    static let name = "hmac"

    package let template: SigningTemplate
    package let hash: KeyedHash
    package let encoding: SignatureEncoding
    package let timeUnit: TimeForm
    private let prefix: String
    private let signatureHeader: String
    /// The other headers: the parameter, the name of the header, and its value.
    private let headers: [Header]

    package enum TimeForm: String, CaseIterable, Sendable {
        case milliseconds = "ms"
        case microseconds = "us"
        case seconds = "s"
        case iso

        func text(_ time: RequestTime) -> String {
            switch self {
            case .milliseconds: "\(time.value(in: .milliseconds))"
            case .microseconds: "\(time.value(in: .microseconds))"
            case .seconds: "\(time.value(in: .seconds))"
            case .iso: time.isoText
            }
        }
    }

    private struct Header: Hashable {
        let parameter: String
        let name: String
        /// Nil for the key id.
        let field: SigningTemplate.Field?
    }

    private static let headerFields: [(parameter: String, field: SigningTemplate.Field?, default: String)] = [
        ("key-header", nil, "X-Api-Key"), ("time-header", .time, ""), ("nonce-header", .nonce, ""),
        ("digest-header", .contentDigest, ""),
    ]

    static let described: [ProfileParameter] =
        [
            .text("template", "the signed text", default: .required),
            .choice("hash", KeyedHash.self, default: .sha256),
            .choice("encoding", SignatureEncoding.self, default: .hex),
            .choice("time-unit", TimeForm.self, default: .milliseconds),
            .text("signature-header", "the header with the signature", default: .value(usualHeader)),
            .text("signature-prefix", "a text before the signature", default: .none),
        ]
        + headerFields.map { parameter, field, usual in
            let content = field.map { "{\($0.rawValue)}" } ?? "the key id"
            return .text(
                parameter, "a header with \(content)", default: usual.isEmpty ? .none : .value(usual))
        }
    private static let usualHeader = "X-Signature"

    init(_ reader: inout ParameterReader) throws(HTTPSigningError) {
        guard let text = reader.take("template") else { throw .profile(.missingParameter("template")) }
        template = try SigningTemplate(text)
        hash = try reader.takeChoice("hash", default: .sha256)
        encoding = try reader.takeChoice("encoding", default: .hex)
        timeUnit = try reader.takeChoice("time-unit", default: .milliseconds)
        prefix = reader.take("signature-prefix") ?? ""
        guard prefix.isEmpty || TextFault.plain(prefix + "=", limit: 65) == nil else {
            throw .profile(.invalidParameter("signature-prefix"))
        }
        signatureHeader = reader.take("signature-header") ?? Self.usualHeader
        headers = Self.headerFields.map { parameter, field, usual in
            Header(parameter: parameter, name: reader.take(parameter) ?? usual, field: field)
        }
        var names: Set<String> = []
        for name in [signatureHeader] + headers.map(\.name).filter({ !$0.isEmpty }) {
            do { try HTTPHeader.check(name: name) } catch { throw .profile(.headerName(name)) }
            guard !HTTPHeader.reserved.contains(name.lowercased()), names.insert(name.lowercased()).inserted
            else {
                throw .profile(.headerName(name))
            }
        }
        for header in headers where !header.name.isEmpty {
            guard let field = header.field, [.time, .nonce].contains(field), !template.contains([field])
            else {
                continue
            }
            throw .profile(.unsignedField(field.rawValue))
        }
        guard !hasContentDigest || ContentDigest.names[hash] != nil else {
            throw .profile(.insecureDigest)
        }
    }

    /// True if the digest has the form of RFC 9530.
    private var hasContentDigest: Bool {
        headers.contains { $0.field == .contentDigest && $0.name.lowercased() == ContentDigest.header }
    }

    private func digest(of body: [UInt8]) -> String {
        (hasContentDigest ? ContentDigest.member(hash, of: body) : nil) ?? encoding.text(hash.digest(body))
    }

    var parameters: [(name: String, value: String)] {
        [
            ("template", template.text), ("hash", hash.rawValue), ("encoding", encoding.rawValue),
            ("time-unit", timeUnit.rawValue), ("signature-header", signatureHeader),
            ("signature-prefix", prefix),
        ] + headers.map { ($0.parameter, $0.name) }
    }

    var isGeneral: Bool { true }
    var usesNonce: Bool { uses([.nonce]) }
    func usesTime(of request: HTTPRequest) -> Bool { uses([.time]) }
    func signsQuery(of method: HTTPMethod) -> Bool { template.contains([.url, .query, .target]) }
    func signsBody(of method: HTTPMethod) -> Bool { template.contains([.body, .contentDigest]) }

    private func uses(_ fields: Set<SigningTemplate.Field>) -> Bool {
        template.contains(fields)
            || headers.contains { !$0.name.isEmpty && $0.field.map(fields.contains) ?? false }
    }

    func sign(
        _ request: HTTPRequest, keyID: KeyID, secret: borrowing SecureBytes
    ) throws(HTTPSigningError) -> SignedRequest {
        let digest = uses([.contentDigest]) ? digest(of: request.body) : ""
        func value(_ field: SigningTemplate.Field) -> [UInt8] {
            switch field {
            case .method: Array(request.method.text.utf8)
            case .url: Array(request.url.text.utf8)
            case .target: Array(request.url.target.utf8)
            case .path: Array(request.url.path.utf8)
            case .query: Array((request.url.query ?? "").utf8)
            case .body: request.body
            case .time: Array(timeUnit.text(request.time).utf8)
            case .nonce: Array("\(request.nonce ?? 0)".utf8)
            case .contentDigest: Array(digest.utf8)
            }
        }
        let mac = try hash.mac(template.parts.map { $0.bytes(value) }, key: secret)
        var added = headers.filter { !$0.name.isEmpty }.map { header in
            (header.name, header.field.map { String(decoding: value($0), as: UTF8.self) } ?? keyID.text)
        }
        added.append((signatureHeader, prefix + encoding.text(mac)))
        return try SignedRequest(request, headers: added)
    }
}
