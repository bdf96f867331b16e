import CLibraries
import Codecs
import SecureMemory

/// Moroku Game System, player API. Its documentation is not public: the byte order and the known
/// answers come from a published coding task for this API.
///
/// HMAC-SHA1 in base64. The signed bytes are four lines, with LF between them:
///
///     Date            in UTC, for example `20140301 13:05:09 UTC`
///     Content-MD5     base64(MD5(body)), also for an empty body
///     path            without the query, which is not signed
///     METHOD
///
/// Headers: Date and Content-MD5 as signed, and `Authorization: KEYID:base64(HMAC)`.
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
