import Codecs

/// The URL of a request: its exact bytes, which are signed and sent, and its parts.
///
/// The URL is `http` or `https` with a host and a path, and has only the characters that RFC 3986
/// allows. It is never encoded, decoded or reordered.
package struct RequestURL: Hashable, Sendable {
    package let text: String
    package let origin: WebOrigin
    /// From the first `/` to the query.
    package let path: String
    /// The text after the first `?`; nil if there is no `?`.
    package let query: String?

    /// In bytes. Servers should support request lines of 8,000 bytes (RFC 9112, section 3); many
    /// refuse longer ones.
    package static let maximumLength = 8_192

    /// - Throws: `url`.
    package init(_ text: String) throws(HTTPSigningError) { try self.init(utf8: Array(text.utf8)) }

    package init(utf8 bytes: [UInt8]) throws(HTTPSigningError) {
        var reader = try URLReader(bytes)
        origin = try reader.origin()
        try reader.expectShortest(origin)
        path = try reader.path()
        guard !path.isEmpty else { throw .url(.missingPath, offset: reader.offset) }
        query = try reader.query()
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// The path and the query, as the request line has them.
    package var target: String { path + (query.map { "?" + $0 } ?? "") }

    /// The URL with one more parameter at the end of its query. `value` has only letters and
    /// digits.
    func appending(_ name: String, _ value: String) throws(HTTPSigningError) -> RequestURL {
        try RequestURL(
            text + (query == nil ? "?" : Parameters.separator(after: query ?? "")) + "\(name)=\(value)")
    }
}

/// Scheme, host and port. Two are equal if all three are.
package struct WebOrigin: Hashable, Sendable {
    package enum Scheme: String, Sendable {
        case http
        case https

        var defaultPort: UInt16 { self == .http ? 80 : 443 }
    }

    package let scheme: Scheme
    /// In lower case; an IPv6 address is in brackets.
    package let host: String
    package let port: UInt16

    /// The host, and the port if it is not the default one.
    package var authority: String { host + (port == scheme.defaultPort ? "" : ":\(port)") }

    /// True if requests stay on this machine.
    var isLoopback: Bool {
        host == "localhost" || host == "[::1]"
            || host.hasPrefix("127.") && host.utf8.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
    }

    /// True if the host is `domain`, or a name below it.
    func isIn(_ domain: String) -> Bool { host == domain || host.hasSuffix("." + domain) }
}

/// The parameters of a query or of a form.
enum Parameters {
    /// The text before a parameter that is appended.
    static func separator(after text: String) -> String { text.isEmpty ? "" : "&" }

    /// The values of the parameters with this name, whose letters may be percent-encoded.
    static func values(_ name: String, in text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "&")).compactMap { parameter in
            let key = parameter.prefix { $0 != UInt8(ascii: "=") }
            guard PercentEncoding.decode(key).elementsEqual(name.utf8) else { return nil }
            return String(decoding: parameter.dropFirst(key.count + 1), as: UTF8.self)
        }
    }
}

enum PercentEncoding {
    /// Replaces each `%` and its two digits by the byte.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(Hex.value),
                let low = rest.dropFirst().first.flatMap(Hex.value)
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
