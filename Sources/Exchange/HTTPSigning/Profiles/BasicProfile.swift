import Codecs
import SecureMemory

/// HTTP Basic (RFC 7617), as TradeOgre used it; the exchange closed in 2025.
///
/// The header contains the secret, in base64 with padding (RFC 4648, 4):
///
///     Authorization: Basic base64(key id ‖ ":" ‖ secret)
///
/// Throws `request(plainHTTP)` for a URL without encryption, unless the request allows it.
package struct BasicProfile: RequestSigner {
    static let name = "basic"

    init(_: inout ParameterReader) {}

    func usesTime(of request: HTTPRequest) -> Bool { false }

    var endsKeyIDAtColon: Bool { true }
    func signsBody(of method: HTTPMethod) -> Bool { false }

    func sign(
        _ request: HTTPRequest, keyID: KeyID, secret: borrowing SecureBytes
    ) throws(HTTPSigningError) -> SignedRequest {
        guard request.url.origin.scheme == .https || request.allowsInsecureHTTP else {
            throw .request(.plainHTTP)
        }
        return try SignedRequest(
            request, headers: [("Authorization", SignedRequest.placeholder)],
            secret: try converting(HTTPSigningError.memory, Self.value(Array("\(keyID.text):".utf8), secret)))
    }

    private static func value(
        _ user: [UInt8], _ secret: borrowing SecureBytes
    ) throws(SecureMemoryError) -> SecureBytes {
        let scheme = Array("Basic ".utf8)
        var plain = try SecureBytes(count: user.count + secret.count)
        plain.withMutableBytes { plain in
            for (index, byte) in user.enumerated() { plain[byte: index] = byte }
            secret.withBytes { secret in
                for index in 0..<secret.byteCount { plain[byte: user.count + index] = secret[byte: index] }
            }
        }
        var value = try SecureBytes(count: scheme.count + Base64.textCount(for: plain.count))
        value.withMutableBytes { value in
            for (index, byte) in scheme.enumerated() { value[byte: index] = byte }
            var text = value._mutatingExtracting(scheme.count..<value.byteCount)
            plain.withBytes { Base64.encode($0, into: &text) }
        }
        return value
    }
}
