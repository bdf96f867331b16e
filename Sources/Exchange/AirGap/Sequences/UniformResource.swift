import Codecs

/// A whole message: its type and its CBOR data (BCR-2020-005).
package struct UniformResource: Hashable, Sendable {
    /// The most bytes of a message. A transaction is at most half as long
    /// (`max_transaction_net_usage` of the public chains).
    package static let maximumLength = 1 << 20

    package let type: URType
    package let cbor: [UInt8]

    package init(type: URType, cbor: [UInt8]) throws(CodeSequenceError) {
        guard !cbor.isEmpty else { throw .resource(.emptyMessage) }
        guard cbor.count <= Self.maximumLength else {
            throw .resource(.messageTooLong(cbor.count, limit: Self.maximumLength))
        }
        self.type = type
        self.cbor = cbor
    }

    /// Reads the text of a whole message.
    package init(_ text: some Collection<UInt8>) throws(CodeSequenceError) {
        guard case .whole(let resource) = try URText(text) else { throw .resource(.notUR) }
        self = resource
    }

    package var text: String { "ur:\(type.name)/\(Bytewords.minimal.encode(cbor))" }

    package var checksum: UInt32 { CRC32.of(cbor) }
    /// The checksum as the last four bytes of a text have it.
    package var checksumBytes: [UInt8] { checksum.bigEndianBytes }
}
