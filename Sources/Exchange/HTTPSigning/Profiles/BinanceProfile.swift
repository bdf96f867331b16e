import SecureMemory

/// Binance, signed endpoints of the REST API (binance/binance-spot-api-docs, rest-api.md, "SIGNED
/// Endpoint security"), with an HMAC key.
///
/// HMAC-SHA256 in lower-case hex. The signed bytes are the query, then the body, with nothing
/// between them. Header: X-MBX-APIKEY. Three parameters are appended to the query, or to a form
/// body if the query is empty: `recvWindow` if the profile has one and the request has none,
/// `timestamp` in milliseconds if the request has none, and last `signature`. Parameter: `window`,
/// 1 to 60000 milliseconds; by default `recvWindow` is not sent, and the service uses 5000.
///
/// Throws `request` with `bodyNotForm`, `parameterNotAllowed`, `duplicateParameter`,
/// `invalidParameter` or `timeOutsideWindow`.
package struct BinanceProfile: RequestSigner {
    static let name = "binance"
    static let domains = ["binance.com", "binance.us", "binance.vision"]

    /// How long a request is valid, in milliseconds; nil to leave this to the service.
    package let window: UInt64?

    private static let windows: ClosedRange<UInt64> = 1...60_000
    /// The service's own window, and how far a request may be in the future.
    private static let (usualWindow, ahead): (UInt64, Int64) = (5_000, 1_000)
    /// The service takes larger timestamps as microseconds.
    private static let largestMilliseconds: UInt64 = 99_999_999_999_999

    static let described: [ProfileParameter] = [
        .number("window", in: windows, "milliseconds", default: .none)
    ]

    init(_ reader: inout ParameterReader) throws(HTTPSigningError) {
        window = try reader.takeNumber("window", in: Self.windows)
    }

    var parameters: [(name: String, value: String)] { window.map { [("window", "\($0)")] } ?? [] }

    func signsBody(of method: HTTPMethod) -> Bool { !method.isRead }

    func usesTime(of request: HTTPRequest) -> Bool {
        [request.url.query ?? "", String(decoding: request.body, as: UTF8.self)]
            .allSatisfy { Parameters.values("timestamp", in: $0).isEmpty }
    }

    func sign(
        _ request: HTTPRequest, keyID: KeyID, secret: borrowing SecureBytes
    ) throws(HTTPSigningError) -> SignedRequest {
        if let offset = request.body.firstIndex(where: { !Self.isFormCharacter($0) }) {
            throw .request(.bodyNotForm(offset: offset))
        }
        var form = Form(url: request.url, body: String(decoding: request.body, as: UTF8.self))
        guard try form.value("signature") == nil else { throw .request(.parameterNotAllowed("signature")) }
        var window = try form.number("recvWindow", in: Self.windows, decimals: 3)
        if window == nil, let own = self.window {
            try form.append("recvWindow", "\(own)")
            window = own
        }
        var time = try form.number("timestamp", in: 1...UInt64(Int64.max))
        if time == nil {
            time = request.time.value(in: .milliseconds)
            try form.append("timestamp", "\(time ?? 0)")
        }
        if let time {
            let milliseconds = time > Self.largestMilliseconds ? time / 1_000 : time
            try request.checkTime(milliseconds, behind: Int64(window ?? Self.usualWindow), ahead: Self.ahead)
        }
        let message = [Array((form.url.query ?? "").utf8), Array(form.body.utf8)]
        let mac = try KeyedHash.sha256.mac(message, key: secret)
        try form.append("signature", SignatureEncoding.hex.text(mac))
        return try SignedRequest(
            request, url: form.url, body: Array(form.body.utf8), headers: [("X-MBX-APIKEY", keyID.text)],
            type: "application/x-www-form-urlencoded")
    }

    private static func isFormCharacter(_ byte: UInt8) -> Bool {
        URLReader.isPathCharacter(byte) || "%/?".utf8.contains(byte)
    }

    /// The parameters of the query and the body.
    private struct Form {
        var url: RequestURL
        var body: String

        func value(_ name: String) throws(HTTPSigningError) -> String? {
            let values = Parameters.values(name, in: url.query ?? "") + Parameters.values(name, in: body)
            guard values.count <= 1 else { throw .request(.duplicateParameter(name)) }
            return values.first
        }

        /// A whole number, rounded down.
        /// - Parameter decimals: how many digits may follow a decimal point.
        func number(
            _ name: String, in range: ClosedRange<UInt64>, decimals: Int = 0
        ) throws(HTTPSigningError) -> UInt64? {
            guard let text = try value(name) else { return nil }
            let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            let fraction = parts.count == 2 ? parts[1] : "".utf8[...]
            guard parts.count == (decimals > 0 && text.utf8.contains(UInt8(ascii: ".")) ? 2 : 1),
                parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) }),
                fraction.count <= decimals,
                let number = UInt64(String(decoding: parts[0], as: UTF8.self)), range.contains(number),
                number < range.upperBound || fraction.allSatisfy({ $0 == UInt8(ascii: "0") })
            else { throw .request(.invalidParameter(name)) }
            return number
        }

        /// Appends to the query, or to the body if only the query is empty.
        mutating func append(_ name: String, _ value: String) throws(HTTPSigningError) {
            if (url.query ?? "").isEmpty, !body.isEmpty {
                body += Parameters.separator(after: body) + "\(name)=\(value)"
            } else {
                url = try url.appending(name, value)
            }
        }
    }
}
