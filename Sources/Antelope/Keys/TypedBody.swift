import Codecs

/// The ABI encoding that public keys and signatures share: a type byte, then a body whose length
/// depends on the type.
public protocol TypedBody {
    var kind: PublicKey.Kind { get }
    var body: [UInt8] { get }

    /// Reads the body of a value whose kind is known.
    init(kind: PublicKey.Kind, from reader: inout ByteReader) throws(CurveError)
}

extension TypedBody {
    /// Reads the type byte and the body.
    public init(from reader: inout ByteReader) throws(CurveError) {
        let type = try converting(CurveError.bytes, reader.readByte())
        guard let kind = PublicKey.Kind(rawValue: type) else { throw .unknownType(type) }
        try self.init(kind: kind, from: &reader)
    }

    /// - Parameter body: The body and nothing else.
    public init(kind: PublicKey.Kind, body: [UInt8]) throws(CurveError) {
        self = try Self.whole(body) { reader throws(CurveError) in try Self(kind: kind, from: &reader) }
    }

    /// - Parameter packed: The type byte and the body, and nothing else.
    package init(packed: [UInt8]) throws(CurveError) {
        self = try Self.whole(packed) { reader throws(CurveError) in try Self(from: &reader) }
    }

    private static func whole(
        _ bytes: [UInt8], _ read: (inout ByteReader) throws(CurveError) -> Self
    ) throws(CurveError) -> Self {
        try ByteReader.read(bytes) { reader throws(CurveError) in
            let value = try read(&reader)
            try converting(CurveError.bytes, reader.expectEnd())
            return value
        }
    }

    public func write(to writer: inout ByteWriter) {
        writer.write(byte: kind.rawValue)
        writer.write(bytes: body)
    }

    /// The type byte and the body.
    package var packed: [UInt8] { [kind.rawValue] + body }
}
