import Codecs
import SecureMemory

/// Why bytes are no key, no signature, or why a signature is not given out.
package enum CurveError: Error, Equatable {
    /// The coordinates are not those of a point of the curve in compressed form.
    case notOnCurve(Curve)
    /// A private scalar is from 1 to the order of the curve less 1.
    case scalarOutOfRange(Curve)
    /// The type byte of a binary key or signature; 0 is K1, 1 is R1, 2 is WebAuthn.
    case unknownType(UInt8)
    /// The first byte of a K1 signature is 31 to 34: 27 + 4 for a compressed key + the recovery id.
    case invalidSignatureHeader(UInt8)
    /// User presence of a WebAuthn key is 0, 1 or 2.
    case invalidUserPresence(UInt8)
    case emptyRelyingParty
    /// A value that must have `expected` bytes has another number.
    case wrongLength(expected: Int)
    case bytes(CodecError)
    case memory(SecureMemoryError)
    /// No public key can be recovered from the signature and the digest.
    case notRecoverable
    case webAuthn(WebAuthnFault)
    /// The signature does not recover to the key it was made with: computation went wrong, and it
    /// is not given out.
    case recoveredOtherKey
    /// The signature was made with another nonce than RFC 6979 and libfc's count give: computation
    /// went wrong, and it is not given out.
    case faultyNonce
    /// None of `limit` candidates was canonical.
    case noCanonicalSignature(limit: Int)
    /// Keys of this curve parse and verify, and don't sign yet.
    case signingUnsupported(Curve)
    /// The library refused a step that can't fail for valid input.
    case libraryFailure
}
