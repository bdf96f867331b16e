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

    /// True if the scheme is `http` or `https`.
    package var isWeb: Bool { Self.webSchemes.contains(scheme) }

    private static let webSchemes = ["http", "https"]
    /// Schemes that are no app: programs open a file or another address, or run code.
    private static let refusedSchemes: Set = [
        "about", "blob", "data", "file", "filesystem", "ftp", "intent", "javascript", "mailto", "vbscript",
        "ws", "wss",
    ]
    /// Real addresses have some hundreds of bytes.
    package static let maximumLength = 8_192
    private static let longestScheme = 32
    /// RFC 1035, 2.3.4.
    private static let longestHost = 253
    private static let longestLabel = 63

    /// For example `https://example.com` or `myapp:`.
    package var shown: String { scheme + ":" + (host.map { "//\($0)" } ?? "") }

    /// - Throws: `callback`.
    package init(_ text: String) throws(RequestError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumLength else { throw .callback(.tooLong(limit: Self.maximumLength)) }
        if let offset = bytes.firstIndex(where: { !(0x21...0x7e).contains($0) }) {
            throw .callback(.character(offset: offset))
        }
        let scheme = bytes.prefix {
            $0.isASCIILetterOrDigit && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
        let name = String(decoding: scheme, as: UTF8.self).lowercased()
        guard (1...Self.longestScheme).contains(scheme.count),
            bytes.dropFirst(scheme.count).first == UInt8(ascii: ":"), !Self.refusedSchemes.contains(name)
        else { throw .callback(.scheme) }
        (self.text, self.scheme) = (text, name)
        let isWeb = Self.webSchemes.contains(name)
        let rest = bytes.dropFirst(scheme.count + 1)
        guard rest.starts(with: Array("//".utf8)) else {
            guard !isWeb else { throw .callback(.host) }
            host = nil
            return
        }
        let authority = rest.dropFirst(2).prefix { !Array("/?#".utf8).contains($0) }
        // A user name, an escape or a backslash can make one host look like another. An app has no
        // host: the rest is only a name for the app, and may contain `{{sa}}`. Then it is not
        // shown, because a part of it could look like a host.
        let isPlain = Self.isHost(authority)
        guard !isWeb || isPlain else { throw .callback(.host) }
        host = isPlain ? String(decoding: authority, as: UTF8.self) : nil
    }

    /// Labels of letters, digits and hyphens, and a port.
    private static func isHost(_ authority: ArraySlice<UInt8>) -> Bool {
        let parts = authority.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard let host = parts.first, host.count <= longestHost, parts.count <= 2 else { return false }
        let labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let areLabels = labels.allSatisfy { label in
            (1...longestLabel).contains(label.count)
                && label.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") }
        }
        guard areLabels, parts.count == 2 else { return areLabels }
        // Digits only: an integer's text may also have a sign.
        guard parts[1].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return false
        }
        return UInt16(String(decoding: parts[1], as: UTF8.self)).map { $0 > 0 } ?? false
    }
}
