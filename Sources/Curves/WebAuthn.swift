import Codecs
import Digests

/// Why no public key can be recovered from a WebAuthn signature.
package enum WebAuthnFault: Error, Equatable, Sendable {
    /// More bytes of authenticator data and client data than `limit`.
    case tooLong(limit: Int)
    /// The client data is not the JSON object that is expected, from this byte on.
    case clientData(offset: Int)
    /// The client data is not of an assertion (`webauthn.get`).
    case type
    /// The challenge is not the digest of the transaction.
    case challenge
    /// The origin does not begin with `https://`.
    case origin
    /// Fewer bytes of authenticator data than `needed`.
    case authenticatorData(count: Int, needed: Int)
    /// The authenticator data is for another relying party than the origin's.
    case relyingParty
}

/// Recovery of the key from a WebAuthn signature, by the rules of nodeos (AntelopeIO/leap,
/// libraries/libfc/src/crypto/elliptic_webauthn.cpp). Chains accept a signature by these rules, so
/// this code follows them exactly.
enum WebAuthn {
    /// nodeos refuses more bytes of authenticator data and client data
    /// (`maximum-variable-signature-length`, by default).
    static let maximumCount = 16_384

    /// The hash of the relying party id, the flags, and a counter of 4 bytes (WebAuthn, section
    /// 6.1).
    private static let minimumAuthenticatorCount = 37
    private static let scheme = Array("https://".utf8)

    /// - Parameter body: as `Signature.body` has it.
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
        // nodeos recovers a key without a relying party, which no account can have.
        guard !relyingParty.isEmpty else { throw .emptyRelyingParty }
        let signed = SigningDigest(sha256: authenticator + HashFunction.sha256.hash(client))
        let key = try R1.recover(compact, digest: signed, rules: .webAuthn)
        return PublicKey(webAuthn: key, userPresence: userPresence(authenticator[32]), relyingParty: relyingParty)
    }

    private static func parts(of body: [UInt8]) throws(CurveError) -> (
        compact: [UInt8], authenticator: [UInt8], client: [UInt8]
    ) {
        let parts = try ByteReader.read(body) { reader throws(CurveError) in
            try attempt { () throws(CodecError) in
                try (reader.readBytes(Signature.compactSize), reader.readPrefixedBytes(), reader.readPrefixedBytes())
            }
        }
        guard parts.1.count + parts.2.count <= maximumCount else { throw .webAuthn(.tooLong(limit: maximumCount)) }
        return parts
    }

    /// The origin of client data that is for `digest`.
    private static func verifiedOrigin(_ client: [UInt8], digest: SigningDigest) throws(CurveError) -> [UInt8] {
        let data: ClientData
        do { data = try ClientData(client) } catch { throw .webAuthn(.clientData(offset: error.offset)) }
        guard data.type.elementsEqual("webauthn.get".utf8) else { throw .webAuthn(.type) }
        guard decode(challenge: data.challenge) == digest.bytes else { throw .webAuthn(.challenge) }
        guard data.origin.starts(with: scheme) else { throw .webAuthn(.origin) }
        return data.origin
    }

    /// The bytes of base64url text as libfc decodes it (libraries/libfc/src/crypto/base64.cpp): up
    /// to the first `=`, and bits that make no byte are ignored.
    private static func decode(challenge: [UInt8]) -> [UInt8]? {
        var text = Array(challenge.prefix { $0 != UInt8(ascii: "=") })
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "-"): text[index] = UInt8(ascii: "+")
            case UInt8(ascii: "_"): text[index] = UInt8(ascii: "/")
            case UInt8(ascii: "+"), UInt8(ascii: "/"): return nil
            default: break
            }
        }
        return try? Base64.decode(utf8: text, ignoringExcessBits: true)
    }

    /// The origin without its scheme and what follows the last colon, which is a port in most
    /// origins.
    private static func relyingParty(of origin: [UInt8]) -> [UInt8] {
        let rest = origin.dropFirst(scheme.count)
        return Array(rest[..<(rest.lastIndex(of: UInt8(ascii: ":")) ?? rest.endIndex)])
    }

    /// 0 none, 1 present, 2 verified, which the bits 0 and 2 of the flags state.
    private static func userPresence(_ flags: UInt8) -> UInt8 { flags & 0x04 != 0 ? 2 : flags & 0x01 }
}
