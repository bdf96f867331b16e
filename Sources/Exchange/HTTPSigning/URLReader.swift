import Codecs
import Glibc

/// Reads the parts of a URL one after another. Each error has the offset of the wrong byte.
struct URLReader {
    private let bytes: [UInt8]
    private(set) var offset = 0

    /// RFC 1035, 2.3.4
    private static let longestHost = 253
    private static let longestLabel = 63

    init(_ bytes: [UInt8]) throws(HTTPSigningError) {
        guard bytes.count <= RequestURL.maximumLength else {
            throw .url(.tooLong(limit: RequestURL.maximumLength), offset: RequestURL.maximumLength)
        }
        if let offset = bytes.firstIndex(where: { $0 < 0x20 || $0 == 0x7f }) {
            throw .url(.controlCharacter, offset: offset)
        }
        self.bytes = bytes
    }

    // MARK: - scheme, host and port

    mutating func origin() throws(HTTPSigningError) -> WebOrigin {
        let scheme = [WebOrigin.Scheme.https, .http].first { bytes.starts(with: "\($0.rawValue)://".utf8) }
        guard let scheme else { throw .url(.scheme, offset: 0) }
        offset = scheme.rawValue.utf8.count + 3
        let end = bytes[offset...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
        if let at = bytes[offset..<end].lastIndex(of: UInt8(ascii: "@")) { throw .url(.userInfo, offset: at) }
        let host = try host(upTo: end)
        let port = try port(upTo: end) ?? scheme.defaultPort
        return WebOrigin(scheme: scheme, host: host, port: port)
    }

    /// Refuses an authority that curl sends in another form: the default port, or an IPv6 address
    /// that is not in its shortest form. A server computes the signature from what it receives.
    func expectShortest(_ origin: WebOrigin) throws(HTTPSigningError) {
        let start = origin.scheme.rawValue.utf8.count + 3
        let written = String(decoding: bytes[start..<offset], as: UTF8.self).lowercased()
        guard written != origin.authority else { return }
        let isAddress = !written.hasPrefix(origin.host)
        throw .url(
            isAddress ? .longAddress : .defaultPort,
            offset: isAddress ? start : start + origin.host.utf8.count)
    }

    private mutating func host(upTo end: Int) throws(HTTPSigningError) -> String {
        guard offset < end, bytes[offset] != UInt8(ascii: ":") else { throw .url(.emptyHost, offset: offset) }
        if bytes[offset] == UInt8(ascii: "[") {
            guard let bracket = bytes[offset..<end].firstIndex(of: UInt8(ascii: "]")),
                let address = Self.address6(bytes[(offset + 1)..<bracket])
            else { throw .url(.host, offset: offset) }
            offset = bracket + 1
            return "[\(address)]"
        }
        let stop = bytes[offset..<end].firstIndex(of: UInt8(ascii: ":")) ?? end
        let host = bytes[offset..<stop]
        if let wrong = host.firstIndex(where: { !($0.isASCIILetterOrDigit || "-_.".utf8.contains($0)) }) {
            throw .url(.host, offset: wrong)
        }
        let labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let areLabels = labels.allSatisfy { (1...Self.longestLabel).contains($0.count) }
        guard areLabels, host.count <= Self.longestHost, Self.isName(labels) || Self.isAddress4(labels) else {
            throw .url(.host, offset: offset)
        }
        offset = stop
        return String(decoding: host, as: UTF8.self).lowercased()
    }

    /// curl and browsers read a host whose last label is a number as an IPv4 address, also in other
    /// forms than four decimal numbers.
    private static func isName(_ labels: [ArraySlice<UInt8>]) -> Bool {
        guard let last = labels.last else { return false }
        return !last.allSatisfy(\.isASCIIDigit) && !last.starts(with: "0x".utf8)
            && !last.starts(with: "0X".utf8)
    }

    private static func isAddress4(_ labels: [ArraySlice<UInt8>]) -> Bool {
        labels.count == 4 && labels.allSatisfy { decimal($0, as: UInt8.self) != nil }
    }

    /// The shortest form of an IPv6 address.
    private static func address6(_ text: ArraySlice<UInt8>) -> String? {
        guard text.allSatisfy({ Hex.value(of: $0) != nil || ":.".utf8.contains($0) }) else { return nil }
        var address = in6_addr()
        guard unsafe inet_pton(AF_INET6, String(decoding: text, as: UTF8.self), &address) == 1 else {
            return nil
        }
        var shortest = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard unsafe inet_ntop(AF_INET6, &address, &shortest, socklen_t(shortest.count)) != nil else {
            return nil
        }
        return String(decoding: shortest.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private mutating func port(upTo end: Int) throws(HTTPSigningError) -> UInt16? {
        guard offset < end else { return nil }
        guard bytes[offset] == UInt8(ascii: ":") else { throw .url(.host, offset: offset) }
        guard let port = Self.decimal(bytes[(offset + 1)..<end], as: UInt16.self), port > 0 else {
            throw .url(.port, offset: offset + 1)
        }
        offset = end
        return port
    }

    /// Decimal digits without a leading zero.
    private static func decimal<Number: FixedWidthInteger>(_ digits: ArraySlice<UInt8>, as: Number.Type)
        -> Number?
    {
        guard digits.allSatisfy(\.isASCIIDigit), digits.first != UInt8(ascii: "0") || digits.count == 1 else {
            return nil
        }
        return Number(String(decoding: digits, as: UTF8.self))
    }

    // MARK: - path and query

    /// Empty if the URL ends after the host.
    mutating func path() throws(HTTPSigningError) -> String {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "/") else { return "" }
        return try characters { $0 == UInt8(ascii: "/") }
    }

    mutating func query() throws(HTTPSigningError) -> String? {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "?") else {
            try expectEnd()
            return nil
        }
        offset += 1
        let query = try characters { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        try expectEnd()
        return query
    }

    /// Only a `#`, or a `?` after a missing path, ends the last part early.
    private func expectEnd() throws(HTTPSigningError) {
        guard offset == bytes.count else { throw .url(.fragment, offset: offset) }
    }

    /// Reads to the next `?` or `#` that is not in `more`, or to the end.
    private mutating func characters(more: (UInt8) -> Bool) throws(HTTPSigningError) -> String {
        let start = offset
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "%") {
                let digits = bytes[(offset + 1)...].prefix(2)
                guard digits.count == 2, digits.allSatisfy({ Hex.value(of: $0) != nil }) else {
                    throw .url(.escape, offset: offset)
                }
            } else if !Self.isPathCharacter(byte), !more(byte) {
                guard byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") else {
                    throw .url(.needsEncoding, offset: offset)
                }
                break
            }
            offset += 1
        }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    /// `pchar` of RFC 3986, 3.3, without the percent sign.
    static func isPathCharacter(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "-._~!$&'()*+,;=:@".utf8.contains(byte)
    }
}

extension UInt8 {
    var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
