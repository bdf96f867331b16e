import Messages
import SecureMemory

/// Why a request is not signed, or a part of a credential is refused. Offsets count bytes from the
/// start of the refused text.
package enum HTTPSigningError: WordedError, Equatable {
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

    package var words: Words {
        switch self {
        case .url(let fault, let offset):
            Words(.invalidHTTPRequest, "at character \(offset + 1): \(fault.text)", hint: fault.hint)
        case .outsidePrefix(let mismatch): Words(.outsidePrefix, mismatch.rawValue)
        case .method(let fault): Words(.invalidHTTPRequest, fault.text)
        case .keyID(let fault): Words(.invalidProfile, "the key id \(fault.text)")
        case .header(let fault):
            Words(.invalidHTTPRequest, "the name or value of a header, or the content type, \(fault.text)")
        case .profile(let fault): Words(.invalidProfile, fault.text)
        case .request(let fault): fault.words
        case .secret(let fault): Words(.invalidSecret, fault.text)
        case .memory(let error): error.words
        }
    }
}

package struct URLFault: Equatable, Sendable {
    let text: String
    /// nil for the advice of the code.
    var hint: String?

    package static func tooLong(limit: Int) -> URLFault {
        URLFault(text: "the URL has more than \(limit) bytes")
    }
    package static let controlCharacter = URLFault(text: "a control character")
    package static let scheme = URLFault(
        text: "the URL does not start with https:// or http://, in lower case")
    package static let userInfo = URLFault(
        text: "a user name or a password before the host",
        hint: "remove the user name and the password from the URL")
    package static let emptyHost = URLFault(text: "the host is empty")
    package static let host = URLFault(
        text: "the host is not a DNS name in ASCII, an IPv4 address, or an IPv6 address in brackets")
    package static let port = URLFault(text: "the port is not 1 to 65535, or has a leading zero")
    package static let defaultPort = URLFault(
        text: "the default port of the scheme, which is not sent", hint: "omit the port")
    package static let longAddress = URLFault(
        text: "an IPv6 address that is not in its shortest form, in which curl sends it")
    package static let missingPath = URLFault(text: "no path follows the host: write at least `/`")
    package static let fragment = URLFault(
        text: "a fragment (`#`), which is not sent", hint: "remove the `#` and the text after it")
    package static let needsEncoding = URLFault(text: "a character that needs percent-encoding")
    package static let escape = URLFault(text: "a `%` without two hex digits after it")
    package static let queryInPrefix = URLFault(
        text: "a query in the URL prefix", hint: "end the URL prefix before the `?`")
    package static let unsafePrefix = URLFault(
        text: "a segment of the path that a server may resolve to another one",
        hint:
            "write the path without `.` and `..`, and without encoded slashes, backslashes, `?`, `#`, control "
            + "characters and bytes that are not UTF-8")
}

/// The first part in which a URL differs from the allowed prefix.
package enum PrefixMismatch: String, Sendable {
    case scheme = "the URL has a different scheme than the credential's URL prefix"
    case host = "the URL has a different host than the credential's URL prefix"
    case port = "the URL has a different port than the credential's URL prefix"
    case path = "the path of the URL is not within the credential's URL prefix"
    /// `..`, `.`, an encoded slash, backslash or control character.
    case unsafePath = """
        the path of the URL has a segment that a server may resolve to one outside the credential's URL prefix
        """
}

package struct MethodFault: Equatable, Sendable {
    let text: String

    package static let empty = MethodFault(text: "the method is empty")
    package static func tooLong(limit: Int) -> Self { Self(text: "the method has more than \(limit) bytes") }
    package static func character(offset: Int) -> Self {
        Self(text: "character \(offset + 1) of the method can't be part of a method")
    }
    package static func letterCase(standard: String) -> Self {
        Self(text: "methods are case-sensitive: write \(standard)")
    }
    package static let connect = MethodFault(text: "CONNECT is not supported: it has no path to sign")
}

/// Why a key id or a part of a header is refused. The text follows the name of the part.
package struct TextFault: Equatable, Sendable {
    let text: String

    package static let empty = TextFault(text: "is empty")
    package static func tooLong(limit: Int) -> Self { Self(text: "has more than \(limit) bytes") }
    package static func character(offset: Int) -> Self {
        Self(text: "has a character that is not allowed, at position \(offset + 1)")
    }
    /// In the key id of `basic` or `gamesystem`.
    package static func colon(offset: Int) -> Self {
        Self(text: "can't have a colon (character \(offset + 1)), which ends it in this profile")
    }
}

package struct ProfileFault: Equatable, Sendable {
    let text: String

    package static func unknown(_ name: String) -> Self {
        let names = SigningProfile.names.joined(separator: ", ")
        return Self(text: "no profile is named \(Printable.excerpt(name)); the profiles are \(names)")
    }
    package static func unknownParameter(_ name: String) -> Self {
        Self(text: "the profile has no parameter \(Printable.excerpt(name))")
    }
    package static func missingParameter(_ name: String) -> Self {
        Self(text: "the profile needs the parameter \(name)")
    }
    package static func invalidParameter(_ name: String) -> Self {
        Self(text: "the value of the parameter \(name) is invalid")
    }
    package static func template(_ fault: TemplateFault, offset: Int) -> Self {
        Self(text: "at character \(offset + 1) of the template: \(fault.text)")
    }
    package static func headerName(_ name: String) -> Self {
        Self(text: "\(Printable.excerpt(name)) can't be the name of a header, or occurs twice")
    }
    /// Anyone could change a header that is not signed.
    package static func unsignedField(_ name: String) -> Self {
        Self(text: "the template does not sign {\(name)}, which a header has")
    }
    package static let insecureDigest = ProfileFault(
        text: "Content-Digest can't have hash=sha1, which RFC 9530 calls insecure")
    package static let malformed = ProfileFault(text: "the stored profile is malformed")
}

package struct TemplateFault: Equatable, Sendable {
    let text: String

    package static func tooLong(limit: Int) -> Self {
        Self(text: "the template has more than \(limit) bytes")
    }
    package static func unknownField(_ name: String) -> Self {
        Self(text: "no field is named \(Printable.excerpt(name))")
    }
    package static let brace = TemplateFault(
        text: "`{` without `}`, or `}` without `{`; a literal brace is `\\{` or `\\}`")
    package static let escape = TemplateFault(text: "a backslash must be followed by `n`, `\\`, `{` or `}`")
    package static let character = TemplateFault(text: "a character that is not printable ASCII")
    package static let noField = TemplateFault(text: "the template has no field, such as {body}")
}

package struct SecretFault: Equatable, Sendable {
    let text: String

    package static let empty = SecretFault(text: "is empty")
    package static func tooLong(limit: Int) -> Self { Self(text: "has more than \(limit) bytes") }
    package static func character(offset: Int) -> Self {
        Self(text: "byte \(offset + 1) is white space or a control character")
    }
    package static func notEncoded(_ encoding: SignatureEncoding, offset: Int) -> Self {
        Self(text: "byte \(offset + 1) can't be part of \(encoding.rawValue) text")
    }
    /// A part of the text is missing.
    package static func incomplete(_ encoding: SignatureEncoding) -> Self {
        Self(text: "the \(encoding.rawValue) text is cut off")
    }
}
