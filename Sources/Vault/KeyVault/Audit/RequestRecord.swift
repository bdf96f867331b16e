import Codecs
import HTTPSigning

/// A signed HTTP request in the audit log. The log records neither its query nor its body.
package struct RequestRecord: Equatable, Sendable {
    /// The name of the profile.
    package let profile: String
    package let method: String
    /// With the port, unless it is the scheme's.
    package let host: String
    /// The first bytes of the path.
    package let path: String
    /// The SHA-256 of the whole path.
    package let pathHash: [UInt8]

    /// The most bytes of the path that a record contains.
    package static let maximumPathCount = 200
    /// The most bytes of each other text.
    private static let maximumTextCount = 512

    package init(profile: SigningProfile, method: HTTPMethod, url: RequestURL) {
        (self.profile, self.method, host) = (profile.name, method.text, url.origin.authority)
        // A URL is ASCII.
        path = String(decoding: url.path.utf8.prefix(Self.maximumPathCount), as: UTF8.self)
        pathHash = HashFunction.sha256.hash(Array(url.path.utf8))
    }

    /// True if the record has the whole path.
    package var isPathWhole: Bool { HashFunction.sha256.hash(Array(path.utf8)) == pathHash }
}

extension RequestRecord {
    func write(to writer: inout ByteWriter) {
        for text in [profile, method, host, path] { writer.write(longText: text.utf8) }
        writer.write(bytes: pathHash)
    }

    init(from reader: inout ByteReader) throws(AuditEvent.BodyError) {
        (profile, method) = (try reader.readLongText(), try reader.readLongText())
        (host, path) = (try reader.readLongText(), try reader.readLongText())
        pathHash = try reader.readHash()
        for text in [profile, method, host, path] {
            guard (1...Self.maximumTextCount).contains(text.utf8.count),
                text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
            else { throw AuditEvent.BodyError() }
        }
        guard path.utf8.count <= Self.maximumPathCount, path.hasPrefix("/") else {
            throw AuditEvent.BodyError()
        }
    }
}
