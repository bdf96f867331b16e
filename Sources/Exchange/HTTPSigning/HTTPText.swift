import Codecs

/// The method of a request.
package struct HTTPMethod: Hashable, Sendable {
    package let text: String

    private static let standard = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH",
    ]
    private static let maximumLength = 32

    /// - Throws: `method`. A standard method must be in upper case, because methods are
    ///   case-sensitive, and a service refuses `get`.
    package init(_ text: String) throws(HTTPSigningError) {
        guard !text.isEmpty else { throw .method(.empty) }
        guard text.utf8.count <= Self.maximumLength else {
            throw .method(.tooLong(limit: Self.maximumLength))
        }
        if let offset = Array(text.utf8).firstIndex(where: { !$0.isTokenCharacter }) {
            throw .method(.character(offset: offset))
        }
        if let standard = Self.standard.first(where: { $0 == text.uppercased() && $0 != text }) {
            throw .method(.letterCase(standard: standard))
        }
        guard text != "CONNECT" else { throw .method(.connect) }
        self.text = text
    }

    /// True if requests of this method usually have no body.
    var isRead: Bool { text == "GET" || text == "HEAD" }
}

/// The public part of an API key, by which a service finds the secret: 1 to 256 bytes of printable
/// ASCII, without a space at either end.
package struct KeyID: Hashable, Sendable {
    package let text: String
    package static let maximumLength = 256

    /// - Throws: `keyID`.
    package init(_ text: String) throws(HTTPSigningError) {
        if let fault = TextFault.plain(text, limit: Self.maximumLength) { throw .keyID(fault) }
        self.text = text
    }
}

/// A header of a request. The name is a token of RFC 9110 of at most 128 bytes; the value is 1 to
/// 8,192 bytes of printable ASCII, so neither can start another header.
package struct HTTPHeader: Hashable, Sendable {
    package let name: String
    package let value: String

    static let longestName = 128
    static let longestValue = 8_192

    /// - Throws: `header`.
    package init(_ name: String, _ value: String) throws(HTTPSigningError) {
        try Self.check(name: name)
        if let fault = TextFault.plain(value, limit: Self.longestValue) { throw .header(fault) }
        (self.name, self.value) = (name, value)
    }

    static func check(name: String) throws(HTTPSigningError) {
        guard !name.isEmpty else { throw .header(.empty) }
        guard name.utf8.count <= longestName else { throw .header(.tooLong(limit: longestName)) }
        if let offset = Array(name.utf8).firstIndex(where: { !$0.isTokenCharacter }) {
            throw .header(.character(offset: offset))
        }
    }

    /// Headers that HTTP or curl sets. If the caller gave one, the sent request could differ from
    /// the signed one.
    static let reserved: Set = [
        "connection", "content-length", "content-type", "expect", "host", "keep-alive", "proxy-connection",
        "te",
        "trailer", "transfer-encoding", "upgrade",
    ]
}

extension TextFault {
    /// The fault in a text that must be printable ASCII without a space at either end.
    static func plain(_ text: String, limit: Int) -> TextFault? {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, let last = bytes.last else { return .empty }
        guard bytes.count <= limit else { return .tooLong(limit: limit) }
        if first == UInt8(ascii: " ") { return .character(offset: 0) }
        if let offset = bytes.firstIndex(where: { !$0.isPrintable }) { return .character(offset: offset) }
        return last == UInt8(ascii: " ") ? .character(offset: bytes.count - 1) : nil
    }
}

extension UInt8 {
    /// `tchar` of RFC 9110, 5.6.2
    var isTokenCharacter: Bool { isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(self) }

    /// A visible ASCII character or a space.
    var isPrintable: Bool { (0x20...0x7e).contains(self) }
}
