import Codecs
import JSON
import SecureMemory

/// A request as it must be sent, and its headers.
///
/// Of all profiles, only `basic` has a header with a secret. Its value is in guarded memory.
/// `headers` and every output form have a placeholder instead, and `revealing` puts the value in.
package struct SignedRequest: ~Copyable {
    package let method: HTTPMethod
    /// With the parameters that the profile appended.
    package let url: RequestURL
    /// All headers to send, except headers that the HTTP client adds (Host, Content-Length). The
    /// last one is Content-Type, if the request has one.
    package let headers: [HTTPHeader]
    /// With the parameters that the profile appended.
    package let body: [UInt8]
    package internal(set) var warnings: [RequestWarning] = []
    private let secret: SecureBytes?

    /// True if a header has a secret, so that the output is an export of it.
    package var isSecret: Bool { secret != nil }

    /// - Parameters:
    ///   - changed: the URL and the body, if the profile appended parameters
    ///   - type: the type of a body whose type is not given
    ///   - secret: the value of the header that has the placeholder; nil for public headers
    init(
        _ request: HTTPRequest, url: RequestURL? = nil, body: [UInt8]? = nil,
        headers: [(name: String, value: String)], type: String = "application/json",
        secret: consuming SecureBytes? = nil
    ) throws(HTTPSigningError) {
        self.method = request.method
        self.url = url ?? request.url
        self.body = body ?? request.body
        self.headers = try Self.allHeaders(request, headers, type)
        self.secret = secret
    }

    /// A request without a secret, from the JSON that `credential sign --format json` prints. Other
    /// members are ignored.
    package init(_ value: JSONValue) throws {
        let body = try value["body_base64"]?.string.map { try Base64.decode(utf8: Array($0.utf8)) }
        guard let method = value["method"]?.string, let url = value["url"]?.string,
            let content = body ?? value["body"]?.string.map({ Array($0.utf8) }),
            let headers = value["headers"]?.array, let warnings = value["warnings"]?.array
        else { throw RequestLineError.notAnObject }
        let parsed = (
            method: try HTTPMethod(method), url: try RequestURL(url),
            headers: try headers.map(HTTPHeader.init(member:)),
            warnings: try warnings.map { warning in
                guard let warning = warning.string.flatMap(RequestWarning.init(rawValue:)) else {
                    throw RequestLineError.wrongType("warnings")
                }
                return warning
            }
        )
        self.init(parsed.method, parsed.url, parsed.headers, content, parsed.warnings)
    }

    private init(
        _ method: HTTPMethod, _ url: RequestURL, _ headers: [HTTPHeader], _ body: [UInt8],
        _ warnings: [RequestWarning]
    ) {
        (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
        self.warnings = warnings
        secret = nil
    }

    private static func allHeaders(
        _ request: HTTPRequest, _ added: [(name: String, value: String)], _ type: String
    ) throws(HTTPSigningError) -> [HTTPHeader] {
        var headers = request.headers
        for (name, value) in added { headers.append(try HTTPHeader(name, value)) }
        if let type = request.contentType ?? (request.body.isEmpty ? nil : type) {
            headers.append(try HTTPHeader("Content-Type", type))
        }
        var names: Set<String> = []
        for header in headers where !names.insert(header.name.lowercased()).inserted {
            throw .request(.duplicateHeader(header.name))
        }
        return headers
    }

    // MARK: - the secret header

    /// The text that `headers` and output have instead of the secret value.
    package static let placeholder = "<the-secret-header-value>"

    /// A text with the secret value instead of its placeholder, in guarded memory.
    /// - Parameter text: output that contains the placeholder once. Other output is refused,
    ///   because a URL or a body can contain the same characters.
    /// - Throws: `request(placeholder)`, `memory`.
    package borrowing func revealing(_ text: [UInt8]) throws(HTTPSigningError) -> SecureBytes {
        let mark = Array(Self.placeholder.utf8)
        let starts = text.indices.filter { text[$0] == mark[0] && text[$0...].starts(with: mark) }
        guard let start = starts.first, starts.count == 1 else { throw .request(.placeholder) }
        switch secret {
        case .some(let value):
            // Copying leaves bytes of the value in registers.
            defer { wipeScratch() }
            return try converting(
                HTTPSigningError.memory, Self.joined(text[..<start], value, text[(start + mark.count)...]))
        case .none: throw .request(.placeholder)
        }
    }

    @inline(never)
    private static func joined(
        _ before: ArraySlice<UInt8>, _ secret: borrowing SecureBytes, _ after: ArraySlice<UInt8>
    ) throws(SecureMemoryError) -> SecureBytes {
        var output = try SecureBytes(count: before.count + secret.count + after.count)
        secret.withBytes { secret in
            output.withMutableBytes { output in
                for (index, byte) in before.enumerated() { output[byte: index] = byte }
                for index in 0..<secret.byteCount { output[byte: before.count + index] = secret[byte: index] }
                let start = before.count + secret.byteCount
                for (index, byte) in after.enumerated() { output[byte: start + index] = byte }
            }
        }
        return output
    }
}
