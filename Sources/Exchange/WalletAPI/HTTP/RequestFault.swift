import SecureMemory

/// Why the bytes of a connection are not a request. Where the next request begins is not known, so
/// the connection is closed after the answer.
package enum RequestFault: Error, Equatable, Sendable {
    package enum Part: String, Sendable {
        case lineEnding = "a line does not end with CR LF"
        case character = "the header has a control character"
        case emptyLine = "the request begins with an empty line"
        case requestLine = "the request line is malformed"
        case version = "the version is neither HTTP/1.1 nor HTTP/1.0"
        case field = "a header line is malformed"
        case foldedLine = "a header line is continued on the next line"
        case contentLength = "Content-Length is malformed or occurs twice"
        case transferEncoding = "Transfer-Encoding is not supported: send Content-Length"
        case host = "Host occurs twice"
    }

    case malformed(Part)
    case headerTooLong
    case tooManyLines
    case bodyTooLong
    /// The client did not send the rest in time.
    case timeout
    case memory(SecureMemoryError)

    /// The answer before the connection is closed.
    package var answer: WalletAnswer {
        switch self {
        case .malformed(let part): WalletAnswer(.invalidRequest(part.rawValue))
        case .headerTooLong:
            WalletAnswer(
                status: .headerTooLarge, "the header has more than \(RequestReader.maximumHeader) bytes")
        case .tooManyLines:
            WalletAnswer(
                status: .headerTooLarge, "the header has more than \(RequestReader.maximumLineCount) lines")
        case .bodyTooLong: WalletAnswer(status: .bodyTooLarge, "the body is too long")
        case .timeout: WalletAnswer(status: .timeout, "the request is not complete")
        case .memory: WalletAnswer(status: .busy, "there is no memory for the request")
        }
    }
}
