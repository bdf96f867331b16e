import ABICodec
import Codecs
import Keys
import Transactions

/// The proof of a login of version 3, as the header `Authorization` has it: `EOSIO` and base64 text
/// (wharfkit/signing-request 7fb4c63, src/identity-proof.ts).
package struct IdentityProof: Hashable, Sendable {
    package let text: String

    /// - Returns: nil for a request that is not a login of version 3.
    package init?(_ resolved: ResolvedRequest, signature: Signature) {
        guard case .identity(let identity) = resolved.link.request.content, let scope = identity.scope else {
            return nil
        }
        var writer = ByteWriter()
        writer.write(bytes: resolved.chain.bytes)
        writer.write(integer: scope.rawValue)
        writer.write(integer: resolved.transaction.transaction.expiration.seconds)
        resolved.signer.write(to: &writer)
        signature.write(to: &writer)
        text = "EOSIO " + Base64.encode(writer.bytes).prefix { $0 != "=" }
    }
}
