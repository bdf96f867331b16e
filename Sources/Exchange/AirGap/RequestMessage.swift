import Codecs

/// A signing request (EEP-7) as its link, with the registered tag for a URI.
package struct RequestMessage: Equatable, Sendable {
    /// RFC 8949, 3.4.5.3.
    private static let uriTag: UInt64 = 32
    /// In characters: a link of this length has half a megabyte of data.
    private static let maximumLength = 1 << 20
    private static let schemes = ["esr:", "web+esr:"]

    package let link: String

    /// - Throws: `invalidValue` for a text that is no link of a signing request. Its payload is not
    ///   decoded here.
    package init(link: String) throws(AirGapError) {
        guard link.utf8.count < Self.maximumLength, link.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            Self.schemes.contains(where: link.lowercased().hasPrefix)
        else { throw .invalidValue(member: Self.uriTag) }
        self.link = link
    }

    package init(cbor: [UInt8]) throws(AirGapError) {
        let (tag, text) = try CBORReader.readAll(cbor, AirGapError.sequence) { reader throws(AirGapError) in
            (
                try converting(AirGapError.sequence, reader.tag()),
                try converting(AirGapError.sequence, reader.textString(limit: Self.maximumLength))
            )
        }
        guard tag == Self.uriTag else { throw .unknownMember(tag) }
        try self.init(link: text)
    }

    package var cbor: [UInt8] {
        var writer = CBORWriter()
        writer.tag(Self.uriTag)
        writer.textString(link)
        return writer.bytes
    }
}
