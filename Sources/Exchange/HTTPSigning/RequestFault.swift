import Messages

/// Why a request is not signed.
package struct RequestFault: Equatable, Sendable {
    let words: Words

    private init(_ message: String, code: ErrorCode = .invalidHTTPRequest, hint: String? = nil) {
        words = Words(code, message, hint: hint)
    }

    // MARK: - the body

    package static func bodyTooLong(limit: Int) -> Self {
        Self("the body has more than \(limit >> 20) MiB", code: .tooLarge)
    }

    package static func bodyNotAllowed(method: String) -> Self {
        Self("a \(method) request of this profile can't have a body", hint: "omit the body")
    }

    package static func bodyNotForm(offset: Int) -> Self {
        Self("at byte \(offset + 1): the body is not a list of form parameters")
    }

    package static let bodyNeedsFile = Self(
        "the body has a NUL byte or takes 64 KiB or more, so curl must read it from a file", code: .bodyFile)
    package static let bodyPath = Self("curl can't read the body from a file of this name", code: .bodyFile)

    // MARK: - the time and the nonce

    package static let timeOutOfRange = Self(
        "the time is after the year 9999", hint: "give the time in the unit of the credential's nonces")

    package static let invalidTime = Self(
        "the time is neither a number nor a time in UTC", hint: "for example 2026-12-01T09:30:00Z")

    /// The service refuses a request at this distance from its own clock.
    package static func timeOutsideWindow(milliseconds: Int64, window: Int64) -> Self {
        Self(
            "the time is \(milliseconds.magnitude) ms \(milliseconds < 0 ? "before" : "after") this machine's clock; "
                + "the limit is \(window) ms", code: .timeOutsideWindow)
    }

    package static let timeNotUsed = Self(
        "a time is given, but the profile uses none, or the request has its own", hint: "omit the time")
    package static let missingNonce = Self("the profile needs a nonce")

    // MARK: - parameters and headers

    package static func methodNotAllowed(allowed: [String]) -> Self {
        Self("the profile signs only \(allowed.joined(separator: " and "))")
    }

    package static func wrongProfile(host: String, profile: String) -> Self {
        Self("\(host) belongs to the service of the profile \(profile)", code: .wrongProfile)
    }

    package static let plainHTTP = Self("http: the secret would be sent without encryption", code: .plainHTTP)

    package static func duplicateParameter(_ name: String) -> Self {
        Self("the parameter \(Printable.excerpt(name)) occurs twice")
    }

    package static func parameterNotAllowed(_ name: String) -> Self {
        Self("the profile adds the parameter \(name) itself", hint: "omit it from the URL and the body")
    }

    package static func invalidParameter(_ name: String) -> Self {
        Self("the value of the parameter \(name) is invalid")
    }

    package static func missingComponent(_ name: String) -> Self {
        Self(
            "the request lacks the covered component \(Printable.excerpt(name))",
            hint: "give the header, or the content type")
    }

    package static func duplicateHeader(_ name: String) -> Self { Self("the header \(name) occurs twice") }

    package static func reservedHeader(_ name: String) -> Self {
        Self("HTTP or curl sets the header \(name)", hint: "omit it; give Content-Type as the content type")
    }

    package static func headerNotCovered(_ name: String) -> Self {
        Self(
            "the profile does not sign the header \(Printable.excerpt(name))",
            hint: "add a credential whose parameter components has it, or give it to curl with -H")
    }

    package static let contentDigest = Self(
        "Content-Digest is not the sha-256 or sha-512 digest of the body",
        hint: "omit the header: it is added")
    package static let headersNotSigned = Self(
        "the profile does not sign headers", hint: "omit the header, and give it to curl with -H")

    /// A text for the header with the secret contains its placeholder not exactly once.
    package static let placeholder = Self(
        "the request contains \(SignedRequest.placeholder), which marks the secret")
}

/// A warning about a signed request.
package enum RequestWarning: String, Hashable, Sendable {
    case queryNotSigned = "query-not-signed"
    case bodyNotSigned = "body-not-signed"
    /// The request is sent without encryption, although not to this machine.
    case plainHTTP = "plain-http"
}
