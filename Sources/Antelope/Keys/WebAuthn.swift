import Codecs
import Messages

/// Why no public key can be recovered from a WebAuthn signature.
public enum WebAuthnFault: Error, Equatable, Sendable {
    /// Authenticator data and client data together.
    case tooLong(limit: Int)
    case clientData(offset: Int)
    case type
    case challenge
    case origin
    case authenticatorData(count: Int, needed: Int)
    case relyingParty
}

extension WebAuthnFault {
    var words: Words {
        let text =
            switch self {
            case .tooLong(let limit):
                "the authenticator data and the client data have more than \(limit) bytes"
            case .clientData(let offset):
                "the client data is not the expected JSON object: error at byte \(offset)"
            case .type: "the client data is not of the type webauthn.get"
            case .challenge: "the challenge in the client data is not the digest of the transaction"
            case .origin: "the origin in the client data does not start with https://"
            case .authenticatorData(let count, let needed):
                "the authenticator data has \(Words.count(count, "byte")); \(needed) are needed"
            case .relyingParty: "the authenticator data and the client data are for different sites"
            }
        return Words(
            .invalidSignature, "the WebAuthn signature does not verify: \(text)",
            hint: "sign the transaction again")
    }
}

/// Recovers the key of a WebAuthn signature by the rules of nodeos (AntelopeIO/leap,
/// libraries/libfc/src/crypto/elliptic_webauthn.cpp). Chains accept signatures by these rules, so
/// this code follows them exactly.
enum WebAuthn {
    /// The maximum of authenticator data and client data in bytes: the default of nodeos's
    /// `maximum-variable-signature-length`.
    static let maximumCount = 16_384

    /// The hash of the relying party id, the flags, and a counter of 4 bytes (WebAuthn, section
    /// 6.1).
    private static let minimumAuthenticatorCount = 37
    private static let scheme = Array("https://".utf8)

    /// - Parameter body: In the form of `Signature.body`.
    static func recover(_ body: [UInt8], digest: SigningDigest) throws(CurveError) -> PublicKey {
        let (compact, authenticator, client) = try parts(of: body)
        let origin = try verifiedOrigin(client, digest: digest)
        let relyingParty = relyingParty(of: origin)
        guard authenticator.count >= minimumAuthenticatorCount else {
            throw .webAuthn(.authenticatorData(count: authenticator.count, needed: minimumAuthenticatorCount))
        }
        guard authenticator[..<32].elementsEqual(HashFunction.sha256.hash(relyingParty)) else {
            throw .webAuthn(.relyingParty)
        }
        // nodeos also recovers a key without a relying party, but no account can have such a key.
        guard !relyingParty.isEmpty else { throw .emptyRelyingParty }
        let signed = SigningDigest(sha256: authenticator + HashFunction.sha256.hash(client))
        let key = try R1.recover(compact, digest: signed, rules: .webAuthn)
        return PublicKey(
            webAuthn: key, userPresence: userPresence(authenticator[32]), relyingParty: relyingParty)
    }

    private static func parts(of body: [UInt8]) throws(CurveError) -> (
        compact: [UInt8], authenticator: [UInt8], client: [UInt8]
    ) {
        let parts = try ByteReader.read(body) { reader throws(CurveError) in
            try converting(
                CurveError.bytes,
                (
                    reader.readBytes(Signature.compactSize), reader.readPrefixedBytes(),
                    reader.readPrefixedBytes()
                ))
        }
        guard parts.1.count + parts.2.count <= maximumCount else {
            throw .webAuthn(.tooLong(limit: maximumCount))
        }
        return parts
    }

    /// The origin in the client data, after its type and challenge were checked.
    private static func verifiedOrigin(_ client: [UInt8], digest: SigningDigest) throws(CurveError) -> [UInt8]
    {
        let data: ClientData
        do { data = try ClientData(client) } catch { throw .webAuthn(.clientData(offset: error.offset)) }
        guard data.type.elementsEqual("webauthn.get".utf8) else { throw .webAuthn(.type) }
        guard decode(challenge: data.challenge) == digest.bytes else { throw .webAuthn(.challenge) }
        guard data.origin.starts(with: scheme) else { throw .webAuthn(.origin) }
        return data.origin
    }

    /// The bytes of base64url text as libfc decodes it (libraries/libfc/src/crypto/base64.cpp): up
    /// to the first `=`, ignoring bits that are not part of a byte.
    private static func decode(challenge: [UInt8]) -> [UInt8]? {
        let text = Array(challenge.prefix { $0 != UInt8(ascii: "=") })
        return try? Base64.decode(utf8: text, .url, ignoringExcessBits: true)
    }

    /// The origin without its scheme, and without the last colon and the text after it, which is
    /// usually the port.
    private static func relyingParty(of origin: [UInt8]) -> [UInt8] {
        let rest = origin.dropFirst(scheme.count)
        return Array(rest[..<(rest.lastIndex(of: UInt8(ascii: ":")) ?? rest.endIndex)])
    }

    /// 0 none, 1 present, 2 verified, from bits 0 and 2 of the flags.
    private static func userPresence(_ flags: UInt8) -> UInt8 { flags & 0x04 != 0 ? 2 : flags & 0x01 }
}
