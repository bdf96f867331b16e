import Codecs
import Keys
import Messages

/// A public file for the machine without a network: a node's answer, or an ABI. Its name does not
/// cross the gap.
package struct FileMessage: Equatable, Sendable {
    private enum Key {
        static let length: UInt64 = 1
        static let compressed: UInt64 = 2
    }

    /// The most bytes of a file. Compressed, it is below the limit of a Uniform Resource.
    package static let maximumLength = 1_000_000

    package let content: [UInt8]
    package let kind: FileKind
    /// The content as a raw deflate stream (RFC 1951).
    private let compressed: [UInt8]

    package init(content: [UInt8]) throws(FileRefusal) {
        guard content.count <= Self.maximumLength else { throw .tooLong(limit: Self.maximumLength) }
        try self.init(content, compressed: Deflate.compress(content, .raw))
    }

    private init(_ content: [UInt8], compressed: [UInt8]) throws(FileRefusal) {
        guard !holdsWholePrivateKey(content) else { throw .privateKey }
        (self.content, self.compressed) = (content, compressed)
        kind = try FileKind(of: content)
    }

    package init(cbor: [UInt8]) throws(AirGapError) {
        var (length, compressed): (UInt64?, [UInt8]?) = (nil, nil)
        try MessageMap.read(cbor, known: Key.length...Key.compressed) { key, reader throws(AirGapError) in
            switch key {
            case Key.length: length = try converting(AirGapError.sequence, reader.unsigned())
            default:
                compressed = try converting(
                    AirGapError.sequence, reader.byteString(limit: UniformResource.maximumLength))
            }
        }
        guard let length = Int(exactly: try length.required(Key.length)), length <= Self.maximumLength else {
            throw .file(.tooLong(limit: Self.maximumLength))
        }
        let stream = try compressed.required(Key.compressed)
        let content = try converting(
            { (_: InflateError) in AirGapError.invalidValue(member: Key.compressed) },
            Deflate.inflate(stream, .raw, limit: length))
        guard content.count == length else { throw .invalidValue(member: Key.length) }
        self = try converting(AirGapError.file, Self(content, compressed: stream))
    }

    package var cbor: [UInt8] {
        CBORWriter.map([
            Key.length: { $0.unsigned(UInt64(content.count)) }, Key.compressed: { $0.byteString(compressed) },
        ])
    }

    package var sha256: [UInt8] { HashFunction.sha256.hash(content) }

    /// What the content is, with its length and its SHA-256, so that both sides can be compared.
    package var description: String {
        "\(kind.description), \(Amount.text(content.count)) \(content.count == 1 ? "byte" : "bytes"), "
            + "SHA-256 \(Hex.encode(sha256))"
    }
}
