import Messages

/// Why a text is not a URI of a token or key. Offsets count bytes from 0. A name has lower-case
/// letters, digits and hyphens only.
package enum TokenURIError: Error, Equatable {
    case otherScheme
    case tooLong(limit: Int)
    case noValue(offset: Int)
    case invalidCharacter(offset: Int)
    /// A value that is empty, not UTF-8, or has control characters.
    case notText(offset: Int)
    case empty(String)
    case repeated(String)
    case unknown(String)
    /// A known attribute of the query that this program does not use.
    case refused(query: String)
    /// `pin-value` or `pin-source`.
    case secret(String)
    case slotID
    case otherType
    case relativeModule
}

extension TokenURIError: WordedError {
    package var words: Words {
        switch self {
        case .otherScheme: Words(.tokenURI, "a token's URI starts with `pkcs11:`")
        case .tooLong(let limit): Words(.tokenURI, "the URI has more than \(limit) bytes")
        case .noValue(let offset):
            Words(.tokenURI, "character \(offset + 1): expected `name=value`")
        case .invalidCharacter(let offset):
            Words(
                .tokenURI, "character \(offset + 1) is not allowed there",
                hint: "write other characters as % and two hex digits, such as %20 for a space")
        case .notText(let offset):
            Words(.tokenURI, "character \(offset + 1): the value is empty or is not printable UTF-8")
        case .empty(let name): Words(.tokenURI, "`\(name)` has no value")
        case .repeated(let name): Words(.tokenURI, "`\(Self.shown(name))` occurs twice")
        case .unknown(let name):
            Words(
                .tokenURI, "the attribute `\(Self.shown(name))` is not supported",
                hint: "use token, serial, manufacturer, model, slot-id, object and id")
        case .refused(let name):
            Words(
                .tokenURI, "`\(Self.shown(name))` is not supported after `?`",
                hint: "give the module as `module-path`")
        case .secret(let name):
            Words(
                .tokenURI, "the URI has `\(name)`, and a PIN must not be in an argument",
                hint:
                    "remove it; if it had the PIN, change the PIN; use --token-pin-file, or type the PIN when asked"
            )
        case .slotID: Words(.tokenURI, "`slot-id` is not a number of 64 bits")
        case .otherType: Words(.tokenURI, "`type` is not `private`", hint: "omit `type`")
        case .relativeModule:
            Words(.tokenURI, "`module-path` is not an absolute path", hint: "begin the path with /")
        }
    }

    private static func shown(_ name: String) -> String { name.utf8.count <= 32 ? name : "…" }
}
