import Codecs

/// A message that crosses the air gap, of one of five types.
package enum AirGapMessage: Sendable {
    case transaction(TransactionMessage)
    case signatures(SignaturesMessage)
    case signingRequest(RequestMessage)
    case publicKeys(PublicKeysMessage)
    case file(FileMessage)

    /// Decodes a message. It consumes all bytes.
    package init(_ resource: UniformResource) throws(AirGapError) {
        self =
            switch resource.type {
            case .transaction: .transaction(try TransactionMessage(cbor: resource.cbor))
            case .signatures: .signatures(try SignaturesMessage(cbor: resource.cbor))
            case .signingRequest: .signingRequest(try RequestMessage(cbor: resource.cbor))
            case .publicKeys: .publicKeys(try PublicKeysMessage(cbor: resource.cbor))
            case .file: .file(try FileMessage(cbor: resource.cbor))
            default: throw .unknownType(resource.type.name)
            }
    }

    package var type: URType {
        switch self {
        case .transaction: .transaction
        case .signatures: .signatures
        case .signingRequest: .signingRequest
        case .publicKeys: .publicKeys
        case .file: .file
        }
    }

    /// The message as a Uniform Resource.
    /// - Throws: `sequence` for a message that is too long.
    package func resource() throws(AirGapError) -> UniformResource {
        let cbor =
            switch self {
            case .transaction(let message): message.cbor
            case .signatures(let message): message.cbor
            case .signingRequest(let message): message.cbor
            case .publicKeys(let message): message.cbor
            case .file(let message): message.cbor
            }
        return try converting(AirGapError.sequence, UniformResource(type: type, cbor: cbor))
    }
}
