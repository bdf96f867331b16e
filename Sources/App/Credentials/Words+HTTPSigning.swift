import HTTPSigning
import Shell

extension HTTPSigningError: WordedError {
    package var words: Words {
        switch self {
        case .url(let fault, let offset):
            Words(
                .invalidHTTPRequest, "at character \(offset + 1): \(Words.text(of: fault))",
                hint: Words.hint(for: fault))
        case .outsidePrefix(let mismatch): Words(.outsidePrefix, Words.text(of: mismatch))
        case .method(let fault): Words(.invalidHTTPRequest, Words.text(of: fault))
        case .keyID(let fault): Words(.invalidProfile, "the key id \(Words.text(of: fault))")
        case .header(let fault):
            Words(.invalidHTTPRequest, "the name or value of a header, or the content type, \(Words.text(of: fault))")
        case .profile(let fault): Words(.invalidProfile, Words.text(of: fault))
        case .request(let fault): Self.words(fault)
        case .secret(let fault): Self.words(fault)
        case .memory(let error): error.words
        }
    }

    private static func words(_ fault: RequestFault) -> Words {
        switch fault {
        case .bodyTooLong(let limit): Words(.tooLarge, "the body has more than \(limit >> 20) MiB")
        case .bodyNotAllowed(let method):
            Words(.invalidHTTPRequest, "a \(method) request of this profile can't have a body", hint: "omit the body")
        case .bodyNotForm(let offset):
            Words(.invalidHTTPRequest, "at byte \(offset + 1): the body is not a list of form parameters")
        case .methodNotAllowed(let allowed):
            Words(.invalidHTTPRequest, "the profile signs only \(allowed.joined(separator: " and "))")
        case .wrongProfile(let host, let profile):
            Words(.wrongProfile, "\(host) belongs to the service of the profile \(profile)")
        case .plainHTTP: Words(.plainHTTP, "http: the secret would be sent without encryption")
        case .timeOutOfRange:
            Words(
                .invalidHTTPRequest, "the time is after the year 9999",
                hint: "give --time in the unit of --nonce-unit of the credential")
        case .missingNonce: Words(.invalidHTTPRequest, "the profile needs a nonce")
        case .timeOutsideWindow(let milliseconds, let window):
            Words(
                .timeOutsideWindow,
                "the time is \(milliseconds.magnitude) ms \(milliseconds < 0 ? "before" : "after") this machine's "
                    + "clock; the limit is \(window) ms")
        case .duplicateParameter(let name):
            Words(.invalidHTTPRequest, "the parameter \(Printable.excerpt(name)) occurs twice")
        case .parameterNotAllowed(let name):
            Words(
                .invalidHTTPRequest, "the profile adds the parameter \(name) itself",
                hint: "omit it from the URL and the body")
        case .invalidParameter(let name): Words(.invalidHTTPRequest, "the value of the parameter \(name) is invalid")
        case .missingComponent(let name):
            Words(
                .invalidHTTPRequest, "the request lacks the covered component \(Printable.excerpt(name))",
                hint: "give the header with --header, or Content-Type with --content-type")
        case .duplicateHeader(let name): Words(.invalidHTTPRequest, "the header \(name) occurs twice")
        case .reservedHeader(let name):
            Words(
                .invalidHTTPRequest, "HTTP or curl sets the header \(name)",
                hint: "omit it; give Content-Type with --content-type")
        case .headerNotCovered(let name):
            Words(
                .invalidHTTPRequest, "the profile does not sign the header \(Printable.excerpt(name))",
                hint: "add a credential whose parameter components has it, or give it to curl with -H")
        case .contentDigest:
            Words(
                .invalidHTTPRequest, "Content-Digest is not the sha-256 or sha-512 digest of the body",
                hint: "omit the header: eosvault adds it")
        case .timeNotUsed:
            Words(
                .invalidHTTPRequest, "a time is given, but the profile uses none, or the request has its own",
                hint: "omit the time")
        case .headersNotSigned:
            Words(
                .invalidHTTPRequest, "the profile does not sign headers",
                hint: "omit --header, and give the header to curl with -H")
        case .bodyNeedsFile:
            Words(.bodyFile, "the body has a NUL byte or takes 64 KiB or more, so curl must read it from a file")
        case .bodyPath: Words(.bodyFile, "curl can't read the body from a file of this name")
        case .placeholder:
            Words(.invalidHTTPRequest, "the request contains \(SignedRequest.placeholder), which marks the secret")
        }
    }

    private static func words(_ fault: SecretFault) -> Words {
        switch fault {
        case .empty: Words(.invalidSecret, "is empty")
        case .tooLong(let limit): Words(.invalidSecret, "has more than \(limit) bytes")
        case .character(let offset): Words(.invalidSecret, "byte \(offset + 1) is white space or a control character")
        }
    }
}

extension Words {
    fileprivate static func text(of fault: URLFault) -> String {
        switch fault {
        case .tooLong(let limit): "the URL has more than \(limit) bytes"
        case .controlCharacter: "a control character"
        case .scheme: "the URL does not start with https:// or http://, in lower case"
        case .userInfo: "a user name or a password before the host"
        case .emptyHost: "the host is empty"
        case .host: "the host is not a DNS name in ASCII, an IPv4 address, or an IPv6 address in brackets"
        case .port: "the port is not 1 to 65535, or has a leading zero"
        case .defaultPort: "the default port of the scheme, which is not sent"
        case .longAddress: "an IPv6 address that is not in its shortest form, in which curl sends it"
        case .missingPath: "no path follows the host: write at least `/`"
        case .fragment: "a fragment (`#`), which is not sent"
        case .needsEncoding: "a character that needs percent-encoding"
        case .escape: "a `%` without two hex digits after it"
        case .queryInPrefix: "a query in the URL prefix"
        case .unsafePrefix: "a segment of the path that a server may resolve to another one"
        }
    }

    /// Nil for the general hint.
    fileprivate static func hint(for fault: URLFault) -> String? {
        switch fault {
        case .queryInPrefix: "end --url-prefix before the `?`"
        case .unsafePrefix:
            "write the path without `.` and `..`, and without encoded slashes, backslashes, `?`, `#`, control "
                + "characters and bytes that are not UTF-8"
        case .userInfo: "remove the user name and the password from the URL"
        case .fragment: "remove the `#` and the text after it"
        case .defaultPort: "omit the port"
        case .tooLong, .controlCharacter, .scheme, .emptyHost, .host, .port, .longAddress, .missingPath, .needsEncoding,
            .escape:
            nil
        }
    }

    fileprivate static func text(of mismatch: PrefixMismatch) -> String {
        switch mismatch {
        case .scheme: "the URL has a different scheme than the credential's URL prefix"
        case .host: "the URL has a different host than the credential's URL prefix"
        case .port: "the URL has a different port than the credential's URL prefix"
        case .path: "the path of the URL is not within the credential's URL prefix"
        case .unsafePath:
            "the path of the URL has a segment that a server may resolve to one outside the credential's URL prefix"
        }
    }

    fileprivate static func text(of fault: MethodFault) -> String {
        switch fault {
        case .empty: "the method is empty"
        case .tooLong(let limit): "the method has more than \(limit) bytes"
        case .character(let offset): "character \(offset + 1) of the method can't be part of a method"
        case .letterCase(let standard): "methods are case-sensitive: write \(standard)"
        case .connect: "CONNECT is not supported: it has no path to sign"
        }
    }

    fileprivate static func text(of fault: TextFault) -> String {
        switch fault {
        case .empty: "is empty"
        case .tooLong(let limit): "has more than \(limit) bytes"
        case .character(let offset): "has a character that is not allowed, at position \(offset + 1)"
        case .colon(let offset): "can't have a colon (character \(offset + 1)), which ends it in this profile"
        }
    }

    fileprivate static func text(of fault: ProfileFault) -> String {
        switch fault {
        case .unknown(let name):
            "no profile is named \(Printable.excerpt(name)); the profiles are "
                + SigningProfile.names.joined(separator: ", ")
        case .unknownParameter(let name): "the profile has no parameter \(Printable.excerpt(name))"
        case .missingParameter(let name): "the profile needs the parameter \(name)"
        case .invalidParameter(let name): "the value of the parameter \(name) is invalid"
        case .template(let fault, let offset): "at character \(offset + 1) of the template: \(text(of: fault))"
        case .headerName(let name): "\(Printable.excerpt(name)) can't be the name of a header, or occurs twice"
        case .unsignedField(let name): "the template does not sign {\(name)}, which a header has"
        case .malformed: "the stored profile is malformed"
        }
    }

    fileprivate static func text(of fault: TemplateFault) -> String {
        switch fault {
        case .tooLong(let limit): "the template has more than \(limit) bytes"
        case .unknownField(let name): "no field is named \(Printable.excerpt(name))"
        case .brace: "`{` without `}`, or `}` without `{`; a literal brace is `\\{` or `\\}`"
        case .escape: "a backslash must be followed by `n`, `\\`, `{` or `}`"
        case .character: "a character that is not printable ASCII"
        case .noField: "the template has no field, such as {body}"
        }
    }
}

// MARK: notes on nonces

extension Words {
    private static let checkNonces =
        "check this machine's clock, and that nothing else signs with the same API key; if the service refuses a "
        + "nonce, give a greater one with --nonce"

    /// After a vault was restored or rescued.
    static let noncesOfCopy =
        "the copy may lack nonces that were used after it was made; the next nonce of a credential is this machine's "
        + "clock, or the stored nonce plus one if that is greater; \(checkNonces)"

    /// The first nonce of a credential after this machine saw the vault first, or accepted an older
    /// copy.
    static func firstNonceHere(_ nonce: UInt64) -> String {
        "another copy of the vault may have used nonces greater than \(nonce), the nonce of this request; "
            + checkNonces
    }

    static func clockBehindNonce(_ nonce: UInt64) -> String {
        "the nonce of this request, \(nonce), is more than a minute after this machine's clock: each nonce is the last "
            + "one plus one; if this is not intended, check the clock and the nonce unit"
    }
}

extension RequestWarning {
    var text: String {
        switch self {
        case .queryNotSigned:
            "the profile does not sign the query: anyone who obtains the request can send it with another query"
        case .bodyNotSigned:
            "the profile does not sign the body: anyone who obtains the request can send it with another body"
        case .plainHTTP: "the URL is http: the request would be sent without encryption"
        }
    }
}
