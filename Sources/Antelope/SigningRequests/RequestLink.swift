import Codecs
import Transactions

/// The link of a signing request: `esr://` and base64 text without padding (EEP-7, revision 3).
///
/// Its bytes are a header byte (version, and bit 7 for a compressed payload) and the payload: the
/// request, then the request signature, if there is one.
package struct RequestLink: Hashable, Sendable {
    /// The maximum length in characters. Real links have some hundreds.
    package static let maximumLength = 1 << 20
    /// The maximum length of an inflated payload in bytes. Chains refuse a transaction of this
    /// size.
    package static let maximumPayload = SignedTransaction.maximumInflated

    private static let schemes = ["esr:", "web+esr:"].map { Array($0.utf8) }
    private static let compressedBit: UInt8 = 0x80

    package let text: String
    package let isCompressed: Bool
    package let request: RequestData
    package let signature: RequestSignature?

    /// True if text starts as a link, so that it is not a transaction in another form.
    package static func isLink(_ text: [UInt8]) -> Bool { schemes.contains { text.starts(with: $0) } }

    /// Reads a link. `text` must contain the link and nothing else.
    package init(utf8 text: [UInt8]) throws(RequestError) {
        guard text.count <= Self.maximumLength else {
            throw .linkTooLong(count: text.count, limit: Self.maximumLength)
        }
        guard let scheme = Self.schemes.first(where: { text.starts(with: $0) }) else { throw .unknownScheme }
        let slashes = Array("//".utf8)
        let start = scheme.count + (text[scheme.count...].starts(with: slashes) ? slashes.count : 0)
        let bytes = try converting(
            { RequestError.moved($0, by: start) }, Base64.decode(utf8: Array(text[start...]), .url))
        guard let header = bytes.first else { throw .emptyLink }
        guard let version = RequestVersion(rawValue: header & ~Self.compressedBit) else {
            throw .unknownVersion(header & ~Self.compressedBit)
        }
        isCompressed = header & Self.compressedBit != 0
        var payload = Array(bytes.dropFirst())
        if isCompressed {
            payload = try converting(
                RequestError.inflate, Deflate.inflate(payload, .raw, limit: Self.maximumPayload))
        }
        (request, signature) = try RequestData.unpack(payload, version: version)
        // The characters are ASCII: the scheme and base64.
        self.text = String(decoding: text, as: UTF8.self)
    }

    /// Makes the link of a request.
    /// - Parameter compressing: Compresses the payload if that makes it shorter.
    package init(
        _ request: RequestData, signature: RequestSignature? = nil, compressing: Bool = true
    ) throws(RequestError) {
        self.request = request
        self.signature = signature
        let payload = Self.payload(request, signature)
        let deflated = compressing ? Deflate.compress(payload, .raw) : payload
        isCompressed = deflated.count < payload.count
        let header = request.version.rawValue | (isCompressed ? Self.compressedBit : 0)
        text = "esr://" + Base64.encode([header] + (isCompressed ? deflated : payload), .url)
        guard text.utf8.count <= Self.maximumLength else {
            throw .linkTooLong(count: text.utf8.count, limit: Self.maximumLength)
        }
    }

    /// The bytes after the header byte, not compressed.
    package var payload: [UInt8] { Self.payload(request, signature) }

    private static func payload(_ request: RequestData, _ signature: RequestSignature?) -> [UInt8] {
        var writer = ByteWriter()
        request.write(to: &writer)
        signature?.write(to: &writer)
        return writer.bytes
    }
}

/// The version of the protocol. Version 3 has requests for any chain, and logins with a scope and
/// an expiration.
package enum RequestVersion: UInt8, Sendable {
    case two = 2
    case three = 3
}
