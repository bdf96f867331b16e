import CLibraries
import Codecs
import Keys

/// Signatures as a hardware token makes them: each with another nonce, computed by libsecp256k1
/// without this project's signer.
enum RandomNonce {
    struct Failure: Error {}

    /// - Parameter wif: a private key for tests.
    static func signature(of digest: [UInt8], by wif: String) throws -> Signature {
        let key = try Array(Base58.decode(wif.utf8)[1..<33])
        guard let context = secp256k1_context_create(UInt32(SECP256K1_CONTEXT_NONE)) else { throw Failure() }
        defer { secp256k1_context_destroy(context) }
        for _ in 0..<64 {
            var random = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
            var recoverable = secp256k1_ecdsa_recoverable_signature()
            var (body, header) = ([UInt8](repeating: 0, count: 64), Int32(0))
            guard
                secp256k1_ecdsa_sign_recoverable(
                    context, &recoverable, digest, key, secp256k1_nonce_function_rfc6979, &random) == 1,
                secp256k1_ecdsa_recoverable_signature_serialize_compact(context, &body, &header, &recoverable)
                    == 1
            else { throw Failure() }
            let signature = try ByteReader.read([UInt8(31 + header)] + body) { reader throws(CurveError) in
                try Signature(kind: .k1, from: &reader)
            }
            if signature.isCanonical { return signature }
        }
        throw Failure()
    }
}
