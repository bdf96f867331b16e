import Codecs

/// The address of a callback, as a person may see it: the scheme and the host, because the rest of
/// a long address hides them.
package struct CallbackAddress: Hashable, Sendable {
    /// The whole address, with the names of values in double braces.
    package let text: String
    /// For example `https`.
    package let scheme: String
    /// The host and the port. A web address has one; an app's address may have none.
    package let host: String?

    /// Whether the scheme is `http` or `https`.
    package var isWeb: Bool { Self.webSchemes.contains(scheme) }

    private static let webSchemes = ["http", "https"]

    /// For example `https://example.com` or `myapp:`.
    package var shown: String { scheme + ":" + (host.map { "//\($0)" } ?? "") }

    /// - Throws: `callback`.
    package init(_ text: String) throws(RequestError) {
        let bytes = Array(text.utf8)
        if let offset = bytes.firstIndex(where: { !(0x21...0x7e).contains($0) }) {
            throw .callback(.character(offset: offset))
        }
        let scheme = bytes.prefix { $0.isASCIILetterOrDigit && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !scheme.isEmpty, bytes.dropFirst(scheme.count).first == UInt8(ascii: ":") else {
            throw .callback(.scheme)
        }
        self.text = text
        self.scheme = String(decoding: scheme, as: UTF8.self).lowercased()
        let isWeb = Self.webSchemes.contains(self.scheme)
        let rest = bytes.dropFirst(scheme.count + 1)
        guard rest.starts(with: Array("//".utf8)) else {
            guard !isWeb else { throw .callback(.host) }
            host = nil
            return
        }
        let authority = rest.dropFirst(2).prefix { !Array("/?#".utf8).contains($0) }
        let host = authority.prefix { $0.isASCIILetterOrDigit || Array("-.:".utf8).contains($0) }
        // A user name, an escape or a backslash can make one host look like another. An app has no
        // host: what follows is only a name for the app, and may contain `{{sa}}`.
        guard !isWeb || host.count == authority.count && !host.isEmpty else { throw .callback(.host) }
        self.host = host.isEmpty ? nil : String(decoding: host, as: UTF8.self)
    }
}
