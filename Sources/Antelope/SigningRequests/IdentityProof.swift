import ABICodec
import Codecs
import Keys
import Transactions

/// The proof of a login of version 3, as the header `Authorization` has it: `EOSIO` and base64 text
/// (wharfkit/signing-request 7fb4c63, src/identity-proof.ts).
package struct IdentityProof: Hashable, Sendable {
    package let chain: ChainID
    package let scope: Name
    package let expiration: TimePointSec
    package let signer: PermissionLevel
    package let signature: Signature

    private static let scheme = "EOSIO "
    /// The most characters of a proof. A WebAuthn signature makes it long.
    package static let maximumCount = 64 << 10

    /// - Returns: nil for a request that is not a login of version 3.
    package init?(_ resolved: ResolvedRequest, signature: Signature) {
        guard case .identity(let identity) = resolved.link.request.content, let scope = identity.scope else {
            return nil
        }
        (chain, self.scope, signer) = (resolved.chain, scope, resolved.signer)
        expiration = resolved.transaction.transaction.expiration
        self.signature = signature
    }

    /// True if text starts as a proof.
    package static func isProof(_ text: [UInt8]) -> Bool { text.starts(with: scheme.utf8) }

    /// Reads a proof. The base64 text may have its padding; the reference omits it.
    package init(utf8 text: [UInt8]) throws(RequestError) {
        guard Self.isProof(text), text.count <= Self.maximumCount else { throw .answer(.notAnAnswer) }
        let start = Self.scheme.utf8.count
        var body = text[start...]
        let padding = UInt8(ascii: "=")
        let rest = (4 - (body.filter { $0 != padding }.count) % 4) % 4
        if body.last != padding { body += repeatElement(padding, count: rest) }
        let bytes = try converting(
            { RequestError.moved($0, by: start) }, Base64.decode(utf8: Array(body), .standard))
        self = try ByteReader.read(bytes) { reader throws(RequestError) in
            let proof = try Self(from: &reader)
            try converting(RequestError.bytes, reader.expectEnd())
            return proof
        }
    }

    private init(from reader: inout ByteReader) throws(RequestError) {
        let id = try converting(RequestError.bytes, reader.readBytes(ChainID.size))
        do { chain = try ChainID(bytes: id) } catch { throw .answer(.notAnAnswer) }
        scope = Name(rawValue: try converting(RequestError.bytes, reader.readInteger()))
        expiration = TimePointSec(seconds: try converting(RequestError.bytes, reader.readInteger()))
        signer = try converting(RequestError.bytes, PermissionLevel(from: &reader))
        let offset = reader.offset
        do { signature = try Signature(from: &reader) } catch {
            switch error {
            case .bytes(let error): throw .bytes(error)
            default: throw .answer(.signature(error, offset: offset))
            }
        }
    }

    package var text: String {
        var writer = ByteWriter()
        writer.write(bytes: chain.bytes)
        writer.write(integer: scope.rawValue)
        writer.write(integer: expiration.seconds)
        signer.write(to: &writer)
        signature.write(to: &writer)
        return Self.scheme + Base64.encode(writer.bytes).prefix { $0 != "=" }
    }
}
