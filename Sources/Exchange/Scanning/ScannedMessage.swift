import AirGap
import Codecs
import JSON
import Keys
import Transactions

/// A message that is complete.
package enum ScannedMessage: Hashable, Sendable {
    case resource(UniformResource)
    /// The text of one code.
    case text([UInt8])

    /// The type of a UR, or `text` for the text of one code.
    package var typeName: String {
        switch self {
        case .resource(let resource): resource.type.name
        case .text: "text"
        }
    }

    /// A description of the message for people.
    package var description: String {
        switch self {
        case .resource(let resource):
            file?.description
                ?? "\(resource.type.name), checksum \(Hex.encode(resource.checksumBytes))"
        case .text(let text): "a text of \(Self.count(text))"
        }
    }

    /// The file in the message; nil for another type, and for a file that is refused.
    private var file: FileMessage? {
        guard case .resource(let resource) = self, resource.type == .file else { return nil }
        return try? FileMessage(cbor: resource.cbor)
    }

    /// What the file in the message is recognised as, for programs; nil for another type.
    package var fileFacts: JSONValue? {
        file.map { file in
            let facts: JSONValue = [
                "kind": .string(file.kind.code), "bytes": .number(file.content.count),
                "sha256": .string(Hex.encode(file.sha256)),
            ]
            return ["file": facts]
        }
    }

    private static func count(_ bytes: [UInt8]) -> String {
        "\(bytes.count) \(bytes.count == 1 ? "byte" : "bytes")"
    }

    /// The message in the form that `eosvault` reads: a packed transaction as JSON with its chain
    /// id, a signing request as a link, signatures as the text of a code, public keys in lines, and
    /// a file or anything else as it is. A text ends with a line feed.
    /// - Throws: `unknownType`, `malformed`, `privateKey`.
    package func output() throws(ScanError) -> [UInt8] {
        switch self {
        case .text(let text):
            let text = try Self.withoutPrivateKey(text)
            return text.last == UInt8(ascii: "\n") ? text : text + "\n".utf8
        case .resource(let resource):
            if resource.type == .bytes { return try Self.withoutPrivateKey(Self.bytes(resource.cbor)) }
            return try Self.content(of: resource)
        }
    }

    private static func withoutPrivateKey(_ bytes: [UInt8]) throws(ScanError) -> [UInt8] {
        guard !holdsPrivateKey(String(decoding: bytes, as: UTF8.self)) else { throw .privateKey }
        return bytes
    }

    private static func content(of resource: UniformResource) throws(ScanError) -> [UInt8] {
        let message: AirGapMessage
        do throws(AirGapError) { message = try AirGapMessage(resource) } catch {
            switch error {
            case .unknownType(let name): throw .unknownType(name)
            case .file(let refusal): throw .file(refusal)
            default: throw .malformed
            }
        }
        let text: String
        switch message {
        case .transaction(let message):
            text = message.transaction.packedJSON.adding(["chain_id": .string(message.chain.text)])
                .text(.pretty)
        case .signingRequest(let message): text = message.link
        case .signatures: text = resource.text
        case .publicKeys(let message): text = message.keys.map(\.text).joined(separator: "\n")
        case .file(let message): return message.content
        }
        return Array((text + "\n").utf8)
    }

    private static func bytes(_ cbor: [UInt8]) throws(ScanError) -> [UInt8] {
        do throws(CodeSequenceError) {
            return try CBORReader.readAll(cbor, { $0 }) { reader throws(CodeSequenceError) in
                try reader.byteString(limit: UniformResource.maximumLength)
            }
        } catch { throw .malformed }
    }
}
