import CCrypto
import Codecs
import SecureMemory

/// Moroku Game System, player API.
///
/// HMAC-SHA1 in base64. The signed bytes are four lines, with LF between them:
///
///     Date            yyyyMMdd HH:mm:ss UTC
///     Content-MD5     base64(MD5(body)), also for an empty body
///     path            without the query, which is not signed
///     METHOD
///
/// Headers: Date, Content-MD5, and `Authorization: KEY:HMAC`.
package struct GamesystemProfile: RequestSigner {
    static let name = "gamesystem"

    init(_: inout ParameterReader) {}

    var endsKeyIDAtColon: Bool { true }
    func signsQuery(of method: HTTPMethod) -> Bool { false }

    func sign(
        _ request: HTTPRequest, keyID: KeyID, secret: borrowing SecureBytes
    ) throws(HTTPSigningError) -> SignedRequest {
        let date = request.time.compactText
        let digest = Base64.encode(Self.md5(request.body))
        let lines = [date, digest, request.url.path, request.method.text].joined(separator: "\n")
        let mac = try KeyedHash.sha1.mac([Array(lines.utf8)], key: secret)
        return try SignedRequest(
            request,
            headers: [
                ("Date", date), ("Content-MD5", digest),
                ("Authorization", "\(keyID.text):\(SignatureEncoding.base64.text(mac))"),
            ])
    }

    /// No other profile can use MD5, which is broken.
    private static func md5(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 16)
        _ = unsafe MD5(bytes, bytes.count, &digest)
        return digest
    }
}
