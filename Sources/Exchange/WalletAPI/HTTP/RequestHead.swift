/// The header of an HTTP request, in values: no text of it is kept.
package struct RequestHead: Equatable, Sendable {
    package enum Method: Equatable, Sendable {
        case post
        /// Its answer has no body.
        case head
        case other
    }

    package enum Target: Equatable, Sendable {
        case call(WalletCall)
        /// A path that is no call.
        case unknown
        /// Not a path, or a path with `..`.
        case illegal
    }

    package var method: Method
    package var target: Target
    /// True for HTTP/1.0.
    package var isOld: Bool
    /// The number of bytes of the body.
    package var bodyLength = 0
    /// True if the client keeps the connection for further requests.
    package var keepsOpen: Bool
    /// True if the client waits for `100 Continue` before it sends the body.
    package var expectsContinue = false
    /// True if a browser sent the request.
    package var hasOrigin = false
    /// True if the body is compressed.
    package var hasEncoding = false

    /// Where the bytes of a body go. The path decides before the body is read.
    package enum BodyKind: Equatable, Sendable {
        /// To an array.
        case plain
        /// To guarded memory.
        case secret
        /// Nowhere.
        case discarded

        /// The most bytes of a body.
        package var maximumLength: Int {
            switch self {
            case .plain, .discarded: 2 << 20
            // The longest PIN has 1,024 bytes, and each may be an escape of six bytes.
            case .secret: 16 << 10
            }
        }
    }

    package var bodyKind: BodyKind {
        guard refusal == nil, case .call(let call) = target else { return .discarded }
        return call.bodyKind
    }

    /// The answer to a request that is refused because of its header; nil if the body decides.
    package var refusal: WalletAnswer? {
        if method != .post { return WalletAnswer(status: .methodNotAllowed, "only POST is supported") }
        if hasOrigin { return WalletAnswer(status: .forbidden, "a browser can't use eosvault-agent") }
        if hasEncoding { return WalletAnswer(.invalidRequest("Content-Encoding is not supported")) }
        return switch target {
        case .call: nil
        case .unknown: .unknownEndpoint
        case .illegal: .illegalTarget
        }
    }
}
