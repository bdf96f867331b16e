import SecureMemory

/// Snapcard, merchant and wallet API, version 2 (the service ended; its documentation was at
/// docs.snapcard.io).
///
/// HMAC-SHA256 in lower-case hex. The signed bytes are the full URL with the parameter
/// `timestamp`, then the body. The timestamp is in milliseconds. It is appended to the query if the
/// query has none. Headers: X-Api-Key, X-Api-Signature.
///
/// Throws `request(duplicateParameter)` for two timestamps.
package struct SnapcardProfile: RequestSigner {
    static let name = "snapcard"
    static let domains = ["snapcard.io"]

    init(_: inout ParameterReader) {}

    func usesTime(of request: HTTPRequest) -> Bool {
        Parameters.values("timestamp", in: request.url.query ?? "").isEmpty
    }

    func sign(
        _ request: HTTPRequest, keyID: KeyID, secret: borrowing SecureBytes
    ) throws(HTTPSigningError) -> SignedRequest {
        var url = request.url
        let present = Parameters.values("timestamp", in: url.query ?? "")
        guard present.count <= 1 else { throw .request(.duplicateParameter("timestamp")) }
        if present.isEmpty {
            url = try url.appending("timestamp", "\(request.time.value(in: .milliseconds))")
        }
        let mac = try KeyedHash.sha256.mac([Array(url.text.utf8), request.body], key: secret)
        return try SignedRequest(
            request, url: url,
            headers: [("X-Api-Key", keyID.text), ("X-Api-Signature", SignatureEncoding.hex.text(mac))])
    }
}
