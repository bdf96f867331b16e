import Codecs
import SecureMemory

/// Why bytes are not a key or a signature, or why a signature is not released.
public enum CurveError: Error, Equatable {
    /// The bytes are not a point of the curve in compressed form.
    case notOnCurve(Curve)
    /// A private scalar is not in the range from 1 to the order of the curve minus 1.
    case scalarOutOfRange(Curve)
    /// The type byte of a binary key or signature is not 0 (K1), 1 (R1) or 2 (WebAuthn).
    case unknownType(UInt8)
    /// The first byte of a K1 signature is not 31 to 34, which is 27 + 4 for a compressed key + the
    /// recovery id.
    case invalidSignatureHeader(UInt8)
    /// The user presence of a WebAuthn key is not 0, 1 or 2.
    case invalidUserPresence(UInt8)
    case emptyRelyingParty
    /// The value does not have the required `expected` bytes.
    case wrongLength(expected: Int)
    case bytes(CodecError)
    case memory(SecureMemoryError)
    /// No public key can be recovered from the signature and the digest.
    case notRecoverable
    case webAuthn(WebAuthnFault)
    /// The signature does not recover to the key that made it. The computation failed, and the
    /// signature is not released.
    case recoveredOtherKey
    /// The nonce of the signature differs from the nonce by RFC 6979 with libfc's counter. The
    /// computation failed, and the signature is not released.
    case faultyNonce
    /// None of `limit` candidates was canonical.
    case noCanonicalSignature(limit: Int)
    /// Keys of this curve can be parsed and can verify, but can't sign yet.
    case signingUnsupported(Curve)
    /// The library refused a step that can't fail for valid input.
    case libraryFailure
}
