import Codecs
import SecureMemory

/// A signature as the chain stores it.
public struct Signature: TypedBody, Hashable, Sendable {
    public let kind: PublicKey.Kind
    /// K1 and R1: header byte, r, s: 65 bytes. WebAuthn: these 65 bytes, then authenticator data
    /// and client JSON, each with a length prefix.
    public let body: [UInt8]

    /// The size of header byte, r and s.
    public static let compactSize = 65

    /// Reads the body of a signature whose kind is known.
    public init(kind: PublicKey.Kind, from reader: inout ByteReader) throws(CurveError) {
        var body = try converting(CurveError.bytes, reader.readBytes(Self.compactSize))
        switch kind {
        case .k1: guard (31...34).contains(body[0]) else { throw .invalidSignatureHeader(body[0]) }
        case .r1: break
        case .webAuthn:
            var tail = ByteWriter()
            tail.write(prefixed: try converting(CurveError.bytes, reader.readPrefixedBytes()))
            tail.write(prefixed: try converting(CurveError.bytes, reader.readPrefixedBytes()))
            body += tail.bytes
        }
        self.kind = kind
        self.body = body
    }

    /// A K1 signature that the curve's library computed: header byte, r, s. It is public, so it is
    /// disclosed here.
    init(computed compact: InlineArray<65, UInt8>) {
        kind = .k1
        body = unsafe disclosed(compact.span.withUnsafeBufferPointer { unsafe Array($0) })
    }

    /// A signature that was computed from public values: header byte, r, s.
    init(computed kind: PublicKey.Kind, _ compact: [UInt8]) { (self.kind, body) = (kind, compact) }

    /// True if r and s both have a clear top bit and no superfluous leading zero. nodeos requires
    /// this for K1 signatures (`is_canonical` in AntelopeIO/spring,
    /// libraries/libfc/src/crypto/elliptic_common.cpp).
    public var isCanonical: Bool { Self.isCanonical(body.span) }

    /// True if a signature of header byte, r and s is canonical.
    static func isCanonical(_ compact: Span<UInt8>) -> Bool {
        // No branches, because a candidate may be discarded and must stay secret. The first bit
        // must be clear, and one of the next eight bits must be set.
        func fault(_ first: UInt8, _ second: UInt8) -> UInt32 {
            let bits = UInt32(first) &<< 1 | UInt32(second) &>> 7
            return UInt32(first) &>> 7 | (bits &- 1) &>> 31
        }
        return fault(compact[1], compact[2]) | fault(compact[33], compact[34]) == 0
    }

    /// The public key that made this signature over `digest`.
    /// - Throws: `notRecoverable` if there is no such key; `webAuthn` and `emptyRelyingParty` for a
    ///   WebAuthn signature that breaks a rule of nodeos.
    public func recover(_ digest: SigningDigest) throws(CurveError) -> PublicKey {
        switch kind {
        case .k1: try K1.recover(body, digest: digest)
        case .r1: try R1.recover(body, digest: digest)
        case .webAuthn: try WebAuthn.recover(body, digest: digest)
        }
    }
}
