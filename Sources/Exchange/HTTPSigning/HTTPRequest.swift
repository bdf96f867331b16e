import Codecs

/// A request to sign: its exact bytes, and the values that a profile adds.
package struct HTTPRequest: Sendable {
    package let method: HTTPMethod
    package let url: RequestURL
    package let body: [UInt8]
    /// The type of the body; nil for `application/json`, or with `binance`
    /// `application/x-www-form-urlencoded`, if there is a body.
    package let contentType: String?
    package let time: RequestTime
    /// True if the user chose the time. It is refused if the profile does not use it.
    package let isTimeGiven: Bool
    /// The next nonce of the credential, for a profile that uses nonces.
    package let nonce: UInt64?
    /// The clock of this machine, to compare with the times in the request; nil to compare nothing.
    package let clock: RequestTime?
    /// Further headers, only for a profile that signs headers.
    package let headers: [HTTPHeader]
    /// True if a secret may be sent without encryption.
    package let allowsInsecureHTTP: Bool

    /// In bytes.
    package static let maximumBody = 16 << 20
    /// The longest content type, in bytes.
    private static let longestType = 256

    /// - Throws: `request` with `bodyTooLong`, `bodyNotAllowed` or `reservedHeader`; `header`.
    package init(
        method: HTTPMethod, url: RequestURL, body: [UInt8] = [], contentType: String? = nil,
        time: RequestTime,
        isTimeGiven: Bool = false, nonce: UInt64? = nil, clock: RequestTime? = nil,
        headers: [HTTPHeader] = [],
        allowsInsecureHTTP: Bool = false
    ) throws(HTTPSigningError) {
        guard body.count <= Self.maximumBody else { throw .request(.bodyTooLong(limit: Self.maximumBody)) }
        guard body.isEmpty || method.text != "HEAD" && method.text != "TRACE" else {
            throw .request(.bodyNotAllowed(method: method.text))
        }
        if let fault = contentType.flatMap({ TextFault.plain($0, limit: Self.longestType) }) {
            throw .header(fault)
        }
        for header in headers where HTTPHeader.reserved.contains(header.name.lowercased()) {
            throw .request(.reservedHeader(header.name))
        }
        (self.method, self.url, self.body, self.contentType) = (method, url, body, contentType)
        (self.time, self.isTimeGiven, self.clock) = (time, isTimeGiven, clock)
        (self.nonce, self.headers) = (nonce, headers)
        self.allowsInsecureHTTP = allowsInsecureHTTP
    }

    /// Compares a time of the request with the clock.
    /// - Parameters:
    ///   - time: since 1970, in milliseconds
    ///   - behind: how old the request may be when it arrives, in milliseconds
    ///   - ahead: how far its time may be in the future, in milliseconds
    func checkTime(_ time: UInt64, behind: Int64, ahead: Int64) throws(HTTPSigningError) {
        guard let clock = clock.flatMap({ Int64(exactly: $0.value(in: .milliseconds)) }) else { return }
        guard let time = Int64(exactly: time) else { throw .request(.timeOutOfRange) }
        let difference = time - clock
        let window = difference < 0 ? behind : ahead
        guard difference.magnitude <= window else {
            throw .request(.timeOutsideWindow(milliseconds: difference, window: window))
        }
    }
}
