import Codecs

/// A public key as the chain stores it. Every value is a point on its curve, because each
/// initialiser checks or computes the point.
public struct PublicKey: TypedBody, Hashable, Sendable {
    /// The type byte of the ABI encoding.
    public enum Kind: UInt8, Sendable {
        case k1 = 0
        case r1 = 1
        case webAuthn = 2
    }

    public let kind: Kind
    /// K1 and R1: the compressed point, 33 bytes. WebAuthn: an R1 point, the user presence byte,
    /// and the relying party id with a length prefix (AntelopeIO/spring,
    /// libraries/libfc/include/fc/crypto/elliptic_webauthn.hpp).
    public let body: [UInt8]
    /// Keeps `text`, which a batch needs many times.
    let knownText = Memo<String>()

    /// Reads the body of a key whose kind is known.
    public init(kind: Kind, from reader: inout ByteReader) throws(CurveError) {
        var body = try converting(CurveError.bytes, reader.readBytes(33))
        switch kind {
        case .k1: try K1.validate(point: body)
        case .r1: try R1.validate(point: body)
        case .webAuthn:
            try R1.validate(point: body)
            let presence = try converting(CurveError.bytes, reader.readByte())
            guard presence <= 2 else { throw .invalidUserPresence(presence) }
            let relyingParty = try converting(CurveError.bytes, reader.readPrefixedBytes())
            guard !relyingParty.isEmpty else { throw .emptyRelyingParty }
            var tail = ByteWriter()
            tail.write(byte: presence)
            tail.write(prefixed: relyingParty)
            body += tail.bytes
        }
        self.kind = kind
        self.body = body
    }

    /// A compressed point that the curve's library computed. It is on the curve, so it is not
    /// checked again.
    init(computed kind: Kind, point: [UInt8]) {
        self.kind = kind
        body = point
    }

    /// A WebAuthn key with the point of an R1 key.
    init(webAuthn key: PublicKey, userPresence: UInt8, relyingParty: [UInt8]) {
        var writer = ByteWriter()
        writer.write(bytes: key.body)
        writer.write(byte: userPresence)
        writer.write(prefixed: relyingParty)
        kind = .webAuthn
        body = writer.bytes
    }
}
