import JSON
import Messages

/// The answer to a request: a status and compact JSON.
package struct WalletAnswer: Equatable, Sendable {
    package enum Status: Int, Sendable {
        case ok = 200
        case created = 201
        case badRequest = 400
        case forbidden = 403
        case notFound = 404
        case methodNotAllowed = 405
        case timeout = 408
        case bodyTooLarge = 413
        case headerTooLarge = 431
        case failed = 500
        case busy = 503

        /// The phrase of the status line.
        var reason: String {
            switch self {
            case .ok: "OK"
            case .created: "Created"
            case .badRequest: "Bad Request"
            case .forbidden: "Forbidden"
            case .notFound: "Not Found"
            case .methodNotAllowed: "Method Not Allowed"
            case .timeout: "Request Timeout"
            case .bodyTooLarge: "Content Too Large"
            case .headerTooLarge: "Request Header Fields Too Large"
            case .failed: "Internal Server Error"
            case .busy: "Service Unavailable"
            }
        }

        /// The member `message` of keosd's errors.
        fileprivate var message: String {
            switch self {
            case .badRequest: "Invalid Request"
            case .failed: "Internal Service Error"
            case .busy: "Busy"
            default: reason
            }
        }
    }

    package let status: Status
    package let body: [UInt8]

    package init(_ status: Status, _ value: JSONValue) {
        self.status = status
        body = Array(value.text().utf8)
    }

    package init(_ error: WalletError) {
        if let words = error.words {
            self.init(error.status, ["error": words.json])
        } else {
            self.init(status: error.status, error.kind, error.message)
        }
    }

    /// An error of HTTP. cleos prints the message of every status except 404.
    init(status: Status, _ message: String) { self.init(status: status, .invalidHTTPRequest, message) }

    /// All connections are in use.
    package static let busy = WalletAnswer(status: .busy, "the agent has too many connections")

    private init(status: Status, _ kind: WalletError.Kind, _ message: String) {
        let detail: JSONValue = [
            "message": .string(message), "file": .string(""), "line_number": .number(0),
            "method": .string(""),
        ]
        self.init(status, Self.error(status.message, status, kind.code, kind.name, kind.what, [detail]))
    }

    private static func error(
        _ message: String, _ status: Status, _ code: Int, _ name: String, _ what: String,
        _ details: [JSONValue]
    ) -> JSONValue {
        [
            "code": .number(status.rawValue), "message": .string(message),
            "error": [
                "code": .number(code), "name": .string(name), "what": .string(what),
                "details": .array(details),
            ],
        ]
    }

    /// As keosd answers. cleos replaces the text of a 404.
    static let unknownEndpoint = WalletAnswer(
        .notFound,
        error(
            "Not Found", .notFound, 0, "exception", "unspecified",
            [
                [
                    "message": .string("Unknown Endpoint"), "file": .string(""), "line_number": .number(0),
                    "method": .string(""),
                ]
            ]))

    /// As keosd answers.
    static let illegalTarget = WalletAnswer(
        .badRequest, error("Illegal request-target", .badRequest, 0, "", "", []))

    package static let done = WalletAnswer(.ok, [:])
}

extension WalletAnswer {
    /// The interim answer after which the client sends the body.
    package static let continueLine = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// The bytes of the answer.
    /// - Parameters:
    ///   - head: the header of the request; nil if it could not be read.
    ///   - closes: true if the connection is closed after the answer.
    package func bytes(to head: RequestHead?, closes: Bool) -> [UInt8] {
        let isOld = head?.isOld ?? false
        var text = "HTTP/1.\(isOld ? 0 : 1) \(status.rawValue) \(status.reason)\r\n"
        if closes { text += "Connection: close\r\n" } else if isOld { text += "Connection: keep-alive\r\n" }
        if status == .methodNotAllowed { text += "Allow: POST\r\n" }
        text += "Server: eosvault-agent\r\nContent-Type: application/json\r\n"
        text += "Content-Length: \(body.count)\r\n\r\n"
        return Array(text.utf8) + (head?.method == .head ? [] : body)
    }
}
