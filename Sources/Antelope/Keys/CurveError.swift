import Codecs
import Messages
import SecureMemory

/// Why bytes are not a key or a signature, or why a signature is not released.
public enum CurveError: Error, Equatable {
    case notOnCurve(Curve)
    case scalarOutOfRange(Curve)
    case unknownType(UInt8)
    /// 31 to 34 are 27 + 4 for a compressed key + the recovery id.
    case invalidSignatureHeader(UInt8)
    case invalidUserPresence(UInt8)
    case emptyRelyingParty
    case wrongLength(expected: Int)
    case bytes(CodecError)
    case memory(SecureMemoryError)
    case notRecoverable
    case webAuthn(WebAuthnFault)
    // The computation failed in the next two cases, and the signature is not released.
    case recoveredOtherKey
    /// The nonce differs from the nonce by RFC 6979 with libfc's counter.
    case faultyNonce
    /// None of `limit` candidates was canonical.
    case noCanonicalSignature(limit: Int)
    /// A step failed that can't fail for valid input.
    case libraryFailure
}

extension CurveError: WordedError {
    package var words: Words {
        switch self {
        case .notOnCurve(let curve):
            Words(
                .invalidKey,
                "the public key is not a point on curve \(curve.suffix), so it has no private key")
        case .scalarOutOfRange(let curve):
            Words(.invalidKey, "not a private key of curve \(curve.suffix): the number is zero or too large")
        case .unknownType(let type):
            Words(.invalidABI, "key type \(type) is unknown", hint: "0 is K1, 1 is R1, 2 is WebAuthn")
        case .invalidSignatureHeader(let header):
            Words(.invalidSignature, "the first byte is \(header); in a K1 signature it is 31 to 34")
        case .invalidUserPresence(let value):
            Words(.invalidKey, "user presence is \(value) instead of 0, 1 or 2")
        case .emptyRelyingParty: Words(.invalidKey, "the relying party id is empty")
        case .wrongLength(let expected): Words(.invalidValue, "\(expected) bytes are needed")
        case .bytes(let error): error.words
        case .memory(let error): error.words
        case .notRecoverable: Words(.invalidSignature, "no public key can be recovered from the signature")
        case .webAuthn(let fault): fault.words
        case .recoveredOtherKey:
            Words(.faultySignature, "the new signature does not match its key, so it was discarded")
        case .faultyNonce: Words(.faultySignature, "the new signature has a wrong nonce, so it was discarded")
        case .noCanonicalSignature(let limit):
            Words(.faultySignature, "none of \(limit) candidate signatures is canonical")
        case .libraryFailure:
            Words(.faultySignature, "the curve library reported an error where none is possible")
        }
    }
}
