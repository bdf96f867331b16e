import ABICodec
import Codecs
import Keys
import Transactions

/// Who made a request: `request_signature` of EEP-7.
///
/// The signature proves a key. That the key belongs to `signer` can't be checked without the chain.
package struct RequestSignature: Hashable, Sendable {
    /// The account that the request states.
    package let signer: Name
    package let signature: Signature

    package init(signer: Name, signature: Signature) { (self.signer, self.signature) = (signer, signature) }

    init(from reader: inout ByteReader) throws(RequestError) {
        signer = Name(rawValue: try converting(RequestError.bytes, reader.readInteger()))
        let offset = reader.offset
        do { signature = try Signature(from: &reader) } catch {
            switch error {
            case .bytes(let error): throw .bytes(error)
            default: throw .signature(error, offset: offset)
            }
        }
    }

    func write(to writer: inout ByteWriter) {
        writer.write(integer: signer.rawValue)
        signature.write(to: &writer)
    }
}

extension RequestLink {
    /// The key that made the request signature; nil without a signature.
    /// - Throws: if no key can be recovered.
    package func signatureKey() throws(RequestError) -> PublicKey? {
        guard let signature else { return nil }
        let offset = payload.count - signature.signature.packed.count
        return try converting(
            { RequestError.signature($0, offset: offset) },
            signature.signature.recover(request.signatureDigest))
    }

    /// Throws unless this key made the request signature.
    package func expectKey(_ key: PublicKey) throws(RequestError) {
        guard let found = try signatureKey() else { throw .notSigned }
        guard found == key else { throw .otherKey(found: found) }
    }
}
