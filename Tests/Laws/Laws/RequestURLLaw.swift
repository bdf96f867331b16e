import HTTPSigning

/// A URL is refused, or keeps its bytes, and its parts are the URL. An allowed prefix allows the
/// URL that it was made from.
public enum RequestURLLaw: Law {
    public static let name = "RequestURL"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        vectors.texts("http-signatures", "url").map { Array($0.utf8) }
            + [
                "https://[2001:db8::1]:8443/a/../b;c=d/%2e%2E/?a=%5B1-2%5D&b=c#d",
                "http://127.0.0.1:80/%252e%252e%2f",
                "https://example.com", "https://user:password@example.com/",
            ].map { Array($0.utf8) }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        checkPrefix(input)
        guard let url = try? RequestURL(utf8: input) else { return }
        try law(url.text.utf8.elementsEqual(input), "a URL keeps its bytes")
        try law(input.allSatisfy { (0x21...0x7e).contains($0) }, "a URL is visible ASCII")
        try law(input.count <= RequestURL.maximumLength, "a URL has a limit")
        try law(url.text.hasSuffix(url.target), "a URL ends with its target")
        try law(url.path.hasPrefix("/") && !url.path.contains("?"), "a path starts with a slash")
        let again = try must("the origin and the target are a URL") {
            try RequestURL("\(url.origin.scheme.rawValue)://\(url.origin.authority)\(url.target)")
        }
        try law(again.origin == url.origin && again.target == url.target, "they are the same URL")
        if let prefix = try? URLPrefix("\(url.origin.scheme.rawValue)://\(url.origin.authority)\(url.path)") {
            try law(prefix.mismatch(of: url) == nil, "a prefix allows its own URL")
        }
    }

    /// Whatever a prefix allows is below it.
    private static func checkPrefix(_ input: [UInt8]) {
        guard let prefix = try? URLPrefix(text(input)) else { return }
        _ = try? prefix.mismatch(of: RequestURL(prefix.text + "/../x"))
    }
}
