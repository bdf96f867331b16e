import SecureMemory

/// bitbank.cc, private REST API (bitbankinc/bitbank-api-docs, rest-api.md, "Authorization").
///
/// HMAC-SHA256 in lower-case hex. GET signs the path with the query; POST signs the body and not
/// the query.
///
/// - Form `nonce`: nonce ‖ path with query, or body. Headers: ACCESS-KEY, ACCESS-NONCE,
///   ACCESS-SIGNATURE.
/// - Form `time-window`: time ‖ window ‖ path with query, or body. Headers: ACCESS-KEY,
///   ACCESS-REQUEST-TIME, ACCESS-TIME-WINDOW, ACCESS-SIGNATURE.
///
/// Nonce, time and window are decimal digits; time and window are in milliseconds. Parameters:
/// `form`, by default `nonce`; `window` of the form `time-window`, 1 to 60000, by default 5000.
///
/// Throws `request` with `methodNotAllowed`, `missingNonce` or `timeOutsideWindow`.
package struct BitbankProfile: RequestSigner {
    static let name = "bitbank"
    static let domains = ["bitbank.cc"]

    package enum Form: String, CaseIterable, Sendable {
        case nonce
        case timeWindow = "time-window"
    }

    package let form: Form
    /// In milliseconds.
    package let window: UInt64

    private static let windows: ClosedRange<UInt64> = 1...60_000

    static let described: [ProfileParameter] = [
        .choice("form", Form.self, default: .nonce),
        .number("window", in: windows, "milliseconds, with form=time-window", default: .value("5000")),
    ]

    init(_ reader: inout ParameterReader) throws(HTTPSigningError) {
        form = try reader.takeChoice("form", default: .nonce)
        window = form == .nonce ? 0 : try reader.takeNumber("window", in: Self.windows) ?? 5_000
    }

    var parameters: [(name: String, value: String)] {
        [("form", form.rawValue)] + (form == .nonce ? [] : [("window", "\(window)")])
    }

    var usesNonce: Bool { form == .nonce }
    func usesTime(of request: HTTPRequest) -> Bool { form == .timeWindow }
    func signsQuery(of method: HTTPMethod) -> Bool { method.text == "GET" }
    func signsBody(of method: HTTPMethod) -> Bool { method.text == "POST" }

    func sign(
        _ request: HTTPRequest, keyID: KeyID, secret: borrowing SecureBytes
    ) throws(HTTPSigningError) -> SignedRequest {
        let isGet = request.method.text == "GET"
        guard isGet || request.method.text == "POST" else {
            throw .request(.methodNotAllowed(allowed: ["GET", "POST"]))
        }
        var headers = [("ACCESS-KEY", keyID.text)]
        var prefix = ""
        switch form {
        case .nonce:
            guard let nonce = request.nonce else { throw .request(.missingNonce) }
            prefix = "\(nonce)"
            headers.append(("ACCESS-NONCE", prefix))
        case .timeWindow:
            let time = request.time.value(in: .milliseconds)
            try request.checkTime(time, behind: Int64(window), ahead: Int64(window))
            prefix = "\(time)\(window)"
            headers += [("ACCESS-REQUEST-TIME", "\(time)"), ("ACCESS-TIME-WINDOW", "\(window)")]
        }
        let message = [Array(prefix.utf8), isGet ? Array(request.url.target.utf8) : request.body]
        let mac = try KeyedHash.sha256.mac(message, key: secret)
        headers.append(("ACCESS-SIGNATURE", SignatureEncoding.hex.text(mac)))
        return try SignedRequest(request, headers: headers)
    }
}
