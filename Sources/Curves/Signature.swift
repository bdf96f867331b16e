import Codecs
import SecureMemory

/// A signature as the chain stores it.
package struct Signature: Hashable, Sendable {
    package let kind: PublicKey.Kind
    /// K1 and R1: header byte, r, s: 65 bytes. WebAuthn: the same, then authenticator data and
    /// client JSON, each with its length before it.
    package let body: [UInt8]

    /// Header byte, r and s.
    package static let compactSize = 65

    /// Reads the ABI encoding of `signature`: type byte, body.
    package init(from reader: inout ByteReader) throws(CurveError) {
        let type = try attempt { () throws(CodecError) in try reader.readByte() }
        guard let kind = PublicKey.Kind(rawValue: type) else { throw .unknownType(type) }
        try self.init(kind: kind, from: &reader)
    }

    /// Reads the body of a signature whose kind is known.
    package init(kind: PublicKey.Kind, from reader: inout ByteReader) throws(CurveError) {
        var body = try attempt { () throws(CodecError) in try reader.readBytes(Self.compactSize) }
        switch kind {
        case .k1: guard (31...34).contains(body[0]) else { throw .invalidSignatureHeader(body[0]) }
        case .r1: break
        case .webAuthn:
            var tail = ByteWriter()
            tail.write(prefixed: try attempt { () throws(CodecError) in try reader.readPrefixedBytes() })
            tail.write(prefixed: try attempt { () throws(CodecError) in try reader.readPrefixedBytes() })
            body += tail.bytes
        }
        self.kind = kind
        self.body = body
    }

    /// All of `body` as a signature of `kind`.
    package init(kind: PublicKey.Kind, body: [UInt8]) throws(CurveError) {
        self = try ByteReader.read(body) { reader throws(CurveError) in
            let signature = try Signature(kind: kind, from: &reader)
            try attempt { () throws(CodecError) in try reader.expectEnd() }
            return signature
        }
    }

    /// A K1 signature that the curve's library computed: header byte, r, s. It is made to be given
    /// out.
    init(computed compact: InlineArray<65, UInt8>) {
        kind = .k1
        body = unsafe disclosed(compact.span.withUnsafeBufferPointer { unsafe Array($0) })
    }

    /// Writes the ABI encoding: type byte, body.
    package func write(to writer: inout ByteWriter) {
        writer.write(byte: kind.rawValue)
        writer.write(bytes: body)
    }

    /// Whether r and s each have a clear top bit and no superfluous leading zero: what nodeos asks
    /// of a K1 signature (`is_canonical` in AntelopeIO/spring,
    /// libraries/libfc/src/crypto/elliptic_common.cpp).
    package var isCanonical: Bool { Self.isCanonical(body.span) }

    /// The same of a header byte, r and s.
    static func isCanonical(_ compact: Span<UInt8>) -> Bool {
        // Without a branch on a candidate that may never be given out: the first bit clear, and one
        // of the next eight set.
        func fault(_ first: UInt8, _ second: UInt8) -> UInt32 {
            let bits = UInt32(first) &<< 1 | UInt32(second) &>> 7
            return UInt32(first) &>> 7 | (bits &- 1) &>> 31
        }
        return fault(compact[1], compact[2]) | fault(compact[33], compact[34]) == 0
    }

    /// The public key that made this signature over `digest`.
    /// - Throws: `notRecoverable` where there is none; `webAuthn` and `emptyRelyingParty` for a
    ///   WebAuthn signature that breaks a rule of nodeos.
    package func recover(_ digest: SigningDigest) throws(CurveError) -> PublicKey {
        switch kind {
        case .k1: try K1.recover(body, digest: digest)
        case .r1: try R1.recover(body, digest: digest)
        case .webAuthn: try WebAuthn.recover(body, digest: digest)
        }
    }
}
