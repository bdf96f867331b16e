import SecureMemory

/// Why a request is not signed, or a part of a credential is refused. Offsets count bytes from the
/// start of the refused text.
package enum HTTPSigningError: Error, Equatable {
    case url(URLFault, offset: Int)
    /// The request is outside the allowed URL prefix.
    case outsidePrefix(PrefixMismatch)
    case method(MethodFault)
    case keyID(TextFault)
    /// The name or the value of a header, or the content type.
    case header(TextFault)
    case profile(ProfileFault)
    case request(RequestFault)
    case secret(SecretFault)
    case memory(SecureMemoryError)
}

package enum URLFault: Equatable, Sendable {
    case tooLong(limit: Int)
    /// A byte below 0x20, or DEL.
    case controlCharacter
    /// It starts neither with `https://` nor with `http://`, in lower case.
    case scheme
    /// A user name or a password before the host.
    case userInfo
    case emptyHost
    /// A host that is not a DNS name, IPv4 address or IPv6 address in brackets.
    case host
    /// A port that is not 1 to 65535, or has a leading zero.
    case port
    /// The default port of the scheme, which curl leaves out of the Host header.
    case defaultPort
    /// An IPv6 address that is not in its shortest form, in which curl sends it.
    case longAddress
    /// No `/` follows the host and the port.
    case missingPath
    case fragment
    /// A character that RFC 3986 allows only in percent-encoding.
    case needsEncoding
    /// A `%` without two hex digits after it.
    case escape
    /// A query in an allowed URL prefix.
    case queryInPrefix
    /// In an allowed URL prefix, a segment that a server may resolve to another one.
    case unsafePrefix
}

/// The first part in which a URL differs from the allowed prefix.
package enum PrefixMismatch: Equatable, Sendable {
    case scheme
    case host
    case port
    case path
    /// The path has a segment that a server may resolve to another one, so that it leaves the
    /// prefix: `..`, `.`, an encoded slash, backslash or control character.
    case unsafePath
}

package enum MethodFault: Equatable, Sendable {
    case empty
    case tooLong(limit: Int)
    /// A character that is not part of a token of RFC 9110.
    case character(offset: Int)
    /// A standard method that is not in upper case. Methods are case-sensitive.
    case letterCase(standard: String)
    /// CONNECT, which has no path.
    case connect
}

/// Why a key id or a part of a header is refused.
package enum TextFault: Equatable, Sendable {
    case empty
    case tooLong(limit: Int)
    /// A control character, a character that is not ASCII, or a space at the start or the end. In
    /// the name of a header: a character that is not part of a token of RFC 9110.
    case character(offset: Int)
    /// A colon in the key id of `basic` or `gamesystem`, where it ends the key id.
    case colon(offset: Int)
}

package enum ProfileFault: Equatable, Sendable {
    case unknown(String)
    case unknownParameter(String)
    case missingParameter(String)
    case invalidParameter(String)
    case template(TemplateFault, offset: Int)
    /// Two headers of the profile have the same name, or a header has a name that HTTP or curl
    /// uses.
    case headerName(String)
    /// A header with this field, which the template does not sign: anyone could change it.
    case unsignedField(String)
    /// The stored bytes are not what this program writes.
    case malformed
}

package enum TemplateFault: Equatable, Sendable {
    case tooLong(limit: Int)
    case unknownField(String)
    /// A `{` without `}`, or a `}` without `{`.
    case brace
    /// A backslash that is not followed by `n`, `\`, `{` or `}`.
    case escape
    /// A character that is not printable ASCII.
    case character
    /// The template has no field.
    case noField
}

package enum RequestFault: Equatable, Sendable {
    case bodyTooLong(limit: Int)
    /// A request of this method has no body, or the profile does not sign it.
    case bodyNotAllowed(method: String)
    /// The body is not a list of form parameters, which are signed and extended.
    case bodyNotForm(offset: Int)
    case methodNotAllowed(allowed: [String])
    /// The host belongs to the service of another profile.
    case wrongProfile(host: String, profile: String)
    /// The secret would be sent without encryption.
    case plainHTTP
    case timeOutOfRange
    case missingNonce
    /// The service refuses a request at this distance from its own clock.
    case timeOutsideWindow(milliseconds: Int64, window: Int64)
    /// The query and the body contain this parameter twice.
    case duplicateParameter(String)
    /// The profile adds this parameter, so the request must not have it.
    case parameterNotAllowed(String)
    case invalidParameter(String)
    /// A covered component of RFC 9421 that the request does not have.
    case missingComponent(String)
    case duplicateHeader(String)
    /// A header that HTTP, curl or this module sets itself.
    case reservedHeader(String)
    /// A header that the profile would send without signing it.
    case headerNotCovered(String)
    /// A given Content-Digest that is not the digest of the body, or of another algorithm than
    /// sha-256 and sha-512.
    case contentDigest
    /// A time is given, and the request has none or has its own.
    case timeNotUsed
    /// The profile does not sign headers.
    case headersNotSigned
    /// A body with a NUL byte, or a long one, needs a file for curl.
    case bodyNeedsFile
    /// A path of the body's file that curl can't read, such as `-`.
    case bodyPath
    /// A text for the header with the secret contains its placeholder not exactly once.
    case placeholder
}

package enum SecretFault: Equatable, Sendable {
    case empty
    case tooLong(limit: Int)
    /// White space or a control character, at this offset.
    case character(offset: Int)
}

/// What the user should know about a signed request.
package enum RequestWarning: String, Hashable, Sendable {
    /// The scheme does not sign the query: anyone who obtains the request can send it with another
    /// one.
    case queryNotSigned = "query-not-signed"
    case bodyNotSigned = "body-not-signed"
    /// The request is sent without encryption, although not to this machine.
    case plainHTTP = "plain-http"
}
