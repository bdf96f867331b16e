/// The URLs that a credential may sign: the URLs of one origin whose path is the prefix's path or
/// below it.
///
/// `https://example.com/api` allows `/api` and `/api/x`, and not `/apix`. With a slash at its end,
/// it allows `/api/` and `/api/x`. Origins are compared by scheme, host and port, and paths segment
/// by segment, as bytes.
package struct URLPrefix: Hashable, Sendable {
    package let text: String
    package let origin: WebOrigin
    /// The path, without a slash at its end.
    private let path: String
    private let endsWithSlash: Bool

    /// - Throws: `url`.
    package init(_ text: String) throws(HTTPSigningError) {
        var reader = try URLReader(Array(text.utf8))
        origin = try reader.origin()
        try reader.expectShortest(origin)
        let start = reader.offset
        let path = try reader.path()
        let end = reader.offset
        guard try reader.query() == nil else { throw .url(.queryInPrefix, offset: end) }
        guard !Self.isUnsafe(path) else { throw .url(.unsafePrefix, offset: start) }
        self.text = text
        endsWithSlash = path.hasSuffix("/")
        self.path = endsWithSlash ? String(path.dropLast()) : path
    }

    /// The first difference between a URL and this prefix; nil if the prefix allows it.
    package func mismatch(of url: RequestURL) -> PrefixMismatch? {
        guard url.origin.scheme == origin.scheme else { return .scheme }
        guard url.origin.host == origin.host else { return .host }
        guard url.origin.port == origin.port else { return .port }
        // A server may resolve such a segment before it chooses what the request does.
        guard !Self.isUnsafe(url.path) else { return .unsafePath }
        let isBelow = url.path.utf8.starts(with: (path + "/").utf8)
        return isBelow || !endsWithSlash && url.path.utf8.elementsEqual(path.utf8) ? nil : .path
    }

    /// How often a server may decode a path.
    private static let decodings = 4

    /// True if a server may resolve a path to another one: by a segment `.` or `..`, also before a
    /// `;` or before spaces as some servers read it; or by a slash, backslash, `?`, `#`, control
    /// character or bytes that are not UTF-8 in percent-encoding, also if they are encoded several
    /// times.
    private static func isUnsafe(_ path: String) -> Bool {
        var level = Array(path.utf8)
        for _ in 0..<decodings {
            let segments = level.split(separator: UInt8(ascii: "/"))
            let hasDots = segments.contains { segment in
                var name = segment.prefix { $0 != UInt8(ascii: ";") }
                while name.last == UInt8(ascii: " ") { name.removeLast() }
                return name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8)
            }
            if hasDots { return true }
            let decoded = PercentEncoding.decode(level)
            if decoded == level { return false }
            func slashes(_ bytes: [UInt8]) -> Int { bytes.count { $0 == UInt8(ascii: "/") } }
            let isSpecial = { (byte: UInt8) in byte < 0x20 || byte == 0x7f || "\\?#".utf8.contains(byte) }
            if slashes(decoded) != slashes(level) || decoded.contains(where: isSpecial) { return true }
            if String(validating: decoded, as: UTF8.self) == nil { return true }
            level = decoded
        }
        return true
    }
}
